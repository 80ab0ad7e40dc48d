package report

import (
	"slices"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools/record"
)

// run is lines of output in a row in the text of a call: bytes of it.
type run struct {
	config.Lines
	from, to int
}

// runsOf returns the runs of a call. Numbers of the record that make no sense end the list.
func runsOf(rec *record.Line) (runs []run) {
	if rec.Facts == nil {
		return nil
	}
	line, at := 1, 0
	skip := func(lines int) {
		for ; lines > 0 && at < len(rec.Text); lines-- {
			if i := strings.IndexByte(rec.Text[at:], '\n'); i >= 0 {
				at += i + 1
			} else {
				at = len(rec.Text)
			}
			line++
		}
	}
	for _, l := range rec.Facts.Output {
		if l.At < line || l.Count < 1 {
			break
		}
		skip(l.At - line)
		from := at
		if skip(l.Count); from == at {
			break
		}
		runs = append(runs, run{l, from, at})
	}
	return runs
}

// maxRuns is how many runs of a call the page tells from what the tool says. What is behind them counts as output.
const maxRuns = 200

// setOutput notes which bytes of the text are output, and how many bytes of the whole output are not shown. Where that
// is not known, all of the text counts as output. So it does for the page where there is no output.
func (c *Call) setOutput(rec *record.Line) {
	c.length = len(rec.Text)
	own, runs := c.length, runsOf(rec)
	if rec.Facts == nil {
		runs = []run{{from: 0, to: c.length}}
	}
	for _, r := range runs {
		own -= r.to - r.from
		if len(c.output) < maxRuns {
			c.output = append(c.output, [2]int{r.from, r.to})
		}
	}
	switch len(c.output) {
	case 0:
		c.output = [][2]int{{0, c.length}} // there is nothing to tell apart
	case maxRuns:
		c.output[maxRuns-1][1] = c.length
	}
	if c.Cut != "" {
		c.Hidden = max(0, c.Produced-(c.Bytes-own))
	}
}

// segments are the parts of a text, in order.
func (c *Call) segments() (parts []segment) {
	parts = c.marked(parts, 0, c.text.head)
	if c.text.gap > 0 {
		parts = append(parts, segment{Kind: left, Bytes: c.text.gap})
		parts = c.marked(parts, c.length-len(c.text.tail), c.text.tail)
	}
	return parts
}

// marked adds the segments of a part of the text, which begins at a byte of that. Blank lines around what the tool says
// are no part of that.
func (c *Call) marked(parts []segment, at int, text string) []segment {
	from, end := at, at+len(text)
	add := func(kind, to int) {
		switch {
		case to <= from:
			return
		case len(parts) > 0 && kind == plain && parts[len(parts)-1].Kind == plain:
			parts[len(parts)-1].Text += text[from-at : to-at]
		default:
			parts = append(parts, segment{Kind: kind, Text: text[from-at : to-at]})
		}
		from = to
	}
	for _, out := range append(slices.Clip(c.output), [2]int{end, end}) {
		if to := min(out[0], end); from < to {
			said := strings.TrimLeft(text[from-at:to-at], "\n")
			add(plain, to-len(said))
			add(bracket, from+len(strings.TrimRight(said, "\n")))
			add(plain, to)
		}
		add(plain, min(out[1], end))
	}
	return parts
}

// maxErrorLines is how many lines an error has at most: each has a byte at least.
const maxErrorLines = 1000

// Output returns the error with which the text of a call begins, and the output in it without the last newline, if its
// lines are in a row.
func Output(rec *record.Line) (failure, output string) {
	if rec.Facts == nil {
		return "", ""
	}
	lines := strings.SplitAfterN(rec.Text, "\n", min(max(rec.Facts.ErrorLines, 0), maxErrorLines)+1)
	failure = rec.Text[:len(rec.Text)-len(lines[len(lines)-1])]
	if runs := runsOf(rec); len(runs) > 0 {
		from, to := runs[0].from, runs[len(runs)-1].to
		if output = rec.Text[from:to]; to < len(rec.Text) {
			output = strings.TrimSuffix(output, "\n")
		}
	}
	return failure, output
}
