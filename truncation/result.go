package truncation

import "encoding/json"

// A Reason names the limit that was hit; "" means none.
type Reason string

const (
	ByLines  Reason = "lines"  // Limits.Lines, or the lines that HeadTailLines keeps
	ByBytes  Reason = "bytes"  // Limits.Bytes
	ByChars  Reason = "chars"  // Limits.Chars
	ByTokens Reason = "tokens" // Limits.Tokens
)

// Result is a bounded text with the numbers of the whole. Its JSON form omits the text.
//
// Fields hold what was counted; methods derive what was removed, so that the two cannot
// disagree. The JSON form has both. A total, or an amount removed, is -1 and absent in JSON if
// it was not counted, as when read leaves the rest of a file.
type Result struct {
	Text string `json:"-"` // valid UTF-8, with prefix and marker

	Strategy    Strategy `json:"strategy,omitempty"`    // which part was kept
	Truncated   bool     `json:"truncated"`             // something is not in Text
	TruncatedBy Reason   `json:"truncatedBy,omitempty"` // the limit that was hit; empty if none
	TotalLines  int      `json:"totalLines"`            // of the whole
	TotalBytes  int      `json:"totalBytes"`            // of the whole; as valid UTF-8
	TotalChars  int      `json:"totalChars"`            // of the whole
	OutputLines int      `json:"outputLines"`           // of the whole in Text; partial ones included
	OutputBytes int      `json:"outputBytes"`           // of the whole in Text; the marker is not counted
	OutputChars int      `json:"outputChars"`           // of the whole in Text

	// LastLinePartial reports that Tail kept only the end of a line.
	LastLinePartial bool `json:"lastLinePartial"`
	// FirstLineExceedsLimit reports that not even the first line fit. [Head] then keeps its beginning or nothing.
	FirstLineExceedsLimit bool `json:"firstLineExceedsLimit"`

	// the limits; 0 means no limit, or a Limit that lets nothing through
	MaxLines  int `json:"maxLines,omitempty"`
	MaxBytes  int `json:"maxBytes,omitempty"`
	MaxChars  int `json:"maxChars,omitempty"`
	MaxTokens int `json:"maxTokens,omitempty"`

	// Standout names up to 64 left-out lines that stand out, the most important first. Policy.Standout fills it, and
	// so does Digest, which shows as many of them as fit.
	Standout []Line `json:"-"`
	// StandoutMore is the number of further lines that stand out.
	StandoutMore int `json:"-"`

	// Failing is the number of lines that report a failure or sum some up; -1 if the lines were not examined.
	Failing int `json:"-"`

	// Document is set if the text is a JSON document, and was cut as one.
	Document *Document `json:"-"`

	// CutLine is the number of the first line of which Text has only the first CutChars characters. It is 0 if no line
	// is cut, and for Tail and TailChars, which show no beginning of a cut line.
	CutLine int `json:"-"`
	// CutChars is the number of these characters. It is 0 if Text has only the end of the line.
	CutChars int `json:"-"`

	// NewlineDropped reports that Text has the last line without its newline.
	NewlineDropped bool `json:"-"`
	// LongLineBytes is the length of the line that did not fit; 0 unless LastLinePartial or FirstLineExceedsLimit is set.
	LongLineBytes int `json:"-"`

	said []int // indexes of lines of Text that are not of the original: markers and descriptions
}

// String returns Text.
func (r Result) String() string { return r.Text }

// Runs returns which lines of Text come from the original, rather than from a marker or a digest's descriptions: for
// each run the index of its first line and the index behind its last. A run may be empty. A line with a marker in it
// counts as original.
func (r Result) Runs() (runs [][2]int) {
	from := 0
	for _, said := range append(r.said[:len(r.said):len(r.said)], linesOf(r.Text)) {
		runs, from = append(runs, [2]int{from, said}), said+1
	}
	return runs
}

// LinesRemoved returns the number of lines of which nothing is in Text. Like BytesRemoved and CharsRemoved, it returns
// 0 if Truncated is not set, even if the final newline was dropped, and -1 if the whole was not counted.
func (r Result) LinesRemoved() int { return r.removed(r.TotalLines, r.OutputLines) }

// BytesRemoved returns the number of bytes of the whole that are not in Text.
func (r Result) BytesRemoved() int { return r.removed(r.TotalBytes, r.OutputBytes) }

// CharsRemoved returns the number of characters of the whole that are not in Text.
func (r Result) CharsRemoved() int { return r.removed(r.TotalChars, r.OutputChars) }

func (r Result) removed(total, output int) int {
	switch {
	case !r.Truncated:
		return 0 // losing the final newline loses nothing
	case total < 0:
		return -1
	}
	return max(total-output, 0)
}

// MarshalJSON encodes the fields and what was removed, omitting what is unknown.
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

// Metadata is the flat form of a [Result] that some agents keep with a tool's output. Lengths
// are in the unit of the limit that cut the text, bytes or characters. If neither limit did,
// the unit is that of the lower limit, or bytes if there are no limits.
type Metadata struct {
	Truncated      bool `json:"truncated"`       // something is not shown
	OriginalLength int  `json:"original_length"` // of the whole
	MaxLength      int  `json:"max_length"`      // the limit; 0 if there is none
}

// Metadata returns the result's flat form.
func (r Result) Metadata() Metadata {
	m := Metadata{Truncated: r.Truncated, OriginalLength: r.TotalBytes, MaxLength: r.MaxBytes}
	lower := r.MaxBytes == 0 || r.MaxChars <= r.MaxBytes
	if r.MaxChars > 0 && (r.TruncatedBy == ByChars || r.TruncatedBy != ByBytes && lower) {
		m.OriginalLength, m.MaxLength = r.TotalChars, r.MaxChars
	}
	return m
}

func (p *Policy) result(total counts) Result {
	return Result{
		Strategy: p.Strategy, TotalLines: total.lines(), TotalBytes: total.bytes, TotalChars: total.chars, Failing: -1,
		MaxLines: max(int(p.Lines), 0), MaxBytes: max(int(p.Bytes), 0),
		MaxChars: max(int(p.Chars), 0), MaxTokens: max(int(p.Tokens), 0),
	}
}
