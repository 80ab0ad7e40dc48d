package search

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/told"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Query says what to search for, and how much of it is needed.
type Query struct {
	Matcher   *match.Matcher
	Also      []*match.Matcher // patterns that a file must match too, or it has no match of Matcher either
	Multiline bool             // a match may go over several lines
	Around    Around
	Only      bool   // visit each nonempty match as a line of its own; not with Multiline
	Count     bool   // visit each file once, with the number of its matches in Begins
	Most      int    // matches needed of a file; 0 is no limit
	Text      int    // bytes needed of a line; 0 is 4 KiB
	Encoding  string // encoding of files that are neither UTF-8 nor have a byte order mark; "" is none
	NonASCII  bool   // the pattern is not ASCII, so files in other encodings may hide matches
	MaxBytes  int64  // limit for a file that is searched whole, or claims to be empty

	// Printed says that the file is the raw output of a command, so that what a terminal would show is searched. In a
	// tree, Files.Printed says so.
	Printed bool

	Redact *mask.Masker // replaces secrets before the search; nil replaces none
}

// Files are the files of a directory tree to search.
type Files struct {
	Tree     *walk.Tree
	Abs      string // the absolute path of Tree
	Options  walk.Options
	Large    bool                        // search files over MaxBytes too, unless they are searched whole
	Wanted   func(dir, name string) bool // selects files; dir is a relative path that ends in a slash, or ""
	Leave    func(dir walk.Entry) bool   // selects directories not to enter; nil is none
	Printed  func(path string) bool      // Query.Printed for a file; nil is false
	Searched *atomic.Int64               // counts the files
	Bytes    *atomic.Int64               // adds up their lengths
}

type Stats struct {
	walk.Stats         // Unreadable counts files, too
	Binary     Counted // files that are not text
	Large      Counted // files over MaxBytes
	NotUTF8    Counted // files that may hide non-ASCII matches
	InPieces   bool    // some lines were too long to search whole: see MaxLine
	Lacking    int     // files that match Matcher, but not all of Also

	// Files searched in another encoding that they clearly are in: with a match, and without.
	Decoded, Silent Decoded
}

type Counted struct {
	Files int
	First []string // the first paths, at most three
	Set   told.Set // all paths
}

func (c *Counted) add(path string) {
	c.Files++
	c.Set.Add(path)
	if len(c.First) < mostNamed {
		c.First = append(c.First, path)
	}
}

type Decoded struct {
	Counted
	From []string
}

func (s *Stats) addDecoded(f *found, matched bool) {
	d := &s.Silent
	if matched {
		d = &s.Decoded
	}
	if d.add(f.Path); !slices.Contains(d.From, f.decoded) {
		d.From = append(d.From, f.decoded)
	}
}

type File struct {
	Path    string // relative to the tree
	Ignored int    // as in [walk.Entry]
}

// Work ahead of the visits. On two cores eight batches keep both busy; with 256, a search that soon has enough wastes
// several times the work that it needs. For the same reason the goroutine that walks searches the first files itself,
// and batches grow from smallBatch to maxBatch files, unless more than one file in smallBatch has a match.
const (
	firstFiles = 16
	maxAhead   = 8
	smallBatch = 8
	maxBatch   = 64
	// maxFound bounds what is held of one file searched ahead, in bytes: two texts of the default limit.
	maxFound = 64 << 10
	// lineCost is the size of a line beside its text.
	lineCost = 64
)

const mostNamed = 3

