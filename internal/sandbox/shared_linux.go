//go:build linux && (amd64 || arm64)

package sandbox

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/workspace"
)

const (
	// maxShared is how many entries of a shared git directory are bound one by one. It usually has about 20. If there
	// are more, commands write only to its commitParts.
	maxShared = 100

	// maxTodo is how much of the commands of a rebase is looked through. One that is longer counts as planted.
	maxTodo = 1 << 20
)

// sharedDir is the git directory that the workspace, a linked worktree, shares with others. To delete a ref git locks
// packed-refs, by a file beside the configuration, so commands must be able to make files there. All else that is there
// from the beginning is bound: commitParts to themselves, the rest read-only, since it has git outside run programs, or
// is the state of the main worktree.
//
// What appears later is not bound, apart from guarded names: commands that are running already could put a link in its
// place, which bubblewrap would follow. What of it misleads git is removed after the command.
type sharedDir struct {
	root  *os.File
	held  []*os.File // what is in root from the beginning; no command can replace it
	info  *os.File   // of the objects
	empty []emptyFile
	inner []string // where commands write in root beside its parts, the outer ones first
}

var (
	// guardedDirs are where git finds hooks, attributes, submodules, remotes and worktrees. If a program outside has
	// replaced one, commands write only to commitParts.
	guardedDirs = []string{"hooks", "info", "modules", "remotes", "branches", "worktrees"}
	// guardedFiles are bound even if a program outside has replaced them, as git config and git checkout do.
	guardedFiles = []string{"config", "config.worktree", "HEAD"}
)

// sharedGaps are what sharedDir does not prevent.
var sharedGaps = []string{
	"moving and deleting branches and tags of other worktrees, and the log of the main one's HEAD",
	"leading git elsewhere by a .git in the git directory that worktrees share, and links and a rebase that runs " +
		"commands there, as long as the command runs; and such a rebase if the main worktree is on no branch",
	"changing a file in that directory that appeared since the suite began, or that a program outside has replaced, but " +
		"for configuration and HEAD; and making one there that its configuration names",
	"opening a file that commands must not see, through a link that a command of another worktree makes there as " +
		"one starts",
}

// openSharedDir opens a git directory for commands that write to places anyway, some of which are in it. It returns nil
// if something there cannot be protected: a link, or too many entries.
func openSharedDir(common string, places []string) (*sharedDir, error) {
	root, err := openOwn(common)
	if err != nil {
		return nil, err
	}
	d := &sharedDir{root: root, inner: slices.DeleteFunc(slices.Clone(places), func(place string) bool {
		return !workspace.Within(common, place) || slices.Contains(join(common, commitParts...), place)
	})}
	slices.SortStableFunc(d.inner, func(a, b string) int { return len(a) - len(b) })
	if d.hold() {
		return d, nil
	}
	d.close()
	return nil, nil
}

