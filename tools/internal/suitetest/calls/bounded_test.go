package calls_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// fake is a tool of somebody else's.
type fake struct {
	name string
	call func(args json.RawMessage) (tools.Result, error)
}

func (f fake) Name() string            { return f.name }
func (f fake) Description() string     { return "a tool of somebody else's" }
func (f fake) Schema() json.RawMessage { return json.RawMessage(`{"type":"object"}`) }
func (f fake) Call(_ context.Context, args json.RawMessage) (tools.Result, error) {
	return f.call(args)
}

func says(text string) fake {
	return fake{"fetch", func(json.RawMessage) (tools.Result, error) {
		return tools.Result{Text: text, Details: map[string]int{"status": 200}}, nil
	}}
}

// shapeless is a tool whose schema is none.
type shapeless struct{ tools.Tool }

func (shapeless) Name() string            { return "shapeless" }
func (shapeless) Schema() json.RawMessage { return json.RawMessage("null") }

// bothEnds leaves 3,000 characters whole, and shows 10 lines of either end of more.
var bothEnds = truncation.Policy{Strategy: truncation.HeadTailLines, Limits: truncation.Limits{Chars: 30_000}, Threshold: 3000}

// inSuite adds a tool with a policy, and gives what the suite makes of it.
func inSuite(t *testing.T, s *tools.Suite, tool tools.Tool, p truncation.Policy) tools.Tool {
	require.NoError(t, s.Add(tools.Truncate(tool, p)))
	all := s.Tools()
	return all[len(all)-1]
}

func TestBounded(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	long := countedLines(5000)
	res, err := inSuite(t, s, says(long), bothEnds).Call(t.Context(), nil)
	require.NoError(t, err)
	details := detailsOf(t, res)
	path := details["fullOutputPath"].(string)
	require.Contains(t, res.Text, "line 10\n[... 5000 lines, over 3000 characters: showing the first 10 and the last 10. Full output: "+path+" ...]\nline 4991\n")
	require.True(t, strings.HasSuffix(res.Text, "line 5000\n"))
	require.Equal(t, true, details["truncated"])
	require.Equal(t, "head_tail_lines", details["strategy"])
	require.EqualValues(t, len(long), details["originalLength"])
	require.EqualValues(t, 30_000, details["maxLength"])
	require.NotZero(t, details["charsRemoved"])
	require.Equal(t, map[string]any{"status": 200.0}, details["details"])
	read := call(t, s, "read", tools.ReadParams{Path: path, Offset: 2500, Limit: 1})
	require.Contains(t, read.Text, "line 2500\n")

	for name, text := range map[string]string{"short": "a short text\n", "few lines": strings.Repeat(strings.Repeat("x", 300)+"\n", 20), "empty": ""} {
		agent := truncation.Policy{Strategy: truncation.HeadTailLines, Threshold: 24_000, Prefix: "[sub-agent tests]: "}
		res, err := inSuite(t, newSuite(t, config.Config{}, nil), says(text), agent).Call(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, "[sub-agent tests]: "+text, res.Text, name)
		require.Equal(t, false, detailsOf(t, res)["truncated"], name)
	}
}

// What has few lines, but long ones, is bounded all the same.
func TestBoundedLongLine(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	res, err := inSuite(t, s, says(strings.Repeat("x", 1<<20)), bothEnds).Call(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, res.Text, 30_000)
	require.Contains(t, res.Text, suitetest.FullOutput(".clarvis/tool-"))
}

// A marker that does not name the file leaves that to a notice.
func TestBoundedMarker(t *testing.T) {
	t.Parallel()
	for marker, want := range map[string]string{"...": "\n\n[" + suitetest.FullOutput(".clarvis/tool-"), "<{path}>": ""} {
		p := truncation.Policy{Strategy: truncation.HeadChars, Limits: truncation.Limits{Chars: 100}, Marker: marker}
		res, err := inSuite(t, newSuite(t, config.Config{}, nil), says(countedLines(5000)), p).Call(t.Context(), nil)
		require.NoError(t, err)
		require.Contains(t, res.Text, want)
		require.Equal(t, 1, strings.Count(res.Text, ".clarvis/tool-"))
		p.Unmarked = true
		res, err = inSuite(t, newSuite(t, config.Config{}, nil), says(countedLines(5000)), p).Call(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, countedLines(5000)[:100], res.Text)
	}
}

