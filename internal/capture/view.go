package capture

import (
	"bytes"
	"strings"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/terminal"
	"github.com/spillway-go/spillway/truncation"
)

// view is what a reader is shown of a stream, as a terminal would show it, in parts.
type view struct {
	stream *stream
	screen *terminal.Screen
	origin int64 // where in the raw output the screen began
	base   int   // the value of position.over then
	read   int64 // bytes of raw output that were added
	line   int64 // where the last line begins in the raw output

	position // before this part
	part
}

// position is how much of a stream a reader was shown.
type position struct {
	lines   int    // whole lines
	over    int    // lines of the raw output that are not among these, because they were drawn again
	bytes   int64  // of the raw output
	from    int64  // where the last line began in it
	partial string // the beginning of that line, or ""
	secrets int    // in everything that was shown
}

// part is what is new to the reader. It begins with the line that was unfinished before, which arrives again, longer
// or with its end. The shown beginning of that line is left out, unless the line has changed.
type part struct {
	shown  *truncation.Writer
	recent *truncation.Writer // its end, for progress; shown itself if that keeps the end
	ends   int                // line ends

	repeating bool // so far, only the beginning of position.partial has come
	repeated  int  // how much of position.partial came as text, because the line ended or became too long
	omitted   int  // 1 if position.partial was the whole line, which is not shown again
	continues bool // the text begins behind position.partial
}

func newView(s *stream, policy truncation.Policy) *view {
	v := &view{stream: s}
	v.screen = terminal.NewScreen(finished{v}, quote.NUL)
	v.begin(policy)
	return v
}

func (v *view) begin(policy truncation.Policy) {
	if !policy.Unmarked {
		policy.Save = v.stream.save
	}
	shown := policy.NewWriter()
	v.part = part{shown: shown, recent: shown, repeating: v.partial != "" && visible(v.partial) != ""}
	if !policy.Unmarked {
		v.recent = v.stream.Recent.NewWriter()
	}
}

func visible(line string) string { return strings.TrimSpace(quote.Value(line)) }

func (v *view) write(p []byte) {
	if n := bytes.LastIndexByte(p, '\n'); n >= 0 {
		v.line = v.read + int64(n) + 1
	}
	v.read += int64(len(p))
	v.screen.Write(p)
}

// finished receives the finished lines from the screen of a view.
type finished struct{ *view }

func (v finished) Write(text []byte) (int, error) {
	n := len(text)
	v.ends += bytes.Count(text, []byte("\n"))
	if v.repeating {
		if strings.HasPrefix(v.partial[v.repeated:], string(text)) {
			v.repeated += n
			return n, nil
		}
		v.repeating = false
		after, same := v.fresh(text)
		switch {
		case !same:
		case after[0] == '\n':
			after, v.omitted = after[1:], 1
		default:
			v.continues = true
		}
		text = after
	}
	v.add(text)
	return n, nil
}

// fresh returns the new part of text, which continues the unfinished line, or all of it if that line has changed.
func (v *view) fresh(text []byte) (after []byte, same bool) {
	after, same = bytes.CutPrefix(text, []byte(v.partial[v.repeated:]))
	if !same {
		v.add([]byte(v.partial[:v.repeated]))
	}
	return after, same
}

func (v *view) add(text []byte) {
	if v.recent != v.shown {
		v.recent.Write(text)
	}
	v.shown.Write(text)
}

// take returns the part. If the output is ongoing, it includes a last line without an end, unless that has not changed
// since the part before.
func (v *view) take(ongoing bool) Text {
	var partial []byte
	if ongoing {
		v.screen.Flush()
		partial = v.screen.Pending()
	} else {
		v.screen.Close()
	}
	fresh, repeated := partial, false
	if v.repeating {
		var same bool
		fresh, same = v.fresh(partial)
		repeated, v.continues = same && len(fresh) == 0, same && len(fresh) > 0
	}
	line := ""
	if len(partial) > 0 {
		line = visible(string(partial))
	}
	if line != "" {
		v.add(fresh)
	}
	t := Text{
		Printed: v.read - v.bytes, Before: v.lines + v.omitted, Unfinished: line, Repeated: repeated && line != "", Continues: v.continues,
		Marked: v.recent != v.shown, Over: v.base + v.screen.Over(), writer: v.shown, stream: v.stream,
	}
	v.shown.StartAt(t.Before + 1)
	if met := v.screen.TakeMet(); met.Any() {
		v.notText(&t, met, ongoing)
	}
	if t.Binary || t.Encoding != "" { // the line was not shown as it is
		t.Unfinished, t.Repeated, partial = "", false, nil
	}
	v.position = position{v.lines + v.ends, t.Over, v.read, v.line, string(partial), v.secrets}
	return t
}
