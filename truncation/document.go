package truncation

import "github.com/spillway-go/spillway/internal/jsoncut"

// A Document says how a JSON document was cut.
type Document struct {
	// OneLine reports that the whole document is on one line, so that line numbers are of no use.
	OneLine bool
	// Left is the path of the longest part of an array that is left out, such as "$.items[2..479]"; "" if there is none.
	Left string
	// Line is where that part begins, from 1: in the text or, if OneLine is set, in a copy with a line for each value.
	Line int
	// Column is the character, from 1, at which the part begins in a long line; else 0.
	Column int
}

func (c *composer) cutDocument(r room) Result {
	res := c.result(c.total)
	res.Truncated = true
	res.TruncatedBy, _ = c.why(part{})
	left := r.less(c.prefix)
	cut := c.document.Cut(jsoncut.Room{Lines: left.lines, Bytes: min(left.bytes, left.chars)})
	shown := roomOf(cut.Text)
	if res.Text = c.Prefix + valid(cut.Text); cut.Text == "" {
		res.Text = cutTo(c.Prefix, r)
	}
	res.OutputBytes = min(cut.Bytes, res.TotalBytes)
	res.OutputChars = min(cut.Bytes, shown.chars, res.TotalChars)
	res.OutputLines = min(shown.lines, res.TotalLines)
	res.Document = &Document{OneLine: c.document.OneLine, Left: cut.Left, Line: cut.Line, Column: cut.Column}
	if !c.document.OneLine {
		res.Document.Line += c.before
	}
	return res
}
