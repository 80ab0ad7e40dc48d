package find

import (
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/leftout"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/tree"
	"github.com/spillway-go/spillway/truncation"
)

// Result is what a search found.
type Result struct {
	Text       string            // the results that are shown, and the notices
	List       truncation.Result // the former; zero if there are none
	Entries    []tree.Entry      // the same
	Hits       tree.Hits         // those that git ignores
	Limit      int               // of the call, if there are more results than that; else 0
	NextOffset int               // the offset to continue with; 0 if there is no more
	Left       leftout.Notes     // what was not searched
}

// result returns what was found. Only a search that came to its end knows that there is nothing.
func (s *Search) result(ended bool) (Result, error) {
	res := Result{Left: s.left}
	if s.seen == 0 {
		if ended {
			res.Text = s.missed.text()
		}
		left := s.left.None(s.First, ended)
		res.Text = notice.Append(res.Text, left, notice.IfRoom(s.corrected, left))
		return res, nil
	}
	if s.byTime {
		s.sorted()
	}
	offset := s.params.Offset
	if s.seen <= offset {
		return res, fault.Errorf(fault.InvalidInput, "offset %d is beyond the end: there are %d results", offset, s.seen)
	}
	res.Entries, res.List = s.list.Result()
	for _, e := range res.Entries {
		res.Hits.Add(e.Root)
	}
	next := offset + res.List.OutputLines
	more := s.more || s.seen > next
	if more && !(s.byTime && next == maxByTime) {
		res.NextOffset = next
	}
	if s.more {
		res.Limit = s.params.Limit
	}
	var total notice.Notice
	if s.byTime && more {
		total = notice.Total(next, s.seen, "results")
	}
	said := notice.Fit(s.limitReached(), notice.ListLimit(res.List), notice.Continue(res.NextOffset), total,
		res.Hits.Notice(), s.corrected)
	left := s.left.Found(s.First, ended && !s.ended, !ended, notice.Room(said...))
	res.Text = notice.Append(res.List.Text, append(said, left)...)
	return res, nil
}

// limitReached returns the notice for a search that found more than its limit; "" for others.
func (s *Search) limitReached() notice.Notice {
	offset, limit := s.params.Offset, s.params.Limit
	switch {
	case !s.more:
		return ""
	case s.byTime && offset+limit == maxByTime:
		return notice.Newest(maxByTime)
	}
	return notice.LimitReached{Limit: limit, One: "result", Many: "results", Refine: true, Continued: offset > 0}.Notice()
}
