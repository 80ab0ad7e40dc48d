package capture

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/terminal"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/truncation"
)

// NotText says what a part of an output has besides UTF-8 text. The zero value is plain text.
type NotText struct {
	NULs     int64  // NUL bytes in text, shown as quote.NUL
	Invalid  int64  // invalid UTF-8 bytes in text, shown as U+FFFD
	Likely   string // the likely encoding, if Invalid is not 0; or ""
	Encoding string // utf-16le or utf-16be if the part was decoded
	Binary   bool   // the part is not text, so its first bytes are shown
	Type     string // the MIME type of binary output, or ""
	Name     string // the type in words, or ""

	head   []byte // the first bytes of binary output
	unread bool   // read takes the file for a binary one
}

// Any reports whether there is anything but text in UTF-8.
func (n NotText) Any() bool { return n.NULs+n.Invalid > 0 || n.Binary || n.Encoding != "" }

// firstBytes is the number of bytes of a binary output that are shown.
const firstBytes = 256

// judge classifies a part of an output of size bytes, from what was met in it and its first bytes. The result depends
// on these bytes alone, not on how they were written.
func judge(met terminal.Met, size int64, head []byte) NotText {
	if encoding := textfile.UTF16(head); encoding != "" {
		return NotText{Encoding: encoding}
	}
	kind := textfile.Sniff(head)
	known := kind.Type != "" && 64*(met.NULs+met.Controls+met.Invalid) >= size
	if known || isBinary(met, size) {
		first := bytes.Clone(head[:min(len(head), firstBytes)])
		return NotText{Binary: true, Type: kind.Type, Name: kind.Name, head: first}
	}
	return NotText{NULs: met.NULs, Invalid: met.Invalid}
}

// Look classifies a text. It does not guess an encoding.
func Look(text string) NotText {
	if utf8.ValidString(text) && !strings.Contains(text, "\x00") {
		return NotText{}
	}
	filter := terminal.NewFilter(io.Discard, "")
	io.WriteString(filter, text)
	filter.Close()
	n := judge(filter.Met(), int64(len(text)), []byte(text[:min(len(text), textfile.SniffLen)]))
	if n.Encoding != "" {
		n = NotText{NULs: filter.Met().NULs, Invalid: filter.Met().Invalid}
	}
	return n
}

// First returns the first bytes of binary output, escaped, and their number.
func (n NotText) First() (text string, bytes int) { return escaped(n.head, 4*firstBytes) }

// isBinary reports whether more was met than a text may have. Programs, images and compressed data are full of control
// characters and runs of NUL bytes, besides invalid UTF-8. A text in another encoding may have only the latter; a text
// whose lines or names end in NUL bytes has few of these in a row.
func isBinary(met terminal.Met, size int64) bool {
	const fewest = 4
	odd := met.Controls + met.Runs
	switch {
	case odd < fewest || 50*odd < size || 20*(met.Invalid+met.NULs) < size:
		return false
	case 200*met.Controls <= size && 4*met.Runs <= met.NULs:
		return false // NUL bytes separate texts
	}
	return true
}

// notText classifies the next part of the view. The caller holds the lock of the output.
func (v *view) notText(t *Text, met terminal.Met, ongoing bool) {
	t.NotText = judge(met, t.Printed, v.rawAt(v.bytes, textfile.SniffLen))
	if v.bytes > 0 && t.Encoding == "" && !t.Binary {
		if encoding := textfile.UTF16(v.rawAt(0, textfile.SniffLen)); encoding != "" { // it has a byte order mark
			t.NotText = NotText{Encoding: encoding}
		}
	}
	if t.Encoding != "" && v.decode(t, ongoing) != nil { // if it cannot be read again, it stays as it was shown
		t.NotText = NotText{NULs: met.NULs, Invalid: met.Invalid}
	}
	switch {
	case t.Binary:
		t.Marked = false
	case t.Invalid > 0:
		sample := v.sample(v.origin + met.First)
		if met.Controls == 0 { // NUL bytes end texts
			sample = bytes.ReplaceAll(sample, []byte{0}, []byte{'\n'})
		}
		t.Likely = cmp.Or(textfile.SureOf(sample), textfile.Guess(sample)) // the same guess as in read
		t.unread = t.Likely != "" && textfile.SniffAs(v.rawAt(0, textfile.SniffLen), t.Likely).Binary
	}
}

func (v *view) rawAt(at int64, n int) []byte {
	raw := make([]byte, max(min(int64(n), v.read-at), 0))
	n, _ = io.ReadFull(io.NewSectionReader(readerAt(v.stream.read), at, int64(len(raw))), raw)
	return raw[:n]
}

