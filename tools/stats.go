package tools

import (
	"maps"
	"sync"
	"time"
)

// Stats sums up a suite's calls, by the name of the tool.
type Stats map[string]ToolStats

// ToolStats sums up the calls of a tool. [config.Config.Observe] gets the details of each.
type ToolStats struct {
	Calls         int           // all calls
	Errors        int           // calls that failed or were denied
	Truncated     int           // calls cut by size
	LimitReached  int           // calls that ended at a limit of results or lines
	Spilled       int           // calls with a full output in a file
	Duration      time.Duration // of all calls together, guards included
	BytesProduced int64         // of outputs, as far as examined
	BytesShown    int64         // to the model
}

type stats struct {
	mu    sync.Mutex
	tools Stats
}

// add counts a call. b is what its result shows.
func (s *stats) add(c *call, b *Shown) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tools == nil {
		s.tools = Stats{}
	}
	t := s.tools[c.name]
	t.Calls++
	if c.result.Code != "" {
		t.Errors++
	}
	if b.whole.Truncated {
		t.Truncated++
	}
	if b.limited {
		t.LimitReached++
	}
	if b.spilled != "" {
		t.Spilled++
	}
	t.Duration += time.Since(c.began)
	t.BytesProduced += int64(b.whole.TotalBytes)
	t.BytesShown += int64(len(c.result.Text))
	s.tools[c.name] = t
}

func (s *stats) sums() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.tools)
}
