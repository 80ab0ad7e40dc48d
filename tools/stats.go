package tools

import (
	"maps"
	"sync"
	"time"
)

// Stats are the sums of a suite's calls, by the name of the tool.
type Stats map[string]ToolStats

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

// stats sums up calls. Its zero value has none.
type stats struct {
	mu    sync.Mutex
	tools Stats
}

func (s *stats) add(c *call, res Result) {
	b := res.Bounds()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tools == nil {
		s.tools = Stats{}
	}
	t := s.tools[c.name]
	t.Calls++
	t.Errors += count1(res.Code != "")
	t.Truncated += count1(b.whole.Truncated)
	t.LimitReached += count1(b.limited)
	t.Spilled += count1(b.spilled != "")
	t.Duration += time.Since(c.began)
	t.BytesProduced += int64(b.whole.TotalBytes)
	t.BytesShown += int64(len(res.Text))
	s.tools[c.name] = t
}

func count1(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sums returns the sums so far.
func (s *stats) sums() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.tools)
}
