package tools

import (
	"cmp"
	"slices"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/truncation"
)

// Shown describes what a model is shown of an output. It is part of the details of every result.
//
// Truncated is also set if some lines are shown in part; their missing characters are not counted, and CharsRemoved is
// then -1. A list that ended at its limit of matches, results or entries, and a page that ended at the lines asked
// for, set More and not Truncated.
type Shown struct {
	Text string `json:"-"` // for the model; "" in TruncatedDetails, because the Result has it

	Truncated      bool                `json:"truncated"`      // a limit of the tool cut the output, or some of its lines
	OriginalLength int                 `json:"originalLength"` // length of the whole, in the unit of MaxLength
	MaxLength      int                 `json:"maxLength"`      // the limit in bytes, or in characters if that limit cut or is lower; 0 if there is none
	CharsRemoved   int                 `json:"charsRemoved"`   // characters not shown, -1 if not counted; 0 if Truncated is not set
	Strategy       truncation.Strategy `json:"strategy"`       // which part is shown, or would be if it were cut

	// More says that there is more to get, for any reason. The notices say how.
	More bool `json:"more,omitempty"`

	// Standout names up to 64 lines that stand out, left out or in a digest, the most important first. See
	// Bash.NoStandout and truncation.Policy.
	Standout []truncation.Line `json:"standout,omitempty"`

	Redacted   int         `json:"redacted,omitempty"`   // secrets that placeholders replace; see config.Redact
	Redactions []Redaction `json:"redactions,omitempty"` // the first 64 of them

	output   []config.Lines    // where Text has output
	whole    truncation.Result // with the numbers behind the metadata
	spilled  string            // the file with the full output
	stderr   string            // the file of stderr, if it is split; spilled is then that of stdout
	partly   bool              // some of the shown text is in neither file
	before   int               // lines of the file before the requested part
	said     notice.Notice     // notices about a command that are in no file
	beside   notice.Notice     // everything that the text says about a command, except about cuts
	limited  bool              // more results than the limit of the call or tool
	linesCut bool              // some lines are shown in part
	hosts    []config.HostUse  // hosts that a command tried to reach
	secrets  []mask.Finding    // secrets that are not shown
}

// set takes over what there is to know of a text that was bounded, with which Text begins. It returns that if something
// was left out, else nil.
func (b *Shown) set(r truncation.Result) *truncation.Result {
	b.output = notice.OutputIn(r.Text, 0, r.Text, &r)
	whole := r
	r.Text = "" // the result has it already
	m := r.Metadata()
	b.whole, b.Standout = r, r.Standout
	b.Truncated, b.OriginalLength, b.MaxLength = m.Truncated, m.OriginalLength, m.MaxLength
	b.CharsRemoved, b.Strategy = r.CharsRemoved(), r.Strategy
	if !whole.Truncated {
		return nil
	}
	return &whole
}

// finish derives the remaining fields, also for a text that was never cut.
func (b *Shown) finish(strategy truncation.Strategy, maxBytes int) {
	if b.Strategy == "" {
		b.Strategy, b.MaxLength = strategy, maxBytes
	}
	if b.linesCut {
		b.Truncated, b.CharsRemoved = true, -1
	}
	b.More = b.Truncated || b.limited
}

func (b Shown) shown() Shown { return b }

func (b *Shown) self() *Shown { return b }

// Shown returns what the result shows of the output. It is zero for a tool whose output nothing bounds.
func (r Result) Shown() Shown {
	if d, ok := r.details().(interface{ shown() Shown }); ok {
		return d.shown()
	}
	return Shown{}
}

func (r Result) details() any {
	if e, ok := r.Details.(*Error); ok {
		return e.details
	}
	return r.Details
}

// plus adds the numbers of two results that are shown together, such as two files. Other fields are a's, or b's if a's
// are zero.
func plus(a, b truncation.Result) truncation.Result {
	sum := func(a, b int) int {
		if a < 0 || b < 0 {
			return -1
		}
		return a + b
	}
	a.TotalLines, a.TotalChars = sum(a.TotalLines, b.TotalLines), sum(a.TotalChars, b.TotalChars)
	a.TotalBytes += b.TotalBytes
	a.OutputLines += b.OutputLines
	a.OutputBytes += b.OutputBytes
	a.OutputChars += b.OutputChars
	a.Truncated = a.Truncated || b.Truncated
	a.Standout = slices.Concat(a.Standout, b.Standout)
	a.StandoutMore += b.StandoutMore
	a.TruncatedBy = cmp.Or(a.TruncatedBy, b.TruncatedBy)
	return a
}

// Redaction is a secret that was replaced by a placeholder. See config.Redact.
type Redaction struct {
	Kind string `json:"kind"`           // such as "GitHub token"; never the secret itself
	Path string `json:"path,omitempty"` // its file, as texts name it; "" if only one file is concerned
	Line int    `json:"line,omitempty"` // in the file or output, from 1; 0 if unknown
}

// maxRedactions bounds the details: a file may consist of secrets.
const maxRedactions = 64

func (b *Shown) redacted(path string, found []mask.Finding) {
	b.Redacted += len(found)
	for _, f := range found[:min(len(found), maxRedactions-len(b.Redactions))] {
		b.Redactions = append(b.Redactions, Redaction{f.Kind, path, f.Line})
	}
	b.secrets = append(b.secrets, found...)
}
