package truncation

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/shapes"
)

const (
	maxStandout  = 64  // lines that a Result names
	excerptBytes = 120 // of a line that it names
)

// A Line is a line of a text.
type Line struct {
	Number int    `json:"line"`  // from 1
	Bytes  int    `json:"bytes"` // its size, without the newline
	Text   string `json:"text"`  // the line; of a long one, 120 bytes at what makes it stand out, with "..." at a cut
}

// looks reports whether the policy asks which lines stand out.
func (p *Policy) looks() bool { return p.Standout || p.Strategy == Digest }

// lookAt returns what stands out in a text in memory.
func (p *Policy) lookAt(text string) (r shapes.Report) {
	if !p.looks() {
		return r
	}
	var f shapes.Finder
	var c cleaner
	c.write(bytesOf(text), func(p []byte) { f.Write(p) })
	return f.Report()
}

// found is what stands out in a text.
type found struct {
	report shapes.Report
	before int // the number of lines in front of the text
}

// standout returns the lines that stand out between those lines of the text, the most telling ones first, and how many
// more there are.
func (f *found) standout(from, to int) (lines []Line, more int) {
	all := slices.Clone(f.report.Lines)
	all = slices.DeleteFunc(all, func(s shapes.Standout) bool { return s.Number < from || s.Number > to })
	slices.SortStableFunc(all, func(a, b shapes.Standout) int { return cmp.Compare(b.Rank, a.Rank) })
	for _, s := range all[:min(len(all), maxStandout)] {
		lines = append(lines, Line{f.before + s.Number, s.Bytes, excerpt(s.Line)})
	}
	more = len(all) - len(lines)
	if len(all) > 0 {
		more += f.report.More
	}
	return lines, more
}

// excerpt returns what is shown of a line.
func excerpt(line shapes.Line) string {
	text := line.Text
	if line.Bytes <= excerptBytes {
		return valid(string(text))
	}
	const before = 24 // bytes of what is in front
	from := 0
	if line.At > excerptBytes*3/4 {
		from = min(line.At-before, max(len(text)-excerptBytes, 0))
	}
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	return dots(from > 0) + whole(text[from:min(from+excerptBytes, len(text))]) + dots(from+excerptBytes < line.Bytes)
}

func dots(cut bool) string {
	if cut {
		return "..."
	}
	return ""
}

// whole returns the beginning of a line as valid UTF-8, without a character that is cut at its end.
func whole(text []byte) string { return valid(string(text[:len(text)-unfinished(text)])) }
