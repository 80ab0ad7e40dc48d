// Package sandbox limits what commands may write, connect to and signal. It has two engines,
// both for Linux: landlock confines the thread that starts a command, and needs no program;
// bwrap starts the command through bubblewrap.
//
// [Confine] makes the sandbox that a configuration asks for. [New] fails if an engine cannot work here; Confine finds out
// whether it does work by running a command.
package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/workspace"
)

// The engines.
const (
	Landlock = "landlock"
	Bwrap    = "bwrap"
)

// maxDirs is how many directories are held open: .git may lead to one that deep in the workspace.
const maxDirs = 100

// Policy is what commands may do. All paths are absolute and without links.
type Policy struct {
	Workspace string
	Writable  []string // directories and files outside of the workspace
	Visible   []string // directories that commands can always read
	Readable  []string // what else they can read, besides the system's directories; none means everything
	Network   bool     // all of the host's
	Hosts     []string // what they may reach by name, as the user wrote it
	Services  []string // the sockets of services to which they may connect
	ReadOnly  []ReadOnly

	// OwnNetwork gives each command a network namespace of its own, in which [Sandbox.Serving] serves. Network leaves
	// that out.
	OwnNetwork bool

	// WriteGitDir lets commands write what a commit changes in the workspace's git directory if
	// that is outside of the workspace, as for linked worktrees and submodules.
	WriteGitDir bool

	// Hides reports whether commands must not see something in the workspace, and Hidden returns what. Both are nil if
	// nothing can be hidden.
	Hides  func() bool
	Hidden func() []workspace.HiddenEntry

	WriteCaches   bool     // Writable has the caches of build tools
	ReadOnlyRoots []string // ReadOnly, as the user wrote it
}

// ReadOnly is a directory or file where commands may write that they must not change. It need not exist.
type ReadOnly struct {
	Dir    string
	Linked bool // the user named it by a path with a link that commands may replace
}

// writable returns where commands may write, besides their temporary directory.
func (p Policy) writable() []string { return append([]string{p.Workspace}, p.Writable...) }

// errGitDir is wrapped in the error for a git directory that Policy.WriteGitDir must not open.
var errGitDir = errors.New("the git directory cannot be opened for writing")

// errReadOnly is the error for an engine that cannot keep Policy.ReadOnly.
var errReadOnly = errors.New("it cannot keep commands from changing a part of what they may change, " +
	"as ReadOnlyRoots asks: use bwrap, which can")

// Facts describe a sandbox.
type Facts struct {
	Engine      string
	ABI         int      // the version of Landlock; 0 with another engine
	NotEnforced []string // what this engine does not prevent here
	Writable    []string // what commands may write to outside of the workspace and TempDir
}

// Sandbox runs commands under a policy.
type Sandbox struct {
	Facts

	gitDir string // the workspace's git directory, if it is outside and not writable
	shared string // what the worktrees share, if commands write only to parts of it
	policy Policy
	temp   string
	lock   *os.File   // locked as long as temp is in use
	inside string     // the path of temp as commands see it
	mu     sync.Mutex // guards protection, rules and root
	// filters are those of commands outside and inside of a control group: without and, if need be, with clone3.
	filters [2][]byte

	// landlock
	rules    *os.File // the ruleset
	root     *os.File // the workspace of the ruleset
	keepCaps bool

	// bwrap
	program    []string    // bwrap and its arguments
	places     []string    // where program lets commands write outside of the workspace
	sharedDir  *sharedDir  // shared, if commands may make files in it; else nil
	followed   []string    // what Undo removed from sharedDir since the last report, as git would follow it
	protection *protection // of git
	shown      []string    // what is bound outside of where commands write
	cover      cover       // of hidden files; mu guards it
}

var _ proc.Sandbox = (*Sandbox)(nil)

// Now returns the facts about a command that starts now.
func (s *Sandbox) Now() Facts {
	now := s.Facts
	now.NotEnforced = slices.Concat(now.NotEnforced, s.gaps(), s.seen())
	return now
}

// hides reports whether something may be hidden.
func (s *Sandbox) hides() bool { return s.policy.Hides != nil && s.policy.Hides() }

// CoversHidden reports whether commands that start now cannot open what is hidden in the workspace.
func (s *Sandbox) CoversHidden() bool { return s.Engine == Bwrap && s.hides() }

// seen returns what commands can open although it is hidden, if something may be.
func (s *Sandbox) seen() []string {
	if !s.hides() {
		return nil
	}
	const committed = "reading hidden files that git has: a command is refused only if it names one"
	if s.Engine == Bwrap {
		return []string{
			fmt.Sprintf("opening hidden files that appear while the command runs, that are over the first %d, or "+
				"that come after the first %d entries of the workspace", workspace.MaxHiddenEntries, workspace.MaxHiddenVisits),
			fmt.Sprintf("moving hidden files away with directories that were made later than the suite, or are over the "+
				"first %d that hold such files, and then opening them", maxDirs),
			"committing, in repositories that a command makes, what stands in the place of hidden files",
			committed,
		}
	}
	return []string{"opening hidden files that a command does not name: " + s.Engine +
		" cannot take away a part of the workspace, as bwrap can", committed}
}

// TempDir returns the path of the private temporary directory as commands see it.
func (s *Sandbox) TempDir() string { return s.inside }

// systemDirs can be read under any policy.
var systemDirs = []string{
	"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/usr", "/etc", "/opt", "/nix", "/gnu",
	"/proc", "/sys", "/run/systemd/resolve",
}

// apart returns those paths that are neither in one of dirs nor in another of the paths, each
// once. In a directory that commands may write to, a path may be a link when it is used.
func apart(paths []string, dirs ...string) (found []string) {
	for i, path := range paths {
		later := slices.DeleteFunc(slices.Clone(paths[i:]), func(other string) bool { return other == path })
		others := slices.Concat(dirs, paths[:i], later)
		if !slices.ContainsFunc(others, func(dir string) bool { return workspace.Within(dir, path) }) {
			found = append(found, path)
		}
	}
	return found
}

func existing(paths ...string) (found []string) {
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil {
			found = append(found, path)
		}
	}
	return found
}

func join(dir string, names ...string) (paths []string) {
	for _, name := range names {
		paths = append(paths, filepath.Join(dir, name))
	}
	return paths
}
