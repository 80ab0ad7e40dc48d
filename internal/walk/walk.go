// Package walk goes through a directory tree in the order of its paths, leaving
// out what git ignores.
package walk

import (
	"context"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/ignore"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Options say what a walk leaves out. Entries named .git are always left out.
type Options struct {
	// Everything visits what git ignores too.
	Everything bool
}

// Entry is what a walk meets: a file, a directory or something else.
type Entry struct {
	Path string      // relative to the start of the walk, with slashes
	Type fs.FileMode // the type bits; a symbolic link is not followed

	name string
	dir  *os.Root
}

// Open opens the entry, a regular file, to read. It must be called during the
// visit. What is not a regular file, or not any more, is a
// [workspace.KindError].
func (e Entry) Open() (*os.File, fs.FileInfo, error) {
	info, err := e.dir.Lstat(e.name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &workspace.KindError{Path: e.Path, Mode: info.Mode(), Err: workspace.ErrNotRegular}
	}
	f, err := workspace.OpenIn(e.dir, e.name)
	return f, info, err
}

// Stats is what a walk could not do.
type Stats struct {
	Unreadable int // directories that could not be read, or not to their end
}

// Walk visits everything below dir, which is at the absolute path abs, in the
// order of the paths' bytes, where a directory's path ends in a slash. A
// directory comes before what is in it. Links to directories are not followed,
// and what cannot be read is counted. Walk ends with the first error of visit
// other than [fs.SkipAll], with ctx's, or if dir itself cannot be read.
func Walk(ctx context.Context, dir *os.Root, abs string, o Options, visit func(Entry) error) (Stats, error) {
	w := walker{ctx: ctx, visit: visit}
	var rules *ignore.Dir
	if !o.Everything {
		var err error
		if rules, err = ignore.Top(abs, ignore.Options{}); err != nil {
			return Stats{}, err
		}
	}
	err := w.walk(dir, "", rules, true)
	if err == fs.SkipAll {
		err = nil
	}
	return w.stats, err
}

type walker struct {
	ctx   context.Context
	visit func(Entry) error
	stats Stats
}

// walk visits what is in one directory. prefix is its path, ended by a slash.
func (w *walker) walk(dir *os.Root, prefix string, rules *ignore.Dir, top bool) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	entries, err := readDir(dir)
	if err != nil {
		if top && len(entries) == 0 {
			return err
		}
		w.stats.Unreadable++
	}
	if rules != nil && !top {
		rules = enter(rules, dir, prefix, entries)
	}
	for _, e := range entries {
		name := e.Name()
		if name == ".git" || rules != nil && rules.Ignored(name, e.IsDir()) {
			continue
		}
		if err := w.visit(Entry{Path: prefix + name, Type: e.Type(), name: name, dir: dir}); err != nil {
			return err
		}
		if !e.IsDir() {
			continue
		}
		if err := w.into(dir, name, prefix, rules); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) into(dir *os.Root, name, prefix string, rules *ignore.Dir) error {
	// Opened one name below its parent: the cost of a directory does not grow
	// with its depth.
	child, err := dir.OpenRoot(name)
	if err != nil {
		w.stats.Unreadable++
		return nil
	}
	defer child.Close()
	return w.walk(child, prefix+name+"/", rules, false)
}

// readDir lists a directory in the order of the walk. What was read before an
// error is returned with it.
func readDir(dir *os.Root) ([]fs.DirEntry, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, compare)
	return entries, err
}

// compare orders two entries of a directory by the paths that they lead to, so
// that "a-b" comes before "a/c".
func compare(a, b fs.DirEntry) int {
	x, y := a.Name(), b.Name()
	n := min(len(x), len(y))
	if c := strings.Compare(x[:n], y[:n]); c != 0 {
		return c
	}
	return next(a, n) - next(b, n)
}

// next is the byte of an entry's path at n, or -1 behind its end.
func next(e fs.DirEntry, n int) int {
	switch name := e.Name(); {
	case n < len(name):
		return int(name[n])
	case e.IsDir():
		return '/'
	}
	return -1
}

// enter gives the rules inside of a directory.
func enter(rules *ignore.Dir, dir *os.Root, prefix string, entries []fs.DirEntry) *ignore.Dir {
	var patterns []byte
	repository := false
	for _, e := range entries {
		switch {
		case e.Name() == ".git":
			repository = true
		case e.Name() == ".gitignore" && e.Type().IsRegular():
			patterns = readRules(dir)
		}
	}
	name := prefix[:len(prefix)-1]
	return rules.Enter(name[strings.LastIndexByte(name, '/')+1:], patterns, repository)
}

// maxRules is the size of a .gitignore over which git does not read it.
const maxRules = 100 << 20

func readRules(dir *os.Root) []byte {
	f, err := workspace.OpenIn(dir, ".gitignore")
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxRules))
	if err != nil {
		return nil
	}
	return data
}
