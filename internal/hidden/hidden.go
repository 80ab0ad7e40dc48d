// Package hidden says which files of a workspace are hidden from its tools.
package hidden

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/spillway-go/spillway/internal/ignore"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Bounds on what a workspace can ask for. A directory that exceeds them is hidden completely, because a file that
// cannot be read must not reveal what it was written to hide.
const (
	maxFile     = 64 << 10                // bytes of an ignore file
	maxDepth    = workspace.MaxPath/2 + 1 // directories in a path
	maxPatterns = 1000                    // of Config.Hidden
)

// Files says which files are hidden. It is safe for concurrent use.
type Files struct {
	dir   string      // the workspace: absolute, without links
	spare string      // relative path of the spill directory, where nothing is hidden; "" if outside
	name  string      // of ignore files, folded; "" if there are none
	file  string      // the same as given
	own   *ignore.Dir // the rules of the patterns; nil without any
}

// New returns what patterns, as in .gitignore, hide in a workspace, with the ignore files of that name. An empty name
// means no ignore files. spare is a directory where nothing is hidden. The error names a pattern that can hide
// nothing.
func New(dir, spare string, patterns []string, name string) (*Files, error) {
	if len(patterns) > maxPatterns {
		return nil, fmt.Errorf("at most %d patterns", maxPatterns)
	}
	for _, p := range patterns {
		d, whole := ignore.Apart([]byte(fold(p)), nil)
		if !whole || d.Empty() || strings.ContainsAny(p, "\n\r\x00") || len(p) > maxFile {
			return nil, fmt.Errorf("a pattern as in .gitignore, not %q, which hides nothing", p)
		}
	}
	spare, _ = workspace.Under(dir, spare)
	f := &Files{dir: dir, spare: spare, name: fold(name), file: name}
	if len(patterns) > 0 {
		f.own, _ = ignore.Apart([]byte(fold(strings.Join(patterns, "\n"))), nil)
	}
	return f, nil
}

// Look returns a look at the present files, for one call: ignore files are read once. It is safe for concurrent use.
func (f *Files) Look() workspace.Look {
	l := &look{files: f, levels: []*level{{}}}
	top := l.levels[0]
	if f.own != nil {
		own := *f.own // another goroutine uses f.own
		top.own = &own
	}
	l.read(top, ".", true)
	return l
}

type level struct {
	name   string
	own    *ignore.Dir // the rules of Config.Hidden; nil if there are none
	file   *ignore.Dir // the rules of ignore files; nil if there are none
	hidden error       // why everything in it is hidden, from Hides; nil if it is not
	gone   bool        // it does not exist, so nothing in it does
}

const sep = string(filepath.Separator)

// look remembers the directories of the last path, because the next is often in the same.
type look struct {
	files  *Files
	mu     sync.Mutex
	levels []*level
	cut    bool // an ignore file, with those above it, has more rules than there is room for
}

func (l *look) Hides(path string, isDir bool) error {
	if path == "." || l.files.spare != "" && workspace.Within(l.files.spare, path) {
		return nil
	}
	dir, name := filepath.Split(path)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.enter(strings.TrimSuffix(dir, sep), false).hides(name, isDir, l.files.name)
}

