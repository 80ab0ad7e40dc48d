package redact

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/credential"
	"github.com/spillway-go/spillway/internal/mask"
)

// verdict is what a rule says of a candidate.
type verdict uint8

const (
	no verdict = iota
	yes
	more // it depends on what follows
)

// result is what a rule makes of a candidate.
type result struct {
	verdict
	match
	hold int // for more: where the secret begins, if it is one
}

// rule describes a kind of credential. The first rule of a table that says yes of a place decides.
type rule struct {
	kind     string
	literals []literal
	check    func(v *view, at, after int) result // the literal begins at at and ends at after
}

// literal is a string that stands in every secret of a kind, or before it.
type literal = credential.Literal

// words returns literals in any case that stand before a secret.
func words(texts ...string) []literal {
	var list []literal
	for _, t := range texts {
		list = append(list, literal{Text: t, Fold: true, Outside: true})
	}
	return list
}

// table finds the secrets of a list of rules. It looks at every second place of a text, at three bytes: a table
// says which of them may belong to a literal. The literals have at least four bytes, with those that may stand around
// them, so each has one of its first two groups of three, or the one before, at such a place.
//
// That takes three instructions a byte on any processor. internal/match looks at every place with vectors, but tells
// more than 32 literals apart no better than by eight bits.
type table struct {
	tags  [1 << tableBits]uint8 // of the group that has this hash; 0 if none has, manyTags if several have
	slots [1 << slotBits]slot
	first [256][]candidate
}

const (
	tableBits = 16
	slotBits  = 13
)

// slot holds the literals of a group of three bytes, and what may stand before and after it in one of them.
type slot struct {
	group         uint32
	before, after bitmap
	refs          []ref // nil if the slot is free
}

// bitmap is a class in 32 bytes.
type bitmap [4]uint64

func (m *bitmap) has(c byte) bool { return m[c>>6]>>(c&63)&1 != 0 }

func (m *bitmap) add(c *class) {
	for b, in := range c {
		if in {
			m[b>>6] |= 1 << (b & 63)
		}
	}
}

// ref is where a group stands in a literal.
type ref struct {
	literal *literal
	offset  int
}

type candidate struct {
	*literal
	rule *rule
}

func newTable(rules []rule) *table {
	t := &table{}
	for i := range rules {
		for k := range rules[i].literals {
			l := &rules[i].literals[k]
			c := candidate{l, &rules[i]}
			t.first[l.Text[0]] = append(t.first[l.Text[0]], c)
			if up := strings.ToUpper(l.Text[:1])[0]; l.Fold && up != l.Text[0] {
				t.first[up] = append(t.first[up], c)
			}
			t.add(l)
		}
	}
	return t
}

// add adds two adjacent groups of a literal.
func (t *table) add(l *literal) {
	s := l.Text
	if len(s) >= 4 && l.Previous == nil {
		t.set(l, 0, s[0], s[1], s[2])
		t.set(l, 1, s[1], s[2], s[3])
		return
	}
	each := func(c *class, set func(byte)) {
		for b := range 256 {
			if c == nil || c[b] {
				set(byte(b))
			}
		}
	}
	if len(s) >= 3 {
		t.set(l, 0, s[0], s[1], s[2])
	} else {
		each(l.Next, func(b byte) { t.set(l, 0, s[0], s[1], b) })
	}
	if l.Previous != nil {
		each(l.Previous, func(b byte) { t.set(l, -1, b, s[0], s[1]) })
	} else {
		each(l.Next, func(b byte) { t.set(l, 1, s[1], s[2], b) })
	}
}

// set adds a group of a literal, in each case that it may have.
func (t *table) set(l *literal, offset int, a, b, c byte) {
	for _, a := range cases(l, a) {
		for _, b := range cases(l, b) {
			for _, c := range cases(l, c) {
				g := uint32(a) | uint32(b)<<8 | uint32(c)<<16
				s := t.slot(g)
				if tag := &t.tags[groupHash(g)]; *tag == 0 || *tag == tagOf(g) {
					*tag = tagOf(g)
				} else {
					*tag = manyTags
				}
				s.group = g
				if r := (ref{l, offset}); !slices.Contains(s.refs, r) {
					s.refs = append(s.refs, r)
					s.before.add(around(l, offset-1))
					s.after.add(around(l, offset+3))
				}
			}
		}
	}
}

