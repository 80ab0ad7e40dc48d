package tools

import (
	"cmp"
	"os"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
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

func (s *shell) newOutput(kind, show string) *capture.Output {
	return capture.New(capture.Options{
		Spill: s.spill, Kind: kind, Policy: bashPolicy(s.cfg.Bash, show), Recent: progressTail, Split: s.cfg.Bash.SplitStreams,
		Name: func(path string) string { return quote.Name(s.paths.shown(path)) },
		Open: func(path string) (*os.File, error) {
			p, err := s.paths.ws.Resolve(quote.Name(path))
			if err != nil {
				return nil, err
			}
			f, _, err := p.OpenFile()
			return f, err
		},
	})
}

// progressOf returns what a watch of an output asks.
func progressOf(out *capture.Output) func() Update {
	return func() (u Update) {
		u.Bytes, u.Lines, u.Tail = out.Snapshot()
		return u
	}
}

// textOf returns the text of a stream. If something was left out, it also returns the facts, and the
// notice that says so and where the full output is, unless the marker does.
func textOf(c capture.Text) (text string, cut *truncation.Result, told notice.Notice) {
	whole := c.Result
	switch {
	case !c.Cut:
		return c.Text, nil, ""
	case !c.Marked:
		if c.Truncated && c.NewlineDropped {
			c.Text += "\n" // an empty last line is not to be taken for the blank line before the notice
		}
		c.TotalLines += c.Before
		told = notice.TailLines(c.Result, c.Saved)
	case c.Truncated && !says(c.Text, c.Saved):
		told = notice.FullOutput(c.Saved)
	}
	return c.Text, &whole, told
}
