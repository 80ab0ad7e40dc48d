// Package walk walks a directory tree in path order, leaving out what git ignores.
package walk

import (
	"context"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spillway-go/spillway/internal/ignore"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Entry is a file, a directory or anything else that a walk visits.
type Entry struct {
	Dir  string // the path of its directory, ending in a slash; "" for the start
	Name string
	Type fs.FileMode // the type bits; a symbolic link is not followed
}

// Path returns the entry's path relative to the start of the walk, with slashes.
func (e Entry) Path() string { return e.Dir + e.Name }

// Stats counts what a walk could not do.
type Stats struct {
	Unreadable int // directories that could not be read, or not completely, or are too deep
	Cut        int // ignore files of which only the first lines count, for want of room
	FirstCut   Cut // the first of them
}

// Cut is an ignore file of which only the first lines count.
type Cut struct {
	File  string // its absolute path
	Lines int    // those that count
}

// Tree is a directory with everything below it. It is safe for concurrent use.
type Tree struct {
	root *os.Root
	fast *fastTree // nil where the system has nothing faster than os.Root
	room int       // bytes of the listings of a walk, maxHeld
}

// Open returns the tree below root, and takes ownership of root.
func Open(root *os.Root) *Tree { return &Tree{root, openFast(root), maxHeld} }

// Close closes the tree and its root.
func (t *Tree) Close() {
	if t.fast != nil {
		t.fast.close()
	}
	t.root.Close()
}

// Lstat describes the entry at a path, relative to the tree. It follows no link.
func (t *Tree) Lstat(path string) (fs.FileInfo, error) { return t.root.Lstat(path) }

// OpenFile opens the regular file at a path, relative to the tree, and returns its length
// in bytes. It follows no link and does not block. The error for anything but a regular
// file is [workspace.ErrNotRegular].
func (t *Tree) OpenFile(path string) (io.ReadCloser, int64, error) {
	if t.fast != nil {
		return t.fast.openFile(path)
	}
	f, info, err := workspace.OpenPlain(t.root, path)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// Options say what a walk does with what git ignores.
type Options struct {
	All     bool        // visit it too
	Ignored func(Entry) // called where the walk turns back because of it; nil is nothing
}

// Walk visits the tree, which is at the absolute path abs, in the order of the paths'
// bytes, where a directory's path ends in a slash. It leaves out what git ignores, unless
// the options say otherwise, and always what is named .git. A directory comes before its
// contents, which visit leaves out by returning fs.SkipDir. Links to directories are not
// followed, and what cannot be read is counted. Walk ends with any other error of visit,
// with ctx's, or if the start itself cannot be read; fs.SkipAll is no error. It holds at
// most 40 MiB of names: a directory with more is read several times.
func (t *Tree) Walk(ctx context.Context, abs string, o Options, visit func(Entry) error) (Stats, error) {
	w := walker{ctx: ctx, tree: t, visit: visit, ignored: o.Ignored}
	var rules *ignore.Dir
	if !o.All {
		var err error
		if rules, err = ignore.Top(ctx, abs, w.cut); err != nil {
			return Stats{}, err
		}
	}
	err := w.walk("", rules)
	if err == fs.SkipAll {
		err = nil
	}
	return w.stats, err
}

type walker struct {
	ctx     context.Context // of Walk: a walker lives no longer than that call
	tree    *Tree
	visit   func(Entry) error
	ignored func(Entry)
	stats   Stats
	held    int // bytes of the listings on the way down to where it is
}

// cut takes note of a file of rules that is too long.
func (w *walker) cut(file string, lines int) {
	w.stats.Cut++
	if w.stats.Cut == 1 {
		w.stats.FirstCut = Cut{file, lines}
	}
}

// maxPath is the length in bytes of a path below the start over which a directory
// is not entered: that of the longest path that Linux takes in one call.
const maxPath = 4096

// walk visits what is in the directory dir, whose path is ended by a slash.
func (w *walker) walk(dir string, rules *ignore.Dir) error {
	if len(dir) > maxPath {
		w.stats.Unreadable++
		return nil
	}
	path := strings.TrimSuffix(dir, "/")
	if path == "" {
		path = "."
	}
	l := listing{compare: compare, room: max(w.tree.room-w.held, minHeld)}
	for first := true; first || l.more; first = false {
		err := l.read(w.ctx, w.tree, path)
		if ended := w.ctx.Err(); ended != nil {
			return ended
		}
		if err != nil {
			if dir == "" && first && len(l.order) == 0 {
				return err
			}
			w.stats.Unreadable++
			l.more = false // what could not be read is not read again
		}
		if first && rules != nil && dir != "" {
			rules = w.tree.enter(rules, dir, &l)
		}
		if l.more {
			clear(l.chunks[l.last+1:]) // the listings below have their room
		}
		w.held += l.held
		if err := w.entries(dir, &l, rules); err != nil {
			return err
		}
		w.held -= l.held
		l.names = names{} // visit may have kept those that it was given
	}
	return nil
}

// entries visits those of a directory, and what is in them.
func (w *walker) entries(dir string, l *listing, rules *ignore.Dir) error {
	for _, at := range l.order {
		e := l.entry(at)
		if e.Name == ".git" {
			continue
		}
		ignored := rules != nil && rules.Ignored(e.Name, e.Type.IsDir())
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if ignored {
			if w.ignored != nil {
				w.ignored(Entry{dir, e.Name, e.Type})
			}
			continue
		}
		err := w.visit(Entry{dir, e.Name, e.Type})
		if err == fs.SkipDir {
			continue
		}
		if err != nil {
			return err
		}
		if e.Type.IsDir() {
			if err := w.walk(dir+e.Name+"/", rules); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare orders two entries of a directory by the paths that they lead to, so
// that "a-b" comes before "a/c".
func compare(a, b Dirent) int {
	n := min(len(a.Name), len(b.Name))
	if c := strings.Compare(a.Name[:n], b.Name[:n]); c != 0 {
		return c
	}
	return a.at(n) - b.at(n)
}

// at returns the byte of an entry's path at n, or -1 behind its end.
func (e Dirent) at(n int) int {
	switch {
	case n < len(e.Name):
		return int(e.Name[n])
	case e.Type.IsDir():
		return '/'
	}
	return -1
}

// enter returns the rules inside of a directory. The listing tells whether there
// is a file of rules: none is looked for in vain.
func (t *Tree) enter(rules *ignore.Dir, dir string, l *listing) *ignore.Dir {
	var patterns []byte
	if l.rules {
		if f, _, err := t.OpenFile(dir + ignore.FileName); err == nil {
			patterns = ignore.ReadRules(f)
			f.Close()
		}
	}
	name := dir[:len(dir)-1]
	return rules.Enter(name[strings.LastIndexByte(name, '/')+1:], patterns, l.repository)
}
