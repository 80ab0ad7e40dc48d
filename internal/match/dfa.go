package match

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// dfaState is a state of a dfa and its transitions. It takes 2 KB. Classes of bytes would make it smaller, but then a
// step would wait for two loads. It is reached by pointer, because an index would have to be checked.
type dfaState struct {
	next           [256]*dfaState
	final          bool // one of the three states below
	acceptance     acceptance
	carriageReturn bool       // the last byte was a carriage return, which may belong to the line's ending
	pending        bool       // an assertion depends on the next character
	lookbehind     lookbehind // the previous character, if that assertion depends on it too
	partial        partial    // the bytes read of an incomplete character
	insts          []uint32   // the instructions that may come next
}

// States that end a run. Each leads to itself, so a run need not check after every step.
var (
	unknown = newFinal() // the transition has not been built
	matched = newFinal() // the line matches
	quit    = newFinal() // the automaton has given up
)

func newFinal() *dfaState {
	state := &dfaState{final: true}
	for i := range state.next {
		state.next[i] = state
	}
	return state
}

// acceptance says whether a line that ends in a state matches.
type acceptance uint8

const (
	acceptUnknown acceptance = iota
	acceptNo
	acceptYes
)

// The bounds of an automaton. When it reaches one it is reset; 1,000 states take 2.3 MB. An automaton whose states were
// used for fewer than minStateUse bytes each before maxResets resets does not suit the pattern and the text.
const (
	maxStates   = 1000
	maxInsts    = 1 << 20 // in all states
	minStateUse = 100
	maxResets   = 4
)

// buildSteps is the work of building a state in steps, besides those of its instructions.
const buildSteps = 100

// dfa is a deterministic automaton, built lazily, that matches lines. It reads bytes: a state stands for the
// instructions that may come next and for the bytes of an incomplete character. Bytes that are not valid UTF-8 count
// as U+FFFD each, as in package regexp. It is not safe for concurrent use.
type dfa struct {
	*program
	cancel    *canceler
	states    map[string]*dfaState
	first     *dfaState               // at the start of a line
	partials  map[completions]partial // the partial that stands for all with the same completions
	instCount int
	read      int // bytes since the last reset
	resets    int // that came too soon

	current, following instSet
	lookbehind         lookbehind
	stack              []uint32
	key                []byte
}

func newDFA(p *program, c *canceler) *dfa {
	d := &dfa{program: p, cancel: c, states: make(map[string]*dfaState), partials: make(map[completions]partial)}
	d.current.seen = make([]uint32, len(p.Inst))
	d.following.seen = make([]uint32, len(p.Inst))
	return d
}

func (d *dfa) start() *dfaState {
	if d.first == nil {
		d.lookbehind = lookbehindStart
		d.current.clear()
		d.begin(&d.current)
		d.first = matched
		if !d.current.matched {
			d.first = d.intern(partial{}, false)
		}
	}
	return d.first
}

// begin adds to set the match that may begin here.
func (d *dfa) begin(set *instSet) {
	d.stack = d.add(set, d.stack, uint32(d.Start), d.lookbehind.flags(0), undecided)
}

func (d *dfa) build(state *dfaState, b byte) *dfaState {
	if next := state.next[b]; next != unknown {
		return next
	}
	if len(d.states) >= maxStates || d.instCount >= maxInsts {
		d.reset()
	}
	if d.resets > maxResets || d.cancel.spend(buildSteps+len(state.insts)+len(d.Inst)/8) {
		return quit
	}
	state.next[b] = d.advance(state, b)
	return state.next[b]
}

// reset forgets all states. Those that a run has reached remain valid: they lead to each other, and to new ones as
// they are built.
func (d *dfa) reset() {
	if d.read < minStateUse*len(d.states) {
		d.resets++
	}
	d.read, d.instCount, d.first = 0, 0, nil
	clear(d.states)
}

func (d *dfa) load(state *dfaState) {
	d.lookbehind = state.lookbehind
	d.current.clear()
	d.current.insts, d.current.pending = append(d.current.insts, state.insts...), state.pending
}

