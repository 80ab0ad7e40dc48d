package match

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// program is what the automata of all searchers share.
type program struct {
	*syntax.Prog
	bounds []rune // sorted; characters between two of them are all alike to the pattern
}

// maxInstructions bounds the patterns that get an automaton: sets of more
// instructions than these are no quicker to follow than package regexp is.
const maxInstructions = 20000

// newProgram compiles re, or returns nil where package regexp must do.
func newProgram(re *syntax.Regexp) *program {
	if spellsSurrogate(re) {
		return nil
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil || len(prog.Inst) > maxInstructions {
		return nil
	}
	return &program{prog, boundaries(prog)}
}

// boundaries returns the characters outside ASCII at which some instruction's
// answer changes.
func boundaries(prog *syntax.Prog) []rune {
	var bounds []rune
	add := func(lo, hi rune) {
		bounds = append(bounds, lo, hi+1)
	}
	seen := make(map[*rune]bool) // \pL{100} has a hundred instructions and one slice
	for i := range prog.Inst {
		inst := &prog.Inst[i]
		if inst.Op != syntax.InstRune && inst.Op != syntax.InstRune1 || len(inst.Rune) == 0 || seen[&inst.Rune[0]] {
			continue
		}
		seen[&inst.Rune[0]] = true
		if len(inst.Rune) == 1 {
			for _, r := range orbit(inst.Rune[0]) {
				add(r, r)
			}
			continue
		}
		for k := 0; k < len(inst.Rune); k += 2 {
			add(inst.Rune[k], inst.Rune[k+1])
		}
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	return slices.DeleteFunc(bounds, func(r rune) bool { return r < utf8.RuneSelf })
}

// class numbers the group of like characters that r is in.
func (p *program) class(r rune) int {
	i, found := slices.BinarySearch(p.bounds, r)
	if found {
		i++
	}
	return i
}

// partial is the beginning of a character: the first n bytes of its encoding.
type partial struct {
	n     uint8
	bytes [utf8.UTFMax - 1]byte
}

func newPartial(b []byte) (p partial) {
	p.n = uint8(copy(p.bytes[:], b))
	return p
}

func (p *partial) slice() []byte { return p.bytes[:p.n] }

// future is what may still come of a partial, as far as the pattern cares: two
// partials with the same future can share a state of the automaton. That is what
// keeps text in Chinese from having a state for every two bytes.
type future struct {
	seen, missing uint8
	class         int
	low, high     byte // the bytes that may come next
}

// future returns the future of q, and false if it is not the same for all the
// characters that begin so.
func (p *program) future(q partial) (f future, ok bool) {
	size := 2
	switch lead := q.bytes[0]; {
	case lead >= 0xF0:
		size = 4
	case lead >= 0xE0:
		size = 3
	}
	f = future{seen: q.n, missing: uint8(size) - q.n, low: 0x80, high: 0xBF}
	if q.n == 1 {
		switch q.bytes[0] {
		case 0xE0:
			f.low = 0xA0
		case 0xED:
			f.high = 0x9F
		case 0xF0:
			f.low = 0x90
		case 0xF4:
			f.high = 0x8F
		}
	}
	var lo, hi [utf8.UTFMax]byte
	copy(lo[:], q.slice())
	copy(hi[:], q.slice())
	for i := int(q.n); i < size; i++ {
		lo[i], hi[i] = 0x80, 0xBF
	}
	lo[q.n], hi[q.n] = f.low, f.high
	first, _ := utf8.DecodeRune(lo[:size])
	last, _ := utf8.DecodeRune(hi[:size])
	f.class = p.class(first)
	return f, f.class == p.class(last)
}

// before stands for the character before a position: all that an assertion asks of it.
type before uint8

const (
	beforeOther   before = iota // neither of the others
	beforeWord                  // an ASCII letter, digit or underscore
	beforeNewline               // a newline
	beforeNothing               // the beginning of the text
)

func kindOf(r rune) before {
	switch {
	case r == '\n':
		return beforeNewline
	case syntax.IsWordChar(r):
		return beforeWord
	}
	return beforeOther
}

// flags returns the assertions that hold between b and next, -1 being the end.
func (b before) flags(next rune) syntax.EmptyOp {
	return syntax.EmptyOpContext([...]rune{' ', 'a', '\n', -1}[b], next)
}

// undecided are the assertions that depend on what comes next.
const undecided = syntax.EmptyEndLine | syntax.EmptyEndText | syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary

// set is a set of instructions.
type set struct {
	list    []uint32
	mark    []uint32 // mark[i] == current: i is in the set or was passed through
	current uint32
	matched bool // the matching instruction was reached
	pending bool // an assertion that depends on what comes next is in the set
}

func (s *set) clear() {
	s.list, s.matched, s.pending = s.list[:0], false, false
	s.current++
	if s.current == 0 {
		clear(s.mark)
		s.current = 1
	}
}

// add puts pc into s, and what it leads to without consuming anything. holds are
// the assertions that hold here; those of wait are kept, to be decided later.
func (p *program) add(s *set, stack []uint32, pc uint32, holds, wait syntax.EmptyOp) []uint32 {
	stack = append(stack[:0], pc)
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s.mark[pc] == s.current {
			continue
		}
		s.mark[pc] = s.current
		switch inst := &p.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Arg, inst.Out)
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, inst.Out)
		case syntax.InstMatch:
			s.matched = true
		case syntax.InstEmptyWidth:
			switch need := syntax.EmptyOp(inst.Arg); {
			case need&wait != 0:
				s.pending = true
				s.list = append(s.list, pc)
			case need&^holds == 0:
				stack = append(stack, inst.Out)
			}
		case syntax.InstFail:
		default:
			s.list = append(s.list, pc)
		}
	}
	return stack
}
