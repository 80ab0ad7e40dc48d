package truncation

import "fmt"

// A Strategy says which part of a text is kept.
type Strategy string

const (
	// Head keeps the first lines that fit, whole. A first line that does not
	// fit by itself leaves nothing.
	Head Strategy = "head"
	// Tail keeps the last lines that fit, whole. A last line that does not fit
	// by itself is cut: its end is kept.
	Tail Strategy = "tail"
	// HeadChars keeps the first characters that fit, whatever lines they are in.
	// It takes no notice of Limits.Lines.
	HeadChars Strategy = "head_chars"
)

// Limits is what a text may hold. A zero field is no limit; negative ones are
// taken as zero. Where several are set, the one that is hit first wins.
type Limits struct {
	Lines int // lines, as sed -n counts them
	Bytes int // bytes of valid UTF-8
	Chars int // code points
}

// A Reason names the limit that was hit.
type Reason string

const (
	ByLines Reason = "lines"
	ByBytes Reason = "bytes"
	ByChars Reason = "chars"
)

// Result is a bounded text with what there is to know about the whole. Its JSON
// form holds the numbers and not the text.
type Result struct {
	Text string `json:"-"`

	Truncated   bool   `json:"truncated"`             // some line, or a part of one, is not in Text
	TruncatedBy Reason `json:"truncatedBy,omitempty"` // the limit that was hit; empty if none
	TotalLines  int    `json:"totalLines"`            // lines of the whole
	TotalBytes  int    `json:"totalBytes"`            // bytes of the whole, as valid UTF-8
	OutputLines int    `json:"outputLines"`           // lines in Text, a partial one included
	OutputBytes int    `json:"outputBytes"`           // len(Text)

	// LastLinePartial is set by Tail when Text is the end of a single line.
	LastLinePartial bool `json:"lastLinePartial"`
	// FirstLineExceedsLimit is set by Head when Text is empty because already
	// the first line did not fit.
	FirstLineExceedsLimit bool `json:"firstLineExceedsLimit"`

	MaxLines int `json:"maxLines,omitempty"` // Limits.Lines
	MaxBytes int `json:"maxBytes,omitempty"` // Limits.Bytes
	MaxChars int `json:"maxChars,omitempty"` // Limits.Chars

	// NewlineDropped says that a newline ended the last line of the whole, and
	// is not in Text although the line is.
	NewlineDropped bool `json:"-"`
	// LongLineBytes is the length of the line that did not fit by itself, where
	// LastLinePartial or FirstLineExceedsLimit is set; else 0.
	LongLineBytes int `json:"-"`
}

// Metadata is the flat form of a [Result] that some agents keep beside a tool's
// output. Lengths are in bytes; max_length is 0 where bytes were not limited.
type Metadata struct {
	Truncated      bool `json:"truncated"`
	OriginalLength int  `json:"original_length"`
	MaxLength      int  `json:"max_length"`
}

// Metadata gives the result's flat form.
func (r Result) Metadata() Metadata {
	return Metadata{Truncated: r.Truncated, OriginalLength: r.TotalBytes, MaxLength: r.MaxBytes}
}

// LinesRemoved is the number of lines of the whole of which nothing is in Text.
func (r Result) LinesRemoved() int { return r.TotalLines - r.OutputLines }

// BytesRemoved is the number of bytes of the whole that are not in Text.
func (r Result) BytesRemoved() int { return r.TotalBytes - r.OutputBytes }

// Truncate bounds a text that is in memory. It panics on an unknown strategy.
func Truncate(text string, strategy Strategy, limits Limits) Result {
	var w interface {
		WriteString(string) (int, error)
		Result() Result
	}
	switch strategy {
	case Head:
		w = NewHeadWriter(limits)
	case Tail:
		w = NewTailWriter(limits)
	case HeadChars:
		w = NewHeadCharsWriter(limits)
	default:
		panic(fmt.Sprintf("truncation: unknown strategy %q", strategy))
	}
	w.WriteString(text)
	r := w.Result()
	if r.OutputBytes == len(text) && r.Text == text {
		r.Text = text // the caller's own string, so that the copy can go
	}
	return r
}

// counts is what both writers know about everything that was written.
type counts struct {
	bytes    int
	newlines int
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

func (l Limits) result() Result {
	return Result{MaxLines: max(l.Lines, 0), MaxBytes: max(l.Bytes, 0), MaxChars: max(l.Chars, 0)}
}
