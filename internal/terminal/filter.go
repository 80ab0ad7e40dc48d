// Package terminal reduces a command's raw output to the text that a terminal would
// finally show, for readers without a terminal, such as a language model or a log file.
//
// Escape sequences are removed, a progress bar that rewrites its line a thousand times
// becomes the line it left behind, and the output is valid UTF-8 whose only control
// characters are newline and tab. Each newline of the raw output is one newline of the
// text, so line 7 of the text is line 7 of the raw output as sed counts. Therefore a
// [Filter] carries out only movements within a line; those that would change other lines
// (cursor up, clear screen, scrolling) are dropped. A [Screen] carries these out too.
//
// # The model
//
// The terminal of a [Filter] has one line, the unfinished one, of as many columns as the
// text needs; that of a [Screen] has several. Each character is one cell, including a tab,
// which stays a tab: a program that rewrites a line by column numbers after a tab lands a
// few cells off. A wide character (CJK, emoji) is two cells. Combining marks, joiners and
// variation selectors take no cell and stay with the preceding character.
package terminal

import (
	"bytes"
	"io"
	"unicode/utf8"
)

const (
	// maxLine is the length of an unfinished line that is held back, in bytes, or in
	// cells once the line has been rewritten. Outputs without newlines reach it, such
	// as a minified bundle or base64 without wrapping.
	maxLine = 16 << 10

	// directSize is the smallest run of clean lines that is written without
	// being copied first, in bytes. Below it, copying costs less than another
	// call of the next writer's Write.
	directSize = 4 << 10

	// emitSize is about how many bytes of finished lines are collected
	// before they are written, within one Write of a large chunk.
	emitSize = 32 << 10
)

// invalid replaces each byte that is not part of valid UTF-8.
var invalid = []byte(string(utf8.RuneError))

// Filter is an io.Writer that passes cleaned text on to another writer.
// It is not safe for concurrent use.
//
// A line is passed on when its newline arrives, because until then a carriage return
// could rewrite it. Memory is bounded: an unfinished line over 16 KiB is passed on as it
// is, and what follows is treated as a new line (a carriage return goes back no further).
// So is a line that is erased over and over, with which a few bytes could cause unlimited
// work. A Filter usually holds one line; the worst case, a line of 16 Ki rewritten
// characters with combining marks, takes less than 512 KiB.
type Filter struct {
	w     io.Writer
	err   error // the first error of w
	limit int   // maxLine; smaller in tests

	// The unfinished line is plain (bytes in buffer, cursor at its end) until
	// something moves the cursor to text that is already there; it is then
	// dirty, and stands in line, cell by cell.
	buffer   []byte // finished lines not yet written, which are those that a Screen keeps back; then the plain line
	start    int    // where the plain line starts in buffer
	returned bool   // the plain line had a carriage return; its cursor is at column 0
	dirty    bool
	line     line
	rows     *rows // of a Screen: lines that can still be changed; else nil

	sequence sequence

	partial       [utf8.UTFMax]byte // a character cut off by the end of a chunk
	partialLength int

	nul     []byte // what replaces a NUL byte; empty drops it
	met     Met
	end     int64 // offset in the raw output up to which it is processed
	lastNUL int64 // offset behind the last NUL byte; 0 if there was none
}

// NewFilter returns a Filter that writes to w. nul stands for a NUL byte in the text; "" drops it, as a terminal does.
func NewFilter(w io.Writer, nul string) *Filter {
	return &Filter{w: w, limit: maxLine, nul: []byte(nul)}
}

// Write cleans p and passes on the lines that it finishes, in a single write to w if p
// has nothing to remove. A chunk may end anywhere, even inside an escape sequence or a
// character.
//
// Write always returns len(p). The error is w's first, after which everything is
// discarded and each call returns it again.
func (f *Filter) Write(p []byte) (int, error) {
	n := len(p)
	if f.partialLength > 0 {
		p = p[f.completeCharacter(p):]
	}
	f.feed(p, false)
	f.emit()
	return n, f.err
}

// Close passes on the unfinished last line, without adding a newline. An unfinished
// character becomes one U+FFFD per byte; an unfinished escape sequence is dropped. Close
// does not close w. It returns w's first error; closing again has no effect.
func (f *Filter) Close() error {
	if n := f.partialLength; n > 0 {
		f.partialLength = 0
		f.end -= int64(n)
		f.feed(f.partial[:n], true)
	}
	f.sequence = sequence{}
	if f.dirty && f.inRows() {
		f.leaveRows(false)
	}
	f.finishLine()
	f.release(f.start)
	return f.err
}

// Pending returns a copy of the unfinished last line as Close would pass it on, without a
// still unfinished character or escape sequence. It changes nothing. Text of the line
// beyond the 16 KiB bound was already passed on and is not included.
func (f *Filter) Pending() []byte {
	if f.inRows() {
		f.rows.store(f)
		defer func() { f.rows.load(f, f.rows.at, f.line.cursor) }()
		return f.rows.all[f.rows.last()].appendTo(nil)
	}
	if f.dirty {
		return f.line.appendTo(nil)
	}
	return bytes.Clone(f.buffer[f.start:])
}

