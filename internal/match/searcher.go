package match

import (
	"bytes"
	"context"
)

// Searcher searches for a Matcher's pattern. It holds the automaton as built so far, at
// most a few megabytes. It is not safe for concurrent use: make one per goroutine, and
// reuse it for the next buffer.
type Searcher struct {
	matcher   *Matcher
	cancel    canceler
	dfa       *dfa       // see lines
	gaveUp    bool       // package regexp matches lines
	prefilter *prefilter // nil: the automaton finds lines
	wasted    int        // bytes of work wasted on candidates
	automaton int        // bytes that the automaton reads before the prefilter is tried again
	takeover  int        // the next value of automaton
}

// NewSearcher returns a searcher for m.
func (m *Matcher) NewSearcher() *Searcher {
	s := &Searcher{matcher: m, takeover: minTakeover}
	if p := m.line.prefilter; p != nil && (vector || p.text != nil) { // otherwise the automaton is faster
		s.prefilter = p
	}
	return s
}

// lines returns the automaton. It is made on first use, because a prefilter often needs none. It is nil if package
// regexp matches lines.
func (s *Searcher) lines() *dfa {
	if s.dfa == nil && !s.gaveUp {
		if p := s.matcher.program(); p != nil {
			s.dfa = newDFA(p, &s.cancel)
		}
		s.gaveUp = s.dfa == nil
	}
	return s.dfa
}

// Until makes later searches end with ctx, within some 100 milliseconds. They then find
// nothing, so a caller that finds nothing must check ctx.
func (s *Searcher) Until(ctx context.Context) { s.cancel.done, s.cancel.ended = ctx.Done(), false }

// Line reports whether line matches. The line has no terminator: a carriage return at its
// end is part of it.
func (s *Searcher) Line(line []byte) bool {
	if d := s.lines(); d != nil {
		if _, state := d.run(line, 0, len(line), d.start()); state != quit {
			return d.accepts(state)
		}
		s.giveUp()
	}
	return s.regexp(line)
}

// giveUp leaves lines to package regexp, unless the search has ended.
func (s *Searcher) giveUp() {
	if !s.cancel.ended {
		s.dfa, s.gaveUp = nil, true
	}
}

// regexp is Line by package regexp.
func (s *Searcher) regexp(line []byte) bool {
	return s.cancel.match(s.matcher.line.plain(), s.matcher.line.size, line)
}

// Next finds the first line of buf that matches and starts at or after from, which
// must be the start of a line. It returns the line without its terminator, which is
// \n or \r\n. The last line may lack a terminator; a \r at its end is then a part of
// it. An empty buffer has no lines, and nothing follows a final newline.
func (s *Searcher) Next(buf []byte, from int) (start, end int, ok bool) {
	for from < len(buf) && !s.cancel.ended {
		var at int
		if s.prefilter != nil && s.automaton <= 0 {
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

// The cost of a candidate outside of any match, in bytes that the automaton reads in the same time: if it is not a
// literal, and if its line does not match. Once maxWasted bytes are lost, the automaton takes over for minTakeover,
// and for twice as long each time until candidates become few.
const (
	falseCandidate = 30
	falseLine      = 300
	maxWasted      = 4096
	minTakeover    = 64 << 10
	maxTakeover    = 1 << 20
)

// search looks for the pattern's literals. It returns a position in a matching line and the start of that line or of
// one before it. If it found none, line is where to continue, which is len(buf) at the end.
func (s *Searcher) search(buf []byte, from int) (at, line int, ok bool) {
	line = from
	for from < len(buf) && !s.cancel.ended {
		at = s.prefilter.next(buf, from)
		if at < 0 {
			if s.wasted = max(0, s.wasted-(len(buf)-from)); s.wasted == 0 {
				s.takeover = minTakeover
			}
			return 0, len(buf), false
		}
		cost, next := falseCandidate, at+1
		if s.prefilter.begins(buf[at:]) {
			if s.matcher.line.exact {
				return at, line, true
			}
			var start, end int
			start, end, next = lineAt(buf, line, at)
			if s.Line(buf[start:end]) {
				return at, start, true
			}
			cost, line = falseLine, next
		}
		s.wasted = max(0, s.wasted+cost-(next-from))
		from = next
		if s.wasted > maxWasted {
			s.wasted, s.automaton, s.takeover = 0, s.takeover, min(2*s.takeover, maxTakeover)
			line, _, _ = lineAt(buf, line, from)
			return 0, line, false
		}
	}
	return 0, len(buf), false
}

// scan is search with the automaton, or with package regexp if that gave up.
func (s *Searcher) scan(buf []byte, from int) (at, next int, ok bool) {
	limit := len(buf)
	if s.prefilter != nil {
		limit = lineStart(buf, from+s.automaton, limit)
	}
	if d := s.lines(); d != nil {
		at, state := d.scan(buf, from, limit)
		if state != quit {
			s.automaton -= at - from
			if state == matched {
				return at, from, true
			}
			return 0, limit, false
		}
		from = at
		s.giveUp()
	}
	for from < limit && !s.cancel.ended {
		_, end, next := lineAt(buf, from, from)
		if s.regexp(buf[from:end]) {
			return from, from, true
		}
		s.automaton -= next - from
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
