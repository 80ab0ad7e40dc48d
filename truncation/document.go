package truncation

import "github.com/spillway-go/spillway/internal/jsoncut"

// A Document says how a JSON document was cut.
type Document struct {
	// OneLine reports that all of the document is on one line, so that its lines do not lead anywhere.
	OneLine bool
	// Left is the path of the longest part of an array that is left out, such as "$.items[2..479]"; "" if there is none.
	Left string
	// Line is where that part begins, from 1: in the text, or, if OneLine is set, in one where each value has a line.
	Line int
	// Column is the character of that line, from 1, at which it begins, if the line is long; else 0.
	Column int
}

// digests reports whether the policy is Digest, or JSON, which is Digest for what is not a document.
func (p *Policy) digests() bool { return p.Strategy == Digest || p.Strategy == JSON }

// document looks at a text as long as it may be a JSON document.
type document struct {
	scanner *jsoncut.Scanner
	over    bool // it is none
}

func (d *document) write(p *Policy, piece []byte) {
	if d.over || !p.digests() {
		return
	}
	if d.scanner == nil {
		d.scanner = new(jsoncut.Scanner)
	}
	if d.scanner.Write(piece); d.scanner.Failed() {
		*d = document{over: true}
	}
}

// complete returns the document, or nil if the text is none.
func (d *document) complete() *jsoncut.Document {
	if d.scanner == nil {
		return nil
	}
	doc, _ := d.scanner.Document()
	return doc
}

// cutDocument returns the result for a JSON document.
func (c *composer) cutDocument(r room) Result {
	res := c.Policy.result(c.Strategy, c.total)
	res.Truncated = true
	res.TruncatedBy, _ = c.why(part{})
	left := r.less(c.prefixRoom())
	cut := c.document.Cut(jsoncut.Room{Lines: left.lines, Bytes: min(left.bytes, left.chars)})
	shown := roomOf(cut.Text)
	if res.Text = valid(c.Prefix + cut.Text); cut.Text == "" {
		res.Text = valid(cutTo(c.Prefix, r))
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
