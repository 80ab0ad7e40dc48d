// Package sandbox confines commands: what they may write, connect to and signal. It has
// two engines, both of Linux: landlock confines the thread that starts a command, and needs
// no program; bwrap starts the command through bubblewrap.
//
// An engine that cannot work here is an error of [New]. That it does work, the caller has
// to try by running a command in it.
package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/spillway-go/spillway/internal/workspace"
)

// The engines.
const (
	Landlock = "landlock"
	Bwrap    = "bwrap"
)

// Policy is what commands may do. All paths are absolute and without links.
type Policy struct {
	Workspace string
	Writable  []string // directories and files outside of the workspace
	Visible   []string // directories that can be read, wherever they are
	Readable  []string // what can be read beside those above and the system; none means everything
	Network   bool
	Services  []string // the sockets of services that may be connected to

	// WriteGitDir lets commands write what a commit changes in the workspace's git directory
	// where that is elsewhere, as it is of linked worktrees and submodules.
	WriteGitDir bool
}

// writable returns where commands may write, beside their temporary directory.
func (p Policy) writable() []string { return append([]string{p.Workspace}, p.Writable...) }

// ErrGitDir is wrapped in the error for a git directory that Policy.WriteGitDir must not open.
var ErrGitDir = errors.New("the git directory cannot be opened for writing")

// Sandbox runs commands under a policy. A nil Sandbox confines nothing.
type Sandbox struct {
	Engine      string
	ABI         int      // of Landlock in the kernel; 0 with another engine
	NotEnforced []string // what this engine does not prevent here
	Writable    []string // what commands may write to outside of the workspace and TempDir
	GitDir      string   // the workspace's git directory, if it is outside and not writable

	policy     Policy
	protection *protection // of git, with bwrap
	temp       string
	lock       *os.File // held as long as temp is in use
	inside     string   // temp as commands see it
	mu         sync.Mutex
	rules      *os.File // the ruleset of landlock
	root       *os.File // the workspace that the ruleset is about
	program    []string // bwrap and its arguments
	filter     []byte   // for bwrap
	filters    [2]filter
	keepCaps   bool
}

// TempDir returns the private temporary directory, as commands see it.
func (s *Sandbox) TempDir() string { return s.inside }

// systemDirs can be read under any policy.
var systemDirs = []string{
	"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/usr", "/etc", "/opt", "/nix", "/gnu", "/proc", "/sys", "/run/systemd/resolve",
}

// apart returns the paths that are in none of the directories, and in none of each other: what is
// in a directory that commands may write to may be a link when it is looked up again.
func apart(paths []string, dirs ...string) (found []string) {
	for i, path := range paths {
		others := slices.Concat(dirs, paths[:i], slices.DeleteFunc(slices.Clone(paths[i:]), func(other string) bool { return other == path }))
		if !slices.ContainsFunc(others, func(dir string) bool { return workspace.Within(dir, path) }) {
			found = append(found, path)
		}
	}
	return found
}

// existing returns those paths that exist.
func existing(paths ...string) (found []string) {
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil {
			found = append(found, path)
		}
	}
	return found
}

// join returns the names in a directory.
func join(dir string, names ...string) (paths []string) {
	for _, name := range names {
		paths = append(paths, filepath.Join(dir, name))
	}
	return paths
}
