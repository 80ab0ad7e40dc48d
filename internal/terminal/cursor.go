package terminal

import "unicode/utf8"

// The operations here are those that need the unfinished line's cells. Each
// first looks for a way to leave the line plain, because the common cases
// allow it: \r\n, \r CSI K, and the CSI K that grep sends after each colour.

// maxColumn is the column up to which the cursor moves beyond the line's text. A
// terminal stops at its edge, usually at 80 to 250; programs rely on that with
// CSI 999C. The bound also keeps ten bytes of input from becoming 64 KiB of spaces.
const maxColumn = 512

// Parameters of CSI K.
const (
	eraseRight = 0 // from the cursor to the end of the line
	eraseLeft  = 1 // from the start of the line up to and with the cursor's cell
	eraseLine  = 2
)

var tab = []byte{'\t'}

// control carries out a C0 control character that works within the line. It drops others, such as vertical tab and
// form feed, which would begin a line that the raw output does not have.
func (f *Filter) control(c byte) {
	switch c {
	case '\r':
		f.moveTo(0)
	case '\b':
		f.moveBy(-1)
	case '\t':
		f.pass(tab, false)
	case 0:
		if f.sequence.state == ground {
			f.put(f.nul)
		}
	}
}

func (f *Filter) moveTo(column int) {
	if column == 0 && !f.dirty {
		f.returned = len(f.buffer) > f.start
		return
	}
	f.makeDirty()
	f.line.moveTo(column)
	f.settle()
}

func (f *Filter) moveBy(delta int) {
	if delta < 0 && !f.dirty && (f.returned || len(f.buffer) == f.start) {
		return
	}
	f.makeDirty()
	f.line.moveTo(f.line.cursor + delta)
	f.settle()
}

// erase carries out CSI K with a parameter. Unknown ones do nothing.
func (f *Filter) erase(mode int) {
	switch {
	case mode > eraseLine:
		return
	case f.returned && mode != eraseLeft:
		f.buffer = f.buffer[:f.start]
		f.returned = false
		return
	case mode == eraseRight && !f.dirty:
		return
	}
	f.makeDirty()
	switch mode {
	case eraseRight:
		f.line.erase(f.line.cursor, len(f.line.cells))
	case eraseLeft:
		f.line.erase(0, f.line.cursor+1)
	case eraseLine:
		f.line.erase(0, len(f.line.cells))
	}
	f.settle()
}

func (f *Filter) eraseCharacters(n int) {
	if !f.dirty && !f.returned {
		return
	}
	f.makeDirty()
	f.line.erase(f.line.cursor, f.line.cursor+n)
	f.settle()
}

// overwrite writes text without newlines at the cursor, and makes the line dirty.
func (f *Filter) overwrite(text []byte) {
	if len(text) == 0 {
		return
	}
	f.makeDirty()
	for {
		text = text[f.line.replaceASCII(text):]
		if len(text) == 0 {
			return
		}
		r, size := rune(text[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text)
		}
		f.line.put(r)
		text = text[size:]
		if f.line.full(f.limit) {
			f.finishLine()
			f.hold(text)
			return
		}
	}
}

func (f *Filter) makeDirty() {
	if f.dirty {
		return
	}
	f.dirty = true
	f.line.write(f.buffer[f.start:])
	f.buffer = f.buffer[:f.start]
	if f.returned {
		f.returned = false
		f.line.cursor = 0
	}
}

// settle makes the dirty line plain again if it is empty, and ends it if its operations have touched too many cells.
func (f *Filter) settle() {
	if f.line.overworked() {
		f.finishLine()
		return
	}
	if len(f.line.cells) == 0 && f.line.cursor == 0 && !f.inRows() {
		f.line.reset()
		f.dirty = false
	}
}