func TestBoundedErrors(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{ReadOnly: true}, nil)
	failing := fake{"fetch", func(json.RawMessage) (tools.Result, error) {
		return tools.Result{Text: countedLines(5000), IsError: true, Details: &tools.Error{Code: tools.CodeTimeout, Message: "too slow"}}, nil
	}}
	res, err := inSuite(t, s, failing, bothEnds).Call(t.Context(), nil)
	require.NoError(t, err)
	details := detailsOf(t, res)
	require.True(t, res.IsError)
	require.Equal(t, []any{"timeout", "too slow", true}, []any{details["error"], details["message"], details["truncated"]})
	require.Panics(t, func() { tools.Truncate(failing, truncation.Policy{Strategy: "both"}) })
}

// Without a suite the full text is in the current directory's .clarvis, and
// without a file the notice says why there is none.
func TestBoundedAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	tool := tools.Truncate(says(countedLines(5000)), bothEnds)
	res, err := tool.Call(t.Context(), nil)
	require.NoError(t, err)
	data, err := os.ReadFile(detailsOf(t, res)["fullOutputPath"].(string))
	require.NoError(t, err)
	require.Equal(t, countedLines(5000), string(data))

	// The first file of the next one makes room: this one is two days old by then.
	old := detailsOf(t, res)["fullOutputPath"].(string)
	twoDaysAgo := time.Now().Add(-48 * time.Hour)
	require.NoError(t, os.Chtimes(old, twoDaysAgo, twoDaysAgo))
	_, err = tool.Call(t.Context(), nil)
	require.NoError(t, err)
	require.FileExists(t, old)
	_, err = tools.Truncate(says(countedLines(5000)), bothEnds).Call(t.Context(), nil)
	require.NoError(t, err)
	require.NoFileExists(t, old)

	require.NoError(t, os.RemoveAll(".clarvis"))
	require.NoError(t, os.WriteFile(".clarvis", nil, 0o600))
	res, err = tools.Truncate(says(countedLines(5000)), bothEnds).Call(t.Context(), nil)
	require.NoError(t, err)
	require.Contains(t, res.Text, "Full output (not saved: ")
	require.NotEmpty(t, detailsOf(t, res)["spillError"])
}

// TestAddInsteadOfItsOwn: a suite without tools takes those of another, under their names.
// Its own stay left out, for the program too.
func TestAddInsteadOfItsOwn(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Tools: []string{config.NoTools}}, map[string]string{"a.txt": "here\n"})
	require.Empty(t, s.Tools())
	require.NoError(t, s.Add(fake{"read", func(json.RawMessage) (tools.Result, error) { return tools.Result{Text: "there"}, nil }}))
	res, err := s.Call(t.Context(), "read", json.RawMessage(`{"path": "a.txt"}`))
	require.NoError(t, err)
	require.Equal(t, "there", res.Text)
	_, err = s.Read(t.Context(), tools.ReadParams{Path: "a.txt"})
	require.Equal(t, tools.CodeDenied, tools.CodeOf(err))
	_, err = tools.New(config.Config{Workspace: t.TempDir(), Tools: []string{config.NoTools, "read"}}, all.Parts()...)
	require.ErrorContains(t, err, "or none alone")
}

