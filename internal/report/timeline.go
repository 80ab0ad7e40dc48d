package report

import (
	"cmp"
	"slices"
)

// longestGap is how much of a time without any call, from one session to the next, the time line shows, in
// milliseconds.
const longestGap = 60_000

// span is from one time to another, in milliseconds since 1970.
type span struct{ from, to float64 }

// timeline says when calls ran.
type timeline struct {
	sessions []span // by the session's index; the zero one is of a session without calls
	busy     []span // when a call ran
}

// maxSpans is how many spans are held after overlapping ones were joined. Time in later calls is not counted.
const maxSpans = 200_000

func (t *timeline) add(session int, at, ms float64) {
	s := span{at, at + ms}
	for len(t.sessions) <= session {
		t.sessions = append(t.sessions, span{})
	}
	if all := &t.sessions[session]; *all == (span{}) {
		*all = s
	} else {
		all.from, all.to = min(all.from, s.from), max(all.to, s.to)
	}
	if len(t.busy) < maxSpans {
		t.busy = append(t.busy, s)
	} else if t.busy = union(t.busy); len(t.busy) < maxSpans {
		t.busy = append(t.busy, s)
	}
}

// union returns the spans in order, with those joined that overlap.
func union(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	joined := spans[:0]
	for _, s := range spans {
		if n := len(joined); n > 0 && s.from <= joined[n-1].to {
			joined[n-1].to = max(joined[n-1].to, s.to)
		} else {
			joined = append(joined, s)
		}
	}
	return joined
}

// sums returns the time from the first call of each session to the end of its last, and that in which a call ran.
// Sessions at the same time count once.
func (t *timeline) sums() (wall, busy float64) {
	for _, s := range t.walls() {
		wall += s.to - s.from
	}
	t.busy = union(t.busy)
	for _, s := range t.busy {
		busy += s.to - s.from
	}
	return wall, busy
}

// walls are the times of the sessions with calls.
func (t *timeline) walls() []span {
	return union(slices.DeleteFunc(slices.Clone(t.sessions), func(s span) bool { return s == span{} }))
}

// place gives calls and jobs their place on the time line, which leaves out most of a long time between sessions.
func (t *timeline) place(r *Report) {
	walls := t.walls()
	if len(walls) == 0 {
		return
	}
	starts := make([]float64, len(walls)) // on the time line
	for i := 1; i < len(walls); i++ {
		gap := walls[i].from - walls[i-1].to
		starts[i] = starts[i-1] + walls[i-1].to - walls[i-1].from + min(gap, longestGap)
		if gap > longestGap {
			r.Gaps = append(r.Gaps, starts[i]-longestGap/2)
		}
	}
	at := func(time float64) float64 {
		i, found := slices.BinarySearchFunc(walls, time, func(s span, time float64) int { return cmp.Compare(s.from, time) })
		if !found && i > 0 {
			i--
		}
		return starts[i] + time - walls[i].from
	}
	for _, c := range r.Calls {
		c.At = at(c.Time)
	}
	for i := range r.Jobs {
		r.Jobs[i].At = max(0, at(r.Jobs[i].began))
	}
}
