package tools

import (
	"bytes"
	"cmp"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/terminal"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

// shown are the strategies by which a call names the part that is shown.
var shown = map[string]truncation.Strategy{"tail": truncation.Tail, "head": truncation.Head, "both": truncation.HeadTailLines}

// bashPolicy returns the policy for the output of a command. A notice tells of a cut of the
// tail, and a marker of any other. show, if it is not "", replaces the strategy.
func bashPolicy(cfg config.Bash, show string) truncation.Policy {
	cfg.Strategy = cmp.Or(shown[show], cfg.Strategy)
	return truncation.Policy{
		Strategy: cfg.Strategy,
		Limits:   truncation.Limits{Lines: truncation.Limit(cfg.MaxLines), Bytes: truncation.Limit(cfg.MaxBytes), Chars: truncation.Limit(cfg.MaxChars)},
		First:    cfg.FirstLines, Last: cfg.LastLines, Threshold: cfg.Threshold, Marker: cfg.Marker,
		Unmarked: cfg.Strategy == truncation.Tail && cfg.Marker == "",
	}
}

// capture takes the raw output of a command, or stdout or stderr alone: every byte
// goes to the spill, and what a terminal would show to shown.
type capture struct {
	mu     sync.Mutex // a snapshot is taken while the command writes
	spill  *spill.Writer
	filter *terminal.Filter
	shown  *truncation.Writer
	recent *truncation.Writer // the end of it, for progress; shown itself where that keeps the end
	marked bool               // a marker tells of a cut, and not a notice
	wrote  time.Time          // when something came last
	saved  truncation.Saved   // where all of it is, once it is known that not all is shown

	policy truncation.Policy
	job    jobCapture // the zero value if it is not a job's
}

func newCapture(w *spill.Writer, policy truncation.Policy) *capture {
	c := &capture{spill: w, policy: policy, marked: !policy.Unmarked}
	c.renew()
	c.filter = terminal.NewFilter(lineWriter(func(lines []byte) (int, error) {
		if c.marked {
			c.recent.Write(lines)
		}
		return c.shown.Write(lines)
	}))
	return c
}

// lineWriter is a function as an io.Writer.
type lineWriter func([]byte) (int, error)

func (w lineWriter) Write(p []byte) (int, error) { return w(p) }

// renew begins a new part of the output to show.
func (c *capture) renew() {
	c.shown = c.policy.NewWriter()
	if c.recent = c.shown; c.marked {
		c.recent = progressTail.NewWriter()
	}
	c.saved = truncation.Saved{}
}

func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrote = time.Now()
	if n := bytes.LastIndexByte(p, '\n'); n >= 0 {
		c.job.line = c.spill.Size() + int64(n) + 1
	}
	c.spill.Write(p)
	c.filter.Write(p)
	if c.shown.Full() {
		c.spill.Spill()
	}
	return len(p), nil
}

// snapshot returns how far the output has come.
func (c *capture) snapshot() (u Update, wrote time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	tail := c.recent.Result()
	if tail.NewlineDropped {
		tail.Text += "\n"
	}
	shown := progressTail.Cut(tail.Text + string(c.filter.Pending()))
	return Update{Bytes: c.spill.Size(), Lines: tail.TotalLines, Tail: shown}, c.wrote
}

// result returns what is shown of the output, once it is whole, with a marker that
// names where all of it was saved.
func (c *capture) result() truncation.Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.job.goesOn {
		c.filter.Close()
	}
	c.shown.SetSaved(c.saved)
	return c.shown.Result()
}

func (c *capture) lower(limits truncation.Limits) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shown.Lower(limits)
}

// notice tells of the cut, unless the marker does, and says where the full output
// is.
func (c *capture) notice(shown truncation.Result) notice.Notice {
	switch {
	case !c.marked:
		shown.TotalLines += c.job.lines
		return notice.TailLines(shown, c.saved)
	case !shown.Truncated || says(shown.Text, c.saved):
		return ""
	}
	return notice.FullOutput(c.saved)
}

// output is what a command prints.
type output struct {
	limits truncation.Limits
	stdout *capture // with stderr in it, unless that is apart
	stderr *capture // or nil
}

