package checkpoint

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"
	"strings"

	"github.com/spillway-go/spillway/internal/replace"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Uncovered counts what a look found but does not cover.
type Uncovered struct {
	Large      int    // files over MaxFileBytes, or without room in the store
	Special    int    // devices, FIFOs and sockets
	Unreadable int    // files and directories
	First      string // the first unreadable one
}

func (u *Uncovered) note(count *int, name string) {
	*count++
	if u.First == "" {
		u.First = name
	}
}

// look is one look at the workspace. What its walk finds is stamped beside the walk: both take about as long.
type look struct {
	*stamper
	sees    func(path string) bool // nil if it looks at everything
	git     *tracked               // read only if needed
	found   []found                // not yet passed to the stamper
	count   int
	unseen  map[string]bool // ignored or hidden paths, without those below them
	temps   []string        // temporary files of this project
	unknown bool            // an untracked attribute file may convert files
}

// look looks at every file of the workspace, and saves contents that are nowhere else.
func (t *Tracker) look(ctx context.Context) (*look, error) {
	git := readTracked(ctx, t.o.Dir)
	git.exact = git.exact && !t.inexact
	for {
		of := git // which a walk reads to its end
		l, err := t.walk(ctx, &of, nil)
		if err != nil {
			return nil, err
		}
		if !l.unknown || !git.exact {
			return l, nil
		}
		git.exact, t.inexact = false, true
	}
}

// walk looks at what sees returns true for.
func (t *Tracker) walk(ctx context.Context, git *tracked, sees func(path string) bool) (*look, error) {
	root, err := t.o.Root()
	if err != nil {
		return nil, err
	}
	tree := t.o.Tree(root) // which owns the root
	defer tree.Close()
	l := &look{
		stamper: newStamper(ctx, t, tree, newDirs(root), git), sees: sees, git: git, unseen: make(map[string]bool),
	}
	l.noteHidden()
	o := walk.Options{All: true, Mark: !t.o.Ignored, Unreadable: l.unreadable}
	_, err = tree.Walk(ctx, t.o.Dir, o, l.visit)
	l.pass()
	l.finish()
	l.unknown = l.unknown || l.converts
	return l, err
}

// noteHidden adds the hidden paths of the tree.
func (l *look) noteHidden() {
	hides := l.tree.Hides
	if hides == nil {
		return
	}
	l.tree.Hides = func(dir string, names iter.Seq[string]) (workspace.EntryHides, *workspace.UnreadError) {
		in, unread := hides(dir, names)
		if in == nil {
			return nil, unread
		}
		return func(name string, isDir bool) bool {
			hidden := in(name, isDir)
			if hidden {
				l.unseen[path.Join(dir, name)] = true
				l.unknown = l.unknown || name == attributesFile
			}
			return hidden
		}, unread
	}
}

func (l *look) unreadable(dir string) {
	if l.sees == nil || l.sees(dir) {
		l.find(found{dir, fs.ModeDir, true})
	}
}

// batch is how many entries are passed on at a time.
const batch = 256

func (l *look) find(f found) {
	if l.found = append(l.found, f); len(l.found) == batch {
		l.pass()
	}
}

func (l *look) pass() {
	l.in <- l.found
	l.found = make([]found, 0, batch)
}

func (l *look) visit(e walk.Entry) error {
	name := strings.Clone(e.Name) // may be in a buffer of the walk
	if e.Dir != "" {
		name = e.Path()
	}
	if e.Type.IsDir() && name == l.t.o.Skip || l.sees != nil && !l.sees(name) || isGit(e.Name) {
		return skip(e)
	}
	if replace.IsTemp(e.Name) && !e.Type.IsDir() {
		l.temps = append(l.temps, name)
		return nil
	}
	if e.Ignored > 0 && !l.index().has(name, e.Type.IsDir()) {
		l.unseen[name] = true
		l.unknown = l.unknown || e.Name == attributesFile
		return skip(e)
	}
	if l.count++; l.count > maxEntries {
		return ErrTooMany
	}
	l.find(found{name, e.Type, false})
	return nil
}

// isGit reports whether a name is that of git's own files on some file system. A walk leaves out .git alone.
func isGit(name string) bool { return strings.EqualFold(name, ".git") }

// maxEntries is how many files and directories of a workspace are known. Each takes 138 bytes, and twice that in a
// look. Tests have a smaller one.
var maxEntries = 2 << 20

// ErrTooMany is the error for a workspace with too many files.
var ErrTooMany = errors.New("the workspace has too many files for checkpoints")

// index returns what git tracks.
func (l *look) index() *tracked {
	if l.git == nil {
		git := readTracked(l.ctx, l.t.o.Dir)
		git.exact = false // this look may not see an attribute file
		l.git = &git
	}
	return l.git
}

// skip skips an entry and everything in it.
func skip(e walk.Entry) error {
	if e.Type.IsDir() {
		return fs.SkipDir
	}
	return nil
}
