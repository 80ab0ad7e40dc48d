package report

import (
	"cmp"
	"slices"
)

// The kinds of waste, and of what a reader of a report looks for beside it.
const (
	kindError   = "error"
	kindAgain   = "again"
	kindSeen    = "seen"
	kindPoll    = "poll"
	kindMissed  = "missed"
	kindFetched = "fetched"
	kindSkipped = "skipped"
)

// The questions that the kinds answer.
const (
	askTwice  = "What was paid twice?"
	askWrong  = "What went wrong?"
	askHidden = "What was not shown?"
)

// Waste is a kind of waste and the calls that are of it.
type Waste struct {
	Kind       string  `json:"kind"`
	Title      string  `json:"title"`
	Question   string  `json:"question"`   // that it answers, one of three
	Definition string  `json:"definition"` // one sentence
	Counts     bool    `json:"counts"`     // what was paid for these calls was wasted
	Calls      int     `json:"calls"`
	Bytes      int64   `json:"bytes"`  // that were wasted; of a cut result, those that were not shown
	Tokens     int64   `json:"tokens"` // that were wasted; 0 of those that do not count
	Ms         float64 `json:"ms"`
	Parts      []Part  `json:"parts"` // how many calls were so, the most first
	Codes      []Part  `json:"codes"` // how many calls had that error code
}

// Part is a number of calls.
type Part struct {
	Name  string `json:"name"`
	Calls int    `json:"calls"`
}

// Mark says that a call is of a kind.
type Mark struct {
	Kind   string `json:"kind"`
	How    string `json:"how"`             // which of the kind's parts
	Bytes  int    `json:"bytes,omitempty"` // as in Waste
	Tokens int    `json:"tokens,omitempty"`
	Other  int    `json:"other,omitempty"` // the number of the call that was before, or that followed
	Say    string `json:"say,omitempty"`   // what else is to be said
}

// newWaste returns the kinds without any calls. A call is of one of the first four kinds at most, the first that fits,
// so that nothing is wasted twice.
func newWaste() []Waste {
	return []Waste{
		{Kind: kindAgain, Title: "Same call again", Question: askTwice, Counts: true, Definition: "The same tool with the same arguments " +
			"had returned the same text before; a command counts only if nothing that changes files ran in between."},
		{Kind: kindSeen, Title: "Lines seen before", Question: askTwice, Counts: true, Definition: "Lines that an earlier read of the same " +
			"file had shown under the same number with the same text, where a page has five or more of them or no others."},
		{Kind: kindPoll, Title: "Polls", Question: askTwice, Counts: true, Definition: "A call of job that returned no output while " +
			"the job went on, or a command that sleeps and printed nothing, or the same as the time before."},
		{Kind: kindError, Title: "Errors", Question: askWrong, Counts: true, Definition: "A call that failed: corrected if the same tool " +
			"succeeded with other arguments and the same target within the next ten calls, repeated or changed in vain if " +
			"it failed again, given up if it was not called so, or refused if rules or the user did not allow it."},
		{Kind: kindMissed, Title: "Cut and not followed", Question: askHidden, Definition: "A result was cut, and no later call asked for " +
			"its next page, for more results or for the file with its full output."},
		{Kind: kindFetched, Title: "Cut and followed", Question: askHidden, Definition: "A result was cut, and a later call asked for its " +
			"next page, for more results or for the file with its full output."},
		{Kind: kindSkipped, Title: "Searches that left things out", Question: askHidden, Definition: "grep or find did not search " +
			"files that are unreadable, refused by rules, too large, binary, hidden or ignored by git, or not as UTF-8."},
	}
}

// waste sums up the marks of the calls.
func (a *analysis) waste() {
	r := a.report
	for _, c := range r.Calls {
		wasted := false
		for _, m := range c.Marks {
			w := &r.Waste[slices.IndexFunc(r.Waste, func(w Waste) bool { return w.Kind == m.Kind })]
			w.Calls++
			w.Bytes += int64(m.Bytes)
			w.Tokens += int64(m.Tokens)
			w.Ms += c.Ms
			w.Parts = counted(w.Parts, m.How)
			if m.Kind == kindError {
				w.Codes = counted(w.Codes, c.Code)
			}
			if w.Counts {
				wasted = true
				r.Sums.WasteB += int64(m.Bytes)
				r.Sums.WasteT += int64(m.Tokens)
				if t := cmp.Or(a.tools[c.Tool], a.tools[otherTools]); t != nil {
					t.WasteT += int64(m.Tokens)
					if m.Kind == kindError {
						t.ErrorT += int64(m.Tokens)
					}
				}
			}
		}
		if wasted {
			r.Sums.Wasted++
		}
	}
	for i := range r.Waste {
		w := &r.Waste[i]
		for _, parts := range [][]Part{w.Parts, w.Codes} {
			slices.SortStableFunc(parts, func(a, b Part) int { return b.Calls - a.Calls })
		}
	}
}

// counted counts a call in the part of that name. There are at most maxTools parts.
func counted(parts []Part, name string) []Part {
	i := slices.IndexFunc(parts, func(p Part) bool { return p.Name == name })
	switch {
	case i >= 0:
		parts[i].Calls++
	case len(parts) < maxTools:
		parts = append(parts, Part{name, 1})
	}
	return parts
}