// File visits the lines to show of one file. size is its length in bytes, or 0 if unknown. The error is that of f or
// ctx, or ErrTooLarge if a file that is searched whole, or has no known length, is over MaxBytes.
func (q Query) File(ctx context.Context, f io.Reader, size int64, visit Visit) (stats Stats, err error) {
	g := NewGroup(q)
	all, notUTF8, err := g.others().in(ctx, f, size, q.Printed)
	if !all && err == nil { // find out whether there is a match at all
		g.query.Count, g.query.Most = true, 1
		visit = func(Line) bool { stats.Lacking++; return true }
	}
	w, visited := g.worker(), false
	switch {
	case err != nil:
	case !g.query.Count:
		err = w.search(ctx, f, size, func(l Line) bool {
			visited = true
			return visit(l)
		})
	default:
		if err = w.search(ctx, f, size, w.visit); w.found.matches > 0 {
			visit(Line{Begins: w.found.matches})
		}
	}
	if w.notUTF8 || notUTF8 {
		stats.NotUTF8.add("")
	}
	if w.found.decoded != "" {
		stats.addDecoded(&w.found, visited || all && w.found.matches > 0)
	}
	if stats.InPieces = w.found.inPieces; err == ErrBinary {
		stats.Binary, err = Counted{Files: 1, First: []string{""}}, nil
	}
	return stats, err
}

// Tree searches the files of a tree, several at a time. It visits the lines to show in path order until visit returns
// false. The error is that of ctx, or that of reading the tree itself.
func (q Query) Tree(ctx context.Context, files Files, visit func(f File, l Line) bool) (Stats, error) {
	workers := min(max(2, runtime.GOMAXPROCS(0)), maxAhead) // more do not help, and each holds memory
	r := &run{files: files, group: NewGroup(q),
		order: make(chan *batch, maxAhead), working: make(chan struct{}, workers), idle: make(chan *worker, workers+1)}
	enough := r.all(ctx, visit)
	if p := r.panicked.Load(); p != nil {
		panic(*p)
	}
	r.walked.Unreadable += r.stats.Unreadable
	r.stats.Stats = r.walked
	if enough {
		return r.stats, nil
	}
	return r.stats, cmp.Or(r.err, ctx.Err())
}

// run is a search of a tree. One goroutine walks, searches the first files, and starts the searches of the rest; the
// caller's goroutine visits.
type run struct {
	files    Files
	group    *Group
	ctx      context.Context // for all goroutines; ends with the caller's, or when nothing more is wanted
	stop     func()
	running  sync.WaitGroup
	panicked atomic.Pointer[any]

	order   chan *batch   // in path order
	working chan struct{} // has an element for each busy worker
	idle    chan *worker

	matching atomic.Int64 // files with a match

	stats  Stats
	walked walk.Stats
	err    error // of the walk
}

// batch is a list of files that one worker searches.
type batch struct {
	found []found
	done  chan struct{} // closed when they were searched
}

type found struct {
	File
	lines    []Line
	bytes    int
	matches  int
	more     bool // there was no room for further lines
	inPieces bool
	notUTF8  bool
	lacks    bool   // it has a match, but not for all patterns
	decoded  string // the guessed encoding in which it was searched; or ""
	err      error
}

// all searches and visits. It returns when all goroutines have ended, and says whether visit had enough.
func (r *run) all(ctx context.Context, visit func(File, Line) bool) (enough bool) {
	defer r.running.Wait()
	r.ctx, r.stop = context.WithCancel(ctx)
	defer r.stop()
	r.running.Go(r.walk)
	for b := range r.order {
		<-b.done
		for i := 0; i < len(b.found) && r.ctx.Err() == nil; i++ {
			if !r.visit(&b.found[i], visit) {
				return true
			}
		}
	}
	return false
}

// catch, when deferred, keeps a panic for the caller of Tree.
func (r *run) catch() {
	if p := recover(); p != nil {
		r.panicked.CompareAndSwap(nil, &p)
		r.stop()
	}
}

func (r *run) walk() {
	defer close(r.order)
	defer r.catch()
	w := r.group.worker()
	files, size := 0, smallBatch
	var ahead []File
	r.walked, r.err = r.files.Tree.Walk(r.ctx, r.files.Abs, r.files.Options, func(e walk.Entry) error {
		if e.Type.IsDir() && r.files.Leave != nil && r.files.Leave(e) {
			return fs.SkipDir
		}
		if !e.Type.IsRegular() || !r.files.Wanted(e.Dir, e.Name) {
			return nil
		}
		ahead = append(ahead, File{e.Path(), e.Ignored})
		files++
		switch {
		case files <= firstFiles:
			r.searchNow(w, ahead)
			if ahead = ahead[:0]; files == firstFiles {
				r.idle <- w // one more than can work at a time
			}
		case len(ahead) == size:
			most := maxBatch
			if r.matching.Load()*smallBatch > int64(files) {
				most = smallBatch
			}
			r.startBatch(ahead)
			ahead, size = nil, min(2*size, most)
		}
		return nil
	})
	if len(ahead) > 0 {
		r.startBatch(ahead)
	}
}

