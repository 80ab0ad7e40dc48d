package match

import (
	"iter"
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
	"unicode/utf8"
)

// newSpanEngine compiles tree, which it changes and which expr stands for, for whole texts.
func newSpanEngine(tree *syntax.Regexp, expr string) engine {
	if spellsEnding(tree) {
		tree = carriages(tree)
		expr = tree.String()
	}
	return newFindEngine(tree, expr)
}

// newFindEngine compiles tree, which expr stands for, to find where matches are.
func newFindEngine(tree *syntax.Regexp, expr string) engine {
	e := newEngine(tree, expr, false)
	f := extractor{}.facts(tree)
	if e.finder = newFinder(f.prefix.leading(), true, nil); e.finder != nil {
		e.leads = true
	} else {
		e.finder = newFinder(f.inside.minimal(), true, nil)
	}
	e.inside = sync.OnceValue(func() *regexp.Regexp {
		// Not expr: an unclosed \Q in it would quote the parenthesis.
		return regexp.MustCompile(`\A(?s:.)(?s:.*?)(` + tree.String() + `)`)
	})
	return e
}

// spellsEnding reports whether carriages would change re.
func spellsEnding(re *syntax.Regexp) bool {
	return re.Op == syntax.OpEndLine || re.Op == syntax.OpLiteral && slices.Contains(re.Rune, '\n') ||
		slices.ContainsFunc(re.Sub, spellsEnding)
}

// carriages lets a newline that re spells out match \r\n too, and $ match before
// either. The carriage return becomes a part of the match.
func carriages(re *syntax.Regexp) *syntax.Regexp {
	optional := func() *syntax.Regexp {
		cr := &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{'\r'}}
		return &syntax.Regexp{Op: syntax.OpQuest, Flags: syntax.NonGreedy, Sub: []*syntax.Regexp{cr}}
	}
	for i, sub := range re.Sub {
		re.Sub[i] = carriages(sub)
	}
	switch {
	case re.Op == syntax.OpEndLine:
		return &syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{optional(), re}}
	case re.Op == syntax.OpLiteral && slices.Contains(re.Rune, '\n'):
		seq := &syntax.Regexp{Op: syntax.OpConcat}
		for i, r := range re.Rune {
			if r == '\n' && (i == 0 || re.Rune[i-1] != '\r') {
				seq.Sub = append(seq.Sub, optional())
			}
			seq.Sub = append(seq.Sub, &syntax.Regexp{Op: syntax.OpLiteral, Flags: re.Flags, Rune: []rune{r}})
		}
		return seq
	}
	return re
}

// NextSpan finds the first match in buf, a whole file's content, that starts at or after
// from, and returns its bounds. The matcher must have been compiled with
// Options.Multiline. What is before from counts for ^, \A, \b and \B. The match is the
// one that package regexp prefers; it may be empty. To continue, pass end as from, or
// after an empty match the position of the next character; or use Spans.
//
// In the pattern ^ and $ match at every line, as with (?m). Where lines end in \r\n, $
// also matches before the \r, taking it into the match, and a newline that the pattern
// spells out also matches \r\n, so that "a$" and "a\nb" find in such a file what they
// find in one without. Classes, \s and . treat \r like any other character.
func (s *Searcher) NextSpan(buf []byte, from int) (start, end int, ok bool) {
	if from > len(buf) {
		return 0, 0, false
	}
	e := &s.m.span
	if e.plain == nil {
		panic("match: NextSpan on a pattern compiled without Options.Multiline")
	}
	low, ok := s.lowerBound(e, &s.span, buf, from)
	if !ok {
		return 0, 0, false
	}
	return s.find(e, buf, max(low, from))
}

// Reach is the number of bytes behind its beginning within which the end of a match in a
// line is looked for.
const Reach = 64 << 10