func TestAdd(t *testing.T) {
	t.Parallel()
	var guarded []string
	var mu sync.Mutex
	var events []config.Event
	s := newSuite(t, config.Config{MaxBytes: 2048,
		Guard: func(_ context.Context, c config.Call) error {
			guarded = append(guarded, c.Tool+string(c.Args))
			if strings.Contains(string(c.Args), "secret") {
				return errors.New("no secrets")
			}
			return nil
		},
		Observe: func(_ context.Context, e config.Event) {
			mu.Lock()
			defer mu.Unlock()
			events = append(events, e)
		},
	}, map[string]string{"a.txt": countedLines(1000)})
	require.NoError(t, s.Add(says(countedLines(1000)), fake{"broken", func(json.RawMessage) (tools.Result, error) { panic("oh") }}))
	require.ErrorContains(t, s.Add(says("")), "there is a tool fetch already")
	require.ErrorContains(t, s.Add(fake{name: "bash"}), "there is a tool bash already")
	require.ErrorContains(t, s.Add(fake{}), "needs a name")
	require.ErrorContains(t, s.Add(shapeless{says("")}), "the schema of shapeless must be a JSON object, but it is null")
	require.Len(t, s.Tools(), len(config.ToolNames())-1+2, "apply_patch was not asked for")

	res, err := s.Call(t.Context(), "fetch", json.RawMessage(`{"a":1}`))
	require.NoError(t, err)
	require.LessOrEqual(t, len(res.Text), 2048)
	require.Contains(t, res.Text, "of 1000 lines left out. Full output: .clarvis/tool-")
	denied, err := s.Call(t.Context(), "fetch", json.RawMessage(`{"a":"secret"}`))
	require.NoError(t, err)
	require.Equal(t, "denied: no secrets", denied.Text)
	broken, err := s.Call(t.Context(), "broken", nil)
	require.NoError(t, err)
	require.Contains(t, broken.Text, "internal: a bug in the tool broken: oh")
	require.Equal(t, `fetch{"a":1}`, guarded[0])

	call(t, s, "read", tools.ReadParams{Path: "a.txt"})
	call(t, s, "bash", tools.BashParams{Command: "cat a.txt; exit 1"})
	call(t, s, "read", map[string]any{"path": []int{1}})
	call(t, s, "nothing", nil)
	_, _ = s.Ls(t.Context(), tools.LsParams{})
	var got []string
	for _, e := range events {
		got = append(got, fmt.Sprintf("%s %s %v %s %d/%d", e.Tool, e.Code, e.Truncated, e.TruncatedBy, e.LinesShown, e.LinesProduced))
		require.Equal(t, e.SpillPath != "", e.Truncated && e.Tool != "read", e)
	}
	require.Equal(t, "fetch  true bytes", got[0][:len("fetch  true bytes")])
	require.Equal(t, []string{"fetch denied false  1/0", "broken internal false  1/0"}, got[1:3])
	require.Contains(t, got[3], "read  true bytes ")
	require.Contains(t, got[3], "/1000")
	require.Contains(t, got[4], "bash  true bytes ")
	require.Equal(t, []string{"read invalid_input false  1/0", " invalid_input false  1/0", "ls  false  2/2"}, got[5:])

	stats := s.Stats()
	require.Len(t, stats, 5)
	require.Equal(t, [4]int{2, 1, 1, 1}, [4]int{stats["fetch"].Calls, stats["fetch"].Errors, stats["fetch"].Truncated, stats["fetch"].Spilled})
	require.Equal(t, 1, stats["bash"].Truncated)
	require.Greater(t, stats["bash"].BytesProduced, stats["bash"].BytesShown)

	require.NoError(t, s.Close())
	res, err = s.Call(t.Context(), "fetch", nil)
	require.NoError(t, err)
	require.Equal(t, "denied: the suite is closed", res.Text)
}

// The observer is told of what a number of results or of lines has ended, and of what
// was produced, which is not what notices and errors say.
func TestObserveLimits(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	var last config.Event
	s := newSuite(t, config.Config{Grep: config.Grep{MaxLineChars: 8, Limit: 2}, Find: config.Find{Limit: 2}, Ls: config.Ls{Limit: 2}, Read: config.Read{MaxLineChars: 9},
		Observe: func(_ context.Context, e config.Event) { last = e }}, map[string]string{"a": "match\nmatch\n", "b": "match a line of many\n", "c": "", "d/long": strings.Repeat("x", 70_000)})
	tests := []struct {
		tool, args        string
		limited, linesCut bool
		produced          int
	}{
		{"grep", `{"pattern": "match", "path": "a"}`, false, false, 21},
		{"grep", `{"pattern": "match"}`, true, false, 21},
		{"grep", `{"pattern": "match", "limit": 3}`, false, true, 21 + 26},
		{"grep", `{"pattern": "match", "output_mode": "files_with_matches", "limit": 1}`, true, false, 1},
		{"grep", `{"pattern": "nothing"}`, false, false, 0},
		{"find", `{"pattern": "*"}`, true, false, 3},
		{"find", `{"pattern": "[ab]"}`, false, false, 3},
		{"ls", `{}`, true, false, 3},
		{"ls", `{"offset": 2}`, false, false, 4},
		{"ls", `{"offset": 9}`, false, false, 0},
		{"read", `{"path": "a"}`, false, false, 12},
		{"read", `{"path": "a", "limit": 1}`, true, false, 12},
		{"read", `{"path": "b"}`, false, true, 21},
		{"read", `{"path": "none"}`, false, false, 0},
		{"read", `{"paths": ["a", "b"]}`, false, true, 33},
		{"bash", `{"command": "echo a; exit 3"}`, false, false, 2},
		{"bash", `{"command": "echo a; sleep 60", "timeout_ms": TIMEOUT}`, false, false, 2},
	}
	for _, test := range tests {
		var res tools.Result
		suitetest.InTime(t, func(timeoutMs int) bool {
			args := strings.ReplaceAll(test.args, "TIMEOUT", strconv.Itoa(timeoutMs))
			var err error
			res, err = s.Call(t.Context(), test.tool, json.RawMessage(args))
			require.NoError(t, err)
			return args == test.args || last.BytesProduced > 0
		})
		what := test.tool + test.args + ": " + res.Text
		require.Equal(t, test.limited, last.LimitReached, what)
		require.Equal(t, test.linesCut, last.LinesCut, what)
		require.Equal(t, test.produced, last.BytesProduced, what)
		require.Equal(t, len(res.Text), last.BytesShown, what)
		more, _ := detailsOf(t, res)["more"].(bool)
		require.Equal(t, test.limited || test.linesCut, more, what)
	}
	require.Equal(t, 2, s.Stats()["grep"].LimitReached)
}

