package redact

import (
	"bytes"
	"slices"
)

// lens shows a text without what may stand inside a secret and hide it: the escape sequences of terminals, or the
// second byte of each unit of UTF-16. It puts them back into what comes out.
type lens interface {
	in(raw []byte) (visible []byte)    // valid until the next call
	out(visible []byte) (raw []byte)   // the same bytes, or masked ones; valid until the next call
	end() (visible []byte)             // the rest of it: nothing more comes in
	flush() (raw []byte)               // the rest of what goes out
	raw(visible int64, end bool) int64 // the offset of a visible byte, or of the end of a text that ends there
	clone() lens
}

// extra is a piece of text that is not visible.
type extra struct {
	at   int64 // the offset of the visible byte that follows
	text string
}

const (
	escape = '\x1b'
	// maxSequence is the length of the longest sequence that is invisible.
	maxSequence = 64
)

// terminal is the lens for escape sequences. Only those without text are invisible: what an OSC holds, such as an
// address, is looked at.
type terminal struct {
	now     terminalState
	partial []byte // a sequence that has begun
	queue   []extra
	seen    int64 // visible bytes that came in
	visible int64 // that went out
	written int64 // bytes that went out
	last    int64 // the end of the last visible byte that went out
	shown   []byte
	merged  []byte
}

type terminalState uint8

const (
	inText      terminalState = iota
	inEscape                  // after ESC
	inControl                 // in a control sequence, after ESC [
	afterEscape               // the sequence ends with this byte
)

// step returns the state after c, which is inText if the sequence is none.
func (s terminalState) step(c byte) terminalState {
	switch {
	case s == inEscape && c == '[':
		return inControl
	case s == inEscape && ' ' <= c && c <= '/', s == inControl && ' ' <= c && c <= '?':
		return s
	case s == inEscape && '0' <= c && c <= '~', s == inControl && '@' <= c && c <= '~':
		return afterEscape
	}
	return inText
}

func (t *terminal) in(raw []byte) []byte {
	if len(t.partial) == 0 && bytes.IndexByte(raw, escape) < 0 {
		t.seen += int64(len(raw))
		return raw
	}
	t.shown = t.shown[:0]
	for len(raw) > 0 {
		if len(t.partial) > 0 {
			t.step(raw[0])
			raw = raw[1:]
			continue
		}
		n := bytes.IndexByte(raw, escape)
		if n < 0 {
			n = len(raw)
		}
		t.show(raw[:n])
		if raw = raw[n:]; len(raw) > 0 {
			t.now, t.partial = inEscape, append(t.partial, escape)
			raw = raw[1:]
		}
	}
	return t.shown
}

// step takes the next byte of a sequence.
func (t *terminal) step(c byte) {
	switch t.now = t.now.step(c); {
	case t.now == inText || len(t.partial) == maxSequence:
		// It is none, so it is visible.
		t.show(t.partial)
		t.partial = t.partial[:0]
		if c == escape {
			t.now, t.partial = inEscape, append(t.partial, c)
			return
		}
		t.show([]byte{c})
	case t.now == afterEscape:
		t.queue = append(t.queue, extra{at: t.seen, text: string(t.partial) + string(rune(c))})
		t.partial = t.partial[:0]
	default:
		t.partial = append(t.partial, c)
	}
}

func (t *terminal) show(text []byte) {
	t.shown = append(t.shown, text...)
	t.seen += int64(len(text))
}

func (t *terminal) out(visible []byte) []byte {
	if len(t.queue) == 0 {
		t.wrote(len(visible))
		return visible
	}
	t.merged = t.merged[:0]
	for {
		n := len(visible)
		if len(t.queue) > 0 {
			n = min(n, int(t.queue[0].at-t.visible))
		}
		t.merged = append(t.merged, visible[:n]...)
		visible = visible[n:]
		t.wrote(n)
		if len(t.queue) == 0 || t.queue[0].at > t.visible {
			return t.merged
		}
		t.merged = append(t.merged, t.queue[0].text...)
		t.written += int64(len(t.queue[0].text))
		t.queue = t.queue[1:]
	}
}

func (t *terminal) wrote(n int) {
	t.visible += int64(n)
	t.written += int64(n)
	if n > 0 {
		t.last = t.written
	}
}

func (t *terminal) end() []byte {
	t.shown = t.shown[:0]
	t.show(t.partial)
	t.partial = nil
	return t.shown
}

func (t *terminal) flush() []byte { return t.out(nil) }

func (t *terminal) raw(visible int64, end bool) int64 {
	if end && visible == t.visible {
		return t.last
	}
	n := t.written + visible - t.visible
	for _, x := range t.queue {
		if x.at > visible || end && x.at == visible {
			break
		}
		n += int64(len(x.text))
	}
	return n
}

func (t *terminal) clone() lens {
	c := *t
	c.partial, c.queue, c.shown, c.merged = slices.Clone(t.partial), slices.Clone(t.queue), nil, nil
	return &c
}

// wideText is the lens for UTF-16. What is not ASCII is visible as one byte that is not.
type wideText struct {
	low     int    // the place of the low byte in a unit: 0 in UTF-16LE, 1 in UTF-16BE
	half    []byte // the first byte of a unit
	queue   []unit
	seen    int64
	visible int64
	shown   []byte
	merged  []byte
}

// unit is one that is not ASCII.
type unit struct {
	at   int64
	text [2]byte
}

const notASCII = 0xff

func (t *wideText) in(raw []byte) []byte {
	t.shown = t.shown[:0]
	for len(raw) > 0 {
		if len(t.half) == 0 && len(raw) > 1 {
			t.add(raw[0], raw[1])
			raw = raw[2:]
			continue
		}
		if t.half = append(t.half, raw[0]); len(t.half) == 2 {
			t.add(t.half[0], t.half[1])
			t.half = t.half[:0]
		}
		raw = raw[1:]
	}
	return t.shown
}

func (t *wideText) add(a, b byte) {
	low, high := a, b
	if t.low == 1 {
		low, high = b, a
	}
	if high != 0 || low >= 0x80 {
		t.queue = append(t.queue, unit{t.seen, [2]byte{a, b}})
		low = notASCII
	}
	t.seen++
	t.shown = append(t.shown, low)
}

func (t *wideText) out(visible []byte) []byte {
	t.merged = t.merged[:0]
	for _, c := range visible {
		if len(t.queue) > 0 && t.queue[0].at == t.visible {
			u := t.queue[0]
			t.queue = t.queue[1:]
			if c == notASCII {
				t.merged = append(t.merged, u.text[:]...)
				t.visible++
				continue
			}
		}
		u := [2]byte{}
		u[t.low] = c
		t.merged = append(t.merged, u[:]...)
		t.visible++
	}
	return t.merged
}

func (t *wideText) end() []byte { return nil }

func (t *wideText) flush() []byte {
	half := t.half
	t.half = nil
	return half
}

func (t *wideText) raw(visible int64, _ bool) int64 { return 2 * visible }

func (t *wideText) clone() lens {
	c := *t
	c.half, c.queue, c.shown, c.merged = slices.Clone(t.half), slices.Clone(t.queue), nil, nil
	return &c
}