func (r *run) searchNow(w *worker, files []File) {
	b := &batch{found: r.search(w, files), done: make(chan struct{})}
	close(b.done)
	if len(b.found) == 0 {
		return
	}
	select {
	case <-r.ctx.Done():
	case r.order <- b:
	}
}

// startBatch searches files as soon as a worker is free and there is room for results.
func (r *run) startBatch(files []File) {
	select {
	case <-r.ctx.Done():
		return
	case r.working <- struct{}{}:
	}
	b := &batch{done: make(chan struct{})}
	select {
	case <-r.ctx.Done():
		return
	case r.order <- b:
	}
	r.running.Go(func() {
		defer close(b.done)
		defer r.catch()
		var w *worker
		select {
		case w = <-r.idle:
		default:
			w = r.group.worker()
		}
		b.found = r.search(w, files)
		r.idle <- w
		<-r.working
	})
}

// search searches files ahead of the visits.
func (r *run) search(w *worker, files []File) (all []found) {
	for _, file := range files {
		if r.ctx.Err() != nil {
			return all
		}
		w.found = found{File: file}
		err := r.file(w, file.Path, w.visit)
		r.files.Searched.Add(1)
		gone := errors.Is(err, fs.ErrNotExist) || errors.Is(err, workspace.ErrNotRegular) // since the walk
		if !gone {
			w.found.err = err
		}
		if w.found.matches > 0 {
			r.matching.Add(1)
		}
		if f := w.found; len(f.lines) > 0 || f.matches > 0 || f.lacks || f.err != nil || f.inPieces || f.notUTF8 || f.decoded != "" {
			all = append(all, f)
		}
	}
	return all
}

func (r *run) file(w *worker, path string, visit Visit) error {
	f, size, err := r.files.Tree.OpenFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if size > r.group.query.MaxBytes && (r.group.query.Multiline || !r.files.Large) {
		return ErrTooLarge
	}
	r.files.Bytes.Add(size)
	w.printed = r.files.Printed != nil && r.files.Printed(path)
	if err = w.search(r.ctx, f, size, visit); err != nil || w.found.matches == 0 || w.others == nil {
		return err
	}
	return w.checkOthers(r.ctx, f, size)
}

// visit visits what was found in a file. If not everything was kept, it searches the file again for the rest.
func (r *run) visit(f *found, visit func(File, Line) bool) bool {
	if r.group.query.Count && f.matches > 0 && !visit(f.File, Line{Begins: f.matches}) {
		return false
	}
	for _, l := range f.lines {
		if !visit(f.File, l) {
			return false
		}
	}
	enough := false
	if f.more {
		seen := 0
		f.err = r.file(r.group.worker(), f.Path, func(l Line) bool {
			seen++
			enough = seen > len(f.lines) && !visit(f.File, l)
			return !enough
		})
	}
	r.stats.InPieces = r.stats.InPieces || f.inPieces
	if f.lacks {
		r.stats.Lacking++
	}
	if f.notUTF8 {
		r.stats.NotUTF8.add(f.Path)
	}
	if f.decoded != "" {
		r.stats.addDecoded(f, f.matches > 0)
	}
	switch {
	case f.err == nil || r.ctx.Err() != nil:
	case errors.Is(f.err, ErrBinary):
		r.stats.Binary.add(f.Path)
	case errors.Is(f.err, ErrTooLarge):
		r.stats.Large.add(f.Path)
	default:
		r.stats.Unreadable++
	}
	return !enough
}
