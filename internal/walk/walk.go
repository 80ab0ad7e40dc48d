// Package walk walks a directory tree in path order, leaving out what git ignores.
package walk

import (
	"context"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/ignore"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Entry is a file, a directory or anything else that a walk visits.
type Entry struct {
	Dir  string // the path of its directory, ending in a slash; "" for the start
	Name string
	Type fs.FileMode // the type bits; a symbolic link is not followed

	// Ignored is the length of the part of Path, with a directory's slash, that git ignores: the entry, or a directory
	// that it is in. It is 0 if git ignores neither, and without Options.Mark.
	Ignored int
}

// Path returns the entry's path relative to the start of the walk, with slashes.
func (e Entry) Path() string { return e.Dir + e.Name }

// Stats counts what a walk could not read.
type Stats struct {
	Unreadable int // directories that could not be read completely or are too deep
	Cut        int // ignore files of which only the first lines apply, because they are too large
	FirstCut   Cut // the first of them

	Outside []string // the first files that git reads for rules but that are not read here; see ignore.Options
}

// Cut is an ignore file of which only the first lines apply.
type Cut struct {
	File  string // its absolute path
	Lines int    // the number of lines that apply
}

// Tree is a directory with everything below it. Files may be opened concurrently with one walk, or one listing.
type Tree struct {
	// Shown returns the shown form of a name, which must have the same length. The order of entries, and what git
	// ignores, depend on it alone, so that neither reveals more of the name. Nil shows all of it.
	Shown func(name string) string

	// Hides says which entries of a directory are hidden, by its path and the names in it, like [workspace.Look.In].
	// They are not visited or listed, and count only in Hidden. Nil hides none.
	Hides func(dir string, names iter.Seq[string]) (workspace.EntryHides, *workspace.UnreadError)

	// Within is a directory; repositories in it may refer to anything in it, as with ignore.Options.
	Within string

	// Hidden and Unread describe what was hidden in the last walk or listing.
	Hidden int // entries
	Unread Unread

	root *os.Root
	fast *fastTree // nil if there is nothing faster than os.Root
	room int       // maxHeld; smaller in tests
}

// Unread counts what is hidden because an ignore file cannot be read.
type Unread struct {
	Dirs  int // directories with such a file
	First *workspace.UnreadError
}

// Open returns the tree below root, and takes ownership of root.
func Open(root *os.Root) *Tree { return &Tree{root: root, fast: openFast(root), room: maxHeld} }

// Close closes the tree and its root.
func (t *Tree) Close() {
	if t.fast != nil {
		t.fast.close()
	}
	t.root.Close()
}

// Lstat describes the entry at a path, relative to the tree. It follows no link.
func (t *Tree) Lstat(path string) (fs.FileInfo, error) { return t.root.Lstat(path) }

// OpenFile opens the regular file at a path, relative to the tree, and returns its size. It follows no link and does
// not block. The error for anything but a regular file is [workspace.ErrNotRegular].
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

// Options say what a walk does with entries that git ignores.
type Options struct {
	All     bool        // visit them, too
	Mark    bool        // with All, set their Ignored
	Ignored func(Entry) // if not nil, called for each entry that is skipped because git ignores it

	Unreadable func(dir string) // if not nil, called with the path of each directory that Stats.Unreadable counts
}

// Walk visits the tree at the absolute path abs, in the byte order of the paths, where a directory's path ends in a
// slash. It skips entries named .git and, unless the options say otherwise, what git ignores. It visits a directory
// before its contents, which it skips if visit returns fs.SkipDir. It does not follow links to directories, and counts
// what it cannot read. The error is any other one of visit except fs.SkipAll, that of ctx, or that of the start if
// that cannot be read. Walk holds at most 40 MiB of names: it reads a directory with more several times.
func (t *Tree) Walk(ctx context.Context, abs string, o Options, visit func(Entry) error) (Stats, error) {
	t.Hidden, t.Unread = 0, Unread{} // of an earlier walk
	w := walker{ctx: ctx, tree: t, visit: visit, Options: o}
	var rules *ignore.Dir
	if !o.All || o.Mark {
		var err error
		if rules, err = ignore.Top(ctx, abs, ignore.Options{Within: t.Within, Cut: w.cut, Outside: w.outside}); err != nil {
			return Stats{}, err
		}
	}
	err := w.walk("", rules, 0)
	if err == fs.SkipAll {
		err = nil
	}
	return w.stats, err
}

type walker struct {
	ctx   context.Context // of Walk: a walker does not outlive that call
	tree  *Tree
	visit func(Entry) error
	Options
	stats Stats
	held  int // the size of the listings of parent directories
}

func (w *walker) cut(file string, lines int) {
	w.stats.Cut++
	if w.stats.Cut == 1 {
		w.stats.FirstCut = Cut{file, lines}
	}
}

const maxOutside = 10

func (w *walker) outside(file string) {
	if len(w.stats.Outside) < maxOutside && !slices.Contains(w.stats.Outside, file) {
		w.stats.Outside = append(w.stats.Outside, file)
	}
}

// maxPath is the length of a path below the start from which a directory is not entered: PATH_MAX of Linux.
const maxPath = 4096

// walk visits the entries of the directory dir, which is "" or ends in a slash. If ignored, as in Entry, is not 0, git
// ignores all of them.
func (w *walker) walk(dir string, rules *ignore.Dir, ignored int) error {
	path := strings.TrimSuffix(dir, "/")
	if len(dir) > maxPath {
		w.unreadable(path)
		return nil
	}
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
			w.unreadable(path)
			l.more = false // do not read it again
		}
		if first && rules != nil && dir != "" {
			rules = w.tree.enter(rules, dir, &l)
		}
		if l.more {
			clear(l.chunks[l.last+1:]) // makes room for the listings below
		}
		w.held += l.held
		if err := w.entries(dir, &l, rules, ignored); err != nil {
			return err
		}
		w.held -= l.held
		l.names = names{} // visit may have kept some
	}
	return nil
}

