package redact

import (
	"encoding/binary"
	"strings"
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

// literal is a string that stands in every secret of a kind, or before it. It has three bytes or more, or two and one of
// both classes.
type literal struct {
	text     string // in lower case if fold
	fold     bool   // in any case
	outside  bool   // it stands before the secret, and is no part of it
	previous *class // what stands before it; nil is no letter, digit or underscore if it begins with one, and is not outside
	next     *class // what may follow it, likewise; one of both is enough
}

// words returns literals in any case that stand before a secret.
func words(texts ...string) []literal {
	var list []literal
	for _, t := range texts {
		list = append(list, literal{text: t, fold: true, outside: true})
	}
	return list
}

// prefixes returns literals with which a secret begins. What has three bytes only is followed by one of next.
func prefixes(next *class, texts ...string) []literal {
	var list []literal
	for _, t := range texts {
		list = append(list, literal{text: t, next: next})
	}
	return list
}

// table finds the secrets of a list of rules. It looks at every second place of a text, at three bytes without their
// case: a table of bits says which of them may belong to a literal. The literals have at least four bytes, with those
// that may stand around them, so each has one of its first two groups of three, or the one before, at such a place.
type table struct {
	bits  [1 << (tableBits - 6)]uint64
	first [256][]candidate
}

const tableBits = 16

type candidate struct {
	literal
	rule *rule
}

func newTable(rules []rule) *table {
	t := &table{}
	for i := range rules {
		for _, l := range rules[i].literals {
			c := candidate{l, &rules[i]}
			t.first[l.text[0]] = append(t.first[l.text[0]], c)
			if up := strings.ToUpper(l.text[:1])[0]; l.fold && up != l.text[0] {
				t.first[up] = append(t.first[up], c)
			}
			t.add(l)
		}
	}
	return t
}

// add sets the bits of two adjacent groups of a literal.
func (t *table) add(l literal) {
	s := l.text
	if len(s) >= 4 {
		t.set(s[0], s[1], s[2])
		t.set(s[1], s[2], s[3])
		return
	}
	each := func(c *class, set func(byte)) {
		for b := range 256 {
			if c == nil || c[b] {
				set(byte(b))
			}
		}
	}
	if len(s) == 3 {
		t.set(s[0], s[1], s[2])
	} else {
		each(l.next, func(b byte) { t.set(s[0], s[1], b) })
	}
	if l.previous != nil {
		each(l.previous, func(b byte) { t.set(b, s[0], s[1]) })
	} else {
		each(l.next, func(b byte) { t.set(s[1], s[2], b) })
	}
}

func (t *table) set(a, b, c byte) {
	h := groupHash(uint32(a) | uint32(b)<<8 | uint32(c)<<16)
	t.bits[h>>6] |= 1 << (h & 63)
}

func groupHash(g uint32) uint32 { return (g<<8 | 0x20202000) * hashFactor >> (32 - tableBits) }

// sample returns the first place at or after from, in steps of two, where a literal may begin, or may have begun one
// byte before, or begins after the next byte; or a place near the end of text before which there is none.
func (t *table) sample(text []byte, from int) int {
	i := from
	for ; i+4 <= len(text); i += 2 {
		h := groupHash(binary.LittleEndian.Uint32(text[i:]))
		if t.bits[h>>6]&(1<<(h&63)) != 0 {
			return i
		}
	}
	return i
}

// find implements finder.
func (t *table) find(v *view, from int) (m match, ok bool, resume, hold int) {
	next := from // the first place that was not looked at
	for i := from; next < len(v.text); i += 2 {
		i = t.sample(v.text, i)
		last := i + 2
		if i+4 > len(v.text) {
			last = len(v.text)
		}
		for k := max(next, i-1); k < last; k++ {
			switch r := t.check(v, k); r.verdict {
			case yes:
				return r.match, true, 0, 0
			case more:
				return match{}, false, k, t.earliest(v, k+1, r.hold)
			}
		}
		next = last
	}
	return match{}, false, len(v.text), len(v.text)
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
		switch begins, known := c.begins(v, i); {
		case !known && c.outside:
			r = wait(len(v.text))
		case !known:
			r = wait(i)
		case begins:
			if r = c.rule.result(v, i, i+len(c.text)); r.verdict == yes && r.start > i {
				r = t.named(v, r)
			}
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

// named returns what stands behind a name, such as TOKEN=, as the kind that it has of its own, if it has one.
func (t *table) named(v *view, r result) result {
	for _, c := range t.first[v.text[r.start]] {
		if c.outside {
			continue
		}
		begins, known := c.begins(v, r.start)
		own := wait(r.start)
		if known {
			own = result{}
		}
		if begins {
			own = c.rule.result(v, r.start, r.start+len(c.text))
		}
		switch {
		case own.verdict == more:
			return wait(r.start)
		case own.verdict == yes && own.start == r.start && (own.tail != nil || own.end >= r.end):
			return own
		}
	}
	return r
}

// begins reports whether the literal stands at i, and whether that is known.
func (l *literal) begins(v *view, i int) (yes, known bool) {
	rest := v.text[i:min(len(v.text), i+len(l.text))]
	for k, c := range rest {
		if want := l.text[k]; c != want && (!l.fold || c|0x20 != want || c < 'A' || c > 'Z') {
			v.work += k
			return false, true
		}
	}
	v.work += len(rest)
	if i > 0 && (l.previous != nil && !l.previous[v.text[i-1]] || l.previous == nil && !l.outside && word[l.text[0]] && word[v.text[i-1]]) {
		return false, true
	}
	return len(rest) == len(l.text), len(rest) == len(l.text) || v.end
}

// result completes what check returns.
func (u *rule) result(v *view, at, after int) result {
	r := u.check(v, at, after)
	if r.verdict != yes {
		return r
	}
	if r.kind == "" {
		r.kind = u.kind
	}
	if full := r.start + fullLength(r.kind); r.tail != nil && r.end < full {
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
