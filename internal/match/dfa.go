package match

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// row is a state of the automaton and its transitions. It is 2 KB, not packed by
// classes of bytes, because the load of next[b] is all that a step then has to wait
// for; it is reached by pointer, because an index would have to be checked.
type row struct {
	next     [256]*row
	stop     bool // one of the three rows below
	ends     uint8
	carriage bool     // a carriage return was read that may belong to the line's ending
	pending  bool     // an assertion depends on what comes next
	before   before   // the character before, if that assertion wants to know it
	partial  partial  // the bytes read of an unfinished character
	list     []uint32 // the instructions that may come next
}

// Rows that end a run. Each leads to itself, so that a run need not look at every step.
var (
	unknown = newStop() // the transition has not been built
	matched = newStop() // the line matches
	quit    = newStop() // the automaton has given up
)

func newStop() *row {
	r := &row{stop: true}
	for i := range r.next {
		r.next[i] = r
	}
	return r
}

// Answers to whether a match ends where the line ends, in row.ends.
const (
	endUnknown = iota
	endNo
	endYes
)

// What an automaton may hold before it starts over: maxRows rows are 2.3 MB.
// Starting over more than maxWaste times before each row has served for
// minService bytes means that the text and the pattern do not suit an automaton.
const (
	maxRows    = 1000
	maxListed  = 1 << 20 // instructions in all rows
	minService = 100
	maxWaste   = 4
)

// buildSteps is what a row costs in steps, besides those of its instructions.
const buildSteps = 100

// dfa is a deterministic automaton, built as it is needed. It reads bytes: a row
// stands for the instructions that may come next and the bytes of a character that
// is not complete yet, so that bytes that are not UTF-8 count one by one as U+FFFD,
// as in package regexp. It is not safe for concurrent use.
type dfa struct {
	*program
	watch   *watch
	rows    map[string]*row
	starts  [beforeNothing + 1]*row
	sharing map[future]partial // the partial that stands for all with that future
	listed  int
	read    int // bytes read since the last start over
	waste   int

	set, spare set
	before     before
	stack      []uint32
	key        []byte
}

func newDFA(p *program, w *watch) *dfa {
	d := &dfa{program: p, watch: w, rows: make(map[string]*row), sharing: make(map[future]partial)}
	d.set.mark = make([]uint32, len(p.Inst))
	d.spare.mark = make([]uint32, len(p.Inst))
	return d
}

// start returns the row of a position after the character b.
func (d *dfa) start(b before) *row {
	if d.starts[b] == nil {
		d.before = b
		d.set.clear()
		d.begin(&d.set)
		d.starts[b] = matched
		if !d.set.matched {
			d.starts[b] = d.intern(partial{}, false)
		}
	}
	return d.starts[b]
}

// begin adds to s the match that may begin here.
func (d *dfa) begin(s *set) {
	d.stack = d.add(s, d.stack, uint32(d.Start), d.before.flags(0), undecided)
}

// build returns the row that b leads to from r.
func (d *dfa) build(r *row, b byte) *row {
	if next := r.next[b]; next != unknown {
		return next
	}
	if !d.room(r) {
		return quit
	}
	r.next[b] = d.advance(r, b)
	return r.next[b]
}

// room makes room for a row that follows r, and reports whether the automaton goes on.
func (d *dfa) room(r *row) bool {
	if len(d.rows) >= maxRows || d.listed >= maxListed {
		d.startOver()
	}
	return d.waste <= maxWaste && !d.watch.over(buildSteps+len(r.list)+len(d.Inst)/8)
}

// startOver forgets all rows. Those that a run stands on stay valid: they lead to
// each other, and to new ones as they are built.
func (d *dfa) startOver() {
	if d.read < minService*len(d.rows) {
		d.waste++
	}
	d.read, d.listed = 0, 0
	clear(d.rows)
	clear(d.starts[:])
}

func (d *dfa) load(r *row) {
	d.before = r.before
	d.set.clear()
	d.set.list, d.set.pending = append(d.set.list, r.list...), r.pending
}

func (d *dfa) advance(r *row, b byte) *row {
	d.load(r)
	if b == '\n' {
		if d.flush(r.partial) || d.end() {
			return matched
		}
		return d.start(beforeNothing)
	}
	if r.carriage && d.step('\r') {
		return matched
	}
	if b == '\r' {
		if d.flush(r.partial) {
			return matched
		}
		return d.intern(partial{}, true)
	}
	var room [utf8.UTFMax]byte
	text := append(append(room[:0], r.partial.slice()...), b)
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

// step replaces the set by what follows c. It reports whether a match has ended at or before c.
func (d *dfa) step(c rune) (found bool) {
	if d.set.pending && d.decide(c) {
		return true
	}
	s := &d.spare
	s.clear()
	holds := kindOf(c).flags(0)
	for _, pc := range d.set.list {
		inst := &d.Inst[pc]
		if inst.Op == syntax.InstEmptyWidth || !inst.MatchRune(c) {
			continue
		}
		if d.stack = d.add(s, d.stack, inst.Out, holds, undecided); s.matched {
			return true
		}
	}
	d.before = kindOf(c)
	d.begin(s)
	d.set, d.spare = d.spare, d.set
	return d.set.matched
}

// decide follows the assertions that waited for next, and reports whether that
// ends a match.
func (d *dfa) decide(next rune) bool {
	holds := d.before.flags(next)
	s := &d.spare
	s.clear()
	for _, pc := range d.set.list {
		d.stack = d.add(s, d.stack, pc, holds, 0)
	}
	d.set, d.spare = d.spare, d.set
	return d.set.matched
}

// end reports whether a match ends where the line does.
func (d *dfa) end() bool { return d.set.pending && d.decide(-1) }

// accepts reports whether a match ends where the line ends at r.
func (d *dfa) accepts(r *row) bool {
	if r.stop {
		return r == matched
	}
	if r.ends == endUnknown {
		d.load(r)
		r.ends = endNo
		if r.carriage && d.step('\r') || d.flush(r.partial) || d.end() {
			r.ends = endYes
		}
	}
	return r.ends == endYes
}

// intern returns the row for the set and what else was read.
func (d *dfa) intern(p partial, carriage bool) *row {
	slices.Sort(d.set.list) // so that equal sets look alike
	if !d.set.pending {
		d.before = beforeOther
	}
	if len(d.set.list) == 0 { // and never more: every match would have to begin earlier
		p, carriage = partial{}, false
	}
	if p.n > 0 {
		if f, ok := d.future(p); ok {
			if q, ok := d.sharing[f]; ok {
				p = q
			} else {
				d.sharing[f] = p
			}
		}
	}
	d.key = append(d.key[:0], byte(d.before)|p.n<<2|flag(d.set.pending)<<4|flag(carriage)<<5)
	d.key = append(d.key, p.slice()...)
	for _, pc := range d.set.list {
		d.key = binary.LittleEndian.AppendUint32(d.key, pc)
	}
	if r, ok := d.rows[string(d.key)]; ok {
		return r
	}
	r := &row{next: unknown.next, carriage: carriage, pending: d.set.pending, before: d.before, partial: p,
		list: slices.Clone(d.set.list)}
	d.rows[string(d.key)] = r
	d.listed += len(r.list) + 1
	return r
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}