// Find returns the bounds of the first match in a line that matches, without its
// terminator. A match of over [Reach] bytes may be given as shorter. Once the search has
// ended, the bounds are 0.
func (s *Searcher) Find(line []byte) (start, end int) {
	if len(line) <= Reach { // and few are longer: the automaton is not worth its building
		if loc := s.watch.find(s.m.line.plain(), s.m.line.size, line); loc != nil {
			return loc[0], loc[1]
		}
		return 0, 0
	}
	return s.findFar(line)
}

// findFar is Find for a long line.
func (s *Searcher) findFar(line []byte) (start, end int) {
	e := s.m.inside()
	if s.inside == nil && e.program != nil {
		s.inside = newDFA(e.program, &s.watch)
	}
	low, ok := s.lowerBound(e, &s.inside, line, 0)
	if !ok {
		return 0, 0
	}
	near := line
	if low >= 0 {
		near = line[:min(len(line), low+Reach)]
	}
	if start, end, ok = s.find(e, near, max(low, 0)); !ok && !s.watch.ended {
		return max(low, 0), max(low, 0)
	}
	return start, end
}

// lowerBound returns a position at or after from before which no match starts, and
// whether there is one: -1 if the automaton does not know, and is not asked again.
func (s *Searcher) lowerBound(e *engine, d **dfa, buf []byte, from int) (low int, ok bool) {
	var leading *finder
	if e.leads {
		leading = e.finder
	} else if e.finder != nil {
		debt := 0
		if at, fine := e.finder.find(buf, from, &debt); fine && at < 0 {
			return 0, false
		}
	}
	if *d == nil {
		return -1, true
	}
	low, ok = (*d).lowerBound(buf, from, leading)
	if s.watch.ended {
		return 0, false
	}
	if low < 0 {
		*d = nil
	}
	return low, ok
}

// find finds the first match in buf that starts at or after low, by package regexp.
func (s *Searcher) find(e *engine, buf []byte, low int) (start, end int, ok bool) {
	if low == 0 {
		loc := s.watch.find(e.plain(), e.size, buf)
		if loc == nil {
			return 0, 0, false
		}
		return loc[0], loc[1], true
	}
	// One byte before the position is all that an assertion asks for.
	loc := s.watch.find(e.inside(), e.size, buf[low-1:])
	if loc == nil {
		return 0, 0, false
	}
	return low - 1 + loc[2], low - 1 + loc[3], true
}

// lowerBound reports whether a match starts at or after from in the text b, and
// returns a position before which none starts: -1 if the automaton gave up. Every
// match begins with a literal of leading, unless that is nil.
func (d *dfa) lowerBound(b []byte, from int, leading *finder) (low int, ok bool) {
	const stride = 64
	debt := 0
	low = from
	r := d.startAt(b, from)
	for i := from; i < len(b) && !r.stop; {
		if r.base {
			if leading != nil {
				at, fine := leading.find(b, i, &debt)
				switch begin := at - leading.farthest(); {
				case !fine:
					leading = nil
				case at < 0:
					return low, false
				case begin > i:
					i, r = begin, d.startAt(b, begin)
				}
			}
			low = i
		}
		i, r = d.run(b, i, min(i+stride, len(b)), r)
	}
	if r == quit {
		return -1, true
	}
	return low, r == matched || d.accepts(r)
}

// startAt returns the row in which to begin at i.
func (d *dfa) startAt(b []byte, i int) *row {
	if i == 0 {
		return d.start(beforeNothing)
	}
	return d.start(kindOf(rune(b[i-1])))
}

// Spans returns the matches in buf that do not overlap, in order: those that
// regexp.Regexp.FindAllIndex returns, which leaves out an empty match that touches the
// one before it.
func (s *Searcher) Spans(buf []byte) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		previous := -1
		for from := 0; from <= len(buf); {
			start, end, ok := s.NextSpan(buf, from)
			if !ok {
				return
			}
			if end > start || start != previous {
				if !yield(start, end) {
					return
				}
			}
			previous, from = end, end
			if end == start {
				_, size := utf8.DecodeRune(buf[end:])
				from += max(1, size)
			}
		}
	}
}
