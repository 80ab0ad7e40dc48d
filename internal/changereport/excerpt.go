package changereport

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/truncation"
)

// excerpt is the shown part of diffs that exceed the limits: whole hunks in order while they fit. The first that does
// not fit is shown by its beginning and its end if half of the limits is left for it; a smaller part would cost more
// than it says.
type excerpt struct {
	limits   Limits
	shown    truncation.Result // of the whole; Text and its counts are the excerpt's
	linesCut bool              // a line in it is cut
	marker   int               // bytes of the marker where a hunk is cut
}

func (e *excerpt) begin(headline string) bool {
	e.shown.Text, e.shown.OutputLines = headline, notice.Lines(headline)
	return e.shown.OutputLines <= e.limits.Lines && len(headline) <= e.limits.Bytes
}

// of adds the diffs that fit, and returns what is left out.
func (e *excerpt) of(changes []File) notice.Changes {
	headline := e.shown.OutputLines
	left := notice.Changes{Total: e.shown.TotalLines - headline}
	left.Path, left.Offset = e.add(changes)
	if len(changes) == 1 {
		left.Path = ""
	}
	e.shown.OutputBytes = len(e.shown.Text) - e.marker
	e.shown.OutputChars = utf8.RuneCountInString(e.shown.Text) - e.marker
	left.Shown = e.shown.OutputLines - headline
	return left
}

// add adds hunks. It returns the file and the line of the first hidden change.
func (e *excerpt) add(changes []File) (path string, line int) {
	for _, c := range changes {
		file := ""
		if len(changes) > 1 || c.Title != "" {
			file = "--- " + c.title()
		}
		for h := range c.Diff.Hunks() {
			if line, all := e.hunk(file, h); !all {
				return quote.Value(c.Name), line
			}
			file = ""
		}
	}
	return "", 0
}

// hunk adds a hunk, after the line that names the file if it is the file's first. If part of the hunk is hidden, it
// returns its first hidden line, in the present file.
func (e *excerpt) hunk(file string, h diff.Hunk) (line int, all bool) {
	before := below(e.shown.Text, file)
	lines, bytes := e.limits.Lines-notice.Lines(before), e.limits.Bytes-len(below(before, "+"))+len("+")
	w := truncation.Policy{Strategy: truncation.MiddleLines, Limits: truncation.Limits{
		Lines: truncation.AtMost(lines), Bytes: truncation.AtMost(bytes)}}.NewWriter()
	type printed struct {
		number int // of a line in the present file, or of the next one
		cut    bool
	}
	var hunk []printed
	sep, number := "", h.Line
	h.Print(func(sign string, line []byte) {
		text, cut := diffLine(sign, line)
		w.WriteString(sep + text)
		sep, hunk = "\n", append(hunk, printed{number, cut})
		if sign == " " || sign == "+" {
			number++
		}
	})
	cut := func(lines []printed) bool { return slices.ContainsFunc(lines, func(l printed) bool { return l.cut }) }
	shown := w.Result()
	if !shown.Truncated {
		e.linesCut = e.linesCut || cut(hunk)
		e.put(below(before, shown.Text), 0)
		return 0, true
	}
	head, tail, marked := strings.Cut(shown.Text, cutHere)
	if !marked || lines < e.limits.Lines/2 || bytes < e.limits.Bytes/2 {
		return min(h.Line, h.LastLine), false
	}
	marker, _, _ := strings.Cut(tail, "\n")
	first := notice.Lines(head) // the first hidden line
	behind := shown.TotalLines - (shown.OutputLines - first)
	e.linesCut = e.linesCut || cut(hunk[:first]) || cut(hunk[behind:])
	e.put(below(before, shown.Text), len(cutHere)+len(marker))
	return min(hunk[first].number, h.LastLine), false
}

// cutHere begins the marker of truncation. No line of a diff begins like it.
const cutHere = "\n[... "

// put sets the text; its marker takes that many bytes.
func (e *excerpt) put(text string, marker int) {
	e.shown.Text, e.marker = text, e.marker+marker
	e.shown.OutputLines = notice.Lines(text) - min(marker, 1)
}

func below(text, more string) string {
	if text == "" || more == "" {
		return text + more
	}
	return text + "\n" + more
}
