// Package workspace resolves the paths that models write, and confines what is opened to
// the directories that may be read.
//
// Everything is opened through [os.Root], so that a link which is swapped between
// a check and its use leads nowhere else. A path that leads out, by "..", as an
// absolute path or through a symbolic link, is [ErrEscape], and nothing outside
// is looked at to find that out: the answer is the same whether its target
// exists or not. What is written is a [Target], inside of the workspace alone.
package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// ErrEscape is the error for a path that leads out of what may be read.
var ErrEscape = errors.New("the path is outside of the workspace")

// maxLinks is the number of symbolic links that a path may go through, as on
// Linux (path_resolution(7)).
const maxLinks = 40

// MaxPath is the length in bytes above which a path is refused. It is three times
// PATH_MAX of Linux. Longer paths can be reached there, name by name, but each name takes
// some system calls: 6,000 names take the better part of a second.
const MaxPath = 12 << 10

// Workspace is a directory, along with those outside it that may be read. It is safe for
// concurrent use.
type Workspace struct {
	dir     string // absolute, without links
	roots   []*root
	outside bool
	own     *root      // the program's own directory, or nil
	mu      sync.Mutex // guards volumes
	volumes map[string]*root
}

// Options say what may be read besides the workspace.
type Options struct {
	Roots   []string // more directories; relative ones start in the workspace
	Outside bool     // anything on this machine's drives may be read
}

// New opens the workspace at dir, an existing directory.
func New(dir string, o Options) (*Workspace, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	w := &Workspace{outside: o.Outside, volumes: map[string]*root{}}
	first := newRoot(abs)
	if _, err := first.open(); err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err // the path is known
		}
		return nil, fmt.Errorf("workspace %s: %w", abs, err)
	}
	w.dir, w.roots = first.dir, []*root{first}
	for _, r := range o.Roots {
		w.roots = append(w.roots, newRoot(w.abs(r)))
	}
	return w, nil
}

// AllowOwn adds a directory that the program makes for itself, and returns its
// absolute path. Links above it are followed; if it is a link itself, it may not
// be read. It need not exist yet. Nothing in it can be a [Target].
func (w *Workspace) AllowOwn(dir string) (abs string) {
	abs = w.abs(dir)
	for above := filepath.Dir(abs); ; above = filepath.Dir(above) { // what does not exist yet is no link
		if real, err := filepath.EvalSymlinks(above); err == nil {
			abs = filepath.Join(real, abs[len(above):])
			break
		}
		if above == filepath.Dir(above) {
			break
		}
	}
	w.own = &root{given: w.abs(dir), dir: abs}
	if _, inside := w.roots[0].rel(abs); !inside {
		w.roots = append(w.roots, w.own)
	}
	return abs
}

// Dir returns the workspace's absolute path, without links.
func (w *Workspace) Dir() string { return w.dir }

// Gone reports whether nothing is left at the workspace's path.
func (w *Workspace) Gone() bool {
	_, err := os.Lstat(w.dir)
	return Missing(err)
}

// Close closes the directories. What was opened below them stays open.
func (w *Workspace) Close() error {
	for _, r := range w.roots {
		r.close()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.volumes {
		r.close()
	}
	return nil
}

func (w *Workspace) abs(name string) string {
	if name = withVolume(w.dir, name); filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(w.dir, name)
}

// Path is a place that may be read.
type Path struct {
	// Name is the path to show and to use in the next call: relative to the workspace,
	// with slashes, if inside it, else absolute.
	Name string
	// Abs is the absolute path of what was found; a directory's contains no links.
	Abs string

	fs  *os.Root
	rel string
}

// Resolve resolves a path that a model wrote, relative to the workspace or absolute. A
// name in C quotes, as by [Quote], is unquoted. The path must exist; errors are those of
// the file system, or ErrEscape, in an [fs.PathError] with the path as written.
func (w *Workspace) Resolve(name string) (Path, error) {
	return w.resolve(name, w.find)
}

// resolve is Resolve, and Target, with a function that fills in where an absolute path
// is.
func (w *Workspace) resolve(name string, find func(p *Path, abs string) error) (Path, error) {
	const quoted = 4 // bytes that one takes in C quotes
	if len(name) <= quoted*MaxPath+len(`""`) {
		name = unquotePath(name)
	}
	if len(name) > MaxPath {
		return Path{}, &fs.PathError{Op: "open", Path: name, Err: syscall.ENAMETOOLONG}
	}
	abs := w.abs(filepath.FromSlash(name))
	p := Path{Name: w.name(abs)}
	err := find(&p, abs)
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err
		}
		err = known(err)
		return Path{Name: p.Name}, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return p, nil
}

// name returns how an absolute path is shown.
func (w *Workspace) name(abs string) string {
	if rel, ok := w.roots[0].rel(abs); ok {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(abs)
}

// find fills in where the path is. For a file it asks os.Root first, which
// refuses links to absolute paths; only then it follows the links one by one.
func (w *Workspace) find(p *Path, abs string) error {
	if r, rel := w.rootOf(abs, w.roots); r != nil {
		fsys, err := r.open()
		if err != nil {
			return err
		}
		if info, err := fsys.Stat(rel); err == nil && !info.IsDir() {
			p.fs, p.rel, p.Abs = fsys, rel, filepath.Join(r.dir, rel)
			return nil
		}
		abs = filepath.Join(r.dir, rel)
	}
	abs, err := w.follow(abs, w.roots)
	if err != nil {
		return err
	}
	r, rel := w.rootOf(abs, w.roots)
	if r == nil {
		return ErrEscape
	}
	fsys, err := r.open()
	if err != nil {
		return err
	}
	p.fs, p.rel, p.Abs = fsys, rel, abs
	_, err = fsys.Lstat(rel)
	return err
}

func split(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
}

// rootOf returns the root that an absolute path is in, and the path relative to it.
func (w *Workspace) rootOf(abs string, roots []*root) (*root, string) {
	for _, r := range roots {
		if rel, ok := r.rel(abs); ok {
			return r, rel
		}
	}
	volume, rel := splitVolume(abs)
	if !w.outside || !isLocal(volume) || rel != "" && !filepath.IsLocal(rel) {
		return nil, ""
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.volumes[volume]
	if r == nil {
		r = newRoot(volume)
		w.volumes[volume] = r
	}
	return r, cmp.Or(rel, ".")
}
