package tools

import (
	"os"

	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/quote"
)

// newOutput returns what takes the output of a command.
func (s *shell) newOutput(p BashParams) *capture.Output {
	kind := "bash"
	if p.Background {
		kind = "job"
	}
	return capture.New(capture.Options{
		Spill: s.spill, Kind: kind, Redact: s.redact, Recent: progressTail, Split: s.cfg.Bash.SplitStreams,
		Policy: capture.Policy(s.cfg.Bash, p.Show), Reads: s.tools.has("read"),
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
