// Package report says what the calls of a record cost: what the model paid for, what of that was wasted, and what it
// did not see.
package report

import (
	"cmp"
	"fmt"
	"iter"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/tools/record"
)

// The bounds of a report, whatever the record holds.
const (
	maxCalls    = 50_000   // calls that are listed and judged; those behind them are in the sums alone
	maxText     = 64 << 10 // bytes of a result, and of a call's arguments, on the page
	maxData     = 32 << 20 // bytes of all results and arguments on the page
	maxLines    = 1 << 20  // lines of pages that are remembered, to know them again
	maxTools    = 50       // tools with a row of their own, and values that a filter offers
	maxJobs     = 1000     // jobs that are listed
	maxHosts    = 200      // hosts that are listed
	maxSessions = 64       // sessions whose workspace and options are listed
	maxProblems = 10       // lines that could not be read whose error is quoted
	maxName     = 100      // characters of a tool's name, an id, a code
	maxPath     = 1000     // characters of a path
	maxChanges  = 20       // changed files of a call that are named
	maxBrief    = 160      // characters of the line that stands for a call's arguments
)

// Report is what a record says.
type Report struct {
	Name     string    `json:"name"`
	Sums     Sums      `json:"sums"`
	Tools    []Tool    `json:"tools"`      // the dearest first
	Waste    []Waste   `json:"waste"`      // one of each kind, in their order
	Dearest  []int     `json:"dearest"`    // indexes of calls, at most ten
	Sessions []Session `json:"sessions"`   // at most maxSessions
	Jobs     []Job     `json:"jobs"`       // at most maxJobs
	Hosts    []Host    `json:"hosts"`      // at most maxHosts, in the order in which commands wanted to reach them
	Allow    string    `json:"allowHosts"` // the flags that allow those that a list can, as typed in a shell
	Calls    []*Call   `json:"calls"`      // as they ended, at most maxCalls
	Problems []string  `json:"problems"`   // what could not be read, at most maxProblems
	Gaps     []float64 `json:"gaps"`       // milliseconds on the time line where time between sessions was left out
	TextMax  int       `json:"textMax"`    // bytes of each text that the page has
}

// Sums are those of all calls. Bytes and tokens are what the model read.
type Sums struct {
	Calls    int     `json:"calls"`
	Listed   int     `json:"listed"`   // calls of which more than the sums is known
	Nested   int     `json:"nested"`   // calls that a tool made, whose text no model read: in none of the other sums
	Errors   int     `json:"errors"`   // calls with an error code
	Sessions int     `json:"sessions"` // suites that wrote to the record
	Unread   int     `json:"unread"`   // lines that could not be read
	Unknown  int     `json:"unknown"`  // calls whose facts are not in the record: it is not known what followed, or was left out
	Bytes    int64   `json:"bytes"`
	Tokens   int64   `json:"tokens"`
	Images   int     `json:"images"`
	Produced int64   `json:"produced"` // bytes of the whole outputs
	Hidden   int64   `json:"hidden"`   // bytes that were produced and not shown
	Cut      int     `json:"cut"`      // calls whose output was cut
	WallMs   float64 `json:"wallMs"`   // from the first call of each session to the end of its last
	BusyMs   float64 `json:"busyMs"`   // of that, the time in which a call ran
	AtOnce   int     `json:"atOnce"`   // the most calls that ran at once
	Wasted   int     `json:"wasted"`   // calls that were wasted, and what was paid for that
	WasteB   int64   `json:"wasteBytes"`
	WasteT   int64   `json:"wasteTokens"`
	Jobs     int     `json:"jobs"`
}

// Tool is what the calls of a tool cost.
type Tool struct {
	Name   string  `json:"name"`
	Calls  int     `json:"calls"`
	Errors int     `json:"errors"`
	Bytes  int64   `json:"bytes"`
	Tokens int64   `json:"tokens"`
	WasteT int64   `json:"wasteTokens"`
	ErrorT int64   `json:"errorTokens"` // of WasteT, those of failed calls
	Hidden int64   `json:"hidden"`
	Cut    int     `json:"cut"`
	Ms     float64 `json:"ms"`
}

// Session is a suite that wrote to the record.
type Session struct {
	ID        string      `json:"id"`
	Time      float64     `json:"time"` // milliseconds since 1970
	Workspace string      `json:"workspace"`
	Options   [][2]string `json:"options"` // by name
}

// Job is a command that went on behind the call that started it.
type Job struct {
	Number int     `json:"number"`
	Call   int     `json:"call"` // the number of the call that started it; 0 if the report does not list it
	State  string  `json:"state"`
	At     float64 `json:"at"` // on the time line, in milliseconds
	Ms     float64 `json:"ms"`
	Bytes  int     `json:"bytes"` // that it printed
	began  float64
}

// Call is a call of a record.
type Call struct {
	Number   int      `json:"n"`
	Session  int      `json:"session,omitempty"` // index
	ID       string   `json:"id,omitempty"`
	Tool     string   `json:"tool"`
	Brief    string   `json:"brief"` // its arguments, on one line
	Code     string   `json:"code,omitempty"`
	Time     float64  `json:"time"` // when it began, in milliseconds since 1970
	At       float64  `json:"at"`   // the same on the time line, which begins at 0
	Ms       float64  `json:"ms"`
	Bytes    int      `json:"bytes"` // of the text
	Lines    int      `json:"lines"`
	Tokens   int      `json:"tokens"` // of the text, estimated
	Produced int      `json:"produced,omitempty"`
	ProdLine int      `json:"producedLines,omitempty"`
	Hidden   int      `json:"hidden,omitempty"`
	Cut      string   `json:"cut,omitempty"` // what cut it: "lines", "bytes", "results", "long lines"; "" if nothing did
	Full     string   `json:"full,omitempty"`
	Images   int      `json:"images,omitempty"`
	AtOnce   int      `json:"atOnce,omitempty"`
	Reader   string   `json:"reader,omitempty"`
	CalledBy string   `json:"calledBy,omitempty"`
	Changes  []string `json:"changes,omitempty"` // the first of them, at most maxChanges, each on one line
	Standout int      `json:"standout,omitempty"`
	Changed  int      `json:"changed,omitempty"` // files that it has changed; of a command, with checkpoints
	Marks    []*Mark  `json:"marks,omitempty"`

	args   []argument
	text   excerpt
	length int      // bytes of the text, as far as it is recorded
	output [][2]int // where these are output: from a byte to another
}

// Read reads a record. It takes as much memory as the page will hold, whatever the size of the record. A record in
// which nothing can be read is an error, the first of its own if there is one.
func Read(name string, lines iter.Seq2[record.Line, error]) (*Report, error) {
	a := newAnalysis(name)
	var first error
	for line, err := range lines {
		if err != nil {
			if first == nil {
				first = err
			}
			a.problem(err)
			continue
		}
		a.add(&line)
	}
	if a.empty() {
		return nil, cmp.Or(first, fmt.Errorf("%s has no calls: a record is what -record, or the package tools/record, "+
			"writes", quote.Value(name)))
	}
	a.finish()
	a.report.Allow = allowing(a.report.Hosts)
	return a.report, nil
}
