package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// What the calls of a session came to.
func ExampleStats_String() {
	stats := tools.Stats{ // as suite.Stats returns them
		"bash": {Calls: 2, Truncated: 2, Spilled: 2, BytesProduced: 97786, BytesShown: 301, Duration: 12 * time.Millisecond},
		"read": {Calls: 1, Errors: 1, BytesShown: 50, Duration: 230 * time.Microsecond},
	}
	fmt.Println(stats)
	// Output:
	// bash: 2 calls, 2 cut, 2 with the full output in a file; 95.5KB produced, 301B shown; 12ms
	// read: 1 call, 1 failed; 0B produced, 50B shown; 230µs
}

// A result prints as its text, and what is shown of the output as one line.
func ExampleShown_Summary() {
	suite, done := project(config.Config{MaxLines: 2}, "log.txt", 500)
	defer done()
	res, _ := suite.Call(context.Background(), "read", json.RawMessage(`{"path": "log.txt"}`))
	fmt.Println(res)
	fmt.Println(res.Shown().Summary())
	// Output:
	// line 1
	// line 2
	//
	// [Showing lines 1-2 of 500. Use offset=3 to continue]
	// cut (head): 2 of 500 lines, 13B of 4.3KB
}

func TestStrings(t *testing.T) {
	t.Parallel()
	for want, value := range map[string]fmt.Stringer{
		"text 1":   tools.Result{Text: "text 1", Tool: "bash", Details: tools.BashResult{}},
		"text 2":   tools.ReadResult{Shown: tools.Shown{Text: "text 2"}},
		"text 3":   tools.BashResult{Shown: tools.Shown{Text: "text 3"}},
		"text 4":   tools.GrepResult{Shown: tools.Shown{Text: "text 4"}},
		"text 5":   tools.FindResult{Shown: tools.Shown{Text: "text 5"}},
		"text 6":   tools.LsResult{Shown: tools.Shown{Text: "text 6"}},
		"text 7":   tools.WriteResult{Shown: tools.Shown{Text: "text 7"}},
		"text 8":   tools.EditResult{Shown: tools.Shown{Text: "text 8"}},
		"text 9":   tools.ChangeResult{Shown: tools.Shown{Text: "text 9"}},
		"text 10":  tools.JobResult{Shown: tools.Shown{Text: "text 10"}},
		"no calls": tools.Stats{},
		"1 call, 1 ended at a limit; 0B produced, 0B shown; 1.235s":  tools.ToolStats{Calls: 1, LimitReached: 1, Duration: 1234567 * time.Microsecond},
		"a.go: created, 1 line added":                                tools.FileChange{Path: "a.go", Created: true, LinesAdded: 1},
		"a.go: removed, 2 lines removed":                             tools.FileChange{Path: "a.go", Removed: true, LinesRemoved: 2},
		"b.go: moved from a.go, no line changed":                     tools.FileChange{Path: "b.go", MovedFrom: "a.go"},
		"job 1: go test (exited with code 0, 12s, 2KB printed)":      tools.JobState{Job: 1, Command: "go test", State: "exited with code 0", AgeMs: 12000, Bytes: 2048},
		"landlock (ABI 4); not prevented: signals; abstract sockets": tools.SandboxInfo{Engine: "landlock", ABI: 4, NotEnforced: []string{"signals", "abstract sockets"}},
		"bwrap": tools.SandboxInfo{Engine: "bwrap"},
	} {
		require.Equal(t, want, fmt.Sprint(value))
	}
	for want, shown := range map[string]tools.Shown{
		"complete":              {},
		"a page; there is more": {More: true},
		"cut":                   {Truncated: true, More: true},
	} {
		require.Equal(t, want, shown.Summary())
	}
}

// A job prints as its state, and not as what it is made of.
func TestJobString(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	started(t, s, "read x")
	require.Regexp(t, `^\[job 1: .*read x.* \(running, \S+, 6B printed\)\]$`, fmt.Sprint(s.Jobs()))
}
