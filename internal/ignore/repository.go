package ignore

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

// repository is a work tree and where its repository keeps its own files. All
// paths are absolute and without links.
type repository struct {
	root string // the work tree; without a repository, the directory of the walk

	// own is what .git is or leads to, "" without a repository. In a linked
	// worktree it is not common: rules and configuration are those of the main one.
	own, common string

	// places are the directories out of which the repository may have files read.
	places []string
}

// findRepository looks for the repository that holds dir: in it, then above.
// Where there is none, it is dir alone.
func findRepository(dir string) *repository {
	for at := dir; ; {
		if r := openRepository(at); r != nil {
			return r
		}
		parent := filepath.Dir(at)
		if parent == at {
			return &repository{root: dir, places: []string{dir}}
		}
		at = parent
	}
}

// openRepository returns the repository whose root is dir, nil if dir is not
// the root of one.
func openRepository(dir string) *repository {
	r := &repository{root: dir, places: []string{dir}}
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
	if leads := (&repository{places: []string{own}}).pointer(filepath.Join(own, "commondir")); leads != "" {
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
	r.own, r.common = own, common
	if trusted {
		r.places = append(r.places, own, common)
	}
	return r
}

// leadsBack reports whether the git directory own, which is not in the work tree
// root, says itself that it is that of root: by the path in gitdir, as git
// worktree writes it, or by core.worktree, as git submodule does.
func leadsBack(own, root string) bool {
	r := &repository{places: []string{own}}
	if leads := r.pointer(filepath.Join(own, "gitdir")); leads != "" {
		leads = resolve(own, leads)
		return filepath.Base(leads) == ".git" && same(filepath.Dir(leads), root)
	}
	tree := ""
	for _, name := range []string{"config", "config.worktree"} {
		content, err := read(r.open, filepath.Join(own, name), maxConfig)
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

// open opens a file that the repository names, if it is in one of its places. No
// link leads out of them.
func (r *repository) open(path string) (*os.File, error) {
	for _, place := range r.places {
		if workspace.Within(place, path) {
			return openBelow(place, path, func(root *os.Root, rel string) (*os.File, fs.FileInfo, error) {
				return workspace.OpenRegular(root.OpenFile, rel)
			})
		}
	}
	return nil, fs.ErrPermission
}

// openPlain opens an ignore file in the work tree. Like git it does not follow a
// link there.
func (r *repository) openPlain(path string) (*os.File, error) {
	return openBelow(r.root, path, workspace.OpenPlain)
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
func (r *repository) holds(path string) bool {
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
func (r *repository) pointer(path string) string {
	content, err := read(r.open, path, maxPointer)
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

// Repository returns the directories where the repository whose root is dir keeps its own
// files. They differ in a linked worktree. Both are "" if dir is not the root of one, and if they
// are elsewhere and do not lead back to dir.
func Repository(dir string) (own, common string) {
	r := openRepository(dir)
	if r == nil || !r.holds(r.own) || !r.holds(r.common) {
		return "", ""
	}
	return r.own, r.common
}
