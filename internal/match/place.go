package match

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// places finds where matches in a text are. One automaton reads forward to the end of the match that package
// regexp prefers, the other reads backward from there to the beginning of that match. The cost does not depend
// on what the pattern begins with, or on how long the match is: each reads the text once.
type places struct {
	forward, backward *dfa // nil: package regexp must do
}

// costFar is what an entry of row.far takes, in instructions of a list.
const costFar = 10

func newPlaces(e *engine, w *watch) *places {
	if e.program == nil {
		return &places{}
	}
	return &places{newDFA(e.program, w), newDFA(e.backward(), w)}
}

// find returns the bounds of the first match in b that starts at or after from, -1 if there is none. Every
// match begins with a literal of leading, unless that is nil. ok is false if an automaton gave up; then it is not
// asked again.
func (p *places) find(b []byte, from int, leading *finder) (start, end int, ok bool) {
	if p.forward == nil {
		return -1, -1, false
	}
	low, end, ok := p.forward.firstEnd(b, from, leading)
	if ok && end >= 0 {
		start, ok = p.backward.beginning(b, low, end)
	} else {
		start = -1
	}
	if !ok {
		p.forward, p.backward = nil, nil
	}
	return start, end, ok
}

// firstEnd returns the end of the first match in b that starts at or after from, -1 if there is none, and a
// position before which it does not start. ok is false if the automaton gave up.
func (d *dfa) firstEnd(b []byte, from int, leading *finder) (low, end int, ok bool) {
	const stride = 64
	debt := 0
	low = from
	r := d.startAt(b, from)
	i := from
	for i < len(b) {
		if r.base {
			if leading != nil {
				at, fine := leading.find(b, i, &debt)
				switch begin := at - leading.farthest(); {
				case !fine:
					leading = nil
				case at < 0:
					return low, -1, true
				case begin > i:
					i, r = begin, d.startAt(b, begin)
				}
			}
			low = i
		}
		to, next := d.run(b, i, min(i+stride, len(b)), r)
		if next.stop {
			break
		}
		i, r = to, next
	}
	end, ok = d.lastEnd(b, i, r)
	return low, end, ok
}

// startAt returns the row in which to begin at i.
func (d *dfa) startAt(b []byte, i int) *row {
	if i == 0 {
		return d.start(beforeNothing)
	}
	return d.start(kindOf(rune(b[i-1])))
}

// lastEnd reads b from i on, where the row is r, until no match that is preferred can follow. It returns the end
// of the last one, or -1. ok is false if the automaton gave up.
func (d *dfa) lastEnd(b []byte, i int, r *row) (end int, ok bool) {
	end = -1
	for ; i < len(b) && !(r.closed && len(r.list) == 0); i++ {
		next := d.build(r, b[i])
		if next == matched { // that is the first one: go on from there
			next = d.advance(r, b[i])
		}
		if next == quit {
			return -1, false
		}
		if next.back > 0 {
			end = i + 1 - int(next.back)
		}
		r = next
		d.read++
	}
	if back := d.ending(r); i == len(b) && back >= 0 {
		end = i - back
	}
	return end, true
}

// ending returns how many bytes before the end of the text, which is reached at r, the last match ends that is
// found there: -1 if none is.
func (d *dfa) ending(r *row) (back int) {
	d.load(r)
	back = -1
	for n := int(r.partial.n); n > 0; n-- {
		if d.step(utf8.RuneError) {
			back = n
		}
	}
	if d.set.pending {
		d.decide(-1)
	}
	if slices.ContainsFunc(d.set.list, func(pc uint32) bool { return d.Inst[pc].Op == syntax.InstMatch }) {
		back = 0
	}
	return back
}

// beginning returns where the longest match in b begins that ends at end and does not begin before low. ok is
// false if the automaton gave up.
func (d *dfa) beginning(b []byte, low, end int) (start int, ok bool) {
	r := d.start(beforeNothing)
	if end < len(b) {
		r = d.start(kindOf(rune(b[end])))
	}
	start = end
	for i := end; i >= low && len(r.list) > 0; {
		if i == 0 {
			if d.ending(r) >= 0 {
				start = 0
			}
			break
		}
		next, size := r.next[b[i-1]], 1 // all but those of ASCII are unknown
		if next == unknown {
			var c rune
			c, size = utf8.DecodeLastRune(b[:i])
			if next = d.follow(r, c); next == quit {
				return -1, false
			}
		}
		if r = next; r.back > 0 {
			start = i
		}
		i -= size
		d.read++
	}
	return start, true
}

// follow returns the row that c leads to from r, reading backward. It goes by whole characters, because the bytes
// of one, last to first, are not UTF-8.
func (d *dfa) follow(r *row, c rune) *row {
	class := -1
	if c >= utf8.RuneSelf {
		class = d.class(c)
		if next, ok := r.far[class]; ok {
			return next
		}
	}
	if !d.room(r) {
		return quit
	}
	d.load(r)
	back := 0
	if d.step(c) {
		back = 1
	}
	next := d.intern(partial{}, false, back)
	if class < 0 {
		r.next[c] = next
	} else {
		if r.far == nil {
			r.far = map[int]*row{}
		}
		r.far[class] = next
		d.listed += costFar
	}
	return next
}
