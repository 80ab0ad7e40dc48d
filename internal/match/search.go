package match

import (
	"bytes"
	"context"
	"strings"
)

// Searcher searches for a Matcher's pattern. It holds the automaton as built so far, at
// most a few megabytes. It is not safe for concurrent use: make one per goroutine, and
// reuse it for the next buffer.
type Searcher struct {
	m     *Matcher
	watch watch
	line  *dfa // nil: package regexp decides

	finder *finder  // nil: the automaton finds lines
	others [][]byte // texts that a line found must contain as well
	tuned  bool     // finder suits the text
	seen   int      // bytes searched, until it does

	debt int // bytes of work wasted on lines that the finder found in vain
	rest int // bytes that the automaton reads before the finder is tried again
}

// NewSearcher returns a searcher for m.
func (m *Matcher) NewSearcher() *Searcher {
	s := &Searcher{m: m}
	s.use(m.line.finder)
	if m.program != nil {
		s.line = newDFA(m.program, &s.watch)
	}
	return s
}

// Until makes later searches end with ctx, within some 100 milliseconds. They then find
// nothing, so a caller that finds nothing must check ctx.
func (s *Searcher) Until(ctx context.Context) { s.watch.done, s.watch.ended = ctx.Done(), false }

// Line reports whether line matches. The line has no terminator: a carriage return at its
// end is part of it.
func (s *Searcher) Line(line []byte) bool {
	if s.line != nil {
		_, r := s.line.run(line, 0, len(line), s.line.start(beforeNothing))
		if r != quit {
			return s.line.accepts(r)
		}
		s.giveUp()
	}
	return s.regexp(line)
}

// giveUp leaves lines to package regexp, unless the search has ended.
func (s *Searcher) giveUp() {
	if !s.watch.ended {
		s.line = nil
	}
}

// regexp is Line by package regexp.
func (s *Searcher) regexp(line []byte) bool {
	if s.watch.over(0) {
		return false
	}
	return s.watch.match(s.m.line.plain(), s.m.line.size, line)
}

// Next finds the first line of buf that matches and starts at or after from, which
// must be the start of a line. It returns the line without its terminator, which is
// \n or \r\n. The last line may lack a terminator; a \r at its end is then a part of
// it. An empty buffer has no lines, and nothing follows a final newline.
func (s *Searcher) Next(buf []byte, from int) (start, end int, ok bool) {
	for from < len(buf) && !s.watch.ended {
		var at int
		if s.finder != nil && s.rest <= 0 {
			at, from, ok = s.search(buf, from)
		} else {
			at, from, ok = s.scan(buf, from)
		}
		if ok {
			start, end, _ = lineAt(buf, from, at)
			return start, end, true
		}
	}
	return 0, 0, false
}

// What it costs to look at a line in vain, without and with the automaton, in bytes
// that the automaton alone reads meanwhile; how much may be lost so before it takes
// over; and for how long.
const (
	vainLook   = 120
	vainLine   = 300
	maxDebt    = 4096
	automation = 64 << 10
)

// search looks for the pattern's literals. It returns a position in a matching
// line, or the start of the line from which to go on, len(buf) if there is none.
func (s *Searcher) search(buf []byte, from int) (at, next int, ok bool) {
	if !s.tuned {
		if s.tune(buf, from); s.finder == nil {
			return 0, from, false
		}
	}
	for from < len(buf) && !s.watch.ended {
		at, fine := s.finder.find(buf, from, &s.debt)
		if at < 0 {
			return 0, len(buf), false
		}
		if !fine {
			s.debt, s.rest = 0, automation
			start, _, _ := lineAt(buf, from, at)
			return 0, start, false
		}
		if s.m.exact {
			return at, from, true
		}
		start, end, next := lineAt(buf, from, at)
		cost := vainLook
		if s.hasAll(buf[start:end]) {
			if s.Line(buf[start:end]) {
				return at, start, true
			}
			cost = vainLine
		}
		s.debt = max(0, s.debt+cost-(next-from))
		from = next
		if s.debt > maxDebt {
			s.debt, s.rest = 0, automation
			break
		}
	}
	return 0, from, false
}

// hasAll reports whether line has the literals that every match has. "func.*error"
// need not be tried on the lines that have only one of the words.
func (s *Searcher) hasAll(line []byte) bool {
	for _, text := range s.others {
		if !bytes.Contains(line, text) {
			return false
		}
	}
	return true
}

// use makes f the finder.
func (s *Searcher) use(f *finder) {
	s.finder, s.others = f, nil
	for _, x := range s.m.also {
		if f != nil && !(len(f.set) == 1 && strings.Contains(f.set[0].text, x.text)) {
			s.others = append(s.others, []byte(x.text))
		}
	}
}

// Counting a sample takes about as long as searching tuneAfter bytes, and it needs
// at least tuneFrom bytes to count.
const (
	tuneAfter = 128 << 10
	tuneFrom  = 4 << 10
)

// tune chooses the finder anew, from the text itself, if there is enough of it: the
// digits that are rare in a program are everywhere in a log.
func (s *Searcher) tune(buf []byte, from int) {
	s.seen += len(buf) - from
	if s.seen >= tuneAfter && len(buf) >= tuneFrom {
		s.tuned = true
		s.use(s.finder.tuned(buf, s.m.also))
	}
}

// scan is search with the automaton, or package regexp where that gave up.
func (s *Searcher) scan(buf []byte, from int) (at, next int, ok bool) {
	limit := len(buf)
	if s.finder != nil {
		limit = lineStart(buf, from+s.rest, limit)
	}
	if s.line != nil {
		at, r := s.line.scan(buf, from, limit)
		if r != quit {
			s.rest -= at - from
			if r == matched {
				return at, from, true
			}
			return 0, limit, false
		}
		from = at
		s.giveUp()
	}
	for from < limit && !s.watch.ended {
		_, end, next := lineAt(buf, from, from)
		if s.regexp(buf[from:end]) {
			return from, from, true
		}
		s.rest -= next - from
		from = next
	}
	return 0, limit, false
}

// lineAt returns the bounds of the line that contains the byte at, without its
// terminator, and the start of the next line. from is the start of this line or of
// one before it. A newline is in the line that it ends.
func lineAt(buf []byte, from, at int) (start, end, next int) {
	start = from + bytes.LastIndexByte(buf[from:at], '\n') + 1
	i := bytes.IndexByte(buf[at:], '\n')
	if i < 0 {
		return start, len(buf), len(buf)
	}
	end = at + i
	next = end + 1
	if end > start && buf[end-1] == '\r' {
		end--
	}
	return start, end, next
}