// In implements [workspace.Look]. A walk calls it for each directory: without rules it costs no system call, and
// nothing for an entry.
func (l *look) In(dir string, names iter.Seq[string]) (hides workspace.EntryHides, unread *workspace.UnreadError) {
	spare := l.files.spare
	if spare != "" && workspace.Within(spare, dir) {
		return nil, nil
	}
	bare := names != nil && !l.files.ruledBy(names)
	path := dir
	if dir == "." {
		path = ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	d := l.enter(path, bare)
	if bare && d.free() {
		return nil, nil
	}
	unread, _ = errors.AsType[*workspace.UnreadError](d.hidden)
	spares := spare != "" && (dir == "." || workspace.Within(dir, spare))
	return func(name string, isDir bool) bool {
		if spares && workspace.Within(spare, filepath.Join(dir, name)) {
			return false
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		return d.hides(name, isDir, l.files.name) != nil
	}, unread
}

// Rules reports whether Config.Hidden, or the ignore file of the workspace itself, can hide something.
func (l *look) Rules() bool {
	return !l.levels[0].free()
}

// enter returns the level of a directory; "" is the workspace. If the directory is bare, it does not look for an
// ignore file.
func (l *look) enter(dir string, bare bool) *level {
	at := 0
	rest := dir
	for ; at+1 < len(l.levels); at++ {
		next, after, _ := strings.Cut(rest, sep)
		if rest == "" || next != l.levels[at+1].name {
			break
		}
		rest = after
	}
	l.levels = l.levels[:at+1]
	for rest != "" {
		outer := l.levels[len(l.levels)-1]
		if outer.hidden != nil {
			return outer
		}
		if len(l.levels) > maxDepth {
			return &level{hidden: workspace.ErrHidden}
		}
		var name string
		name, rest, _ = strings.Cut(rest, sep)
		path := strings.TrimSuffix(dir[:len(dir)-len(rest)], sep)
		l.levels = append(l.levels, l.below(outer, name, path, bare && rest == ""))
	}
	return l.levels[len(l.levels)-1]
}

func (l *look) below(outer *level, name, path string, bare bool) *level {
	inner := &level{name: name, hidden: outer.hides(name, true, l.files.name)}
	if inner.hidden != nil {
		return inner
	}
	if outer.own != nil {
		inner.own = outer.own.Enter(fold(name), nil, false)
	}
	inner.file = outer.file
	inner.gone = !bare && (outer.gone || len(l.levels) > nearby && l.files.gone(path))
	l.read(inner, path, !bare && !inner.gone)
	return inner
}

// read adds the rules of the ignore file of a directory, if it may have one, to those of its parents.
func (l *look) read(d *level, path string, may bool) {
	var content []byte
	var err error
	if may {
		content, err = l.files.content(path)
	}
	whole := true
	if d.file != nil {
		l.cut = false
		d.file = d.file.Enter(fold(d.name), content, false)
		whole = !l.cut
	} else if content != nil {
		d.file, whole = ignore.Apart(content, func(string, int) { l.cut = true })
		if d.file.Empty() {
			d.file = nil
		}
	}
	if !whole && err == nil {
		err = errCut
	}
	if err != nil {
		d.hidden = l.files.unread(path, err)
	}
}

// nearby is the depth up to which looking for an ignore file costs less than looking for its directory first.
const nearby = 50

// gone reports whether a directory, relative to the workspace, does not exist.
func (f *Files) gone(dir string) bool {
	_, err := f.lstat(dir)
	return workspace.Missing(err)
}

// maxSteps bounds the names of a path that are looked up one by one. The work for all directories of a path grows with
// its square.
const maxSteps = 200

// lstat is os.Lstat of a path relative to the workspace. It looks up a path that is too long for the system name by
// name.
func (f *Files) lstat(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(filepath.Join(f.dir, path))
	if !errors.Is(err, syscall.ENAMETOOLONG) || strings.Count(path, sep) > maxSteps {
		return info, err
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Lstat(path)
}

// Why an ignore file is not accepted, besides errors of the system.
var (
	errLarge = fmt.Errorf("it has over %d KiB", maxFile>>10)
	errCut   = errors.New("it has more rules than there is room for")
)

type lookError struct{ error }

func (e *lookError) Unwrap() error { return e.error }

// content returns the ignore file of a directory, relative to the workspace. Only a missing file has no rules: one
// that cannot be opened, or even looked for, may have any.
func (f *Files) content(dir string) ([]byte, error) {
	if f.file == "" {
		return nil, nil
	}
	info, err := f.lstat(filepath.Join(dir, f.file))
	switch {
	case workspace.Missing(err):
		return nil, nil
	case err != nil:
		return nil, &lookError{err}
	case !info.Mode().IsRegular():
		return nil, &workspace.KindError{Path: "it", Mode: info.Mode(), Err: workspace.ErrNotRegular}
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, _, err := workspace.OpenPlain(root, filepath.Join(dir, f.file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(content) > maxFile {
		err = errLarge
	}
	return []byte(fold(string(content))), err
}

// unread returns why everything in a directory is hidden whose ignore file was not accepted because of err.
func (f *Files) unread(dir string, err error) error {
	_, unknown := errors.AsType[*lookError](err)
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return &workspace.UnreadError{File: filepath.ToSlash(filepath.Join(dir, f.file)), Err: err, Unknown: unknown}
}

// ruledBy reports whether an ignore file is among the entries of a directory.
func (f *Files) ruledBy(names iter.Seq[string]) bool {
	if f.name == "" {
		return false
	}
	for name := range names {
		// Only a dot folds to a dot, and few names begin with one.
		if (f.name[0] != '.' || name[0] == '.') && fold(name) == f.name {
			return true
		}
	}
	return false
}

// free reports whether nothing in a directory without an ignore file is hidden.
func (d *level) free() bool { return d.hidden == nil && d.own == nil && d.file == nil }

// hides returns why an entry of the directory is hidden, or nil. An ignore file is hidden too, because it names hidden
// files.
func (d *level) hides(name string, isDir bool, file string) error {
	if d.hidden != nil {
		return d.hidden
	}
	ruled := d.own != nil || d.file != nil
	if !ruled && (file == "" || strings.HasPrefix(file, ".") && !strings.HasPrefix(name, ".")) {
		return nil // only a dot folds to a dot
	}
	name = fold(name)
	if name == file && file != "" {
		return workspace.ErrHidden
	}
	excluded := func(name string) bool {
		return d.own != nil && d.own.Excludes(name, isDir) || d.file != nil && d.file.Excludes(name, isDir)
	}
	short := strings.TrimRight(name, ". ") // Windows takes the name for this one
	if excluded(name) || short != "" && short != name && excluded(short) {
		return workspace.ErrHidden
	}
	return nil
}
