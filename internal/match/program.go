package match

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// program is what the automata of all searchers share.
type program struct {
	*syntax.Prog
	bounds []rune // sorted; no instruction distinguishes the characters between two of them
}

// maxInstructions is the largest program for which an automaton is faster than package regexp.
const maxInstructions = 20000

// newProgram compiles re, or returns nil if package regexp must be used.
func newProgram(re *syntax.Regexp) *program {
	if hasSurrogate(re) {
		return nil
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil || len(prog.Inst) > maxInstructions {
		return nil
	}
	return &program{prog, boundaries(prog)}
}

// boundaries returns the characters outside ASCII at which the answer of an instruction changes.
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

// class returns the number of the range between two boundaries that contains r.
func (p *program) class(r rune) int {
	i, found := slices.BinarySearch(p.bounds, r)
	if found {
		i++
	}
	return i
}

// partial is an incomplete character: the first n bytes of its encoding.
type partial struct {
	n     uint8
	bytes [utf8.UTFMax - 1]byte
}

func newPartial(b []byte) (p partial) {
	p.n = uint8(copy(p.bytes[:], b))
	return p
}

func (p *partial) slice() []byte { return p.bytes[:p.n] }

// completions are the characters that a partial may become, as far as the pattern distinguishes them. Partials with
// the same completions share their states; otherwise Chinese text would need a state for every two bytes.
type completions struct {
	seen, missing uint8
	class         int
	low, high     byte // the bytes that may come next
}

// completions returns the completions of q, and false if they are not all in one class.
func (p *program) completions(q partial) (f completions, ok bool) {
	size := 2
	switch lead := q.bytes[0]; {
	case lead >= 0xF0:
		size = 4
	case lead >= 0xE0:
		size = 3
	}
	f = completions{seen: q.n, missing: uint8(size) - q.n, low: 0x80, high: 0xBF}
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

// lookbehind is what an assertion needs to know of the previous character.
type lookbehind uint8

const (
	lookbehindOther lookbehind = iota // neither of the others; not a newline, which ends a line
	lookbehindWord                    // an ASCII letter, digit or underscore
	lookbehindStart                   // none: this is the start of the line
)

func newLookbehind(r rune) lookbehind {
	if syntax.IsWordChar(r) {
		return lookbehindWord
	}
	return lookbehindOther
}

// flags returns the assertions that hold between the previous character and next; -1 is the end of the text.
func (l lookbehind) flags(next rune) syntax.EmptyOp {
	return syntax.EmptyOpContext([...]rune{' ', 'a', -1}[l], next)
}

// undecided are the assertions that depend on the next character.
const undecided = syntax.EmptyEndLine | syntax.EmptyEndText | syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary

type instSet struct {
	insts      []uint32
	seen       []uint32 // seen[i] == generation: i is in the set or was passed through
	generation uint32
	matched    bool // the matching instruction was reached
	pending    bool // the set has an assertion that depends on the next character
}

func (s *instSet) clear() {
	s.insts, s.matched, s.pending = s.insts[:0], false, false
	s.generation++
	if s.generation == 0 {
		clear(s.seen)
		s.generation = 1
	}
}

// add adds pc to set, and what it leads to without consuming a character. holds are the assertions that hold here;
// those of wait stay in the set, to be decided later.
func (p *program) add(set *instSet, stack []uint32, pc uint32, holds, wait syntax.EmptyOp) []uint32 {
	stack = append(stack[:0], pc)
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if set.seen[pc] == set.generation {
			continue
		}
		set.seen[pc] = set.generation
		switch inst := &p.Inst[pc]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Arg, inst.Out)
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, inst.Out)
		case syntax.InstMatch:
			set.matched = true
		case syntax.InstEmptyWidth:
			switch need := syntax.EmptyOp(inst.Arg); {
			case need&wait != 0:
				set.pending = true
				set.insts = append(set.insts, pc)
			case need&^holds == 0:
				stack = append(stack, inst.Out)
			}
		case syntax.InstFail:
		default:
			set.insts = append(set.insts, pc)
		}
	}
	return stack
}
