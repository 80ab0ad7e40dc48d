package report

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools/record"
	"github.com/spillway-go/spillway/truncation"
)

var notFound = record.Line{Code: "not_found"}

// The calls of a session, and what is found in them.
func TestJudges(t *testing.T) {
	lines10 := "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten"
	cut := func(full string, next int) record.Line {
		return record.Line{Truncated: true, TruncatedBy: truncation.ByLines, ProducedBytes: 1000, Full: full, Facts: &record.Facts{NextOffset: next}}
	}
	limited := record.Line{LimitReached: true, ProducedBytes: 1000, Facts: &record.Facts{NextOffset: 1, Limit: 1}}
	page1 := made{"read", `{"path":"a"}`, "x\ny\n\n[how to go on]", cut("", 3)}
	hits := made{"grep", `{"pattern":"x"}`, "a:1: x\n\n[how to go on]", limited}
	output := made{"bash", `{"command":"make"}`, "end\n\n[where the rest is]", cut("/w/.clarvis/bash-k3x9q2mf.log", 0)}
	said := func(f record.Facts) record.Line { return record.Line{Facts: &f} } // all of the text is the tool's
	exit := func(how string, produced int) record.Line {
		return record.Line{ProducedBytes: produced, Facts: &record.Facts{Exit: &record.Exit{How: how}}}
	}
	beside := func(m made, conversation string) made { m.rec.Conversation = conversation; return m }
	tests := []struct {
		name  string
		calls []made
		want  []string
	}{
		{"corrected", []made{{"read", `{"path":"b"}`, "not_found: b", notFound}, {tool: "ls", text: "a"}, {"read", `{"path":"a"}`, "text", record.Line{}}},
			[]string{"1 error corrected 3"}},
		{"in vain", []made{{"read", `{"path":"b"}`, "no", notFound}, {"read", `{"path":"b"}`, "no", notFound}, {"read", `{"path":"c"}`, "no", notFound}},
			[]string{"1 error repeated in vain 2", "2 error changed in vain 3", "3 error given up"}},
		{"worked", []made{{"read", `{"path":"b"}`, "no", notFound}, {"read", `{ "path": "b" }`, "text", record.Line{}}},
			[]string{"1 error repeated and worked 2"}},
		{"another conversation corrects nothing", []made{{"read", `{"path":"b"}`, "no", notFound}, beside(made{tool: "read", text: "x"}, "sub")},
			[]string{"1 error given up"}},
		{"an unrelated success corrects nothing", []made{{"read", `{"path":"src/ledger.go"}`, "no", notFound}, {"read", `{"path":"src/cart.go"}`, "text", record.Line{}},
			{"read", `{"path":"internal/ledger.go"}`, "text", record.Line{}}}, []string{"1 error corrected 3"}},
		{"an unrelated failure is another", []made{{"read", `{"path":"src/ledger.go"}`, "no", notFound}, {"read", `{"paths":["go.mod"]}`, "no", notFound}},
			[]string{"1 error given up", "2 error given up"}},
		{"a name that is alike", []made{{"read", `{"path":"src/legder.go"}`, "no", notFound}, {"read", `{"paths":"[\"src/ledger.go\"]"}`, "text", record.Line{}}},
			[]string{"1 error corrected 2"}},
		{"the same directory is not enough", []made{{"edit", `{"path":"src/ledger.go","old_string":"a"}`, "no", notFound}, {"edit", `{"path":"src/cart.go","old_string":"a"}`, "done", record.Line{}}},
			[]string{"1 error given up"}},
		{"the same file", []made{{"edit", `{"path":"./src/x","old_string":"a"}`, "no", notFound}, {"edit", `{"path":"src/x","old_string":"b"}`, "done", record.Line{}}},
			[]string{"1 error corrected 2"}},
		{"a word of a pattern", []made{{"grep", `{"pattern":"func (Rollback"}`, "no", record.Line{Code: "invalid_input"}}, {"grep", `{"pattern":"TODO"}`, "a", record.Line{}},
			{"grep", `{"pattern":"rollback\\("}`, "a", record.Line{}}}, []string{"1 error corrected 3"}},
		{"a pattern elsewhere", []made{{"grep", `{"pattern":"x","path":"no"}`, "no", notFound}, {"grep", `{"pattern":"x","path":"src"}`, "a", record.Line{}}},
			[]string{"1 error corrected 2"}},
		{"a word of a command", []made{{"bash", `{"command":"go test ./ledger"}`, "no", record.Line{Code: "timeout"}}, {"bash", `{"command":"go vet ./cart"}`, "a", record.Line{}},
			{"bash", `{"command":"go test -run Ledger ./..."}`, "a", record.Line{}}}, []string{"1 error corrected 3"}},
		{"the same program is not enough", []made{{"bash", `{"command":"git push origin"}`, "no", record.Line{Code: "timeout"}}, {"bash", `{"command":"git status"}`, "a", record.Line{}}},
			[]string{"1 error given up"}},
		{"the same job", []made{{"job", `{"id":7}`, "no", notFound}, {"job", `{"id":"8"}`, "a", record.Line{}}, {"job", `{"id":"7","wait_ms":5}`, "a", record.Line{}}},
			[]string{"1 error corrected 3"}},
		{"a file of a patch", []made{{"apply_patch", `{"patch":"*** Begin Patch\n*** Update File: a/ledger.go\n"}`, "no", notFound}, {"apply_patch", `{"patch":"--- a/cart.go\n+++ b/cart.go\n"}`, "a", record.Line{}},
			{"apply_patch", `{"patch":"--- a/ledger.go\n+++ b/a/ledger.go\n"}`, "a", record.Line{}}}, []string{"1 error corrected 3"}},
		{"no target was named", []made{{"read", `{"pth":"a"}`, "no", record.Line{Code: "invalid_input"}}, {"read", `{"path":"src/cart.go"}`, "a", record.Line{}}},
			[]string{"1 error corrected 2"}},
		{"same call again", []made{{"grep", `{"pattern":"x"}`, "a:1: x", record.Line{}}, {tool: "edit", text: "done"}, {"grep", `{"pattern":"x"}`, "a:1: x", record.Line{}}},
			[]string{"3 again grep 1"}},
		{"another text", []made{{"grep", `{"pattern":"x"}`, "a:1: x", record.Line{}}, {"grep", `{"pattern":"x"}`, "a:2: x", record.Line{}}}, nil},
		{"a command behind a change", []made{{"bash", `{"command":"go vet"}`, "ok", record.Line{}}, {tool: "edit", text: "done"}, {"bash", `{"command":"go vet"}`, "ok", record.Line{}}}, nil},
		{"a command without a change", []made{{"bash", `{"command":"go vet"}`, "ok", record.Line{}}, {tool: "ls", text: "a"}, {"bash", `{"command":"go vet"}`, "ok", record.Line{}}},
			[]string{"3 again bash 1"}},
		{"another conversation has not seen it", []made{{tool: "ls", text: "a"}, beside(made{tool: "ls", text: "a"}, "sub")}, nil},
		{"lines seen before", []made{{"read", `{"path":"a"}`, lines10, record.Line{}}, {"read", `{"path":"./a","offset":"4"}`, "four\nfive\nsix\nseven\neight\nnew", record.Line{}}},
			[]string{"2 seen a 1"}},
		{"a little overlap", []made{{"read", `{"path":"a"}`, lines10, record.Line{}}, {"read", `{"path":"a","offset":7}`, "seven\neight\nnine\nten\nnew", record.Line{}}}, nil},
		{"a short page", []made{{"read", `{"path":"a"}`, lines10, record.Line{}}, {"read", `{"path":"a","offset":9,"limit":2}`, "nine\nten", record.Line{}}},
			[]string{"2 seen a 1"}},
		{"other lines", []made{{"read", `{"path":"a"}`, lines10, record.Line{}}, {"read", `{"path":"a","offset":2}`, lines10, record.Line{}}, {"read", `{"path":"b"}`, lines10, record.Line{}}}, nil},
		{"lines of several files", []made{{"read", `{"path":"a"}`, lines10, record.Line{}}, {"read", `{"paths":["b","a"]}`, "==> b <==\nother\n\n==> a <==\n" + lines10,
			said(record.Facts{Output: []config.Lines{{At: 2, Count: 1, Line: 1, Path: "b"}, {At: 5, Count: 10, Line: 1, Path: "a"}}})}},
			[]string{"2 seen a 1"}},
		{"from the end", []made{{"read", `{"path":"a"}`, lines10, record.Line{}}, {"read", `{"path":"a","offset":-9}`, "two\nthree\nfour\nfive\nsix\n\n[how to go on]",
			said(record.Facts{Output: []config.Lines{{At: 1, Count: 5, Line: 2, Path: "a"}}})}},
			[]string{"2 seen a 1"}},
		{"receipt", []made{{"read", `{"path":"a"}`, lines10, record.Line{}}, {"read", `{"path":"a"}`, "[the same]", said(record.Facts{})}}, nil},
		{"lines of which the numbers are not known", []made{{"read", `{"path":"a"}`, lines10, record.Line{}}, {"read", `{"path":"a"}`, lines10 + "\n",
			said(record.Facts{Output: []config.Lines{{At: 1, Count: 10, Path: "a"}}})}}, nil},
		{"polls", []made{{"job", `{"id":1}`, "(nothing)\n\n[it goes on]", exit(record.EndedJob, 0)}, {"job", `{"id":1}`, "news\n\n[it goes on]", exit(record.EndedJob, 4)},
			{"job", `{"id":1,"signal":"kill"}`, "(nothing)\n\n[it has ended]", exit(record.EndedExit, 0)},
			{"job", `{}`, "2: running", said(record.Facts{})}}, []string{"1 poll job"}},
		{"commands that sleep", []made{{"bash", `{"command":"sleep 5; tail log"}`, "a", record.Line{}}, {"bash", `{"command":"sleep 5; tail log"}`, "a", record.Line{}},
			{"bash", `{"command":"sleep 5; tail log"}`, "b", record.Line{}}, {"bash", `{"command":"sleep 9"}`, "(nothing)", exit(record.EndedExit, 0)},
			{"bash", `{"command":"sleep 9","background":true}`, "(nothing)", exit(record.EndedExit, 0)}, {"bash", `{"command":"./nosleep 9"}`, "(nothing)", exit(record.EndedExit, 0)}},
			[]string{"2 poll a command that sleeps", "4 poll a command that sleeps"}},
		{"next page", []made{page1, {"read", `{"path":"a","offset":3}`, "z", record.Line{}}}, []string{"1 fetched next page 2"}},
		{"page not followed", []made{page1, {"read", `{"path":"b","offset":3}`, "z", record.Line{}}}, []string{"1 missed read"}},
		{"page by a command", []made{page1, {"bash", `{"command":"sed -n '3,4p' ./a"}`, "z", record.Line{}}}, []string{"1 fetched by a command 2"}},
		{"another command", []made{page1, {"bash", `{"command":"rm a"}`, "", record.Line{}}}, []string{"1 missed read"}},
		{"more results", []made{hits, {"grep", `{"pattern":"x","offset":1}`, "b", record.Line{}}}, []string{"1 fetched next page 2"}},
		{"higher limit", []made{hits, {"grep", `{"limit":50,"pattern":"x"}`, "b", record.Line{}}}, []string{"1 fetched higher limit 2"}},
		{"another search", []made{hits, {"grep", `{"limit":50,"pattern":"y"}`, "b", record.Line{}}}, []string{"1 missed grep"}},
		{"full output", []made{output, {"read", `{"path":".clarvis/bash-k3x9q2mf.log","offset":3}`, "b", record.Line{}}}, []string{"1 fetched full output 2"}},
		{"searched", []made{output, {"grep", `{"path":".clarvis/bash-k3x9q2mf.log","pattern":"b"}`, "b", record.Line{}}}, []string{"1 fetched full output 2"}},
		{"searched with others", []made{output, {"grep", `{"path":".clarvis/","pattern":"b"}`, "b", record.Line{}}}, []string{"1 fetched full output 2"}},
		{"searched by an absolute path", []made{output, {"grep", `{"path":"/w/.clarvis","pattern":"b","glob":"!*.txt, bash-*"}`, "b", record.Line{}}}, []string{"1 fetched full output 2"}},
		{"another directory", []made{output, {"grep", `{"path":"/x/.clarvis","pattern":"b"}`, "b", record.Line{}}, {"grep", `{"path":"vis","pattern":"b"}`, "b", record.Line{}}, {"grep", `{"pattern":"b"}`, "b", record.Line{}}},
			[]string{"1 missed bash"}},
		{"other files of the directory", []made{output, {"grep", `{"path":".clarvis","pattern":"b","glob":"*.txt"}`, "b", record.Line{}}, {"grep", `{"path":".clarvis","pattern":"b","glob":"!bash-*"}`, "b", record.Line{}}},
			[]string{"1 missed bash"}},
		{"a search that failed", []made{output, {"grep", `{"path":".clarvis","pattern":"("}`, "no", record.Line{Code: "invalid_input"}}}, []string{"1 missed bash", "2 error given up"}},
		{"in a command", []made{output, {"bash", `{"command":"grep b .clarvis/bash-k3x9q2mf.log"}`, "b", record.Line{}}}, []string{"1 fetched full output 2"}},
		{"not at all", []made{output, {"bash", `{"command":"true"}`, "b", record.Line{}}}, []string{"1 missed bash"}},
		{"no way", []made{{tool: "other", text: "a", rec: cut("", 0)}}, nil},
		{"left out", []made{{"grep", `{"pattern":"x"}`, "none", said(record.Facts{Skipped: record.Skipped{Ignored: 12, Binary: 1}})}, {"grep", `{"pattern":"y"}`, "none", said(record.Facts{Skipped: record.Skipped{Ignored: 12}})},
			{"find", `{"pattern":"x"}`, "none", said(record.Facts{Skipped: record.Skipped{Unreadable: 3}})}, {"bash", `{"command":"x"}`, "x", said(record.Facts{Skipped: record.Skipped{Binary: 2}})}},
			[]string{"1 skipped binary", "2 skipped ignored by git", "3 skipped unreadable"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.want, marks(read(t, test.calls...))) })
	}
}

