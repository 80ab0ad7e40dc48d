package truncation

import (
	"bytes"
	"encoding/json"
	"math"
	"unicode/utf8"
)

// Nothing is the limit of a text that may hold nothing at all. Every limit below
// zero is this one.
const Nothing = -1

// Limits is what a text may hold. A zero field is no limit, and a negative one is
// [Nothing], a budget that is used up. Where several are set, the one that is hit
// first wins.
type Limits struct {
	Lines  int // lines, as sed -n counts them; strategies by characters take no notice of it
	Bytes  int // bytes of valid UTF-8
	Chars  int // characters: code points
	Tokens int // of a model, as CountTokens counts them; only a Policy takes notice of it

	// CountTokens counts the tokens of a text; nil is [EstimateTokens]. It is
	// called only if Tokens is not 0, with texts of at most 16 bytes for each
	// token allowed, and some twenty times for a text that does not fit.
	CountTokens func(string) int
}

// lower takes the lower one of each limit.
func (l Limits) lower(than Limits) Limits {
	lower := func(a, b int) int { return limitOf(min(most(a), most(b))) }
	l.Lines, l.Bytes, l.Chars = lower(l.Lines, than.Lines), lower(l.Bytes, than.Bytes), lower(l.Chars, than.Chars)
	l.Tokens = lower(l.Tokens, than.Tokens)
	return l
}

// Share divides the lines, bytes and characters between two texts, each of which was
// bounded by l: a half for each, at least 1, and what one of them does not need for the
// other; [Nothing] for a text that is empty where the other needs it all. Tokens are not
// divided.
func (l Limits) Share(a, b Result) (forA, forB Limits) {
	forA, forB = l, l
	share := func(total, needA, needB int) (int, int) {
		half := total / 2
		switch {
		case total <= 0:
			return total, total
		case needA <= total-needB:
			// What neither needs is divided as well: a text that another limit
			// cuts gets a marker, which may be longer than what it replaces.
			needA += (total - needA - needB) / 2
			return limitOf(needA), limitOf(total - needA)
		case needA <= half:
			return limitOf(needA), limitOf(total - needA)
		case needB <= half:
			return limitOf(total - needB), limitOf(needB)
		}
		return max(half, 1), max(total-half, 1)
	}
	forA.Lines, forB.Lines = share(l.Lines, max(linesOf(a.Text), a.OutputLines), max(linesOf(b.Text), b.OutputLines))
	forA.Bytes, forB.Bytes = share(l.Bytes, len(a.Text), len(b.Text))
	forA.Chars, forB.Chars = share(l.Chars, utf8.RuneCountInString(a.Text), utf8.RuneCountInString(b.Text))
	return forA, forB
}

// A Reason names the limit that was hit; "" is none.
type Reason string

const (
	ByLines  Reason = "lines"  // Limits.Lines, or the lines that HeadTailLines keeps
	ByBytes  Reason = "bytes"  // Limits.Bytes
	ByChars  Reason = "chars"  // Limits.Chars
	ByTokens Reason = "tokens" // Limits.Tokens
)

// Result is a bounded text with what there is to know about the whole. Its JSON
// form holds the numbers and not the text.
//
// What was counted is a field; what follows from the fields is a method, so that
// the two cannot disagree: what was removed is the whole less what is shown. The
// JSON form has both. A total, and what was removed, is -1 where it was not
// counted, and absent in JSON: read does not look at the rest of a file.
type Result struct {
	Text string `json:"-"` // what is shown: valid UTF-8, with the prefix and the marker of a Policy

	Strategy    Strategy `json:"strategy,omitempty"`    // which part was kept
	Truncated   bool     `json:"truncated"`             // some line, or a part of one, is not in Text
	TruncatedBy Reason   `json:"truncatedBy,omitempty"` // the limit that was hit; empty if none
	TotalLines  int      `json:"totalLines"`            // lines of the whole
	TotalBytes  int      `json:"totalBytes"`            // bytes of the whole, as valid UTF-8
	TotalChars  int      `json:"totalChars"`            // characters of the whole
	OutputLines int      `json:"outputLines"`           // lines of the whole that are in Text, partial ones included
	OutputBytes int      `json:"outputBytes"`           // bytes of the whole that are in Text; the marker is not counted
	OutputChars int      `json:"outputChars"`           // characters of the whole that are in Text

	// LastLinePartial is set by Tail when Text is the end of a single line.
	LastLinePartial bool `json:"lastLinePartial"`
	// FirstLineExceedsLimit is set by Head when Text is empty because already
	// the first line did not fit.
	FirstLineExceedsLimit bool `json:"firstLineExceedsLimit"`

	// The limits. 0 stands for no limit, and for [Nothing] too.
	MaxLines  int `json:"maxLines,omitempty"`
	MaxBytes  int `json:"maxBytes,omitempty"`
	MaxChars  int `json:"maxChars,omitempty"`
	MaxTokens int `json:"maxTokens,omitempty"`

	// NewlineDropped says that a newline ended the last line of the whole, and
	// is not in Text although the line is.
	NewlineDropped bool `json:"-"`
	// LongLineBytes is the length of the line that did not fit by itself, where
	// LastLinePartial or FirstLineExceedsLimit is set; else 0.
	LongLineBytes int `json:"-"`
}

// LinesRemoved is the number of lines of the whole of which nothing is in Text. Like
// BytesRemoved and CharsRemoved it is 0 where Truncated is not set, though a newline
// at the end may have been dropped, and -1 where the whole was not counted.
func (r Result) LinesRemoved() int { return r.removed(r.TotalLines, r.OutputLines) }

