package match

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"sync"
)

// The bounds of a pattern. A few characters can make it take much memory, and much time for each character of a text,
// and nothing can interrupt package syntax.
const (
	// MaxPattern is the length of a pattern in bytes: a thousand words, or a block of
	// several hundred lines as a literal. Package syntax takes up to 0.3 s and 80 MB.
	MaxPattern = 32 << 10
	// MaxProgram is the number of instructions that a pattern may compile to. Package
	// regexp follows a million of them in 20 to 50 ms, which it may have to do for
	// each character.
	MaxProgram = 40_000
	// maxRunes is the number of characters that all classes may list, two for a range:
	// 2 MiB. \pL has 1,300.
	maxRunes = 512 << 10
	// maxDepth bounds the nesting of groups: package syntax allows 1000, and what is built around a pattern here needs
	// some of them.
	maxDepth = 900
	// maxFolded is the number of ranges like \x80-\x{FFFF} in a pattern that ignores case. For each of them package
	// syntax visits up to 125,000 characters, in 6 ms, and a pattern is read up to five times.
	maxFolded = 32
)

// SizeError reports a pattern that exceeds one of the bounds.
type SizeError struct {
	What string // the kind of excess: "bytes", "instructions", ...
	Size int
	Max  int
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("the pattern has %d %s, over the limit of %d", e.Size, e.What, e.Max)
}

// checkText returns the error for a pattern that is too large to parse.
func checkText(pattern string, o Options) error {
	if len(pattern) > MaxPattern {
		return &SizeError{"bytes", len(pattern), MaxPattern}
	}
	if o.Literal {
		return nil
	}
	ranges := len(farRange().FindAllStringIndex(pattern, -1))
	if ranges > maxFolded && (o.IgnoreCase || foldFlag().MatchString(pattern)) {
		return &SizeError{"ranges of characters outside ASCII in which case is ignored", ranges, maxFolded}
	}
	return nil
}

var (
	farRange = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-(?:[^\x00-\x7F]|\\[x0-7])`) })
	foldFlag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(\?[a-zA-Z]*i`) })
)

// checkSize returns the most instructions that a tree compiles to, or an error if it is too large.
func checkSize(re *syntax.Regexp) (program int, err error) {
	s := sizes{seen: map[*rune]bool{}}
	program = s.program(re, 1)
	switch {
	case s.depth > maxDepth:
		return 0, &SizeError{"nested groups", s.depth, maxDepth}
	case program > MaxProgram:
		return 0, &SizeError{"instructions", program, MaxProgram}
	case s.runes > maxRunes:
		return 0, &SizeError{"class ranges", s.runes / 2, maxRunes / 2}
	}
	return program, nil
}

type sizes struct {
	depth int
	runes int
	seen  map[*rune]bool // the classes counted: \pL{100} has one
}

// program returns the number of instructions that re compiles to at most, repetitions
// written out.
func (s *sizes) program(re *syntax.Regexp, depth int) int {
	s.depth = max(s.depth, depth)
	size := 0
	for _, sub := range re.Sub {
		size = plus(size, s.program(sub, depth+1))
	}
	switch re.Op {
	case syntax.OpConcat:
		return size
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpAlternate:
		return plus(size, len(re.Sub)-1)
	case syntax.OpCapture:
		return plus(size, 2)
	case syntax.OpRepeat:
		return plus(times(size, max(re.Min, re.Max, 1)), max(re.Max-re.Min, 1))
	case syntax.OpCharClass:
		if len(re.Rune) > 0 && !s.seen[&re.Rune[0]] {
			s.seen[&re.Rune[0]] = true
			s.runes += len(re.Rune)
		}
	}
	return plus(size, 1)
}

// plus and times return math.MaxInt32 instead of overflowing, because package syntax does not bound repetitions inside
// {0}.
func plus(a, b int) int {
	if a > math.MaxInt32-b {
		return math.MaxInt32
	}
	return a + b
}

func times(a, b int) int {
	if a > math.MaxInt32/b {
		return math.MaxInt32
	}
	return a * b
}