func (d *dfa) advance(state *dfaState, b byte) *dfaState {
	d.load(state)
	if b == '\n' {
		if d.flush(state.partial) || d.end() {
			return matched
		}
		return d.start()
	}
	if state.carriageReturn && d.step('\r') {
		return matched
	}
	if b == '\r' {
		if d.flush(state.partial) {
			return matched
		}
		return d.intern(partial{}, true)
	}
	var room [utf8.UTFMax]byte
	text := append(append(room[:0], state.partial.slice()...), b)
	for len(text) > 0 && utf8.FullRune(text) {
		c, size := utf8.DecodeRune(text)
		if d.step(c) {
			return matched
		}
		text = text[size:]
	}
	return d.intern(newPartial(text), false)
}

// flush steps over a character that will not be completed.
func (d *dfa) flush(p partial) bool {
	return slices.ContainsFunc(p.slice(), func(byte) bool { return d.step(utf8.RuneError) })
}

// step replaces the current set by the one after c. It reports whether a match ends there or earlier.
func (d *dfa) step(c rune) bool {
	if d.current.pending && d.decide(c) {
		return true
	}
	set := &d.following
	set.clear()
	d.lookbehind = newLookbehind(c)
	holds := d.lookbehind.flags(0)
	for _, pc := range d.current.insts {
		inst := &d.Inst[pc]
		if inst.Op == syntax.InstEmptyWidth || !inst.MatchRune(c) {
			continue
		}
		if d.stack = d.add(set, d.stack, inst.Out, holds, undecided); set.matched {
			return true
		}
	}
	d.begin(set)
	d.current, d.following = d.following, d.current
	return d.current.matched
}

// decide follows the assertions that depend on next, the following character, and reports whether that ends a match.
func (d *dfa) decide(next rune) bool {
	holds := d.lookbehind.flags(next)
	set := &d.following
	set.clear()
	for _, pc := range d.current.insts {
		d.stack = d.add(set, d.stack, pc, holds, 0)
	}
	d.current, d.following = d.following, d.current
	return d.current.matched
}

// end reports whether a match ends where the line does.
func (d *dfa) end() bool { return d.current.pending && d.decide(-1) }

// accepts reports whether a line that ends in state matches.
func (d *dfa) accepts(state *dfaState) bool {
	if state.final {
		return state == matched
	}
	if state.acceptance == acceptUnknown {
		d.load(state)
		state.acceptance = acceptNo
		if state.carriageReturn && d.step('\r') || d.flush(state.partial) || d.end() {
			state.acceptance = acceptYes
		}
	}
	return state.acceptance == acceptYes
}

// intern returns the state for the current set, an incomplete character and a carriage return.
func (d *dfa) intern(p partial, carriageReturn bool) *dfaState {
	slices.Sort(d.current.insts) // so that equal sets look alike
	if !d.current.pending {
		d.lookbehind = lookbehindOther
	}
	if len(d.current.insts) == 0 { // the rest of the line cannot match
		p, carriageReturn = partial{}, false
	}
	if p.n > 0 {
		if c, ok := d.completions(p); ok {
			if same, ok := d.partials[c]; ok {
				p = same
			} else {
				d.partials[c] = p
			}
		}
	}
	d.key = append(d.key[:0], byte(d.lookbehind)|p.n<<2|flag(d.current.pending)<<4|flag(carriageReturn)<<5)
	d.key = append(d.key, p.slice()...)
	for _, pc := range d.current.insts {
		d.key = binary.LittleEndian.AppendUint32(d.key, pc)
	}
	if state, ok := d.states[string(d.key)]; ok {
		return state
	}
	state := &dfaState{next: unknown.next, carriageReturn: carriageReturn, pending: d.current.pending,
		lookbehind: d.lookbehind, partial: p, insts: slices.Clone(d.current.insts)}
	d.states[string(d.key)] = state
	d.instCount += len(state.insts) + 1
	return state
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}