func cases(l *literal, c byte) []byte {
	if l.Fold && 'a' <= c && c <= 'z' {
		return []byte{c, c &^ 0x20}
	}
	return []byte{c}
}

// around returns what may stand at a place of the literal, or before or after it.
func around(l *literal, i int) *class {
	c := new(class)
	switch {
	case 0 <= i && i < len(l.Text):
		for _, b := range cases(l, l.Text[i]) {
			c[b] = true
		}
		return c
	case i == len(l.Text) && l.Next != nil:
		return l.Next
	}
	for b := range c {
		c[b] = i != -1 || l.Follows(byte(b))
	}
	return c
}

// slot returns the one of a group, or a free one.
func (t *table) slot(g uint32) *slot {
	for i := groupHash(g) & (1<<slotBits - 1); ; i = (i + 1) % (1 << slotBits) {
		if s := &t.slots[i]; s.refs == nil || s.group == g {
			return s
		}
	}
}

const groupMask = 1<<24 - 1

// groupFactor is the one of 6,000 random numbers that makes the fewest groups of the texts of internal/bench/needles
// look like one of the table: 6 in 1 KB. The golden ratio makes 17.
const groupFactor = 0x715142fd

// groupHash returns the hash of the first three bytes of four. The last one does not matter.
func groupHash(four uint32) uint32 {
	return four * (groupFactor << 8 & (1<<32 - 1)) >> (32 - tableBits)
}

func load(text []byte, i int) uint32 { return binary.LittleEndian.Uint32(text[i:]) }

// manyTags is the tag of several groups, and of none.
const manyTags = 0xff

// tagOf returns another hash of a group, from 1 to 128.
func tagOf(g uint32) uint8 { return uint8(g*hashFactor>>25) + 1 }

// sample returns the first place at or after from, in steps of two, where a group of a literal is, or a place near the
// end of text before which there is none. Few of the places that it returns have none.
func (t *table) sample(text []byte, from int) int {
	i := from
	for ; i+10 <= len(text); i += 8 {
		part := text[i : i+10 : i+10]
		a, b := t.tags[groupHash(load(part, 0))], t.tags[groupHash(load(part, 2))]
		c, d := t.tags[groupHash(load(part, 4))], t.tags[groupHash(load(part, 6))]
		if a|b|c|d == 0 {
			continue
		}
		switch {
		case a != 0 && isTag(a, load(part, 0)):
			return i
		case b != 0 && isTag(b, load(part, 2)):
			return i + 2
		case c != 0 && isTag(c, load(part, 4)):
			return i + 4
		case d != 0 && isTag(d, load(part, 6)):
			return i + 6
		}
	}
	for ; i+4 <= len(text); i += 2 {
		four := load(text, i)
		if tag := t.tags[groupHash(four)]; tag != 0 && isTag(tag, four) {
			return i
		}
	}
	return i
}

func isTag(tag uint8, four uint32) bool { return tag == tagOf(four&groupMask) || tag == manyTags }

// find implements finder. It gives what looking at every place gives.
func (t *table) find(v *view, from int) (m match, ok bool, resume, hold int) {
	next := from // the first place where a secret may still begin
	for i := from; ; i += 2 {
		i = t.sample(v.text, i)
		last, near := i+2, [3]bool{}
		if i+4 > len(v.text) {
			last = len(v.text)
		} else {
			g := load(v.text, i) & groupMask
			s := t.slot(g)
			if !s.after.has(v.text[i+3]) || i > 0 && !s.before.has(v.text[i-1]) {
				continue
			}
			for _, r := range s.refs {
				if k := i - r.offset; k >= next && !near[1-r.offset] {
					begins, known := begins(r.literal, v, k)
					near[1-r.offset] = begins || !known
				}
			}
			if near == [3]bool{} {
				continue
			}
		}
		for k := max(next, i-1); k < last; k++ {
			if last < len(v.text) && !near[k-i+1] {
				continue
			}
			switch r := t.check(v, k); r.verdict {
			case yes:
				if r = t.widen(v, k+1, r); r.verdict == yes {
					return r.match, true, 0, 0
				}
				return match{}, false, k, r.hold
			case more:
				return match{}, false, k, t.earliest(v, k+1, r.hold)
			}
		}
		if next = i + 1; last == len(v.text) {
			break
		}
	}
	return match{}, false, len(v.text), len(v.text)
}