func (w *walker) unreadable(dir string) {
	w.stats.Unreadable++
	if w.Unreadable != nil {
		w.Unreadable(dir)
	}
}

// entries visits the entries of a directory, and everything in them.
func (w *walker) entries(dir string, l *listing, rules *ignore.Dir, above int) error {
	for _, at := range l.order {
		e := l.entry(at)
		if e.Name == ".git" {
			continue
		}
		isDir := e.Type.IsDir()
		inside, ignored := rules, above
		if rules != nil && rules.Ignored(l.shown(e.Name), isDir) {
			inside, ignored = nil, len(dir)+len(e.Name)
			if isDir {
				ignored++
			}
		}
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if ignored > 0 && !w.All {
			if w.Ignored != nil {
				w.Ignored(Entry{dir, e.Name, e.Type, ignored})
			}
			continue
		}
		err := w.visit(Entry{dir, e.Name, e.Type, ignored})
		if err == fs.SkipDir {
			continue
		}
		if err != nil {
			return err
		}
		if isDir {
			if err := w.walk(dir+e.Name+"/", inside, ignored); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare orders two entries of a directory by the paths below them, so that "a-b" comes before "a/c".
func compare(a, b Dirent) int {
	n := min(len(a.Name), len(b.Name))
	if c := strings.Compare(a.Name[:n], b.Name[:n]); c != 0 {
		return c
	}
	return a.at(n) - b.at(n)
}

// at returns byte n of an entry's path, or -1 after its end.
func (e Dirent) at(n int) int {
	switch {
	case n < len(e.Name):
		return int(e.Name[n])
	case e.Type.IsDir():
		return '/'
	}
	return -1
}

// enter returns the rules inside a directory. It opens an ignore file only if the listing has one.
func (t *Tree) enter(rules *ignore.Dir, dir string, l *listing) *ignore.Dir {
	var patterns []byte
	if l.rules {
		if f, _, err := t.OpenFile(dir + ignore.FileName); err == nil {
			patterns = ignore.ReadRules(f)
			f.Close()
		}
	}
	name := dir[:len(dir)-1]
	name = name[strings.LastIndexByte(name, '/')+1:]
	if t.Shown != nil {
		name = t.Shown(name)
	}
	return rules.Enter(name, patterns, l.repository)
}
