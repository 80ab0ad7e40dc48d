package match

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
	"unicode"
)

// escapes matches escape sequences of terminals, such as colors, each of which is without effect on the text.
var escapes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(escape + "+") })

const escape = `(?:\x1b\[[0-?]*[@-~])`

// WithoutEscapes returns a line without its escape sequences.
func WithoutEscapes(line []byte) []byte { return escapes().ReplaceAll(line, nil) }

// maxEscaped bounds, in bytes, the patterns of AcrossEscapes.
const maxEscaped = 600

// AcrossEscapes returns a pattern that finds what another one finds, even if escape sequences stand between its parts
// and around words or, with everywhere, between any two characters. It is "" if the pattern would become too long.
func AcrossEscapes(pattern string, o Options, everywhere bool) string {
	if len(pattern) > maxEscaped {
		return ""
	}
	flags := syntax.Perl
	if o.IgnoreCase {
		flags |= syntax.FoldCase
	}
	if o.Literal {
		pattern = regexp.QuoteMeta(pattern)
	} else {
		pattern = withCodePoints(pattern)
	}
	re, err := syntax.Parse(pattern, flags)
	if err != nil {
		return ""
	}
	if across := gaps(everywhere).put(re).String(); len(across) <= maxEscaped {
		return across
	}
	return ""
}

// gaps puts an expression for escape sequences into others: between any two characters if true.
type gaps bool

func gap(repeat string) *syntax.Regexp {
	re, err := syntax.Parse(escape+repeat, syntax.Perl)
	if err != nil {
		panic(err)
	}
	return re
}

func (g gaps) put(re *syntax.Regexp) *syntax.Regexp {
	switch re.Op {
	case syntax.OpLiteral:
		return join(g.words(re)...)
	case syntax.OpConcat:
		var parts []*syntax.Regexp
		for i, sub := range re.Sub {
			if i > 0 && !isAny(sub) && !isAny(re.Sub[i-1]) {
				parts = append(parts, gap("*"))
			}
			parts = append(parts, g.put(sub))
		}
		return join(parts...)
	case syntax.OpWordBoundary:
		return &syntax.Regexp{Op: syntax.OpAlternate, Sub: []*syntax.Regexp{re, gap("+")}}
	}
	out := *re
	out.Sub = make([]*syntax.Regexp, len(re.Sub))
	for i, sub := range re.Sub {
		if out.Sub[i] = g.put(sub); g && re.Op != syntax.OpAlternate && re.Op != syntax.OpCapture {
			out.Sub[i] = join(out.Sub[i], gap("*")) // it is repeated
		}
	}
	return &out
}

// words splits a literal into parts with gaps between them.
func (g gaps) words(literal *syntax.Regexp) (parts []*syntax.Regexp) {
	from := 0
	for i, r := range literal.Rune {
		if i > 0 && (bool(g) || !isWord(r) || !isWord(literal.Rune[i-1])) {
			parts = append(parts, part(literal, from, i), gap("*"))
			from = i
		}
	}
	return append(parts, part(literal, from, len(literal.Rune)))
}

func part(literal *syntax.Regexp, from, to int) *syntax.Regexp {
	return &syntax.Regexp{Op: syntax.OpLiteral, Flags: literal.Flags, Rune: slices.Clone(literal.Rune[from:to])}
}

func join(parts ...*syntax.Regexp) *syntax.Regexp {
	if len(parts) == 1 {
		return parts[0]
	}
	return &syntax.Regexp{Op: syntax.OpConcat, Sub: parts}
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func isAny(re *syntax.Regexp) bool {
	return (re.Op == syntax.OpStar || re.Op == syntax.OpPlus) &&
		(re.Sub[0].Op == syntax.OpAnyCharNotNL || re.Sub[0].Op == syntax.OpAnyChar)
}
