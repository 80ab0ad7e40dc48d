package redact

// wider finds known values, each with the rest of the secret of a kind that it is a part of. Masked alone, it would make the rest
// look like text: a line of a private key that all keys of its sort begin with, or the beginning of a secret that was
// learned from an output that was cut.
type wider struct{ known, kinds finder }

// lookAhead is how far behind a known value a secret of a kind is looked for at first.
const lookAhead = 512

func (w wider) find(v *view, from int) (m match, ok bool, resume, hold int) {
	m, ok, resume, hold = w.known.find(v, from)
	if !ok {
		return m, false, resume, hold
	}
	for at := max(v.masked, m.start-lookBehind); at < m.end; {
		kind, ok, next := w.near(v, at, m.end)
		switch {
		case ok && kind.end <= m.start:
			at = max(kind.end, at+1)
		case ok && kind.start < m.end:
			return m.with(kind), true, 0, 0
		case ok || next >= m.end:
			return m, true, 0, 0
		default: // it depends on what follows
			return match{}, false, m.start, m.start
		}
	}
	return m, true, 0, 0
}

// near finds the first secret of a kind. If it finds none, there is none up to next.
func (w wider) near(v *view, from, end int) (m match, ok bool, next int) {
	text, last := v.text, v.end
	defer func() { v.text, v.end, v.runClass = text, last, nil }()
	for size := end - from + lookAhead; ; size *= 4 {
		whole := size >= len(text)-from
		if v.text, v.end = text, last; !whole {
			v.text, v.end = text[:from+size], false
		}
		v.runClass = nil
		m, ok, next, _ = w.kinds.find(v, from)
		if ok || whole || next >= end {
			return m, ok, next
		}
	}
}

// with returns a known value together with the rest of a secret of a kind that overlaps it. What is before it was
// passed on.
func (m match) with(kind match) match {
	union := m
	union.wider = kind.end > m.end || kind.tail != nil
	union.end = max(m.end, kind.end)
	switch {
	case m.tail == nil || kind.end > m.end:
		union.tail = kind.tail
	case kind.tail != nil:
		union.tail = then{m.tail, kind.tail}
	}
	return union
}

// then is a tail with another one behind it.
type then struct{ first, second tail }

func (t then) next(v *view, at int) (end int, rest tail) {
	end, first := t.first.next(v, at)
	if first == nil {
		return t.second.next(v, end)
	}
	return end, then{first, t.second}
}