// hold makes what is missing, and opens what is there. It reports whether all of that can be protected.
func (d *sharedDir) hold() bool {
	if entries, ok := d.entries(); !ok || slices.ContainsFunc(entries, isLinkEntry) {
		return false
	}
	for _, name := range guardedDirs {
		d.empty = append(d.empty, emptyFile{d.root, name, true})
	}
	d.empty = append(d.empty, emptyFile{d.root, "config", false}, emptyFile{d.root, "config.worktree", false})
	objects := filepath.Join(d.root.Name(), "objects")
	if err := unix.Mkdir(filepath.Join(objects, "info"), 0o777); err != nil && !errors.Is(err, unix.EEXIST) {
		return false
	}
	var err error
	if d.info, err = openDir(filepath.Join(objects, "info")); err != nil {
		return false
	}
	d.empty = append(d.empty, emptyFile{d.info, "alternates", false})
	d.create()
	entries, ok := d.entries()
	for _, e := range entries {
		if isTransient(e.Name()) {
			continue
		}
		path := filepath.Join(d.root.Name(), e.Name())
		fd, err := unix.Openat(int(d.root.Fd()), e.Name(), unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err == nil {
			d.held = append(d.held, os.NewFile(uintptr(fd), path))
		}
	}
	missing := func(name string) bool { return !d.holds(name) }
	return ok && !slices.ContainsFunc(slices.Concat(guardedDirs, guardedFiles), missing)
}

func (d *sharedDir) create() {
	for _, e := range d.empty {
		e.create()
	}
}

// entries lists the directory, unless it has too many entries.
func (d *sharedDir) entries() (entries []fs.DirEntry, ok bool) {
	f, err := os.Open(d.root.Name())
	if err != nil {
		return nil, false
	}
	defer f.Close()
	entries, _ = f.ReadDir(maxShared + 1)
	return entries, len(entries) <= maxShared
}

func isLinkEntry(e fs.DirEntry) bool { return e.Type() == fs.ModeSymlink }

// isTransient reports whether git replaces or removes a file by its name, as commands must be able to do.
func isTransient(name string) bool {
	return name == "packed-refs" || name == "packed-refs.new" || name == "gc.pid" || strings.HasSuffix(name, ".lock")
}

// holds reports whether what has a name now was there from the beginning.
func (d *sharedDir) holds(name string) bool {
	path := filepath.Join(d.root.Name(), name)
	return slices.ContainsFunc(d.held, func(f *os.File) bool { return f.Name() == path && isAt(f) })
}

// binds returns the options of bubblewrap that let the next command write to the directory. It returns none if
// something there cannot be protected now.
func (d *sharedDir) binds() (args []string) {
	if d == nil {
		return nil
	}
	d.create()
	entries, ok := d.entries()
	if !ok || !isAt(d.root) || !isAt(d.info) || slices.ContainsFunc(entries, d.isOpen) {
		return nil
	}
	bind := func(how string, paths ...string) {
		for _, path := range paths {
			args = append(args, how, path, path)
		}
	}
	bind("--bind", d.root.Name())
	for _, f := range d.held {
		name, at := filepath.Base(f.Name()), isAt(f)
		switch {
		case at && slices.Contains(commitParts, name):
			bind("--bind", f.Name())
		case at || slices.Contains(guardedFiles, name) && isRegular(f.Name()):
			bind("--ro-bind-try", f.Name()) // a merge of the main worktree may have ended since
		case slices.Contains(slices.Concat(commitParts, guardedDirs, guardedFiles), name):
			return nil
		}
	}
	bind("--bind", d.info.Name())
	alternates := filepath.Join(d.info.Name(), "alternates")
	if !isRegular(alternates) {
		return nil
	}
	bind("--ro-bind", alternates)
	bind("--bind", d.inner...)
	return args
}

// isOpen reports whether an entry cannot be protected: a link, or a rebase of the main worktree that has begun since.
func (d *sharedDir) isOpen(e fs.DirEntry) bool {
	return isLinkEntry(e) || e.Name() == rebaseDir && !d.holds(rebaseDir)
}

func isRegular(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// rebaseDir is where git keeps a rebase that has stopped, and rebaseTodo what it does when it goes on, which may be
// commands.
const (
	rebaseDir  = "rebase-merge"
	rebaseTodo = "git-rebase-todo"
)

// commandLines match a line of rebaseTodo that runs a command.
var commandLines = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[ \t]*(x|exec)[ \t]`) })

// undo removes what misleads git outside, and returns the paths: led are those of a commondir and a .git, which lead to
// other configuration; followed those of links, through which git would write elsewhere, and of a rebase that runs
// commands.
func (d *sharedDir) undo() (led, followed []string) {
	if d == nil {
		return nil, nil
	}
	root := int(d.root.Fd())
	remove := func(list *[]string, dir int, within, name string) {
		if unix.Unlinkat(dir, name, 0) == nil {
			*list = append(*list, filepath.Join(d.root.Name(), within, name))
		}
	}
	for _, name := range d.links() {
		remove(&followed, root, "", name)
	}
	for _, name := range []string{"commondir", ".git"} {
		if !d.holds(name) {
			remove(&led, root, "", name)
		}
	}
	d.within(".git", func(dir int) { remove(&led, dir, ".git", "HEAD") }) // without it git passes over the directory
	d.within(rebaseDir, func(dir int) {
		if d.onBranch() && runsCommands(dir) {
			remove(&followed, dir, rebaseDir, rebaseTodo)
		}
	})
	return led, followed
}

// links returns the names of links that commands can have made.
func (d *sharedDir) links() (names []string) {
	f, err := os.Open(d.root.Name())
	if err != nil {
		return nil
	}
	defer f.Close()
	for err == nil { // all of them: what is beyond a limit could be made first
		var entries []fs.DirEntry
		entries, err = f.ReadDir(maxShared)
		for _, e := range entries {
			if isLinkEntry(e) && !slices.Contains(slices.Concat(commitParts, guardedDirs, guardedFiles), e.Name()) {
				names = append(names, e.Name())
			}
		}
	}
	return names
}

// within calls do with a directory that commands can have made.
func (d *sharedDir) within(name string, do func(dir int)) {
	if d.holds(name) {
		return
	}
	fd, err := unix.Openat(int(d.root.Fd()), name, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err == nil {
		do(fd)
		unix.Close(fd)
	}
}

// onBranch reports whether the main worktree is on a branch. It is not while a rebase is stopped, whose commands are the
// user's then. It is as long as they are in the user's editor, which has read the file.
func (d *sharedDir) onBranch() bool {
	f := openPlainAt(int(d.root.Fd()), "HEAD")
	defer f.Close()
	start := make([]byte, len("ref:"))
	n, _ := f.Read(start)
	return string(start[:n]) == "ref:"
}

// runsCommands reports whether a rebase, by its directory, would run commands, or is none that git made.
func runsCommands(dir int) bool {
	var info unix.Stat_t
	if unix.Fstatat(dir, rebaseTodo, &info, unix.AT_SYMLINK_NOFOLLOW) != nil {
		return false
	}
	f := openPlainAt(dir, rebaseTodo)
	defer f.Close()
	if f == nil || info.Size > maxTodo {
		return true
	}
	todo, err := io.ReadAll(io.LimitReader(f, maxTodo))
	return err != nil || commandLines().Match(todo)
}

// openPlainAt opens a file in a directory, or returns nil if it is missing or not a plain file.
func openPlainAt(dir int, name string) *os.File {
	fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	f := os.NewFile(uintptr(fd), name)
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil
	}
	return f
}

func (d *sharedDir) close() {
	if d != nil {
		closeAll(d.held)
		d.info.Close()
		d.root.Close()
	}
}