// completeCharacter finishes the character that the last chunk began, and returns how many bytes of p belong to it.
func (f *Filter) completeCharacter(p []byte) int {
	before := f.partialLength
	n := before + copy(f.partial[before:], p)
	character := f.partial // a copy: feed may set partial anew
	if !utf8.FullRune(character[:n]) {
		f.partialLength = n
		f.end += int64(n - before)
		return n - before
	}
	f.partialLength = 0
	f.end -= int64(before)
	if _, size := utf8.DecodeRune(character[:n]); size > 1 {
		f.feed(character[:size], false)
		return size - before
	}
	f.feed(character[:before], true)
	return 0
}

// feed processes p. With final set, a character that p's end cuts off is
// invalid; otherwise it is kept for the next chunk.
func (f *Filter) feed(p []byte, final bool) {
	f.end += int64(len(p))
	for len(p) > 0 && f.err == nil {
		if f.sequence.state != ground {
			p = p[f.parseSequence(p):]
			continue
		}
		if n := cleanLength(p); n > 0 {
			f.pass(p[:n], n == len(p))
			p = p[n:]
		}
		if len(p) > 0 {
			p = p[f.unclean(p, final):]
		}
		if f.start >= emitSize {
			f.emit()
		}
	}
}

// unclean handles the first character of p, at which cleanLength stopped, and returns its length.
func (f *Filter) unclean(p []byte, final bool) int {
	c := p[0]
	switch {
	case c == escapeByte:
		if n := skipColour(p); n > 0 {
			return n
		}
		f.sequence = sequence{state: escape}
		return 1
	case c < utf8.RuneSelf:
		f.meetControl(c, f.end-int64(len(p)))
		f.control(c)
		return 1
	}
	if len(p) < utf8.UTFMax && !final && !utf8.FullRune(p) {
		f.partialLength = copy(f.partial[:], p)
		return len(p)
	}
	_, size := utf8.DecodeRune(p)
	switch {
	case size > 1: // U+0080 to U+009F, the C1 control characters
		f.sequence = introduced(p[1])
	case c == csiByte:
		f.sequence = sequence{state: csi}
	default:
		f.meetInvalid(f.end - int64(len(p)))
		f.put(invalid)
	}
	return size
}

func (f *Filter) put(character []byte) {
	if f.dirty || f.returned {
		f.overwrite(character)
	} else {
		f.hold(character)
	}
}

// pass adds text, which has nothing to remove, to the unfinished line, and its finished lines to the output. last says
// that nothing follows in this chunk, so there is no reason to collect.
func (f *Filter) pass(text []byte, last bool) {
	if f.dirty && f.inRows() {
		f.passInRows(text)
		return
	}
	if f.dirty || f.returned {
		n := bytes.IndexByte(text, '\n')
		if n < 0 {
			f.overwrite(text)
			return
		}
		f.overwrite(text[:n])
		f.finishLine()
		text = text[n:]
	}
	n := bytes.LastIndexByte(text, '\n') + 1
	if f.rows == nil && (n >= directSize || n > 0 && last && len(f.buffer) == 0) || n >= 2*keptBytes {
		f.release(len(f.buffer)) // with the beginning of the line that ends here
		direct := f.finalLength(text[:n])
		f.write(text[:direct])
		text, n = text[direct:], n-direct
	}
	if n > 0 {
		f.buffer = append(f.buffer, text[:n]...)
		f.start = len(f.buffer)
	}
	f.hold(text[n:])
}

// hold appends text without newlines to the plain line. The line is cut at the
// first character that reaches the limit, wherever chunks end.
func (f *Filter) hold(text []byte) {
	for f.limit-(len(f.buffer)-f.start) <= len(text) {
		n := max(0, f.limit-(len(f.buffer)-f.start))
		for n < len(text) && !utf8.RuneStart(text[n]) {
			n++
		}
		f.buffer = append(f.buffer, text[:n]...)
		f.start = len(f.buffer)
		text = text[n:]
		if f.start >= emitSize {
			f.emit()
		}
	}
	f.buffer = append(f.buffer, text...)
}

// finishLine moves the unfinished line to the finished output.
func (f *Filter) finishLine() {
	if f.dirty && f.inRows() {
		f.leaveRows(true)
		return
	}
	if f.dirty {
		f.buffer = f.line.appendTo(f.buffer)
		f.line.reset()
		f.dirty = false
	}
	f.returned = false
	f.start = len(f.buffer)
}

// emit writes the finished lines in buffer. A Screen writes nothing while they are few, and keeps back the last of
// many.
func (f *Filter) emit() {
	if f.rows == nil || f.start >= emitSize {
		f.release(f.finalLength(f.buffer[:f.start]))
	}
}

// finalLength returns how much of a finished text can be written: all of it, or all that a Screen does not keep back.
func (f *Filter) finalLength(text []byte) int {
	if f.rows == nil {
		return len(text)
	}
	n := len(text) - keptBytes
	if line := bytes.LastIndexByte(text[:n], '\n') + 1; line > 0 {
		return line
	}
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

func (f *Filter) release(n int) {
	if n == 0 {
		return
	}
	f.write(f.buffer[:n])
	f.buffer = f.buffer[:copy(f.buffer, f.buffer[n:])]
	f.start = max(f.start-n, 0)
}

func (f *Filter) write(p []byte) {
	if f.err != nil {
		return
	}
	n, err := f.w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	f.err = err
}
