// Package match finds the lines of a buffer that match a pattern, exactly those that package regexp matches.
//
// It looks for the pattern's literals (prefilter) and runs a lazily built automaton (dfa) on the lines that have one,
// or on all lines if the pattern has no literals. Package regexp then locates the match in a line or a text, unless
// the pattern is one literal.
//
// Without the automaton or the vector code, rows of the comparison with ripgrep are lost: go -C internal/bench test
// -run '^$' -bench 'Scan|BigFile'. Two automata that located matches were faster for ".*name" on lines of megabytes,
// and not worth their lines: go test ./internal/match -run '^$' -bench Find.
package match

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"sync"
	"unicode/utf8"
)

// Options says how a pattern is read. The zero value is a case-sensitive regular
// expression.
type Options struct {
	IgnoreCase bool // as if the pattern began with (?i)
	Literal    bool // the pattern is plain text, not a regular expression
	Multiline  bool // enables Searcher.Spans
}

// Matcher is a compiled pattern. It is immutable and safe for concurrent use.
type Matcher struct {
	line    expression
	program func() *program // compiled on first use; nil: package regexp matches lines
	span    *expression     // only with Options.Multiline
}

// expression is a pattern for package regexp, for a line or for a whole text.
type expression struct {
	prefilter *prefilter // nil if the pattern requires no literals
	exact     bool       // a literal found by the prefilter proves a match
	length    int        // bytes of a match if the pattern is one literal; else 0
	before    int        // the most bytes of a match before a literal of the prefilter
	// plain compiles the pattern on first use, because few searches need it and it takes longer than everything else.
	plain func() *regexp.Regexp
	// embedded finds plain as group 1 of a text that begins with the character before the first match allowed.
	embedded func() *regexp.Regexp
	size     int // instructions of plain, roughly
}

// Compile reads pattern, which has the syntax of package regexp, and \u4e2d for \x{4e2d}. Its error is a
// [*SizeError], or one sentence that quotes the pattern and says what is wrong with it.
func Compile(pattern string, o Options) (*Matcher, error) {
	if err := checkText(pattern, o); err != nil {
		return nil, err
	}
	expr, flags := pattern, syntax.Perl
	if o.Literal {
		expr = regexp.QuoteMeta(expr)
	} else {
		expr = withCodePoints(expr)
	}
	if o.IgnoreCase {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(expr, flags)
	if err != nil {
		return nil, fmt.Errorf("invalid pattern %q: %w", pattern, err)
	}
	size, err := checkSize(tree)
	if err != nil {
		return nil, err
	}
	if o.IgnoreCase {
		expr = "(?i)" + expr
	}
	m := &Matcher{line: newExpression(tree, expr, size, extractor{lines: true}.facts(tree)),
		program: sync.OnceValue(func() *program { return newProgram(tree) })}
	if o.Multiline {
		text, err := syntax.Parse(expr, flags&^syntax.OneLine)
		if err != nil {
			return nil, fmt.Errorf("invalid pattern %q: %w", pattern, err)
		}
		m.span = newSpan(text, "(?m)"+expr, size)
	}
	return m, nil
}

func newExpression(tree *syntax.Regexp, expr string, size int, f facts) expression {
	e := expression{
		plain: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) }),
		embedded: sync.OnceValue(func() *regexp.Regexp {
			// Not expr, because an unclosed \Q in it would quote the parenthesis.
			return regexp.MustCompile(`\A(?s:.)(?s:.*?)(` + tree.String() + `)`)
		}),
		size: size,
	}
	if f.exact.proves() {
		e.prefilter = newPrefilter(f.exact.minimal())
	}
	if e.exact = e.prefilter != nil; e.exact {
		if e.before = f.exact.longest(); len(f.exact) == 1 {
			e.length = e.before
		}
		return e
	}
	e.prefilter = newPrefilter(f.required.minimal())
	// If one literal contains another, the prefilter looks for the shorter one.
	e.before = plus(times(f.before, utf8.UTFMax), f.required.longest())
	return e
}
