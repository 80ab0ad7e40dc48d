package tools

import (
	"errors"
	"io"
	"io/fs"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/pipeline"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
)

// hits is what a search found in one file.
type hits struct {
	name   string
	path   string // of a file that the walk met, as that has it
	lines  []hit  // in content mode: matches, and what is near them
	found  int    // matches
	passed int    // of these, the first ones that are in no line: they are not shown
	unkept int    // and the last ones: there is no room for them
	part   bool   // there are lines that are not kept
	pieces bool   // it has lines that were searched in pieces
	skip   skip
	err    error // why the search of it ended early
}

// hit is a line to show.
type hit struct {
	number    int
	begins    int  // matches that begin in it
	span      int  // lines that the last of these takes
	continued bool // a match goes on in it
	cut       bool // to MaxLineChars
	dropped   bool // there is context before it that could not be held
	removed   int  // bytes that were cut, as far as they are known, less those of cutMark
	text      string
}

// skip says why a file was not searched.
type skip int

const (
	searched skip = iota
	gone          // or not a regular file any more
	isBinary
	isLarge
	isUnreadable
)

// maxBatch is the number of files that are searched as one job. Batches double
// up to it from two, so that a search which soon has enough opens few files.
const maxBatch = 64

// searchDir searches the files of a directory tree, several at a time, and
// collects what they hold in the order of their paths.
func (g *grep) searchDir(path workspace.Path) error {
	dir, err := path.OpenDir()
	if err != nil {
		return err
	}
	defer dir.Close()
	tree := walk.Open(dir)
	defer tree.Close()
	prefix := path.Name + "/"
	if path.Name == "." {
		prefix = ""
	}
	spilled := g.suite.isSpill(path)
	var stats walk.Stats
	produce := func(emit func([]string) bool) error {
		b := batcher{emit: emit, size: 2}
		var err error
		stats, err = tree.Walk(g.ctx, path.Abs, walk.Options{Everything: spilled}, func(e walk.Entry) error {
			if !e.Type.IsRegular() || !g.files.Match(e.Dir, e.Name) {
				return nil
			}
			return b.add(e.Path())
		})
		b.flush()
		return err
	}
	group := g.group()
	work := func() func([]string) []hits {
		s := newFileSearch(g, group)
		return func(paths []string) (found []hits) {
			for _, p := range paths {
				if h := s.path(tree, p, prefix, spilled); h.skip != searched || h.found > 0 || h.pieces {
					found = append(found, h)
				}
				g.list.visited.Add(1)
			}
			return found
		}
	}
	err = pipeline.Run(g.ctx, produce, work, func(found []hits) bool {
		for _, h := range found {
			if need := g.offset - g.seen; h.part && 0 < need && need < h.found {
				// Only now it is known which of its matches are shown.
				s := newFileSearch(g, group)
				s.skip = need
				h = s.path(tree, h.path, prefix, spilled)
			}
			if g.collect(h); g.more {
				return false
			}
		}
		return true
	})
	g.suite.addSkipped(&g.skipped, stats)
	return err
}

// batcher gathers paths into jobs.
type batcher struct {
	emit  func([]string) bool
	paths []string
	size  int
}

func (b *batcher) add(path string) error {
	b.paths = append(b.paths, path)
	if len(b.paths) < b.size {
		return nil
	}
	return b.flush()
}

func (b *batcher) flush() error {
	if len(b.paths) > 0 && !b.emit(b.paths) {
		return fs.SkipAll
	}
	b.paths, b.size = nil, min(2*b.size, maxBatch)
	return nil
}

// group makes searchers that hold of each line what is shown of it, and a little more
// to see that it is cut.
func (g *grep) group() *search.Group {
	return search.NewGroup(g.matcher, utf8.UTFMax*min(g.suite.cfg.Grep.MaxLineChars, maxHeld/utf8.UTFMax)+utf8.UTFMax)
}

// maxHeld is the number of bytes that are held of a line of context, whatever
// Grep.MaxLineChars is.
const maxHeld = 64 << 10

// fileSearch searches one file after another, for one worker.
type fileSearch struct {
	grep  *grep
	lines *search.Searcher
	visit search.Visit // s.take, made once
	hits  hits         // of the file at hand
	skip  int          // its first matches, which are known not to be shown
	kept  room         // what its lines take in a list, at the least
}