// Of calls that were recorded without facts, what depends on these is unknown.
func TestWithoutFacts(t *testing.T) {
	old := func(tool, args, text string, rec record.Line) made {
		rec.Code = "x"
		return made{tool, args, text, rec}
	}
	r := read(t,
		made{"read", `{"path":"a"}`, "", record.Line{Truncated: true}}, made{"grep", `{"pattern":"x"}`, "", record.Line{LimitReached: true}},
		made{"job", `{"id":1}`, "", record.Line{}}, made{"bash", `{"command":"x"}`, "", record.Line{Truncated: true, Full: "/w/x.log", ProducedBytes: 9}},
		made{"bash", `{"command":"cat x.log"}`, "", record.Line{ProducedBytes: 9}}, old("read", `{"path":"b"}`, "not_found: b", record.Line{}))
	require.Equal(t, []string{"4 fetched full output 5", "6 error given up"}, marks(r))
	require.Equal(t, 3, r.Sums.Unknown)
	var text strings.Builder
	require.NoError(t, r.WriteText(&text))
	require.Contains(t, text.String(), "Unknown for 3 calls of an older record")
}

// What ran beside a failed or cut call answers neither.
func TestBeside(t *testing.T) {
	at := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	r := read(t,
		made{"read", `{"path":"b"}`, "no", record.Line{Code: "not_found", Time: at}},
		made{"read", `{"path":"a"}`, "x", record.Line{Time: at.Add(5 * time.Millisecond)}},
		made{"read", `{"path":"c"}`, "x\n\n[how to go on]", record.Line{Truncated: true, Time: at.Add(time.Second), Facts: &record.Facts{NextOffset: 2}}},
		made{"read", `{"path":"c","offset":2}`, "y", record.Line{Time: at.Add(time.Second)}},
		made{"read", `{"path":"d"}`, "z", record.Line{Time: at.Add(2 * time.Second)}},
	)
	require.Equal(t, []string{"1 error corrected 3", "3 missed read"}, marks(r))
}

