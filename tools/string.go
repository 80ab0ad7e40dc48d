package tools

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/size"
)

// String returns a line for each tool, in the order of their names.
func (s Stats) String() string {
	if len(s) == 0 {
		return "no calls"
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		lines = append(lines, name+": "+s[name].String())
	}
	return strings.Join(lines, "\n")
}

// String returns the sums on one line. It leaves out those that are 0.
func (t ToolStats) String() string {
	parts := []string{notice.Count(t.Calls, "call")}
	for _, p := range []struct {
		n    int
		what string
	}{
		{t.Errors, "failed"}, {t.Truncated, "cut"}, {t.LimitReached, "ended at a limit"},
		{t.Spilled, "with the full output in a file"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return fmt.Sprintf("%s; %s produced, %s shown; %s", strings.Join(parts, ", "),
		size.Format(t.BytesProduced), size.Format(t.BytesShown), rounded(t.Duration))
}

func rounded(d time.Duration) time.Duration {
	if d < time.Millisecond {
		return d.Round(time.Microsecond)
	}
	return d.Round(time.Millisecond)
}

// String returns Text, so that a printed result is what the model reads.
func (r Result) String() string { return r.Text }

// String returns Text.
func (r WriteResult) String() string { return r.Text }

// String returns Text.
func (r EditResult) String() string { return r.Text }

// String returns Text.
func (r JobResult) String() string { return r.Text }

// String returns Text.
func (b Shown) String() string { return b.Text }

// Summary says on one line how much of the output is shown.
func (b Shown) Summary() string {
	if !b.Truncated {
		if b.More {
			return "a page; there is more"
		}
		return "complete"
	}
	if b.whole.TotalLines <= 0 || !b.whole.Truncated {
		return "cut"
	}
	return fmt.Sprintf("cut (%s): %d of %s, %s of %s", b.Strategy, b.whole.OutputLines,
		notice.Count(b.whole.TotalLines, "line"), size.Format(int64(b.whole.OutputBytes)),
		size.Format(int64(b.whole.TotalBytes)))
}

// String says on one line what was done to the file.
func (c FileChange) String() string {
	text := show(c.Path) + ": "
	switch {
	case c.Created:
		text += "created, "
	case c.Removed:
		text += "removed, "
	case c.MovedFrom != "":
		text += "moved from " + show(c.MovedFrom) + ", "
	}
	return text + notice.LinesChanged(c.LinesAdded, c.LinesRemoved)
}

// String returns the job, its state, and how much it has printed, on one line.
func (s JobState) String() string {
	return fmt.Sprintf("job %d: %s (%s, %s, %s printed)", s.Job, show(s.Command), s.State,
		rounded(time.Duration(s.AgeMs)*time.Millisecond), size.Format(s.Bytes))
}

// String returns the state of the job on one line.
func (j *Job) String() string { return j.State().String() }

// String returns the engine and what it does not prevent, on one line.
func (s SandboxInfo) String() string {
	text := s.Engine
	if s.ABI > 0 {
		text += fmt.Sprintf(" (ABI %d)", s.ABI)
	}
	if len(s.NotEnforced) > 0 {
		text += "; not prevented: " + strings.Join(s.NotEnforced, "; ")
	}
	return text
}
