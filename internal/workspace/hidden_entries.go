package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Bounds on what HiddenEntries examines and returns.
const (
	MaxHiddenEntries = 1000
	MaxHiddenVisits  = 200_000
)

// HiddenEntry is a hidden file or directory.
type HiddenEntry struct {
	Path string // absolute
	Dir  bool
}

// HiddenEntries returns the hidden files and directories of the workspace, without links and without what is in a
// hidden directory: the first MaxHiddenEntries of the first MaxHiddenVisits entries. If neither Hidden nor the ignore
// file at the root hides anything, it does not look for other ignore files, because that takes a walk of the whole
// workspace.
func (w *Workspace) HiddenEntries() (found []HiddenEntry) {
	if w.look == nil {
		return nil
	}
	look := w.look()
	if !look.Rules() {
		return nil
	}
	root, err := os.OpenRoot(w.dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	visits := 0
	fs.WalkDir(root.FS(), ".", func(path string, e fs.DirEntry, err error) error {
		if visits++; visits > MaxHiddenVisits || len(found) == MaxHiddenEntries {
			return fs.SkipAll
		}
		if path == "." || e == nil || err != nil {
			return nil
		}
		rel := filepath.FromSlash(path)
		if e.Type()&fs.ModeSymlink != 0 || look.Hides(rel, e.IsDir()) == nil {
			return nil
		}
		found = append(found, HiddenEntry{filepath.Join(w.dir, rel), e.IsDir()})
		if e.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	return found
}
