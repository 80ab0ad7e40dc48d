// Package match provides the engine of the grep tool: it compiles a pattern into a
// matcher that finds the next matching line of a buffer.
//
// It matches lines exactly as package regexp does. It searches for the pattern's literals
// (finder) and verifies the lines found with a lazily built automaton (dfa); for a
// pattern without literals it runs the automaton alone.
package match

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"sync"
)

// Options says how a pattern is read. The zero value is a case-sensitive regular
// expression.
type Options struct {
	IgnoreCase bool // as if the pattern began with (?i)
	Literal    bool // the pattern is plain text, not a regular expression
	Multiline  bool // Searcher.NextSpan and Spans may be used: see there
}

// Matcher is a compiled pattern. It is immutable and safe for concurrent use.
type Matcher struct {
	line   engine
	span   engine         // only with Options.Multiline
	exact  bool           // a literal that the finder finds proves a match
	also   literals       // a line that lacks one of these does not match
	inside func() *engine // for where in a long line a match is
}

// engine is what a pattern compiles to, for lines or for whole texts.
type engine struct {
	finder  *finder  // nil if the pattern has no literals worth looking for
	leads   bool     // every match begins with a literal of the finder
	program *program // nil if package regexp must do
	// backward is the program that finds where a match begins that ends at a place.
	backward func() *program
	// plain compiles the pattern with package regexp, on first use: few searches
	// need it, and it takes longer than all the rest.
	plain func() *regexp.Regexp
	// inside is plain, as group 1, after a character of context at the least.
	inside func() *regexp.Regexp
	size   int // instructions of plain, roughly
}

// Compile reads pattern, which has the syntax of package regexp. Its error is a
// [*SizeError], or one sentence that quotes the pattern and says what is wrong with it.
func Compile(pattern string, o Options) (*Matcher, error) {
	if err := checkText(pattern, o); err != nil {
		return nil, err
	}
	expr, flags := pattern, syntax.Perl
	if o.Literal {
		expr = regexp.QuoteMeta(expr)
	}
	if o.IgnoreCase {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(expr, flags)
	if err != nil {
		return nil, fmt.Errorf("invalid pattern %q: %w", pattern, err)
	}
	if err := checkSize(tree); err != nil {
		return nil, err
	}
	if o.IgnoreCase {
		expr = "(?i)" + expr
	}
	m := &Matcher{line: newEngine(tree, expr, lines)}
	f := extractor{lines: true}.facts(tree)
	if f.exact.proves() {
		m.line.finder = newFinder(f.exact.minimal(), false, nil)
		m.exact = m.line.finder != nil
	}
	if !m.exact {
		m.also = f.also
		m.line.finder = newFinder(f.inside.minimal(), true, nil)
	}
	if o.Multiline {
		text, err := syntax.Parse(expr, flags&^syntax.OneLine)
		if err != nil {
			return nil, fmt.Errorf("invalid pattern %q: %w", pattern, err)
		}
		m.span = newSpanEngine(text, "(?m)"+expr)
	}
	m.inside = sync.OnceValue(func() *engine {
		e := newFindEngine(tree, expr)
		return &e
	})
	return m, nil
}

func newEngine(tree *syntax.Regexp, expr string, reads reading) engine {
	return engine{
		program: newProgram(tree, reads),
		size:    (&sizes{seen: map[*rune]bool{}}).program(tree, 1),
		plain:   sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) }),
	}
}