// room is a part of a list.
type room struct{ bytes, lines int }

func newFileSearch(g *grep, group *search.Group) *fileSearch {
	s := &fileSearch{grep: g, lines: group.New()}
	s.visit = s.take
	return s
}

// path searches a file that the walk met.
func (s *fileSearch) path(tree *walk.Tree, path, prefix string, spilled bool) hits {
	f, err := tree.OpenFile(path)
	var size int64
	if err == nil {
		defer f.Close()
		size, err = f.Size()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, walk.ErrNotRegular):
		return hits{skip: gone}
	case err != nil:
		return hits{skip: isUnreadable}
	case size > s.grep.suite.cfg.MaxFileBytes && (s.grep.params.Multiline || !spilled):
		return hits{skip: isLarge}
	}
	h := s.file(f, size, path)
	if h.found > 0 {
		h.name, h.path = prefix+path, path
	}
	if h.err != nil && s.grep.ctx.Err() == nil {
		h.skip = isUnreadable
	}
	return h
}

// file finds what is to be shown of one file, or as much of it as can be.
func (s *fileSearch) file(f io.Reader, size int64, name string) hits {
	s.hits, s.kept = hits{name: name}, room{}
	g := s.grep
	if size == 0 {
		f = &unsized{Reader: f, name: name, max: g.suite.cfg.MaxFileBytes}
	}
	var err error
	if g.params.Multiline {
		err = s.lines.Spans(g.ctx, f, g.suite.cfg.MaxFileBytes, g.around, s.visit)
	} else {
		err = s.lines.Lines(g.ctx, f, size, g.around, s.visit)
	}
	s.hits.pieces = s.lines.InPieces()
	switch s.hits.err = err; {
	case errors.Is(err, search.ErrBinary):
		s.hits.skip, s.hits.err = isBinary, nil
	case errors.Is(err, search.ErrTooLarge):
		s.hits.skip, s.hits.err = isLarge, nil
	}
	return s.hits
}

// take keeps a line, as far as the output mode shows it.
func (s *fileSearch) take(l search.Line) bool {
	h := &s.hits
	if l.Begins {
		h.found++
	}
	switch s.grep.params.OutputMode {
	case modeFiles:
		return false
	case modeCount:
		return true
	}
	cfg := s.grep.suite.cfg.Grep
	// Which of a file's matches are shown depends on the files before it. One that begins in
	// a line of another is shown with it, whatever the limit is: only a line that a match over
	// the limit begins is more than there is to show.
	enough := l.Begins && h.found > s.grep.most
	if n := len(h.lines) - 1; n >= 0 && h.lines[n].number == l.Number { // a further match in it
		h.lines[n].begins++
		h.lines[n].span = l.Lines
		return true
	}
	if s.kept.bytes > cfg.MaxBytes+1 || s.kept.lines > cfg.MaxLines { // the last newline is not in the list
		if h.part = true; l.Begins {
			h.unkept++
		}
		return !enough
	}
	text, cut := cutLine(l.Text, cfg.MaxLineChars, cutMark)
	if l.Cut && !cut {
		text, cut = append(text[:len(text):len(text)], cutMark...), true
	}
	hit := hit{number: l.Number, span: l.Lines, continued: l.Match && !l.Begins, cut: cut, dropped: l.Dropped, text: string(text)}
	if l.Begins {
		hit.begins = 1
	}
	if cut {
		hit.removed = len(l.Text) - len(text)
	}
	h.lines = append(h.lines, hit)
	if h.found > s.skip {
		s.kept.bytes += len(text) + minPrefix
		s.kept.lines++
	} else {
		s.forget()
	}
	return !enough
}

const (
	// cutMark ends a line that is cut.
	cutMark = "... [truncated]"
	// minPrefix is what a line has in a list besides its text: "a:1: " and the newline.
	minPrefix = 6
)

// forget drops lines of matches that are not shown, but for those that may be near
// one that is.
func (s *fileSearch) forget() {
	h, keep := &s.hits, s.grep.around+1
	if len(h.lines) < 2*keep+64 {
		return
	}
	old := h.lines[:len(h.lines)-keep]
	for _, line := range old {
		h.passed += line.begins
	}
	h.lines = append(h.lines[:0], h.lines[len(old):]...)
}
