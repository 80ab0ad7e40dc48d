package match

import (
	"iter"
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/textfile"
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
	e := newEngine(tree, expr, forward)
	e.backward = sync.OnceValue(func() *program { return newProgram(tree, backward) })
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
	start, end, known := s.place(e, &s.span, buf, from)
	if !known {
		return s.find(e, buf, from)
	}
	return start, end, start >= 0
}

const (
	// Reach is the length of a match in bytes up to which Find is right even where automata
	// do not suit the pattern.
	Reach = 64 << 10
	// shortLine is the length of a line in bytes up to which automata are not worth their building.
	shortLine = 1 << 10
	// maxFind bounds the work around that place, in steps of package regexp.
	maxFind = 1 << 24
)

// Find returns the bounds of the first match in a line that matches, without its
// terminator: those that package regexp gives. Where automata do not suit the pattern and
// the match is longer than [Reach], they are instead those of another match near the
// place where one ends first, or that place. Once the search has ended, the bounds are 0.
func (s *Searcher) Find(line []byte) (start, end int) {
	if len(line) <= shortLine {
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
	start, end, known := s.place(e, &s.inside, line, 0)
	if !known {
		start, end = s.findNear(e, line)
	}
	if start < 0 || s.watch.ended {
		return 0, 0
	}
	return start, end
}

// findNear is findFar by package regexp. It looks no farther than around the place where a match ends first, if
// the automaton for lines finds that: every match that begins farther in front is longer than the reach.
func (s *Searcher) findNear(e *engine, line []byte) (start, end int) {
	low, at, near := 0, 0, line
	if s.line != nil {
		i, r := s.line.run(line, 0, len(line), s.line.start(beforeNothing))
		if r == quit {
			s.giveUp()
		} else {
			reach := min(Reach, maxFind/max(e.size, 1))
			begin := func(i int) int { return i - textfile.Unfinished(line[:i]) } // of a character
			at, low, near = begin(i), begin(max(0, i-reach)), line[:begin(min(len(line), i+reach))]
		}
	}
	start, end, ok := s.find(e, near, low)
	if !ok {
		return at, at
	}
	return start, end
}

// place returns the bounds of the first match in buf that starts at or after from, -1 if
// there is none. They are not known if the automata do not suit.
func (s *Searcher) place(e *engine, p **places, buf []byte, from int) (start, end int, known bool) {
	var leading *finder
	if e.leads {
		leading = e.finder
	} else if e.finder != nil {
		debt := 0
		if at, fine := e.finder.find(buf, from, &debt); fine && at < 0 {
			return -1, -1, true
		}
	}
	if *p == nil {
		*p = newPlaces(e, &s.watch)
	}
	start, end, known = (*p).find(buf, from, leading)
	if s.watch.ended {
		return -1, -1, true
	}
	return start, end, known
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
