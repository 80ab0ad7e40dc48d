package checkpoint

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

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

// look is one look at the workspace.
type look struct {
	t         *Tracker
	ctx       context.Context
	sees      func(path string) bool // nil if it looks at everything
	tree      *walk.Tree
	dirs      *dirs
	old       []entry  // the rest of the last look
	git       *tracked // read only if needed
	began     int64
	now       []entry
	unread    []entry         // entries of the last look that this one cannot read
	unseen    map[string]bool // ignored or hidden paths, without those below them
	temps     []string        // temporary files of this project
	uncovered Uncovered
	unknown   bool // an untracked attribute file may convert files
}

// look looks at every file of the workspace, and saves contents that are nowhere else.
func (t *Tracker) look(ctx context.Context) (*look, error) {
	git := readTracked(ctx, t.o.Dir)
	git.exact = git.exact && !t.inexact
	for {
		of := git
		l := &look{t: t, ctx: ctx, git: &of, now: make([]entry, 0, len(t.state)+64)}
		err := l.walk()
		if err != nil || !l.unknown || !git.exact {
			return l, err
		}
		git.exact, t.inexact = false, true
	}
}

func (l *look) walk() error {
	root, err := l.t.o.Root()
	if err != nil {
		return err
	}
	l.old, l.began, l.unseen = l.t.state, time.Now().UnixNano(), make(map[string]bool)
	l.tree, l.dirs = l.t.o.Tree(root), newDirs(root) // the tree owns the root
	defer l.tree.Close()
	defer l.dirs.close()
	l.noteHidden()
	o := walk.Options{All: true, Mark: !l.t.o.Ignored, Unreadable: l.unreadable}
	_, err = l.tree.Walk(l.ctx, l.t.o.Dir, o, l.visit)
	l.keepUnread()
	return err
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

// unreadable carries over the entries of a directory from the last look.
func (l *look) unreadable(dir string) {
	if l.sees == nil || l.sees(dir) {
		l.uncovered.note(&l.uncovered.Unreadable, dir)
		first, last := l.t.below(dir)
		l.unread = append(l.unread, l.t.state[first:last]...)
	}
}

// keepUnread carries over entries that cannot be read now. Part of a directory may have been read.
func (l *look) keepUnread() {
	slices.SortFunc(l.unread, order)
	unread := slices.CompactFunc(l.unread, func(a, b entry) bool { return a.path == b.path })
	unread = slices.DeleteFunc(unread, func(e entry) bool {
		_, found := slices.BinarySearchFunc(l.now, e, order)
		return found
	})
	l.now = merged(l.now, unread)
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
	if len(l.now) == maxEntries {
		return ErrTooMany
	}
	info, err := l.lstat(name)
	if absent(err) {
		return nil // removed meanwhile
	}
	if err != nil {
		l.uncovered.note(&l.uncovered.Unreadable, name)
		if old := l.before(entry{path: name, stamp: stamp{mode: e.Type}}); old != nil {
			l.now = append(l.now, *old)
		}
		return nil
	}
	now := entry{path: name, stamp: stampOf(info)}
	old := l.before(now)
	l.fill(&now, old)
	l.now = append(l.now, now)
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

func (l *look) lstat(name string) (fs.FileInfo, error) {
	dir, base, err := l.dirs.of(name)
	if err != nil {
		return nil, err
	}
	return dir.Lstat(base)
}

// before returns the last look's entry for the same path, or nil.
func (l *look) before(now entry) *entry {
	for len(l.old) > 0 {
		switch c := order(l.old[0], now); {
		case c == 0:
			return &l.old[0]
		case c > 0:
			return nil
		}
		l.old = l.old[1:]
	}
	return nil
}