// BytesRemoved is the number of bytes of the whole that are not in Text.
func (r Result) BytesRemoved() int { return r.removed(r.TotalBytes, r.OutputBytes) }

// CharsRemoved is the number of characters of the whole that are not in Text.
func (r Result) CharsRemoved() int { return r.removed(r.TotalChars, r.OutputChars) }

// Plus adds up the numbers of two results, as of two files that are shown
// together. What is not a number is r's, or else other's.
func (r Result) Plus(other Result) Result {
	sum := func(a, b int) int {
		if a < 0 || b < 0 {
			return -1
		}
		return a + b
	}
	r.TotalLines, r.TotalBytes, r.TotalChars = sum(r.TotalLines, other.TotalLines), r.TotalBytes+other.TotalBytes, sum(r.TotalChars, other.TotalChars)
	r.OutputLines, r.OutputBytes, r.OutputChars = r.OutputLines+other.OutputLines, r.OutputBytes+other.OutputBytes, r.OutputChars+other.OutputChars
	r.Truncated = r.Truncated || other.Truncated
	if r.TruncatedBy == "" {
		r.TruncatedBy = other.TruncatedBy
	}
	return r
}

func (r Result) removed(total, output int) int {
	switch {
	case !r.Truncated:
		return 0 // a final newline that was dropped is no loss
	case total < 0:
		return -1
	}
	return max(total-output, 0)
}

// MarshalJSON gives the fields and what was removed, without what is not known.
func (r Result) MarshalJSON() ([]byte, error) {
	known := func(n int) *int {
		if n < 0 {
			return nil
		}
		return &n
	}
	type fields Result
	return json.Marshal(struct {
		fields
		TotalLines   *int `json:"totalLines,omitempty"`
		TotalChars   *int `json:"totalChars,omitempty"`
		CharsRemoved *int `json:"charsRemoved,omitempty"`
		BytesRemoved int  `json:"bytesRemoved"`
		LinesRemoved *int `json:"linesRemoved,omitempty"`
	}{fields(r), known(r.TotalLines), known(r.TotalChars), known(r.CharsRemoved()), r.BytesRemoved(), known(r.LinesRemoved())})
}

// Metadata is the flat form of a [Result] that some agents keep beside a tool's
// output. Lengths are in the unit of the limit that cut the text. Where neither bytes
// nor characters did, that is the one whose limit is the lower number, and bytes where
// neither has one.
type Metadata struct {
	Truncated      bool     `json:"truncated"`       // something is not shown
	OriginalLength int      `json:"original_length"` // of the whole
	MaxLength      int      `json:"max_length"`      // the limit; 0 if there is none
	CharsRemoved   int      `json:"charsRemoved"`    // characters of the whole that are not shown; -1 where they were not counted
	Strategy       Strategy `json:"strategy"`        // which part is shown
}

// Metadata gives the result's flat form.
func (r Result) Metadata() Metadata {
	m := Metadata{Truncated: r.Truncated, OriginalLength: r.TotalBytes, MaxLength: r.MaxBytes, CharsRemoved: r.CharsRemoved(), Strategy: r.Strategy}
	lower := r.MaxBytes == 0 || r.MaxChars <= r.MaxBytes
	if r.MaxChars > 0 && (r.TruncatedBy == ByChars || r.TruncatedBy != ByBytes && lower) {
		m.OriginalLength, m.MaxLength = r.TotalChars, r.MaxChars
	}
	return m
}

// counts is what both writers know about everything that was written.
type counts struct {
	bytes    int
	chars    int
	newlines int
	first    int // bytes of the first line
	open     int // bytes of the line that no newline has ended yet
	closed   int // bytes of the last line that a newline ended
}

func (c counts) lines() int {
	if c.open > 0 {
		return c.newlines + 1
	}
	return c.newlines
}

// lastLine is the length of the last line, without its newline.
func (c counts) lastLine() int {
	if c.open > 0 {
		return c.open
	}
	return c.closed
}

// add counts p, which is valid UTF-8, without looking at its lines one by one.
func (c *counts) add(p []byte) {
	c.bytes += len(p)
	c.chars += countValid(p)
	n := bytes.Count(p, newline)
	if n == 0 {
		c.open += len(p)
		if c.newlines == 0 {
			c.first = c.open
		}
		return
	}
	if c.newlines == 0 {
		c.first = c.open + bytes.IndexByte(p, '\n')
	}
	c.newlines += n
	last := bytes.LastIndexByte(p, '\n')
	if prev := bytes.LastIndexByte(p[:last], '\n'); prev >= 0 {
		c.closed = last - prev - 1
	} else {
		c.closed = c.open + last
	}
	c.open = len(p) - last - 1
}

var newline = []byte{'\n'}

// result is what all results of these limits begin with.
func (l Limits) result(strategy Strategy, total counts) Result {
	return Result{
		Strategy: strategy, TotalLines: total.lines(), TotalBytes: total.bytes, TotalChars: total.chars,
		MaxLines: max(l.Lines, 0), MaxBytes: max(l.Bytes, 0), MaxChars: max(l.Chars, 0), MaxTokens: max(l.Tokens, 0),
	}
}

// most is a limit as a number that may be compared with.
func most(limit int) int {
	if limit == 0 {
		return math.MaxInt
	}
	return max(limit, 0)
}

// limitOf is the limit that most made a number of.
func limitOf(n int) int {
	switch n {
	case math.MaxInt:
		return 0
	case 0:
		return Nothing
	}
	return n
}

// times multiplies, up to the largest number there is.
func times(n, by int) int {
	if n > math.MaxInt/by {
		return math.MaxInt
	}
	return n * by
}
