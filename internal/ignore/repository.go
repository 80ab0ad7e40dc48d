package ignore

import (
	"os"
	"path/filepath"
	"strings"
)

// gitDir is where a repository keeps its own files. In a linked worktree the
// two differ: the rules and the configuration are those of the main one.
type gitDir struct {
	own    string // what .git is or leads to
	common string
}

// findRepository looks for the repository that holds dir: in it, then above.
// It returns nil if there is none.
func findRepository(dir string) (root string, git *gitDir) {
	for {
		if git := openRepository(dir); git != nil {
			return dir, git
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

// openRepository returns the repository whose root is dir, nil if dir is not
// the root of one.
func openRepository(dir string) *gitDir {
	path := filepath.Join(dir, ".git")
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	own := path
	if info.Mode().IsRegular() {
		// "gitdir: path", written by git worktree and git submodule.
		content, err := readBounded(path, maxPointer)
		if err != nil {
			return nil
		}
		leads, ok := strings.CutPrefix(string(content), "gitdir: ")
		if !ok {
			return nil
		}
		own = resolve(dir, strings.TrimRight(leads, "\r\n"))
	}
	git := &gitDir{own: own, common: own}
	if content, err := readBounded(filepath.Join(own, "commondir"), maxPointer); err == nil {
		git.common = resolve(own, strings.TrimRight(string(content), "\r\n"))
	}
	// An entry that merely has the name is no repository to git, which then
	// goes on looking above.
	if !exists(filepath.Join(own, "HEAD")) ||
		!exists(filepath.Join(git.common, "objects")) || !exists(filepath.Join(git.common, "refs")) {
		return nil
	}
	return git
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