// A tool that was bounded before it is added is bounded once, and is counted.
func TestAddBounded(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	require.NoError(t, s.Add(tools.Truncate(says(countedLines(5000)), bothEnds)))
	res, err := s.Call(t.Context(), "fetch", nil)
	require.NoError(t, err)
	require.Contains(t, res.Text, "showing the first 10 and the last 10")
	require.Equal(t, map[string]any{"status": 200.0}, detailsOf(t, res)["details"])
	require.Equal(t, 1, s.Stats()["fetch"].Truncated)
	files, err := filepath.Glob(filepath.Join(s.Workspace(), ".clarvis", "*.log"))
	require.NoError(t, err)
	require.Len(t, files, 1)
}

// The observer cannot break a call.
func TestObserverPanics(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Observe: func(context.Context, config.Event) { panic("oh") }}, nil)
	require.Equal(t, "(empty directory)", call(t, s, "ls", nil).Text)
}

// Every result has the metadata, under the same names, and so has an error that
// gathered something. No name of any details is in another spelling than the others.
func TestMetadata(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{MaxBytes: 1024, MaxLines: 10}, map[string]string{"a.txt": countedLines(100), "b.txt": "b\n"})
	for tool, args := range map[string]any{
		"read": tools.ReadParams{Path: "a.txt"}, "bash": tools.BashParams{Command: "cat a.txt"}, "grep": tools.GrepParams{Pattern: "line"},
		"find": tools.FindParams{Pattern: "*"}, "ls": tools.LsParams{},
	} {
		details := detailsOf(t, call(t, s, tool, args))
		for _, name := range []string{"truncated", "originalLength", "maxLength", "charsRemoved", "strategy"} {
			require.Contains(t, details, name, tool)
		}
		require.EqualValues(t, 1024, details["maxLength"], tool)
		for name := range details {
			require.NotContains(t, name, "_", tool)
		}
		require.Equal(t, tool == "read" || tool == "bash" || tool == "grep", details["truncated"], tool)
	}
	var res tools.Result
	var details map[string]any
	suitetest.InTime(t, func(timeoutMs int) bool {
		res = call(t, s, "bash", tools.BashParams{Command: "cat a.txt; sleep 60", TimeoutMs: timeoutMs})
		details = detailsOf(t, res)
		return details["truncated"] == true
	})
	require.Equal(t, []any{true, "timeout", true, "tail"}, []any{res.IsError, details["error"], details["truncated"], details["strategy"]})
	read := detailsOf(t, call(t, s, "read", map[string]any{"paths": []string{"a.txt", "b.txt"}}))
	require.Equal(t, true, read["truncated"])
}