// widen returns r with what begins from i on, but before it: a token that is the name of a user with a password.
func (t *table) widen(v *view, i int, r result) result {
	for ; i < r.start; i++ {
		switch inner := t.check(v, i); {
		case inner.verdict == yes && inner.start < r.start:
			r.start, r.kind = inner.start, inner.kind
			if inner.end > r.end {
				r.match = inner.match
			}
		case inner.verdict == more && inner.hold < r.start:
			return wait(inner.hold)
		}
	}
	return r
}

// earliest returns the first place from i on, but not after hold, where a secret may begin.
func (t *table) earliest(v *view, i, hold int) int {
	for ; i < hold; i++ {
		switch r := t.check(v, i); r.verdict {
		case yes:
			hold = min(hold, r.start)
		case more:
			hold = min(hold, r.hold)
		}
	}
	return hold
}

// check returns what the first rule makes of what begins at i that does not say no. While that waits, the secret of
// another one may begin earlier.
func (t *table) check(v *view, i int) result {
	var waiting result
	for _, c := range t.first[v.text[i]] {
		var r result
		switch begins, known := begins(c.literal, v, i); {
		case !known && c.Outside:
			r = wait(len(v.text))
		case !known:
			r = wait(i)
		case begins:
			r = t.result(c, v, i)
		}
		switch {
		case r.verdict == no:
		case waiting.verdict == more && r.verdict == more:
			waiting.hold = min(waiting.hold, r.hold)
		case waiting.verdict == more:
			waiting.hold = min(waiting.hold, r.start)
		case r.verdict == yes:
			return r
		default:
			waiting = r
		}
	}
	return waiting
}

// begins reports whether the literal stands at i, and whether that is known.
func begins(l *literal, v *view, i int) (yes, known bool) {
	rest := v.text[i:min(len(v.text), i+len(l.Text))]
	for k, c := range rest {
		if want := l.Text[k]; c != want && (!l.Fold || c|0x20 != want || c < 'A' || c > 'Z') {
			v.work += k
			return false, true
		}
	}
	v.work += len(rest)
	if i > 0 && !l.Follows(v.text[i-1]) {
		return false, true
	}
	return len(rest) == len(l.Text), len(rest) == len(l.Text) || v.end
}

// result returns what the rule of a literal at i makes of it.
func (t *table) result(c candidate, v *view, i int) result {
	r := c.rule.check(v, i, i+len(c.Text))
	if r.verdict != yes {
		return r
	}
	r.kind = c.rule.kind
	if c.Outside {
		// What a placeholder follows is a part of something that was masked or left as it is.
		switch masked, known := v.Has(r.end, mask.Opening); {
		case !known:
			return wait(r.start)
		case masked:
			return result{}
		}
		// What follows password= may be a token of a known kind.
		switch known, kind := t.kindAt(v, r.start); {
		case !known:
			return wait(r.start)
		case kind != "":
			r.kind = kind
		}
	}
	if full := r.start + mask.FullLength(r.kind); r.tail != nil && r.end < full {
		// Which placeholder fits depends on what follows.
		end, rest := r.tail.next(v, r.end)
		if rest != nil && end < full {
			return result{verdict: more, hold: r.start}
		}
		r.end, r.tail = end, rest
	}
	if isMask(v.text[r.start:r.end]) {
		return result{}
	}
	return r
}

// kindAt returns the kind of the token that begins at i, or "".
func (t *table) kindAt(v *view, i int) (known bool, kind string) {
	for _, c := range t.first[v.text[i]] {
		if c.Outside {
			continue
		}
		begins, known := begins(c.literal, v, i)
		if !known {
			return false, ""
		}
		if !begins {
			continue
		}
		switch r := c.rule.check(v, i, i+len(c.Text)); r.verdict {
		case yes:
			if r.start == i {
				return true, c.rule.kind
			}
		case more:
			return false, ""
		}
	}
	return true, ""
}
