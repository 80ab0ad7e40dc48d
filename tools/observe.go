package tools

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/redact"
	"github.com/spillway-go/spillway/truncation"
)

// Bounds says how much of the output is shown. It is part of the details of every
// result, with the same JSON names for all tools. Truncated is also set if lines are
// shown in part; what these lack is not counted, and CharsRemoved is then -1. A list
// that ended at its limit of matches, results or entries, and a page that ended at the
// lines asked for, set More and not Truncated.
type Bounds struct {
	Truncated      bool                `json:"truncated"`      // something is not shown: a limit of the tool cut the output, or lines of it
	OriginalLength int                 `json:"originalLength"` // the length of the whole, in the unit of MaxLength
	MaxLength      int                 `json:"maxLength"`      // the limit in bytes, or in characters if that one cut the output or is lower; 0 if there is none
	CharsRemoved   int                 `json:"charsRemoved"`   // characters that are not shown; 0 if Truncated is not set, -1 if they were not counted
	Strategy       truncation.Strategy `json:"strategy"`       // which part is shown, or would be

	// More says that there is more than is shown, for any reason. The notices say how
	// to get it.
	More bool `json:"more,omitempty"`

	// Standout names lines that are left out and stand out, or stand out in a digest, the most telling ones first, 64
	// at most. See Bash.NoStandout and truncation.Policy.
	Standout []truncation.Line `json:"standout,omitempty"`

	Redacted   int         `json:"redacted,omitempty"`   // secrets in whose place the result has placeholders: see config.Redact
	Redactions []Redaction `json:"redactions,omitempty"` // the first 64 of them

	whole    truncation.Result // with the numbers behind the metadata
	spilled  string            // the file with the full output
	stderr   string            // the one with all of stderr, where that is shown apart and spilled is that of stdout
	partly   bool              // some of what is shown is in neither
	before   int               // lines of the file before those that the call could show
	said     notice.Notice     // what else was said of a command, and is in no file
	beside   notice.Notice     // all that the text says of a command beside what was cut
	limited  bool              // there is more than the limit of the call, or of the tool, let through
	linesCut bool              // there are lines of which not all is shown
	secrets  []redact.Finding  // that are not shown
}

// set takes over what there is to know of a text that was bounded. It returns that if something was left out, else nil.
func (b *Bounds) set(r truncation.Result) *truncation.Result {
	whole := r
	r.Text = "" // it is in the result already
	m := r.Metadata()
	b.whole, b.Standout = r, r.Standout
	b.Truncated, b.OriginalLength, b.MaxLength = m.Truncated, m.OriginalLength, m.MaxLength
	b.CharsRemoved, b.Strategy = r.CharsRemoved(), r.Strategy
	if !whole.Truncated {
		return nil
	}
	return &whole
}

// finish sets what follows from the rest, and what is known of a result whose text was
// never in question.
func (b *Bounds) finish(tool spec) {
	if b.Strategy == "" {
		b.Strategy, b.MaxLength = tool.strategy, tool.maxBytes
	}
	if b.linesCut {
		b.Truncated, b.CharsRemoved = true, -1
	}
	b.More = b.Truncated || b.limited
}

func (b Bounds) bounds() Bounds { return b }

// Metadata returns the flat form that some agents keep with a tool's output.
func (b Bounds) Metadata() truncation.Metadata {
	return truncation.Metadata{Truncated: b.Truncated, OriginalLength: b.OriginalLength, MaxLength: b.MaxLength}
}

// Bounds returns how much of the output is shown. It is zero for a tool whose output
// nothing bounds.
func (r Result) Bounds() Bounds {
	if d, ok := r.details().(interface{ bounds() Bounds }); ok {
		return d.bounds()
	}
	return Bounds{}
}

// details returns the details of what was gathered, also where the call failed.
func (r Result) details() any {
	if e, ok := r.Details.(*Error); ok {
		return e.details
	}
	return r.Details
}

// plus adds up the numbers of two results that are shown together, as of two files.
// What is not a number is a's, or else b's.
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

// observe reports a call that has ended with that result: the event is what is counted and observed. Whoever
// watches a call must not end it: a panic is dropped.
func (c *calls) observe(ctx context.Context, m made, res Result) {
	atOnce := c.ends()
	defer func() { _ = recover() }()
	b, in := res.Bounds(), inner(ctx)
	e := config.Event{
		ID: callID(ctx), CalledBy: in.by, Conversation: readerOf(ctx), Args: c.redact.JSON(m.args), Tool: m.tool,
		Began: m.began, Duration: time.Since(m.began), AtOnce: atOnce, Code: res.Code,
		Text: res.Text, Images: len(res.Images),
		BytesShown: len(res.Text), LinesShown: notice.Lines(res.Text),
		BytesProduced: b.whole.TotalBytes, LinesProduced: max(b.whole.TotalLines, b.whole.OutputLines),
		Truncated: b.whole.Truncated, TruncatedBy: b.whole.TruncatedBy, LimitReached: b.limited, LinesCut: b.linesCut,
		Standout: len(b.Standout) + b.whole.StandoutMore, StandoutLines: b.Standout,
		Strategy: b.Strategy, CharsRemoved: b.CharsRemoved, SpillPath: b.spilled,
		TraceParent: traceOf(ctx).parent, TraceState: traceOf(ctx).state,
	}
	if said := string(b.beside); strings.Contains(res.Text, said) {
		e.Said = said // as it is shown, which it is not with a secret in it
	}
	if m.tool != "" {
		c.stats.add(e)
	}
	if c.cfg.Observe != nil {
		c.cfg.Observe(ctx, e)
	}
}

// ToolStats sums up the calls of a tool. [config.Config.Observe] is told more of each.
type ToolStats struct {
	Calls         int           // calls made
	Errors        int           // those that failed or were denied
	Truncated     int           // calls whose output was cut by its size
	LimitReached  int           // calls that ended at a number of results, or of lines of a file, where there are more
	Spilled       int           // calls whose full output is in a file
	Duration      time.Duration // of all calls together, the time of guards included
	BytesProduced int64         // of the outputs, as far as they were looked at
	BytesShown    int64         // of the texts for the model
}

type stats struct {
	mu    sync.Mutex
	tools Stats
}

func (s *stats) add(e config.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tools == nil {
		s.tools = Stats{}
	}
	t := s.tools[e.Tool]
	t.Calls++
	t.Errors += count1(e.Code != "")
	t.Truncated += count1(e.Truncated)
	t.LimitReached += count1(e.LimitReached)
	t.Spilled += count1(e.SpillPath != "")
	t.Duration += e.Duration
	t.BytesProduced += int64(e.BytesProduced)
	t.BytesShown += int64(e.BytesShown)
	s.tools[e.Tool] = t
}

func count1(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Stats sums up the calls so far, by the name of the tool. It has no entry for a tool
// that was not called.
func (s *Suite) Stats() Stats {
	stats := s.calls.stats
	stats.mu.Lock()
	defer stats.mu.Unlock()
	return maps.Clone(stats.tools)
}