func (s *Suite) newOutput(kind, show string) *output {
	policy := bashPolicy(s.cfg.Bash, show)
	o := &output{limits: policy.Limits, stdout: newCapture(s.spill.NewWriter(kind), policy)}
	if s.cfg.Bash.SplitStreams {
		o.stderr = newCapture(o.stdout.spill.Beside("stderr"), policy)
	}
	return o
}

func (o *output) close() {
	for _, c := range o.streams() {
		c.spill.Close()
	}
}

// snapshot returns how far both streams have come, and the end of the one that came last.
func (o *output) snapshot() Update {
	u, wrote := o.stdout.snapshot()
	if o.stderr != nil {
		e, later := o.stderr.snapshot()
		u.Bytes, u.Lines = u.Bytes+e.Bytes, u.Lines+e.Lines
		if later.After(wrote) {
			u.Tail = e.Tail
		}
	}
	return u
}

// divide shares the limits between the streams, once they are whole. The path of one
// that is saved takes room in its marker.
func (s *Suite) divide(o *output, full bool) {
	if o.stderr == nil {
		return
	}
	s.save(o.stdout, full)
	s.save(o.stderr, full)
	stdout, stderr := halves(o.limits, o.stdout.result(), o.stderr.result())
	o.stdout.lower(stdout)
	o.stderr.lower(stderr)
}

// save keeps the file with all of a stream once, if something of it is not shown. full
// says that the command printed more than was captured.
func (s *Suite) save(c *capture, full bool) {
	if c.saved == (truncation.Saved{}) && (c.result().Truncated || full && c.spill.Size() > 0) {
		path, err := c.keep()
		c.saved = truncation.Saved{Path: workspace.Quote(s.shownPath(path)), Err: err}
	}
}

// streamText is what is shown of a stream.
type streamText struct {
	truncation.Result
	cut        *truncation.Result // the same, if something was left out
	notice     notice.Notice
	path       string // the file with all of it, as read takes it
	spillError string // why there is none
}

// showStream saves what needs it of a stream, and gives what is shown.
func (s *Suite) showStream(c *capture, full bool) (t streamText) {
	s.save(c, full)
	t.Result = c.result()
	if c.saved != (truncation.Saved{}) {
		if c.saved.Err == nil {
			t.path = c.saved.Path
		} else {
			t.spillError = c.saved.Err.Error()
		}
		t.notice = c.notice(t.Result)
		cut := t.Result
		t.cut = &cut
	}
	if !c.marked && t.Truncated && t.NewlineDropped {
		t.Text += "\n" // an empty last line is not to be taken for the blank line before the notice
	}
	return t
}

// halves divides the lines, bytes and characters between two texts, each of which was
// bounded by l: a half for each, at least 1, and what one of them does not need for the
// other.
func halves(l truncation.Limits, a, b truncation.Result) (forA, forB truncation.Limits) {
	divide := func(total truncation.Limit, needA, needB int) (forA, forB truncation.Limit) {
		half := int(total) / 2
		switch {
		case total <= 0:
			return total, total
		case needA <= int(total)-needB:
			// What neither needs is divided as well: a text that another limit
			// cuts gets a marker, which may be longer than what it replaces.
			needA += (int(total) - needA - needB) / 2
			return truncation.AtMost(needA), truncation.AtMost(int(total) - needA)
		case needA <= half:
			return truncation.AtMost(needA), truncation.AtMost(int(total) - needA)
		case needB <= half:
			return truncation.AtMost(int(total) - needB), truncation.AtMost(needB)
		}
		return truncation.AtMost(max(half, 1)), truncation.AtMost(max(int(total)-half, 1))
	}
	forA.Lines, forB.Lines = divide(l.Lines, max(lines(a.Text), a.OutputLines), max(lines(b.Text), b.OutputLines))
	forA.Bytes, forB.Bytes = divide(l.Bytes, len(a.Text), len(b.Text))
	forA.Chars, forB.Chars = divide(l.Chars, utf8.RuneCountInString(a.Text), utf8.RuneCountInString(b.Text))
	return forA, forB
}
