// Package gitdir finds the repository of a directory as git does, and reads what its
// configuration says. It never runs git, which need not be installed.
//
// # What a repository may have read
//
// The user's and the system's configuration and the environment are read as git reads
// them. What a repository supplies stays inside it: its config, the files that this
// includes, its core.excludesFile and info/exclude are read only from its work tree or
// git directory, and only if no link leads out of these. A "~" in its config is not
// expanded.
//
// The git directory is .git, or what it points to. One outside the work tree counts only
// if it points back: by the file gitdir, which git worktree writes there, or by
// core.worktree, as git submodule sets it. Likewise, the commondir of a linked worktree
// must be the directory whose "worktrees" holds its own. A .git that points to a git
// directory without a way back (made by git init --separate-git-dir, for example) still
// marks the root of a repository, as for git, but nothing is read from that directory.
//
// The files of a configuration are bounded in number and bytes.
package gitdir

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/workspace"
)

// maxPointer is the size in bytes of a file that holds a path: .git, commondir,
// gitdir. No system has paths that are longer.
const maxPointer = 64 << 10

// errTooLarge is the error for a file of git's that is larger than its bound. Such a file
// counts as one that cannot be read.
var errTooLarge = errors.New("file too large")

// Repository is a work tree and where its repository keeps its own files. All
// paths are absolute and without links.
type Repository struct {
	Root string // the work tree; without a repository, the directory that Find was asked about

	// Own is what .git is or leads to, "" without a repository. In a linked
	// worktree it is not Common: rules and configuration are those of the main one.
	Own, Common string

	// places are the directories out of which the repository may have files read.
	places []string
}

// Find looks for the repository that holds dir, an absolute path without links: in it,
// then above. Where there is none, it is dir alone.
func Find(dir string) *Repository {
	for at := dir; ; {
		if r := Open(at); r != nil {
			return r
		}
		parent := filepath.Dir(at)
		if parent == at {
			return &Repository{Root: dir, places: []string{dir}}
		}
		at = parent
	}
}

// Open returns the repository whose root is dir, nil if dir is not the root of one.
func Open(dir string) *Repository {
	r := &Repository{Root: dir, places: []string{dir}}
	own := filepath.Join(dir, ".git")
	info, err := os.Stat(own)
	if err != nil {
		return nil
	}
	if !info.IsDir() {
		// "gitdir: path", written by git worktree and git submodule.
		leads, ok := strings.CutPrefix(r.pointer(own), "gitdir: ")
		if !ok {
			return nil
		}
		own = resolve(dir, leads)
	}
	if own, err = filepath.EvalSymlinks(own); err != nil {
		return nil
	}
	outside := !workspace.Within(dir, own)
	trusted := !outside || leadsBack(own, dir)
	common := own
	if leads := (&Repository{places: []string{own}}).pointer(filepath.Join(own, "commondir")); leads != "" {
		if common, err = filepath.EvalSymlinks(resolve(own, leads)); err != nil {
			return nil
		}
		// Where git worktree puts it; a path to anywhere else is nobody's but the file's.
		worktrees := filepath.Join(common, "worktrees")
		trusted = trusted && (workspace.Within(dir, common) || outside && filepath.Dir(own) == worktrees)
	}
	// An entry that merely has the name is no repository to git, which then
	// goes on looking above.
	if !exists(filepath.Join(own, "HEAD")) ||
		!exists(filepath.Join(common, "objects")) || !exists(filepath.Join(common, "refs")) {
		return nil
	}
	r.Own, r.Common = own, common
	if trusted {
		r.places = append(r.places, own, common)
	}
	return r
}

// leadsBack reports whether the git directory own, which is not in the work tree
// root, says itself that it is that of root: by the path in gitdir, as git
// worktree writes it, or by core.worktree, as git submodule does.
func leadsBack(own, root string) bool {
	r := &Repository{places: []string{own}}
	if leads := r.pointer(filepath.Join(own, "gitdir")); leads != "" {
		leads = resolve(own, leads)
		return filepath.Base(leads) == ".git" && same(filepath.Dir(leads), root)
	}
	tree := ""
	for _, name := range []string{"config", "config.worktree"} {
		content, err := read(r.OpenFile, filepath.Join(own, name), maxConfig)
		if err != nil {
			continue
		}
		parseConfig(string(content), func(section, key, value string) bool {
			if section == "core" && key == "worktree" {
				tree = value
			}
			return true
		})
	}
	return tree != "" && same(resolve(own, tree), root)
}

// same reports whether path leads to dir, which has no links in it.
func same(path, dir string) bool {
	path, err := filepath.EvalSymlinks(path)
	return err == nil && path == dir
}

// opener opens a regular file by its absolute path.
type opener func(path string) (*os.File, error)

// OpenFile opens a file that the repository names, if it is in one of its places. No
// link leads out of them.
func (r *Repository) OpenFile(path string) (*os.File, error) {
	for _, place := range r.places {
		if workspace.Within(place, path) {
			return openBelow(place, path, func(root *os.Root, rel string) (*os.File, fs.FileInfo, error) {
				return workspace.OpenRegular(root.OpenFile, rel)
			})
		}
	}
	return nil, fs.ErrPermission
}

// OpenPlain opens a file in the work tree that is no link.
func (r *Repository) OpenPlain(path string) (*os.File, error) {
	return openBelow(r.Root, path, workspace.OpenPlain)
}

// openBelow opens a file by its path from a directory, out of which no link leads.
func openBelow(dir, path string, open func(root *os.Root, rel string) (*os.File, fs.FileInfo, error)) (*os.File, error) {
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return nil, err
	}
	root, err := workspace.OpenRoot(os.OpenRoot, dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, _, err := open(root, rel)
	return f, err
}

// holds reports whether a path is in one of the repository's places.
func (r *Repository) holds(path string) bool {
	return slices.ContainsFunc(r.places, func(place string) bool { return workspace.Within(place, path) })
}

// openAnywhere opens a file that the user's configuration names.
func openAnywhere(path string) (*os.File, error) {
	f, _, err := workspace.OpenRegular(os.OpenFile, path)
	return f, err
}

// read returns the content of the file that open opens, if it is at most limit bytes.
func read(open opener, path string, limit int) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err == nil && len(content) > limit {
		return nil, errTooLarge
	}
	return content, err
}

// pointer reads a file that holds one path; "" if that cannot be.
func (r *Repository) pointer(path string) string {
	content, err := read(r.OpenFile, path, maxPointer)
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(content), "\r\n")
}

// resolve makes path, which may be relative to base, absolute.
func resolve(base, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

// exists does not follow a symbolic link: HEAD may be one to a branch that has
// no commit yet.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// LeadsBack reports whether the directories where the repository keeps its own files are in its
// work tree, or say themselves that they belong to it.
func (r *Repository) LeadsBack() bool { return r.holds(r.Own) && r.holds(r.Common) }

// Worktree returns the linked worktree that a git directory says it belongs to, or "".
func Worktree(own string) string {
	leads := (&Repository{places: []string{own}}).pointer(filepath.Join(own, "gitdir"))
	if leads == "" {
		return ""
	}
	return filepath.Dir(resolve(own, leads))
}
