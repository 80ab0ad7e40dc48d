// Package workspace resolves the paths that models write, and confines what is opened to the directories that may be
// read.
//
// Everything is opened through [os.Root], so swapping a link between a check and its use gains nothing. A path that
// leads out, by "..", as an absolute path or through a symbolic link, is [ErrEscape]. Nothing outside is examined for
// that, so the answer is the same whether the target exists or not. A file that may be changed is a [Target].
package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/spillway-go/spillway/internal/quote"
)

// ErrEscape is the error for a path that leads out of what may be read.
var ErrEscape = errors.New("the path is outside of the workspace")

// maxLinks is how many symbolic links a path may go through, as on Linux (path_resolution(7)).
const maxLinks = 40

// MaxPath is the length in bytes above which a path is refused. It is three times PATH_MAX of
// Linux. Longer paths can be reached name by name, but each name takes some system calls: 6,000
// names take the better part of a second.
const MaxPath = 12 << 10

// Workspace is a directory, with directories outside it that may be read or changed. It is safe for concurrent use.
type Workspace struct {
	dir      string // absolute, without links
	home     *root  // the workspace itself
	writable []*root
	roots    []*root // what may be read: writable, then the others
	outside  bool
	own      *root      // the program's own directory, or nil
	mu       sync.Mutex // guards volumes
	volumes  map[string]*root

	protected []protected // places without targets
	look      func() Look // of hidden paths; nil if nothing is hidden
}

// Options say what may be read and changed besides the workspace. Relative directories start in the workspace.
type Options struct {
	Roots    []string // directories that may be read
	Writable []string // directories that may be read and changed
	Outside  bool     // anything on this machine's drives may be read
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
	w.dir, w.home, w.writable = first.dir, first, []*root{first}
	for _, r := range o.Writable {
		w.writable = append(w.writable, newRoot(w.abs(r)))
	}
	// A path in several roots is opened below the outermost: anyone who may change files there could replace a
	// directory above an inner root with a link that leads out.
	slices.SortStableFunc(w.writable, func(a, b *root) int { return len(a.dir) - len(b.dir) })
	w.roots = slices.Clone(w.writable)
	for _, r := range o.Roots {
		w.roots = append(w.roots, newRoot(w.abs(r)))
	}
	return w, nil
}

// AllowOwn allows reading a directory that the program makes for itself, and that need not exist yet. It returns the
// directory's absolute path in two parts. If files above it may be changed, base is the outermost directory in which
// they may, and no part of rel may be a link. Otherwise links above it are followed, and rel is "". A directory that
// is itself a link may not be read. Nothing in the directory can be a [Target].
func (w *Workspace) AllowOwn(dir string) (base, rel string) {
	base, rel = w.divide(w.abs(dir))
	abs := filepath.Join(base, rel)
	w.own = &root{given: w.abs(dir), dir: abs}
	if r, _ := rootIn(abs, w.writable); r == nil {
		w.roots = append(w.roots, w.own)
	}
	return base, rel
}

func (w *Workspace) divide(abs string) (base, rel string) {
	at, rest := splitVolume(abs)
	parts := split(rest)
	for {
		if r, inside := rootIn(at, w.writable); r != nil {
			return r.dir, filepath.Join(inside, filepath.Join(parts...))
		}
		if len(parts) < 2 {
			break
		}
		next, err := filepath.EvalSymlinks(filepath.Join(at, parts[0]))
		if err != nil { // it does not exist, so it is not a link
			break
		}
		at, parts = next, parts[1:]
	}
	return filepath.Join(at, filepath.Join(parts...)), ""
}

// Dir returns the workspace's absolute path, without links.
func (w *Workspace) Dir() string { return w.dir }

// RealPath returns the absolute path, without links, of a path that may be relative to the workspace. It may lead
// anywhere.
func (w *Workspace) RealPath(path string) (string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.dir, path)
	}
	return filepath.EvalSymlinks(path)
}

// Shown returns how an absolute path is shown: relative to the workspace, where commands start, if inside it.
func (w *Workspace) Shown(abs string) string { return ShownFrom(w.dir, abs) }

// ShownFrom is Shown for commands that start in dir.
func ShownFrom(dir, abs string) string {
	if rel, err := filepath.Rel(dir, abs); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(abs)
}

// ErrGone is the error for a workspace that does not exist any more.
var ErrGone = errors.New("the workspace does not exist any more")

// Gone reports whether nothing is left at the workspace's path.
func (w *Workspace) Gone() bool {
	_, err := os.Lstat(w.dir)
	return Missing(err)
}

// Close closes the directories, but not what was opened below them.
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
	// Name is the path to show and to use in the next call, with slashes: relative to the
	// workspace if inside it, else absolute.
	Name string
	// Abs is the absolute path of what was found, without links, so that opening it cannot follow a link that comes
	// later.
	Abs string
	// Correction says what was corrected to find the path. It is nil if the path exists as written.
	Correction *Correction

	fs  *os.Root
	rel string
	ws  *Workspace // nil if nothing in it is hidden
}

// Confined returns the directory that confines the path, and the path relative to it.
func (p Path) Confined() (root *os.Root, rel string) { return p.fs, p.rel }

// Resolve resolves a path that a model wrote, relative to the workspace or absolute. It unquotes
// a name in C quotes, such as [quote.Name] returns. The path must exist. The error is that of
// the file system, or ErrEscape, in an [fs.PathError] with the path as written.
func (w *Workspace) Resolve(name string) (Path, error) {
	return w.resolve(name, w.find)
}

// resolve resolves a path by find, which sets p to where an absolute path leads.
func (w *Workspace) resolve(name string, find func(p *Path, abs string) error) (Path, error) {
	const quoted = 4 // how many bytes a byte may take in C quotes
	if len(name) <= quoted*MaxPath+len(`""`) {
		name = quote.UnquotePath(name)
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
		return Path{Name: p.Name}, &fs.PathError{Op: "open", Path: name, Err: fileError(err)}
	}
	return p, nil
}

func (w *Workspace) name(abs string) string {
	if rel, ok := w.home.rel(abs); ok {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(abs)
}

// find sets p to where an existing path leads.
func (w *Workspace) find(p *Path, abs string) error {
	at, err := w.follow(abs)
	p.Abs, p.fs, p.rel = at.abs, at.fs, at.rel
	if w.look != nil {
		p.ws = w
	}
	return err
}

func split(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
}

// rootIn returns the first root that contains an absolute path, and the path relative to it.
func rootIn(abs string, roots []*root) (*root, string) {
	for _, r := range roots {
		if rel, ok := r.rel(abs); ok {
			return r, rel
		}
	}
	return nil, ""
}

// rootOf is rootIn for everything that may be read.
func (w *Workspace) rootOf(abs string) (*root, string) {
	if r, rel := rootIn(abs, w.roots); r != nil {
		return r, rel
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
