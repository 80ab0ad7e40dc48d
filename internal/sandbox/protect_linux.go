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

// maxWorktrees is how many worktrees of a repository are protected one by one. If there are
// more, commands can neither make one nor commit in one.
const maxWorktrees = 100

// protection keeps commands from making git, in the root of the workspace, use configuration or
// hooks that they wrote. bubblewrap binds existing files read-only. Files that mean nothing to
// git while they are empty are made first. Files that would confuse git are removed after the
// command that made them.
type protection struct {
	root     *os.File   // the workspace
	bare     bool       // root was a bare repository from the beginning
	dirs     []*os.File // the git directories that commands write to, and each directory above them
	empty    []emptyFile
	readonly []string
	noCommon *os.File // the git directory that must not get a commondir, or nil
	undone   []string // what undo removed since the last report
	readOnly readOnly
}

// emptyFile is a file or directory that is made empty if it is missing, and then read-only.
type emptyFile struct {
	in    *os.File
	name  string
	isDir bool
}

// protect returns the protection of the workspace as it is now.
func (s *Sandbox) protect() (p *protection, err error) {
	dir := s.policy.Workspace
	writable := append([]string{dir}, s.places...)
	p = &protection{}
	if p.root, err = openDir(dir); err != nil {
		return nil, err
	}
	p.bare = isBare(p.root)
	if p.readOnly, err = s.policy.hold(writable); err != nil {
		return nil, err
	}
	repo := gitdir.Open(dir)
	if repo == nil {
		return p, nil
	}
	own, common := repo.Own, repo.Common
	if info, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && info.Mode().IsRegular() {
		p.readonly = []string{filepath.Join(dir, ".git")}
	}
	for _, place := range writable {
		if workspace.Within(place, common) && !p.readOnly.covers(common) {
			in, err := p.hold(place, common)
			if err != nil {
				return nil, err
			}
			p.empty = append(p.empty, emptyFile{in, "hooks", true}, emptyFile{in, "config", false})
			p.protectWorktrees(dir, common)
		}
		if workspace.Within(place, own) && !p.readOnly.covers(own) {
			in, err := p.hold(place, own)
			if err != nil {
				return nil, err
			}
			p.empty = append(p.empty, emptyFile{in, "config.worktree", false})
			p.readonly = append(p.readonly, join(own, "commondir", "gitdir")...)
			if own == common && len(existing(filepath.Join(own, "commondir"))) == 0 {
				p.noCommon = in
			}
		}
	}
	return p, nil
}

// hold opens a directory, and those between place and it, and returns the directory. Each of
// them is bound to itself, so that commands cannot move it away.
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

// protectWorktrees protects what a repository keeps for linked worktrees outside of the
// workspace dir.
func (p *protection) protectWorktrees(dir, common string) {
	worktrees := filepath.Join(common, "worktrees")
	if _, err := p.hold(common, worktrees); err != nil {
		return // there are no worktrees
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

// firstNames returns up to limit names in a directory.
func firstNames(dir string, limit int) []string {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	found, _ := f.Readdirnames(limit)
	return found
}

// binds returns the options of bubblewrap for the next command. It protects nothing of git if
// something has replaced a directory: bubblewrap would follow a link in its place.
func (p *protection) binds() (args []string) {
	dirs, roots, _ := p.readOnly.binds()
	var readonly []string
	if !slices.ContainsFunc(p.dirs, func(dir *os.File) bool { return !isAt(dir) }) {
		dirs = append(dirs, names(p.dirs)...)
		readonly = slices.Clone(p.readonly)
		for _, e := range p.empty {
			e.create()
			readonly = append(readonly, filepath.Join(e.in.Name(), e.name))
		}
	}
	args = nested(dirs)
	for _, path := range append(slices.DeleteFunc(existing(readonly...), isLink), roots...) {
		args = append(args, "--ro-bind", path, path)
	}
	return args
}

// create makes the file. That fails if it exists, or if no command could make it either.
func (e emptyFile) create() {
	dir := int(e.in.Fd())
	if e.isDir {
		unix.Mkdirat(dir, e.name, 0o777)
	} else if fd, err := unix.Openat(dir, e.name, unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o666); err == nil {
		unix.Close(fd)
	}
}

// links returns the links among what is protected. They cannot be bound, so commands can replace
// them.
func (p *protection) links() []string {
	paths := append(join(p.root.Name(), ".git"), p.readonly...)
	for _, e := range p.empty {
		paths = append(paths, filepath.Join(e.in.Name(), e.name))
	}
	return slices.DeleteFunc(paths, func(path string) bool { return !isLink(path) })
}

// undo removes what makes git look elsewhere: a commondir, and a HEAD that makes git take the
// workspace for a bare repository when .git no longer is one.
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
	closeAll(p.readOnly.parents)
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

func isLink(path string) bool {
	_, err := os.Readlink(path)
	return err == nil
}
