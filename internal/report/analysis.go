package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/record"
	"github.com/spillway-go/spillway/truncation"
)

// analysis is a report in the making.
type analysis struct {
	report   *Report
	sessions map[string]int // indexes; of those behind maxSessions, too
	tools    map[string]*Tool
	started  map[string]int // numbers of the calls that jobs name
	judges   *judges
	texts    texts
	times    timeline
	hosts    hostsOf
	last     float64 // when the call before began, for one that does not say
}

func newAnalysis(name string) *analysis {
	a := &analysis{
		report: &Report{Name: name, Waste: newWaste(), Tools: []Tool{}, Dearest: []int{}, Sessions: []Session{},
			Jobs: []Job{}, Hosts: []Host{}, Calls: []*Call{}, Problems: []string{}, Gaps: []float64{}}, // in JSON, none of them is null
		sessions: map[string]int{}, tools: map[string]*Tool{}, started: map[string]int{},
		judges: newJudges(), texts: texts{most: maxText, room: maxData},
	}
	a.hosts = newHostsOf(&a.report.Hosts)
	return a
}

func (a *analysis) empty() bool {
	return a.report.Sums.Calls == 0 && a.report.Sums.Nested == 0 && len(a.sessions) == 0
}

func (a *analysis) problem(err error) {
	a.report.Sums.Unread++
	if len(a.report.Problems) < maxProblems {
		a.report.Problems = append(a.report.Problems, quote.Value(err.Error()))
	}
}

// add adds a line of the record.
func (a *analysis) add(rec *record.Line) {
	a.hosts.add(rec)
	switch rec.Kind {
	case "session":
		a.session(rec)
	case "call":
		a.call(rec)
	case "job":
		a.job(rec)
	}
}

// sessionOf returns the index of a line's session, whose beginning may have been rotated away.
func (a *analysis) sessionOf(rec *record.Line) int {
	index, ok := a.sessions[rec.Session]
	if !ok && len(a.sessions) < maxCalls {
		index = len(a.sessions)
		a.sessions[rec.Session] = index
		a.report.Sums.Sessions++
		if index < maxSessions {
			a.report.Sessions = append(a.report.Sessions, Session{ID: named(rec.Session), Time: milliseconds(rec.Time)})
		}
	}
	return index
}

func (a *analysis) session(rec *record.Line) {
	index := a.sessionOf(rec)
	if index >= len(a.report.Sessions) {
		return
	}
	s := &a.report.Sessions[index]
	a.last = milliseconds(rec.Time)
	s.Time, s.Workspace, s.Options = milliseconds(rec.Time), quote.Short(rec.Workspace, maxPath), nil
	for _, name := range slices.Sorted(maps.Keys(rec.Options)) {
		if len(s.Options) < 4*maxTools {
			s.Options = append(s.Options, [2]string{named(name), quote.Short(rec.Options[name], maxPath)})
		}
	}
}

// call adds a call. The text that a tool's own call returned went to that tool, and costs the model nothing.
func (a *analysis) call(rec *record.Line) {
	c := callOf(rec)
	if rec.Time.IsZero() {
		c.Time = a.last
	}
	a.last = c.Time
	c.Session = a.sessionOf(rec)
	a.times.add(c.Session, c.Time, c.Ms)
	s := &a.report.Sums
	if rec.CalledBy != "" {
		s.Nested++
	} else {
		a.count(c)
		if needsFacts(rec) && rec.Facts == nil && rec.Code == "" {
			s.Unknown++
		}
	}
	if len(a.report.Calls) == maxCalls {
		return
	}
	s.Listed++
	c.Number = len(a.report.Calls) + 1
	a.report.Calls = append(a.report.Calls, c)
	a.started[rec.Session+"\x00"+rec.ID] = c.Number
	arguments := decode(rec.Args)
	c.Brief = brief(c.Tool, arguments)
	a.texts.keep(c, rec.Text, arguments)
	if rec.CalledBy == "" {
		a.judges.judge(c, rec, arguments)
	}
}

// count adds a call to the sums.
func (a *analysis) count(c *Call) {
	s := &a.report.Sums
	t := a.tools[c.Tool]
	if t == nil {
		t = &Tool{Name: c.Tool}
		if len(a.tools) >= maxTools {
			t = a.other()
		}
		a.tools[t.Name] = t
	}
	s.Calls++
	t.Calls++
	s.Images += c.Images
	s.Bytes += int64(c.Bytes)
	t.Bytes += int64(c.Bytes)
	s.Tokens += int64(c.Tokens)
	t.Tokens += int64(c.Tokens)
	s.Produced += int64(c.Produced)
	s.Hidden += int64(c.Hidden)
	t.Hidden += int64(c.Hidden)
	t.Ms += c.Ms
	s.AtOnce = max(s.AtOnce, c.AtOnce)
	if c.Code != "" {
		s.Errors++
		t.Errors++
	}
	if c.Cut != "" {
		s.Cut++
		t.Cut++
	}
}

