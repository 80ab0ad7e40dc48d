package replay

import (
	"cmp"
	"slices"

	"github.com/spillway-go/spillway/internal/report"
)

// Comparison is what calls cost, and would cost.
type Comparison struct {
	Changes []Change `json:"changes"`
	Tools   []Row    `json:"tools"` // the dearest first
	Sum     Row      `json:"sum"`
	Left    []Left   `json:"left"` // calls that are as they were, the most first
	Unread  int      `json:"unread,omitempty"`
	Beyond  int      `json:"beyond,omitempty"` // calls behind the 50,000 that are compared
}

// Row is a tool, or all of them.
type Row struct {
	Tool     string `json:"tool,omitempty"`
	Calls    int    `json:"calls"`
	Repeated int    `json:"repeated"`
	Then     Cost   `json:"then"`
	Now      Cost   `json:"now"` // with the calls that could not be repeated as they were
}

// Cost is what a model read.
type Cost struct {
	Bytes    int64 `json:"bytes"`
	Tokens   int64 `json:"tokens"`   // estimated
	Cut      int   `json:"cut"`      // results of which something is missing
	Fetched  int   `json:"fetched"`  // of these, results whose rest a later call of the record asked for
	Standout int   `json:"standout"` // lines that stand out and are left out, or shown by a digest
}

// Left is calls that could not be repeated.
type Left struct {
	Why   string         `json:"why"`
	Calls int            `json:"calls"`
	Tools map[string]int `json:"tools"`
	IDs   []string       `json:"ids"` // the first 20
}

// maxIDs is how many ids of calls are named for a reason, and maxReasons how many reasons there are. Those behind it
// are one.
const maxIDs, maxReasons = 20, 50

const whyMore = "for other reasons"

// compare compares two reports on the same calls.
func compare(changes []Change, then, now *report.Report, verdicts []verdict) *Comparison {
	c := &Comparison{Changes: changes, Tools: []Row{}, Left: []Left{}, Unread: then.Sums.Unread,
		Beyond: then.Sums.Calls + then.Sums.Nested - then.Sums.Listed}
	rows, reasons := map[string]*Row{}, map[string]*Left{}
	for i := range min(len(then.Calls), len(now.Calls), len(verdicts)) {
		was, is := then.Calls[i], now.Calls[i]
		if was.CalledBy != "" {
			continue // no model read it
		}
		row := rows[was.Tool]
		if row == nil {
			row = &Row{Tool: was.Tool}
			rows[was.Tool] = row
		}
		for _, row := range []*Row{row, &c.Sum} {
			row.Calls++
			row.Then.add(was, was)
			row.Now.add(is, was)
			if verdicts[i].why == "" {
				row.Repeated++
			}
		}
		if why := verdicts[i].why; why != "" {
			leave(reasons, why, was)
		}
	}
	for _, row := range rows {
		c.Tools = append(c.Tools, *row)
	}
	slices.SortFunc(c.Tools, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Then.Tokens, a.Then.Tokens), cmp.Compare(a.Tool, b.Tool))
	})
	for _, left := range reasons {
		c.Left = append(c.Left, *left)
	}
	slices.SortFunc(c.Left, func(a, b Left) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Why, b.Why))
	})
	return c
}

// add adds a call. Whether its rest was asked for is known of the recorded one alone.
func (c *Cost) add(call, recorded *report.Call) {
	c.Bytes += int64(call.Bytes)
	c.Tokens += int64(call.Tokens)
	c.Standout += call.Standout
	if call.Cut == "" {
		return
	}
	c.Cut++
	if recorded.Fetched() {
		c.Fetched++
	}
}

// leave counts a call that could not be repeated.
func leave(reasons map[string]*Left, why string, call *report.Call) {
	if reasons[why] == nil && len(reasons) >= maxReasons {
		why = whyMore
	}
	left := reasons[why]
	if left == nil {
		left = &Left{Why: why, Tools: map[string]int{}, IDs: []string{}}
		reasons[why] = left
	}
	left.Calls++
	if _, known := left.Tools[call.Tool]; known || len(left.Tools) < maxIDs {
		left.Tools[call.Tool]++
	}
	if len(left.IDs) < maxIDs {
		left.IDs = append(left.IDs, call.ID)
	}
}
