package preview

import (
	"strings"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/truncation"
)

// Limits bound a preview, besides its notices.
type Limits struct{ Lines, Bytes int }

// maxLineChars is the number of characters after which a line is cut if not everything fits.
const maxLineChars = 500

// page is a text of blocks, which are shown whole while they fit. The first that does not fit is shown by its
// beginning and its end if half of the limits is left for it.
type page struct {
	Limits
	cut bool // long lines are cut

	text                       strings.Builder
	shown, total               int  // lines
	full, quoted, long, noDiff bool // noDiff: there is no diff to apply
}

// block adds a block, whose lines print passes to put.
func (w *page) block(print func(put func(line string))) {
	if w.full {
		print(func(string) { w.total++ })
		return
	}
	sep := ""
	if w.text.Len() > 0 {
		sep = "\n"
	}
	lines, bytes := w.Lines-w.shown, w.Bytes-w.text.Len()-len(sep)
	out := truncation.Policy{Strategy: truncation.MiddleLines, Limits: truncation.Limits{
		Lines: truncation.AtMost(lines), Bytes: truncation.AtMost(bytes)}}.NewWriter()
	between := ""
	print(func(line string) {
		out.WriteString(between + line)
		between = "\n"
		w.total++
	})
	res := out.Result()
	w.full = res.Truncated
	if !w.full || w.cut && lines >= w.Lines/2 && bytes >= w.Bytes/2 {
		w.text.WriteString(sep + res.Text)
		w.shown += res.OutputLines
	}
}

// line returns the shown form of a line. raw keeps a carriage return at its end.
func (w *page) line(line string, raw bool) string {
	line, ended := strings.CutSuffix(line, "\n")
	end := ""
	if text, ok := strings.CutSuffix(line, "\r"); ok && ended && raw {
		line, end = text, "\r"
	}
	text, quoted := quote.Line(line)
	if w.full {
		return text
	}
	w.quoted = w.quoted || quoted
	if w.cut {
		var long bool
		if text, long = quote.Cut(text, maxLineChars, "..."); long {
			w.long, end = true, ""
		}
	}
	return text + end
}

func (w *page) done() string {
	return notice.Append(w.text.String(), notice.Preview{
		Shown: w.shown, Total: w.total, Cut: w.full, Quoted: w.quoted, LongLines: w.long, Max: maxLineChars,
		Diff: !w.noDiff,
	}.Notices()...)
}
