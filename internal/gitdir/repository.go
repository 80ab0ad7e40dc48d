// Package gitdir finds the repository of a directory like git, and reads its configuration. It never runs git, which
// need not be installed.
//
// # What is read for a repository
//
// The user's and the system's configuration and the environment are read as git reads them. A repository cannot make
// this package read files outside of it: its config, the files that its config includes, its core.excludesFile and
// info/exclude are read only if they are in its work tree or git directory, or in a directory that the caller names as
// readable, and no link leads out. Settings names what git would read besides. "~user" in its config is not looked up.
//
// The git directory is .git, or what .git points to. One outside the work tree counts only if it points back: by the
// file gitdir, which git worktree writes there, or by core.worktree, which git submodule sets. Likewise, the commondir
// of a linked worktree must be the directory whose "worktrees" holds the worktree's own. A .git that points to a git
// directory that does not point back (made by git init --separate-git-dir, for example) still marks the root of a
// repository, as for git, but nothing is read from that directory, unless it may be read anyway.
//
// The number and the size of configuration files are limited.
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

// maxPointer is the largest size, in bytes, of a file that holds a path: .git, commondir or gitdir. No system allows
// longer paths.
const maxPointer = 64 << 10

var errTooLarge = errors.New("file too large")

// Repository is a work tree and its git directories. All paths are absolute and without links.
type Repository struct {
	Root string // the work tree; without a repository, the argument of Find

	// Own is .git or what it points to, "" without a repository. Common has the rules and the configuration. The two
	// differ in a linked worktree.
	Own, Common string

	// places are the directories from which the repository's files are read.
	places []string
}

// Find returns the repository of dir, an absolute path without links: its root is dir or the nearest directory above.
// Without a repository, Find returns one that consists of dir alone.
func Find(dir string) *Repository { return FindIn(dir, "") }

// FindIn is Find, with within as a directory in which repositories may refer to anything.
func FindIn(dir, within string) *Repository {
	for at := dir; ; {
		if r := OpenIn(at, within); r != nil {
			return r
		}
		parent := filepath.Dir(at)
		if parent == at {
			return &Repository{Root: dir, places: []string{dir}}
		}
		at = parent
	}
}

// Open returns the repository whose root is dir, or nil if dir is not the root of one.
func Open(dir string) *Repository { return OpenIn(dir, "") }

// OpenIn is Open, with within as a directory in which repositories may refer to anything.
func OpenIn(dir, within string) *Repository {
	r := &Repository{Root: dir, places: []string{dir}}
	if within != "" && workspace.Within(within, dir) {
		r.places[0] = within
	}
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
	back := !r.holds(own) && leadsBack(own, dir)
	trusted := r.holds(own) || back
	common := own
	if leads := (&Repository{places: []string{own}}).pointer(filepath.Join(own, "commondir")); leads != "" {
		if common, err = filepath.EvalSymlinks(resolve(own, leads)); err != nil {
			return nil
		}
		// git worktree makes own there. Only the file commondir vouches for another path.
		worktrees := filepath.Join(common, "worktrees")
		trusted = r.holds(common) && trusted || back && filepath.Dir(own) == worktrees
	}
	// git ignores a .git without these, and continues above.
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

// leadsBack reports whether the git directory own, outside of the work tree root, names root as its work tree: in
// gitdir, which git worktree writes, or by core.worktree, which git submodule sets.
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
		parseConfig(content, func(section, key, value string) bool {
			if section == "core" && key == "worktree" {
				tree = value
			}
			return true
		})
	}
	return tree != "" && same(resolve(own, tree), root)
}

// same reports whether path leads to dir, a path without links.
func same(path, dir string) bool {
	path, err := filepath.EvalSymlinks(path)
	return err == nil && path == dir
}

// opener opens a regular file by its absolute path.
type opener func(path string) (*os.File, error)

// OpenFile opens a file in one of the repository's places. It follows no link out of them.
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

// OpenDir opens a directory in one of the repository's places. It follows no link out of them.
func (r *Repository) OpenDir(path string) (*os.Root, error) {
	for _, place := range r.places {
		if workspace.Within(place, path) {
			rel, err := filepath.Rel(place, path)
			if err != nil {
				return nil, err
			}
			root, err := workspace.OpenRoot(os.OpenRoot, place)
			if err != nil {
				return nil, err
			}
			defer root.Close()
			return root.OpenRoot(rel)
		}
	}
	return nil, fs.ErrPermission
}

// LeadsOut reports whether a file in one of the repository's places is a link that OpenFile does not follow.
func (r *Repository) LeadsOut(path string) bool {
	f, err := r.OpenFile(path)
	if err == nil {
		f.Close()
		return false
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	for _, place := range r.places {
		if workspace.Within(place, path) {
			link := false
			openBelow(place, path, func(root *os.Root, rel string) (*os.File, fs.FileInfo, error) {
				info, err := root.Lstat(rel)
				link = err == nil && info.Mode()&fs.ModeSymlink != 0
				return nil, nil, err
			})
			return link
		}
	}
	return false
}

// OpenPlain opens a file in the work tree that is not a link.
func (r *Repository) OpenPlain(path string) (*os.File, error) {
	return openBelow(r.Root, path, workspace.OpenPlain)
}

// openBelow opens a file below a directory. It follows no link out of it.
func openBelow(
	dir, path string, open func(root *os.Root, rel string) (*os.File, fs.FileInfo, error),
) (*os.File, error) {
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

func openAnywhere(path string) (*os.File, error) {
	f, _, err := workspace.OpenRegular(os.OpenFile, path)
	return f, err
}

func read(open opener, path string, limit int) (string, error) {
	f, err := open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var b strings.Builder // which does not copy its content
	n, err := io.Copy(&b, io.LimitReader(f, int64(limit)+1))
	if err == nil && n > int64(limit) {
		err = errTooLarge
	}
	return b.String(), err
}

// Read returns the content of a file in one of the repository's places. The error is errTooLarge if it has over limit
// bytes.
func (r *Repository) Read(path string, limit int) (string, error) {
	return read(r.OpenFile, path, limit)
}

// ObjectFormat returns the name of the hash that names objects, from the repository's configuration; "" is SHA-1. Like
// git, it does not look into included files.
func (r *Repository) ObjectFormat() (name string, err error) {
	content, err := r.Read(filepath.Join(r.Common, "config"), maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	parseConfig(content, func(section, key, value string) bool {
		if section == "extensions" && key == "objectformat" {
			name = strings.ToLower(value)
		}
		return true
	})
	return name, err
}

// pointer returns the path in a file, or "" if it cannot be read.
func (r *Repository) pointer(path string) string {
	content, err := read(r.OpenFile, path, maxPointer)
	if err != nil {
		return ""
	}
	return strings.TrimRight(content, "\r\n")
}

func resolve(base, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

// exists does not follow symbolic links: HEAD may be one to a branch that has no commit yet.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// LeadsBack reports whether both git directories are in the work tree or point back to it.
func (r *Repository) LeadsBack() bool { return r.holds(r.Own) && r.holds(r.Common) }

// Worktree returns the linked worktree that a git directory names as its own, or "".
func Worktree(own string) string {
	leads := (&Repository{places: []string{own}}).pointer(filepath.Join(own, "gitdir"))
	if leads == "" {
		return ""
	}
	return filepath.Dir(resolve(own, leads))
}
