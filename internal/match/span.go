package match

import (
	"iter"
	"regexp/syntax"
	"slices"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/textfile"
)

// newSpan compiles an expression for whole texts from tree, which it changes, and its text expr. size is that of the
// expression for lines.
func newSpan(tree *syntax.Regexp, expr string, size int) *expression {
	if hasLineEnd(tree) {
		tree = allowCRLF(tree)
		expr = tree.String()
	}
	e := newExpression(tree, expr, size, extractor{}.facts(tree))
	return &e
}

func hasLineEnd(re *syntax.Regexp) bool {
	return re.Op == syntax.OpEndLine || re.Op == syntax.OpLiteral && slices.Contains(re.Rune, '\n') ||
		slices.ContainsFunc(re.Sub, hasLineEnd)
}

// allowCRLF lets a newline that re spells out match \r\n too, and $ match before
// either. The carriage return becomes a part of the match.
func allowCRLF(re *syntax.Regexp) *syntax.Regexp {
	optional := func() *syntax.Regexp {
		cr := &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{'\r'}}
		return &syntax.Regexp{Op: syntax.OpQuest, Flags: syntax.NonGreedy, Sub: []*syntax.Regexp{cr}}
	}
	for i, sub := range re.Sub {
		re.Sub[i] = allowCRLF(sub)
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

// Find returns the bounds of the first match in a line that matches, without its
// terminator: those that package regexp gives. Once the search has ended, the bounds may be 0.
func (s *Searcher) Find(line []byte) (start, end int) {
	start, end, _ = s.find(&s.matcher.line, line, 0)
	return start, end
}

// find finds the first match in buf that starts at or after from. A literal does not need package regexp, which takes
// longer to compile it than all the rest. Otherwise it starts before the first literal by as much as a match may.
func (s *Searcher) find(e *expression, buf []byte, from int) (start, end int, ok bool) {
	if e.prefilter != nil {
		at := e.prefilter.find(buf, from)
		if at < 0 {
			return 0, 0, false
		}
		if e.length > 0 {
			return at, at + e.length, true
		}
		if low := at - e.before; low > from {
			from = low - textfile.Unfinished(buf[from:low])
		}
	}
	if from == 0 {
		loc := s.cancel.find(e.plain(), e.size, buf)
		if loc == nil {
			return 0, 0, false
		}
		return loc[0], loc[1], true
	}
	// An assertion needs no more than the last byte before from.
	loc := s.cancel.find(e.embedded(), e.size, buf[from-1:])
	if loc == nil {
		return 0, 0, false
	}
	return from - 1 + loc[2], from - 1 + loc[3], true
}

// Spans returns the matches in buf, a whole file's content, that do not overlap, in order: those that
// regexp.Regexp.FindAllIndex returns, which leaves out an empty match that touches the one before it. The matcher must
// have been compiled with Options.Multiline.
//
// In the pattern ^ and $ match at every line, as with (?m). Where lines end in \r\n, $
// also matches before the \r, taking it into the match, and a newline that the pattern
// spells out also matches \r\n, so that "a$" and "a\nb" find in such a file what they
// find in one without. Classes, \s and . treat \r like any other character.
func (s *Searcher) Spans(buf []byte) iter.Seq2[int, int] { return s.spans(s.matcher.span, buf) }

// InLine is [Searcher.Spans] for a line without its terminator, where ^ and $ match at its ends alone.
func (s *Searcher) InLine(line []byte) iter.Seq2[int, int] { return s.spans(&s.matcher.line, line) }

func (s *Searcher) spans(e *expression, buf []byte) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		previous := -1
		for from := 0; from <= len(buf); {
			start, end, ok := s.find(e, buf, from)
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
