//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/gitdir"
	"github.com/spillway-go/spillway/internal/workspace"
)

// maxWorktrees is how many worktrees of a repository are protected one by one. Where there are
// more, commands make none and commit in none.
const maxWorktrees = 100

// maxDirs is how many directories are held: .git may lead to one that is that deep in the workspace.
const maxDirs = 100

// protection keeps commands from leading git, in the root of the workspace, to configuration or
// hooks that they wrote. bubblewrap binds read-only what exists. What git takes for nothing if it is
// empty is made first. What would confuse git is removed when a command has made it.
type protection struct {
	root     *os.File   // the workspace
	bare     bool       // which is a bare repository itself
	dirs     []*os.File // the git directories that commands write to, and each directory on the way
	empty    []emptyName
	readonly []string
	noCommon *os.File // the git directory in which there is no commondir
	undone   []string // what was removed and not told yet
}

// An emptyName is that of a file, or a directory, which is made if it is missing.
type emptyName struct {
	in    *os.File
	name  string
	isDir bool
}

// protect finds what is to be protected where commands write to the directories writable, of which
// dir, the workspace, is one.
func protect(dir string, writable []string) (p *protection, err error) {
	p = &protection{}
	if p.root, err = openDir(dir); err != nil {
		return nil, err
	}
	p.bare = isBare(p.root)
	repo := gitdir.Open(dir)
	if repo == nil {
		return p, nil
	}
	own, common := repo.Own, repo.Common
	if info, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && info.Mode().IsRegular() {
		p.readonly = []string{filepath.Join(dir, ".git")}
	}
	for _, place := range writable {
		if workspace.Within(place, common) {
			in, err := p.hold(place, common)
			if err != nil {
				return nil, err
			}
			p.empty = append(p.empty, emptyName{in, "hooks", true}, emptyName{in, "config", false})
			p.protectWorktrees(dir, common)
		}
		if workspace.Within(place, own) {
			in, err := p.hold(place, own)
			if err != nil {
				return nil, err
			}
			p.empty = append(p.empty, emptyName{in, "config.worktree", false})
			p.readonly = append(p.readonly, join(own, "commondir", "gitdir")...)
			if own == common && len(existing(filepath.Join(own, "commondir"))) == 0 {
				p.noCommon = in
			}
		}
	}
	return p, nil
}

// hold opens a directory, and those on the way to it from place, each of which is bound to itself
// so that it cannot be moved away. It returns the directory.
func (p *protection) hold(place, path string) (*os.File, error) {
	if path != place {
		if _, err := p.hold(place, filepath.Dir(path)); err != nil {
			return nil, err
		}
	}
	if path == p.root.Name() {
		return p.root, nil
	}
	if i := slices.Index(names(p.dirs), path); i >= 0 {
		return p.dirs[i], nil
	}
	if len(p.dirs) == maxDirs {
		return nil, fmt.Errorf(".git leads more than %d directories deep", maxDirs)
	}
	dir, err := openDir(path)
	if err == nil {
		p.dirs = append(p.dirs, dir)
	}
	return dir, err
}

// protectWorktrees protects what a repository keeps for linked worktrees that are not in the
// workspace dir.
func (p *protection) protectWorktrees(dir, common string) {
	worktrees := filepath.Join(common, "worktrees")
	if _, err := p.hold(common, worktrees); err != nil {
		return // there are none
	}
	entries := firstNames(worktrees, maxWorktrees+1)
	if len(entries) > maxWorktrees {
		p.readonly = append(p.readonly, worktrees)
		return
	}
	for _, own := range join(worktrees, entries...) {
		if !workspace.Within(dir, gitdir.Worktree(own)) {
			p.readonly = append(p.readonly, own)
		}
	}
}

// firstNames returns the first names in a directory.
func firstNames(dir string, limit int) []string {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	found, _ := f.Readdirnames(limit)
	return found
}

// binds returns the options of bubblewrap for the next command, none if a directory is not the one
// that was held: there may be a link in its place, which bubblewrap would follow.
func (p *protection) binds() (args []string) {
	for _, dir := range p.dirs {
		if !isAt(dir) {
			return nil
		}
		args = append(args, "--bind", dir.Name(), dir.Name())
	}
	readonly := slices.Clone(p.readonly)
	for _, e := range p.empty {
		e.make()
		readonly = append(readonly, filepath.Join(e.in.Name(), e.name))
	}
	for _, path := range slices.DeleteFunc(existing(readonly...), isLink) {
		args = append(args, "--ro-bind", path, path)
	}
	return args
}

// make makes it. It fails where it exists, and where no command could make it either.
func (e emptyName) make() {
	dir := int(e.in.Fd())
	if e.isDir {
		unix.Mkdirat(dir, e.name, 0o777)
	} else if fd, err := unix.Openat(dir, e.name, unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o666); err == nil {
		unix.Close(fd)
	}
}

// links returns what would be bound if it were not a link, which a command can replace.
func (p *protection) links() []string {
	paths := append(join(p.root.Name(), ".git"), p.readonly...)
	for _, e := range p.empty {
		paths = append(paths, filepath.Join(e.in.Name(), e.name))
	}
	return slices.DeleteFunc(paths, func(path string) bool { return !isLink(path) })
}

// undo removes what leads git elsewhere: a commondir, and the HEAD that has git take the workspace
// for a bare repository if it does not find that in .git any more.
func (p *protection) undo() {
	remove := func(dir *os.File, name string) {
		path := filepath.Join(dir.Name(), name)
		if unix.Unlinkat(int(dir.Fd()), name, 0) == nil && !slices.Contains(p.undone, path) {
			p.undone = append(p.undone, path)
		}
	}
	if p.noCommon != nil {
		remove(p.noCommon, "commondir")
	}
	if len(p.dirs) > 0 && !p.bare && isBare(p.root) {
		remove(p.root, "HEAD")
	}
}

func (p *protection) close() {
	closeAll(p.dirs)
	p.root.Close()
}

// isBare reports whether a directory looks like a bare repository.
func isBare(dir *os.File) bool {
	has := func(name string) bool {
		return unix.Faccessat(int(dir.Fd()), name, unix.F_OK, unix.AT_SYMLINK_NOFOLLOW) == nil
	}
	return has("HEAD") && (has("commondir") || has("objects") && has("refs"))
}

// isAt reports whether an open directory is still the one at its path.
func isAt(dir *os.File) bool {
	was, err := dir.Stat()
	is, missing := os.Lstat(dir.Name())
	return err == nil && missing == nil && os.SameFile(was, is)
}

// isLink reports whether a path is a link, which nothing can be bound to.
func isLink(path string) bool {
	_, err := os.Readlink(path)
	return err == nil
}
