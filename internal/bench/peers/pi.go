package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
)

const piPackage = "@mariozechner/pi-coding-agent"

// newPi installs pi-coding-agent beside its driver, and finds the programs that it
// needs. The error says why it cannot take part.
func newPi(module, scratch string) (*contender, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("no Node: %w", err)
	}
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
	agent := filepath.Join(scratch, "pi-agent")
	note, err := programs(filepath.Join(agent, "bin"))
	if err != nil {
		return nil, err
	}
	c := &contender{
		id: "pi", name: "pi-coding-agent", version: version,
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

// oldFd lets a version of fd before 8.7 take the call of pi: the trees here are
// repositories, in which the option that it lacks changes nothing.
const oldFd = "#!/bin/sh\nfor a do shift; [ \"$a\" = --no-require-git ] || set -- \"$@\" \"$a\"; done\nexec %s \"$@\"\n"

// programs puts rg and fd where pi keeps those that it downloads: so it finds them
// as it does at its users', without running them for their version first.
func programs(bin string) (note func(string) string, err error) {
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return nil, err
	}
	notes := map[string]string{}
	link := func(name string, group string, names ...string) string {
		for _, n := range names {
			if program, err := exec.LookPath(n); err == nil {
				os.Remove(filepath.Join(bin, name))
				if err := os.Symlink(program, filepath.Join(bin, name)); err == nil {
					return program
				}
			}
		}
		notes[group] = name + " is not installed, and pi's " + group + " needs it"
		return ""
	}
	link("rg", "grep", "rg")
	fd := link("fd", "find", "fd", "fdfind")
	if fd != "" && exec.Command(fd, "--no-require-git", "--version").Run() != nil {
		notes["find"] = "through a shell script, about 1 ms, because this fd is older than pi expects"
		name := filepath.Join(bin, "fd")
		if err := os.Remove(name); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, fmt.Appendf(nil, oldFd, fd), 0o755); err != nil {
			return nil, err
		}
	}
	return func(scenario string) string { return notes[path.Dir(scenario)] }, nil
}
