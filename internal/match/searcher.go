package match

import (
	"bytes"
	"context"
)

// Searcher searches for a Matcher's pattern. It holds the automaton as built so far, at
// most a few megabytes. It is not safe for concurrent use: make one per goroutine, and
// reuse it for the next buffer.
type Searcher struct {
	m     *Matcher
	watch watch
	line  *dfa // nil: package regexp decides

	prefilter *prefilter // nil: the automaton finds lines
	debt      int        // bytes of work wasted on false candidates
	rest      int        // bytes that the automaton reads before the prefilter is tried again
	run       int        // rest, the next time that the automaton takes over
}

// NewSearcher returns a searcher for m.
func (m *Matcher) NewSearcher() *Searcher {
	s := &Searcher{m: m, run: minRun}
	if p := m.line.prefilter; p != nil && p.fast() {
		s.prefilter = p
	}
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
		if s.prefilter != nil && s.rest <= 0 {
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

// What it costs to look at a candidate in vain, in bytes that the automaton alone reads meanwhile: one that is no
// literal, and a line that does not match. After maxDebt bytes lost so, the automaton takes over for minRun,
// and for twice as long each time until a text has few candidates.
const (
	falseCandidate = 30
	falseLine      = 300
	maxDebt        = 4096
	minRun         = 64 << 10
	maxRun         = 1 << 20
)

// search looks for the pattern's literals. It returns a position in a matching line and the start of that line or of
// one before it; or, if it found none, the start of the line from which to go on, which is len(buf) at the end.
func (s *Searcher) search(buf []byte, from int) (at, line int, ok bool) {
	line = from
	for from < len(buf) && !s.watch.ended {
		at = s.prefilter.next(buf, from)
		if at < 0 {
			if s.debt = max(0, s.debt-(len(buf)-from)); s.debt == 0 {
				s.run = minRun
			}
			return 0, len(buf), false
		}
		cost, next := falseCandidate, at+1
		if s.prefilter.begins(buf[at:]) {
			if s.m.exact {
				return at, line, true
			}
			var start, end int
			start, end, next = lineAt(buf, line, at)
			if s.Line(buf[start:end]) {
				return at, start, true
			}
			cost, line = falseLine, next
		}
		s.debt = max(0, s.debt+cost-(next-from))
		from = next
		if s.debt > maxDebt {
			s.debt, s.rest, s.run = 0, s.run, min(2*s.run, maxRun)
			line, _, _ = lineAt(buf, line, from)
			return 0, line, false
		}
	}
	return 0, len(buf), false
}

// scan is search with the automaton, or package regexp where that gave up.
func (s *Searcher) scan(buf []byte, from int) (at, next int, ok bool) {
	limit := len(buf)
	if s.prefilter != nil {
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
