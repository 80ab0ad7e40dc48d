package tools

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/spillway-go/spillway/internal/pipeline"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

// hits is what a search found in one file.
type hits struct {
	name   string
	lines  []hit // in content mode: matches, and what is near them
	found  int   // matches
	unkept int   // of these, the last ones that are in no line: there is no room for them
	skip   skip
	err    error // why the search of it ended early
}

// hit is a line to show.
type hit struct {
	number int
	match  bool
	cut    bool // to MaxLineChars
	text   string
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
	work := func() func([]string) []hits {
		s := newFileSearch(g)
		return func(paths []string) (found []hits) {
			for _, p := range paths {
				if h := s.path(tree, p, prefix, spilled); h.skip != searched || h.found > 0 {
					found = append(found, h)
				}
				g.list.visited.Add(1)
			}
			return found
		}
	}
	err = pipeline.Run(g.ctx, produce, work, func(found []hits) bool {
		for _, h := range found {
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

// fileSearch searches one file after another, for one worker.
type fileSearch struct {
	grep  *grep
	lines *search.Searcher
	visit search.Visit // s.take, made once
	hits  hits         // of the file at hand
	most  int          // matches of one file that are needed
	kept  int          // bytes of its lines that will be shown if no file came before
}

func newFileSearch(g *grep) *fileSearch {
	// Which of a file's matches are shown depends on the files before it.
	s := &fileSearch{grep: g, lines: search.New(g.matcher), most: g.offset + g.limit + 1}
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
		h.name = prefix + path
	}
	if h.err != nil && s.grep.ctx.Err() == nil {
		h.skip = isUnreadable
	}
	return h
}

// file finds what is to be shown of one file, or as much of it as can be.
func (s *fileSearch) file(f io.Reader, size int64, name string) hits {
	s.hits, s.kept = hits{name: name}, 0
	run := s.lines.Lines
	if s.grep.params.Multiline {
		run = s.lines.Spans
	}
	err := run(s.grep.ctx, f, size, s.grep.around, s.visit)
	if s.hits.err = err; errors.Is(err, search.ErrBinary) {
		s.hits.skip, s.hits.err = isBinary, nil
	}
	return s.hits
}

// take keeps a line, as far as the output mode shows it.
func (s *fileSearch) take(l search.Line) bool {
	if l.Match {
		s.hits.found++
	}
	switch s.grep.params.OutputMode {
	case modeFiles:
		return false
	case modeCount:
		return true
	}
	if s.kept > s.grep.suite.cfg.Grep.MaxBytes {
		if l.Match {
			s.hits.unkept++
		}
		return s.hits.found < s.most
	}
	text, cut := truncation.CutLine(l.Text, s.grep.suite.cfg.Grep.MaxLineChars, "... [truncated]")
	s.hits.lines = append(s.hits.lines, hit{l.Number, l.Match, cut, string(text)})
	if s.hits.found > s.grep.offset {
		s.kept += len(text) + 1
	}
	return s.hits.found < s.most
}

// collect adds what was found in a file to the result.
func (g *grep) collect(h hits) {
	switch h.skip {
	case isBinary:
		g.skipped.Binary++
	case isLarge:
		g.skipped.Large++
	case isUnreadable:
		g.skipped.Unreadable++
	}
	name := workspace.Quote(h.name)
	if g.params.OutputMode != modeContent {
		if h.found == 0 || !g.take() {
			return
		}
		line := GrepLine{Path: h.name, Match: true}
		if g.params.OutputMode == modeCount {
			line.Count = h.found
			name = fmt.Sprintf("%s:%d", name, h.found)
		}
		g.write(name, line)
		return
	}
	group := lineGroup{g: g, path: h.name, name: name, written: -1}
	for _, line := range h.lines {
		if group.add(line); g.more {
			return
		}
	}
	for range h.unkept {
		g.take()
	}
}

// lineGroup composes the lines of one file. What is near a match that is skipped
// waits, for it may be near the next one as well.
type lineGroup struct {
	g       *grep
	path    string
	name    string // the path as it is shown
	waiting []hit
	last    int // number of the last match that was shown
	written int // number of the last line that was written
}

func (l *lineGroup) add(line hit) {
	if line.match && l.g.take() {
		for _, w := range l.waiting {
			if w.number >= line.number-l.g.around {
				l.write(w, '-')
			}
		}
		l.waiting, l.last = nil, line.number
		l.write(line, ':')
		return
	}
	switch {
	case l.g.around == 0:
	case l.last > 0 && line.number <= l.last+l.g.around:
		l.write(line, '-')
	default:
		if l.waiting = append(l.waiting, line); len(l.waiting) > l.g.around {
			l.waiting = slices.Delete(l.waiting, 0, 1)
		}
	}
}

// write adds a line to the list, behind a divider if lines are left out between
// it and the one before.
func (l *lineGroup) write(line hit, mark byte) {
	if l.g.around > 0 && len(l.g.lines) > 0 && l.written != line.number-1 {
		l.g.write("--", GrepLine{})
	}
	l.written = line.number
	l.g.write(fmt.Sprintf("%s%c%d%c %s", l.name, mark, line.number, mark, line.text),
		GrepLine{Path: l.path, Line: line.number, Text: line.text, Match: mark == ':', Cut: line.cut})
}
