package tools

import (
	"cmp"
	"os"

	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/truncation"
)

// shownParts are the strategies by which a call names the part that is shown.
var shownParts = map[string]truncation.Strategy{
	"tail": truncation.Tail, "head": truncation.Head, "both": truncation.HeadTailLines,
	showDigest: truncation.Digest,
}

// newOutput returns what takes the output of a command. A notice says if the tail of it was cut, and a marker if any
// other part was.
func (s *shell) newOutput(p BashParams) *capture.Output {
	cfg, kind := s.cfg.Bash, "bash"
	if p.Background {
		kind = "job"
	}
	strategy := cmp.Or(shownParts[p.Show], cfg.Strategy)
	if strategy == truncation.Digest && strategy != cfg.Strategy {
		cfg.MaxBytes = min(cfg.MaxBytes, truncation.DigestBytes)
	}
	return capture.New(capture.Options{
		Spill: s.spill, Kind: kind, Redact: s.redact, Recent: progressTail, Split: cfg.SplitStreams,
		Policy: truncation.Policy{
			Strategy: strategy,
			Limits: truncation.Limits{
				Lines: truncation.Limit(cfg.MaxLines), Bytes: truncation.Limit(cfg.MaxBytes),
				Chars: truncation.Limit(cfg.MaxChars),
			},
			First: cfg.FirstLines, Last: cfg.LastLines, Threshold: cfg.Threshold, Marker: cfg.Marker,
			Unmarked: strategy == truncation.Tail && cfg.Marker == "", Standout: !cfg.NoStandout,
		},
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
// notice that says so and where the full output is, unless the marker does. file names that for a job, whose file
// is named elsewhere. room is the size in bytes that naming lines that stand out may take.
func textOf(c capture.Text, file string, room int) (text string, cut *truncation.Result, left notice.Notice) {
	whole := c.Result
	switch {
	case !c.Cut:
		return c.Text, nil, ""
	case c.Matched && !c.LastLinePartial:
		left = notice.LinesBefore(c.Result, c.Before, file)
	case !c.Marked:
		if c.Truncated && c.NewlineDropped {
			c.Text += "\n" // an empty last line is not to be taken for the blank line before the notice
		}
		c.TotalLines += c.Before
		left = notice.TailLines(c.Result, c.Saved)
	case c.Truncated && !says(c.Text, c.Saved):
		left = notice.FullOutput(c.Saved)
	}
	if c.Strategy != truncation.Digest {
		stands := notice.Standout{Lines: c.Standout, More: c.StandoutMore, Before: !c.Marked, Room: room}
		left = notice.Join(left, stands.Notice())
	}
	return c.Text, &whole, left
}

// standoutRoom returns how many bytes may name lines that stand out in each of the streams, beside those notices.
func standoutRoom(notices []notice.Notice, streams int) int {
	const rest = 280 // what is cut and where all of it is, the exit code, brackets and blank lines
	return (notice.Allowance - rest - len(notice.Append("", notices...))) / streams
}

// stderrOf returns the text of stderr, where it is a stream of its own.
func stderrOf(shown []capture.Text) string {
	if len(shown) < 2 {
		return ""
	}
	return shown[1].Text
}