// An error is given up if none of the next ten calls is of its tool.
func TestWindow(t *testing.T) {
	calls := func(between int) []made {
		list := []made{{"read", `{"path":"b"}`, "no", notFound}}
		for range between {
			list = append(list, made{tool: "edit", text: "done"})
		}
		return append(list, made{"read", `{"path":"a"}`, "x", record.Line{}})
	}
	require.Equal(t, "1 error corrected 11", marks(read(t, calls(window-1)...))[0])
	require.Equal(t, "1 error given up", marks(read(t, calls(window)...))[0])
}

// The sums of waste are those of the calls, and no call is wasted twice.
func TestWasteSums(t *testing.T) {
	page := strings.Repeat("some line of text\n", 20)
	r := read(t, made{"read", `{"path":"a"}`, page, record.Line{}}, made{"read", `{"path":"a"}`, page, record.Line{}},
		made{"read", `{"path":"a","limit":10}`, page[:180], record.Line{}}, made{"read", `{"path":"b"}`, "not_found: b", notFound})
	require.Equal(t, []string{"2 again read 1", "3 seen a 2", "4 error given up"}, marks(r))
	total := int64(0)
	for _, w := range r.Waste {
		total += w.Tokens
	}
	require.Equal(t, total, r.Sums.WasteT)
	require.Equal(t, total, r.Tools[0].WasteT)
	require.Equal(t, 3, r.Sums.Wasted)
	require.Equal(t, r.Waste[3].Tokens, r.Tools[0].ErrorT)
	require.Equal(t, []Part{{"not_found", 1}}, r.Waste[3].Codes)
	require.Less(t, r.Sums.WasteT, r.Sums.Tokens)
}