// otherTools is the name of the row for all tools behind maxTools. No tool has it: names of tools have no spaces.
const otherTools = "other tools"

func (a *analysis) other() *Tool {
	if t := a.tools[otherTools]; t != nil {
		return t
	}
	return &Tool{Name: otherTools}
}

// callOf is what a line says of a call, without its texts.
func callOf(rec *record.Line) *Call {
	c := &Call{
		ID: named(rec.ID), Tool: named(rec.Tool), Code: named(string(rec.Code)),
		Time: milliseconds(rec.Time), Ms: duration(rec.Ms),
		Bytes: max(amount(rec.ShownBytes), len(rec.Text)), Lines: amount(rec.ShownLines),
		Produced: amount(rec.ProducedBytes), ProdLine: amount(rec.ProducedLines),
		Full: quote.Short(rec.Full, maxPath), Images: amount(rec.Images), AtOnce: amount(rec.AtOnce),
		Reader: named(rec.Conversation), CalledBy: named(rec.CalledBy),
		Standout: len(rec.Standout) + amount(rec.StandoutMore),
	}
	c.Tokens = tokens(rec.Text, c.Bytes)
	switch {
	case rec.Truncated:
		c.Cut = named(cmp.Or(string(rec.TruncatedBy), "cut"))
	case rec.LimitReached:
		c.Cut = "results"
		if rec.Tool == "read" {
			c.Cut = "lines"
		}
	case rec.LinesCut:
		c.Cut = "long lines"
	}
	if rec.Facts != nil {
		c.Changed = amount(rec.Facts.Changed)
		for _, f := range rec.Facts.Changes[:min(len(rec.Facts.Changes), maxChanges)] {
			c.Changes = append(c.Changes, quote.Short(changed(f), maxBrief))
		}
	}
	c.setOutput(rec)
	return c
}

// changed is a changed file on one line.
func changed(f tools.FileChange) string {
	text := fmt.Sprintf("%s +%d -%d", quote.Name(f.Path), amount(f.LinesAdded), amount(f.LinesRemoved))
	switch {
	case f.Created:
		text += ", new"
	case f.Removed:
		text += ", removed"
	case f.MovedFrom != "":
		text += ", was " + quote.Name(f.MovedFrom)
	}
	return text
}

// tokens estimates the tokens of a text of which a record has the beginning.
func tokens(text string, bytes int) int {
	n := truncation.EstimateTokens(text)
	if bytes > len(text) && text != "" {
		n = int(float64(n) * float64(bytes) / float64(len(text)))
	}
	return n
}

// The numbers of a record may be anything. These keep sums finite: no amount is over a tebi, no call takes over a
// thousand days, and no time is before 1970 or behind 2100.

func amount(n int) int { return int(min(max(int64(n), 0), 1<<40)) }

func duration(ms float64) float64 { return min(max(ms, 0), 1000*24*3600*1000) }

func milliseconds(t time.Time) float64 {
	const last = 130 * 365 * 24 * 3600
	seconds := min(max(t.Unix(), 0), last)
	return float64(seconds)*1000 + float64(t.Nanosecond()/1000)/1000
}

// named is a name from outside: on one line, and not long.
func named(name string) string { return quote.Short(name, maxName) }

func (a *analysis) job(rec *record.Line) {
	a.report.Sums.Jobs++
	if len(a.report.Jobs) == maxJobs {
		return
	}
	job := Job{
		Number: rec.Job, Call: a.started[rec.Session+"\x00"+rec.ID], State: named(rec.State),
		Ms: duration(rec.Ms), Bytes: amount(rec.ProducedBytes),
	}
	job.began = milliseconds(rec.Time) - job.Ms
	a.report.Jobs = append(a.report.Jobs, job)
}

// finish makes what needs all calls.
func (a *analysis) finish() {
	r := a.report
	r.TextMax = a.texts.most
	a.waste()
	for _, t := range a.tools {
		r.Tools = append(r.Tools, *t)
	}
	slices.SortFunc(r.Tools, func(x, y Tool) int {
		return cmp.Or(cmp.Compare(y.Tokens, x.Tokens), cmp.Compare(y.Calls, x.Calls), strings.Compare(x.Name, y.Name))
	})
	r.Dearest = dearest(r.Calls)
	r.Sums.WallMs, r.Sums.BusyMs = a.times.sums()
	a.times.place(r)
}

// dearest returns the indexes of the ten calls whose text took most tokens.
func dearest(calls []*Call) []int {
	list := []int{}
	for i, c := range calls {
		if c.CalledBy == "" && c.Tokens > 0 {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(i, j int) int { return cmp.Compare(calls[j].Tokens, calls[i].Tokens) })
	return list[:min(10, len(list))]
}
