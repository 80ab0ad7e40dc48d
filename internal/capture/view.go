package capture

import (
	"bytes"
	"strings"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/terminal"
	"github.com/spillway-go/spillway/truncation"
)

// view is what a reader is shown of a stream: what a terminal would show of it, in parts.
type view struct {
	out    *Output
	filter *terminal.Filter
	shown  *truncation.Writer
	recent *truncation.Writer // the end of it, for progress; shown itself where that keeps the end

	position       // what was shown before
	read     int64 // bytes taken of the raw output
	line     int64 // where the last line begins in it
	ends     int   // line ends since the last part
	again    bool  // half was shown, and nothing else has come in its place
	came     int   // bytes of half that came again, as the line ended or became too long
	skipped  int   // 1 if half was the whole line, so that it is not shown again
}

// position is how far a reader was shown a stream.
type position struct {
	lines int    // whole lines
	bytes int64  // of the raw output
	from  int64  // where the last line began in it
	half  string // what there was of that line
}

func newView(o *Output) *view {
	v := &view{out: o}
	v.filter = terminal.NewFilter(finished{v})
	v.renew()
	return v
}

// renew begins a new part.
func (v *view) renew() {
	v.shown = v.out.Policy.NewWriter()
	if v.recent = v.shown; !v.out.Policy.Unmarked {
		v.recent = v.out.Recent.NewWriter()
	}
}

// write takes the raw output.
func (v *view) write(p []byte) {
	if n := bytes.LastIndexByte(p, '\n'); n >= 0 {
		v.line = v.read + int64(n) + 1
	}
	v.read += int64(len(p))
	v.filter.Write(p)
}

// finished takes the lines that the filter of a view has finished. It leaves out the first one if
// that was shown when it had no end yet, and has not changed since.
type finished struct{ *view }

func (v finished) Write(text []byte) (int, error) {
	n := len(text)
	v.ends += bytes.Count(text, []byte("\n"))
	if v.again {
		rest := v.half[v.came:]
		if strings.HasPrefix(rest, string(text)) {
			v.came += n
			return n, nil
		}
		v.again = false
		if after, ok := bytes.CutPrefix(text, []byte(rest+"\n")); ok {
			text, v.skipped = after, 1
		} else {
			v.add([]byte(v.half[:v.came]))
		}
	}
	v.add(text)
	return n, nil
}

// add adds to what is shown.
func (v *view) add(text []byte) {
	if v.recent != v.shown {
		v.recent.Write(text)
	}
	v.shown.Write(text)
}

// take returns what came since the last take. With goesOn, the last line may go on: it is in the
// part before it has an end, unless it is as it was at the last take.
func (v *view) take(goesOn bool) Text {
	var half []byte
	if goesOn {
		half = v.filter.Pending()
	} else {
		v.filter.Close()
	}
	told := v.again && v.came == 0 && v.half == string(half)
	if v.again && v.came < len(v.half) {
		v.add([]byte(v.half[:v.came])) // it has become shorter
	}
	line := strings.TrimSpace(quote.Value(string(half)))
	if v.again = line != ""; v.again && !told {
		v.add(half)
	}
	t := Text{
		Printed: v.read - v.bytes, Before: v.lines + v.skipped, Unfinished: line, Repeated: told,
		Marked: v.recent != v.shown, writer: v.shown,
	}
	v.position = position{v.lines + v.ends, v.read, v.line, string(half)}
	v.ends, v.came, v.skipped = 0, 0, 0
	return t
}