// sample returns the raw output from the line with an invalid byte on, or from that byte on if the line is long.
func (v *view) sample(invalid int64) []byte {
	const before = 4 << 10
	begin := min(v.bytes, invalid) // the last part may have ended within a character
	from := max(invalid-before, begin)
	raw := v.rawAt(from, before+textfile.GuessLen)
	at := min(int(invalid-from), len(raw))
	if i := bytes.LastIndexByte(raw[:at], '\n'); i >= 0 || from == begin {
		return raw[i+1:]
	}
	return raw[at:]
}

// decode shows the next part of the view from the raw output, which is in UTF-16. If more may come, half of a
// character waits for the next part.
func (v *view) decode(t *Text, ongoing bool) error {
	from, to := v.bytes&^1, v.read
	if ongoing {
		to &^= 1
	}
	raw := io.NewSectionReader(readerAt(v.stream.read), from, to-from)
	decoded := newView(v.stream, v.stream.Policy)
	decoded.shown.StartAt(t.Before + 1)
	info := textfile.Info{Encoding: t.Encoding}
	if _, err := io.Copy(decoded.screen, info.Reader(bufio.NewReaderSize(raw, 64<<10))); err != nil {
		return err
	}
	decoded.screen.Close()
	t.writer = decoded.shown
	return nil
}

// showBytes replaces the text by as many of the first bytes as fit.
func (t *Text) showBytes(lower []truncation.Limits) {
	room := 4 * firstBytes
	for _, l := range append([]truncation.Limits{t.stream.Policy.Limits}, lower...) {
		for _, limit := range []truncation.Limit{l.Bytes, l.Chars} {
			if limit != 0 {
				room = min(room, max(int(limit), 0))
			}
		}
	}
	text, n := escaped(t.head, room)
	t.Text, t.Truncated, t.TruncatedBy = text, true, truncation.ByBytes
	t.TotalBytes, t.TotalChars, t.OutputLines = int(t.Printed), int(t.Printed), min(n, 1)
	t.OutputBytes, t.OutputChars, t.LastLinePartial, t.LongLineBytes = n, n, false, 0
	t.Standout, t.StandoutMore, t.NewlineDropped, t.FirstLineExceedsLimit = nil, 0, false, false
}

// escaped returns bytes on one line, escaped as for printf, as many as fit in room, and their number.
func escaped(raw []byte, room int) (text string, n int) {
	var b strings.Builder
	for i, c := range raw {
		as := string(c)
		switch {
		case c == 0 && (i+1 == len(raw) || raw[i+1] < '0' || raw[i+1] > '9'):
			as = `\0` // a following digit would belong to it
		case c == '\\':
			as = `\\`
		case c == '\n':
			as = `\n`
		case c == '\r':
			as = `\r`
		case c == '\t':
			as = `\t`
		case c < ' ' || c >= 0x7f:
			as = fmt.Sprintf(`\x%02x`, c)
		}
		if b.Len()+len(as) > room {
			break
		}
		b.WriteString(as)
		n++
	}
	return b.String(), n
}

// said returns the notice about what is not text, except for binary output, which has its own.
func (t Text) said() notice.Notice {
	switch {
	case t.Binary:
		return ""
	case t.Encoding != "":
		return notice.Decoded(t.Encoding)
	}
	var said []notice.Notice
	if t.NULs > 0 && strings.Contains(t.Text, quote.NUL) {
		said = append(said, notice.NULs)
	}
	if t.Invalid > 0 && strings.ContainsRune(t.Text, utf8.RuneError) {
		bad := notice.NotValidOutput{Likely: t.Likely}
		if t.stream.Reads && t.Saved.Err == nil && !t.unread {
			bad.Path = t.Saved.Path
		}
		said = append(said, bad.Notice())
	}
	return notice.Join(said...)
}

func (t Text) binary() notice.Notice {
	b := notice.Binary{Name: t.Name, Bytes: t.Printed, Shown: t.OutputBytes}
	return notice.Join(b.Notice(), notice.FullOutput(t.Saved))
}

// whatIs returns the end of the output for progress, or a description if it is not text. The caller holds the lock of
// the output.
func (v *view) whatIs(tail string) string {
	met := v.screen.Met()
	if !met.Any() {
		return tail
	}
	size := v.read - v.bytes
	switch n := judge(met, size, v.rawAt(v.bytes, textfile.SniffLen)); {
	case n.Binary:
		return "[" + string(notice.Binary{Name: n.Name, Bytes: size}.Notice()) + "]\n"
	case n.Encoding != "":
		return strings.ReplaceAll(tail, quote.NUL, "")
	}
	return tail
}