func TestBashStrategies(t *testing.T) {
	t.Parallel()
	spilled := func(s string) string {
		files, _ := filepath.Glob(filepath.Join(s, ".clarvis", "*.log"))
		require.Len(t, files, 1)
		return ".clarvis/" + filepath.Base(files[0])
	}
	for _, tt := range []struct {
		bash config.Bash
		want string // SPILL stands for the path
	}{
		{config.Bash{Strategy: truncation.Head, MaxLines: 3}, "line 1\nline 2\n[... 98 of 100 lines left out. Full output: SPILL ...]"},
		{config.Bash{Strategy: truncation.MiddleLines, MaxLines: 5}, "line 1\nline 2\n[... 96 of 100 lines left out. Full output: SPILL ...]\nline 99\nline 100\n"},
		{config.Bash{Strategy: truncation.HeadTailLines, Policy: truncation.Policy{First: 2, Last: 1, Threshold: 20}},
			"line 1\nline 2\n[... 100 lines, over 20 characters: showing the first 2 and the last 1. Full output: SPILL ...]\nline 100\n"},
		{config.Bash{Strategy: truncation.HeadChars, Policy: truncation.Policy{Limits: truncation.Limits{Chars: 41}, Marker: "\n... (output truncated)"}}, "line 1\nline 2\nline\n... (output truncated)\n\n[" + suitetest.FullOutput("SPILL") + "]"},
		{config.Bash{Strategy: truncation.TailChars, Policy: truncation.Policy{Limits: truncation.Limits{Chars: 30}, Marker: "<{count}>\n"}}, "<768>\nine 98\nline 99\nline 100\n\n[" + suitetest.FullOutput("SPILL") + "]"},
		{config.Bash{Strategy: truncation.Tail, MaxLines: 2, Policy: truncation.Policy{Marker: "(see {path})\n"}}, "(see SPILL)\nline 100\n"},
		{config.Bash{Strategy: truncation.Middle}, countedLines(100)},
	} {
		dir := t.TempDir()
		s := newSuite(t, config.Config{Workspace: dir, Bash: tt.bash}, nil)
		res := call(t, s, "bash", tools.BashParams{Command: "for i in $(seq 100); do echo line $i; done"})
		want := tt.want
		if strings.Contains(want, "SPILL") {
			want = strings.ReplaceAll(want, "SPILL", spilled(dir))
		}
		require.Equal(t, want, res.Text, tt.bash.Strategy)
	}
}

// A guard that panics has not allowed the call, of whatever tool.
func TestGuardPanics(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Guard: func(context.Context, config.Call) error { panic("oh") }}, nil)
	require.NoError(t, s.Add(says("done")))
	for _, tool := range []string{"ls", "fetch"} {
		res, err := s.Call(t.Context(), tool, nil)
		require.NoError(t, err)
		require.Equal(t, "internal: a bug in the guard: oh. Try something else", res.Text, tool)
	}
}

// A suite that is closed while a call begins has that call fail as one that runs would.
func TestClosedMeanwhile(t *testing.T) {
	t.Parallel()
	for tool, args := range map[string]string{"bash": `{"command": "echo"}`, "read": `{"path": "a"}`, "grep": `{"pattern": "a"}`, "find": `{"pattern": "a"}`, "ls": `{}`} {
		var s *tools.Suite
		s = newSuite(t, config.Config{Guard: func(context.Context, config.Call) error { return s.Close() }}, map[string]string{"a": "a"})
		res, err := s.Call(t.Context(), tool, json.RawMessage(args))
		require.NoError(t, err)
		require.Equal(t, "aborted: the suite was closed", res.Text, tool)
	}
}

// lists is a tool whose schema names the tools of its suite.
type lists struct {
	tools.Tool
	suite *tools.Suite
}

func (l lists) Schema() json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"maximum": %d}`, len(l.suite.Tools())))
}

// A tool may look at the suite that it is added to.
func TestAddAsksWithoutLock(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	added := make(chan error, 1)
	go func() { added <- s.Add(lists{says(""), s}) }()
	select {
	case err := <-added:
		require.NoError(t, err)
	case <-time.After(time.Minute):
		t.Fatal("Add does not return")
	}
}

// waits is a tool that gathers something and then has the context end.
type waits struct {
	tools.Tool
	cancel func()
}

func (w waits) Call(ctx context.Context, _ json.RawMessage) (tools.Result, error) {
	w.cancel()
	<-ctx.Done()
	return tools.Result{Text: "half"}, ctx.Err()
}

// A tool that was added ends with its context as the five do.
func TestAddCanceled(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	require.NoError(t, s.Add(waits{says(""), cancel}))
	res, err := s.Call(ctx, "fetch", nil)
	require.ErrorIs(t, err, context.Canceled)
	require.True(t, res.IsError)
	require.True(t, strings.HasPrefix(res.Text, "aborted: "), res.Text)
	require.True(t, strings.HasSuffix(res.Text, "\n\nhalf"), res.Text)
}
