package capture

import (
	"bytes"
	"io"
	"strings"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/terminal"
	"github.com/spillway-go/spillway/truncation"
)

// view is what a reader is shown of a stream, as a terminal would show it, in parts.
type view struct {
	stream *stream
	filter *terminal.Screen
	shown  *truncation.Writer
	recent *truncation.Writer // the end of it, for progress; shown itself if that keeps the end

	origin    int64 // where in the raw output the filter began
	base      int   // position.over then
	position        // what was shown before
	read      int64 // bytes of raw output that were added
	line      int64 // where the last line begins in the raw output
	ends      int   // line ends since the last part
	repeating bool  // partial was shown, and nothing else has come in its place
	repeated  int   // how much of partial came again, because the line ended or became too long
	omitted   int   // 1 if partial was the whole line, which is not shown again
	continues bool  // the text begins behind partial
}

// position is how much of a stream a reader was shown.
type position struct {
	lines   int    // whole lines
	over    int    // lines of the raw output that are none of these, since they were drawn again
	bytes   int64  // of the raw output
	from    int64  // where the last line began in it
	partial string // the beginning of that line, or ""
	secrets int    // in all that was shown
}

func newView(s *stream) *view {
	v := &view{stream: s}
	v.filter = newFilter(finished{v})
	v.renew()
	return v
}

// renew starts a new part.
func (v *view) renew() { v.begin(v.stream.Policy) }

// begin starts a part that is bounded by a policy.
func (v *view) begin(policy truncation.Policy) {
	v.shown = v.stream.newWriter(policy)
	if v.recent = v.shown; !policy.Unmarked {
		v.recent = v.stream.Recent.NewWriter()
	}
}

// newWriter returns a writer for a part that is bounded by a policy.
func (s *stream) newWriter(policy truncation.Policy) *truncation.Writer {
	if !policy.Unmarked {
		policy.Save = s.save
	}
	return policy.NewWriter()
}

// newFilter returns a filter whose text is shown.
func newFilter(w io.Writer) *terminal.Screen {
	f := terminal.NewScreen(w)
	f.ShowNUL(quote.NUL)
	return f
}

func (v *view) write(p []byte) {
	if n := bytes.LastIndexByte(p, '\n'); n >= 0 {
		v.line = v.read + int64(n) + 1
	}
	v.read += int64(len(p))
	v.filter.Write(p)
}

// finished receives the finished lines from the filter of a view. It omits what was already shown of the first one,
// unless that has changed.
type finished struct{ *view }

func (v finished) Write(text []byte) (int, error) {
	n := len(text)
	v.ends += bytes.Count(text, []byte("\n"))
	if v.repeating {
		rest := v.partial[v.repeated:]
		if strings.HasPrefix(rest, string(text)) {
			v.repeated += n
			return n, nil
		}
		v.repeating = false
		after, same := bytes.CutPrefix(text, []byte(rest))
		switch {
		case !same:
			v.add([]byte(v.partial[:v.repeated]))
		case after[0] == '\n':
			text, v.omitted = after[1:], 1
		default:
			text, v.continues = after, true
		}
	}
	v.add(text)
	return n, nil
}

func (v *view) add(text []byte) {
	if v.recent != v.shown {
		v.recent.Write(text)
	}
	v.shown.Write(text)
}

// take returns the part since the last take. If the output is ongoing, the part includes a last
// line that has no end yet, unless that has not changed since the last take.
func (v *view) take(ongoing bool) Text {
	var partial []byte
	if ongoing {
		v.filter.Flush()
		partial = v.filter.Pending()
	} else {
		v.filter.Close()
	}
	fresh, repeated := partial, false
	if v.repeating {
		after, same := bytes.CutPrefix(partial, []byte(v.partial[v.repeated:]))
		switch {
		case same:
			fresh, repeated = after, len(after) == 0
			v.continues = !repeated
		case v.repeated < len(v.partial):
			v.add([]byte(v.partial[:v.repeated])) // the line has changed
		}
	}
	line := strings.TrimSpace(quote.Value(string(partial)))
	if v.repeating = line != ""; v.repeating {
		v.add(fresh)
	}
	t := Text{
		Printed: v.read - v.bytes, Before: v.lines + v.omitted, Unfinished: line, Repeated: repeated && line != "", Continues: v.continues,
		Marked: v.recent != v.shown, Over: v.base + v.filter.Over(), writer: v.shown,
	}
	v.shown.StartAt(t.Before + 1)
	t.stream = v.stream
	if met := v.filter.TakeMet(); met.Any() {
		v.notText(&t, met, ongoing)
	}
	if t.Binary || t.Encoding != "" { // the line was not shown as it is
		t.Unfinished, t.Repeated, partial, v.repeating = "", false, nil, false
	}
	v.position = position{v.lines + v.ends, t.Over, v.read, v.line, string(partial), v.secrets}
	v.ends, v.repeated, v.omitted, v.continues = 0, 0, 0, false
	return t
}
