package record_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/record"
	"github.com/spillway-go/spillway/truncation"
)

// recorded reads a record: its lines, and the errors among them.
func recorded(t *testing.T, path string) (calls []record.Line, errs []string) {
	t.Helper()
	for call, err := range record.Read(path) {
		if err != nil {
			errs = append(errs, err.Error())
			continue
		}
		calls = append(calls, call)
	}
	return calls, errs
}

// recordOf makes a file.
func recordOf(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "record.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestRead(t *testing.T) {
	session := `{"kind":"session","version":1,"session":"a","time":"2026-11-25T20:00:00Z","workspace":"/w","new":[1]}` + "\n"
	call := `{"kind":"call","session":"a","id":"1","ms":1.5,"tool":"ls","args":{"path":"x"},"text":"a\nb"}` + "\n"

	calls, errs := recorded(t, recordOf(t, session+"\n"+call+`{"kind":"call","id":"to`))
	require.Empty(t, errs)
	require.Len(t, calls, 2)
	require.Equal(t, "/w", calls[0].Workspace)
	require.Equal(t, "a\nb", calls[1].Text)
	require.JSONEq(t, `{"path":"x"}`, string(calls[1].Args))

	calls, errs = recorded(t, recordOf(t, session+`{"kind":"call","id":"torn`+"\n"+call))
	require.Len(t, calls, 2, "what follows a torn line is read")
	require.Len(t, errs, 1)
	require.Contains(t, errs[0], "line 2 of the record")

	calls, errs = recorded(t, recordOf(t, `{"kind":"session","version":2}`+"\n"+call))
	require.Empty(t, calls)
	require.Len(t, errs, 1)
	require.Contains(t, errs[0], "version 2, but this program reads version 1 at most")

	long := `{"kind":"call","text":"` + strings.Repeat("x", 16<<20) + `"}` + "\n"
	calls, errs = recorded(t, recordOf(t, session+long+call))
	require.Len(t, calls, 2)
	require.Len(t, errs, 1)
	require.Contains(t, errs[0], "line 2 of the record")
	require.Contains(t, errs[0], "more than 16777216 bytes")

	_, errs = recorded(t, filepath.Join(t.TempDir(), "none"))
	require.Len(t, errs, 1)
	_, errs = recorded(t, t.TempDir())
	require.Len(t, errs, 1, "a directory")
}

// observed returns a suite with a recorder as its observer, besides the one of cfg.
func observed(t *testing.T, path string, cfg config.Config) (*tools.Suite, *record.Recorder) {
	t.Helper()
	rec, err := record.Open(path, cfg, all.Parts()...)
	require.NoError(t, err)
	own := cfg.Observe
	cfg.Observe = func(ctx context.Context, e config.Event) {
		rec.Observe(ctx, e)
		if own != nil {
			own(ctx, e)
		}
	}
	s := testkit.Must(t, newSuite, cfg)
	t.Cleanup(func() {
		s.Close()
		rec.Close()
	})
	return s, rec
}

// recording returns a suite that is recorded, and the path of its record.
func recording(t *testing.T, cfg config.Config) (*tools.Suite, string) {
	t.Helper()
	cfg.Workspace = t.TempDir()
	path := filepath.Join(t.TempDir(), "record.jsonl")
	s, _ := observed(t, path, cfg)
	return s, path
}

func TestRecord(t *testing.T) {
	need.Shell(t)
	var events []config.Event
	s, path := recording(t, config.Config{Bash: config.Bash{MaxLines: 5}, Observe: func(_ context.Context, e config.Event) {
		events = append(events, e)
	}})
	ctx := tools.WithConversation(tools.WithCallID(t.Context(), "toolu_1"), "sub")
	began := time.Now()
	_, err := s.Call(ctx, "bash", []byte(`{"command": "seq 2000; echo FAIL; seq 9; exit 3"}`))
	require.NoError(t, err)
	s.Call(t.Context(), "read", []byte(`{"path": "<none>"}`))
	s.Call(t.Context(), "ls", []byte(`{"limit": "x"}`))
	s.Call(t.Context(), "no such tool", []byte(`{}`))
	view, err := s.With(tools.View{ReadOnly: true})
	require.NoError(t, err)
	view.Ls(t.Context(), tools.LsParams{})

	calls, errs := recorded(t, path)
	require.Empty(t, errs)
	require.Len(t, calls, 6, "each line is there when its call returns")
	session := calls[0]
	require.Equal(t, []any{"session", 1, s.Workspace(), "5"},
		[]any{session.Kind, session.Version, session.Workspace, session.Options["Bash.MaxLines"]})
	require.Len(t, session.Options, len(config.Options()))
	bash := calls[1]
	require.Equal(t, []any{"call", session.Session, "toolu_1", "bash", "sub", 1},
		[]any{bash.Kind, bash.Session, bash.ID, bash.Tool, bash.Conversation, bash.AtOnce})
	require.WithinDuration(t, began, bash.Time, time.Minute)
	require.Equal(t, "UTC", bash.Time.Location().String())
	require.Positive(t, bash.Ms)
	require.Equal(t, events[0].Text, bash.Text)
	require.Equal(t, []int{2010, len(bash.Text)}, []int{bash.ProducedLines, bash.ShownBytes})
	require.Equal(t, []config.Lines{{At: 1, Count: 5}}, bash.Facts.Output)
	require.True(t, bash.Truncated)
	require.Equal(t, truncation.ByLines, bash.TruncatedBy)
	require.Equal(t, "FAIL", bash.Standout[0].Text)
	require.Equal(t, filepath.Join(s.Workspace(), filepath.FromSlash(events[0].SpillPath)), bash.Full)
	require.FileExists(t, bash.Full)
	require.JSONEq(t, `{"command": "seq 2000; echo FAIL; seq 9; exit 3"}`, string(bash.Args))
	require.Equal(t, []any{tools.CodeNotFound, `{"path":"<none>"}`}, []any{calls[2].Code, string(calls[2].Args)})
	require.Equal(t, []any{tools.CodeInvalidInput, `{"limit":"x"}`}, []any{calls[3].Code, string(calls[3].Args)})
	require.Equal(t, []any{tools.CodeInvalidInput, ""}, []any{calls[4].Code, calls[4].Tool})
	require.Equal(t, []any{session.Session, "ls"}, []any{calls[5].Session, calls[5].Tool})
	require.Len(t, events, 5)
}

// Stats are the sum of what is recorded.
func TestStatsAndRecordAgree(t *testing.T) {
	need.Shell(t)
	s, path := recording(t, config.Config{MaxLines: 3})
	for _, args := range []string{`{"command": "seq 100"}`, `{"command": "echo"}`, `{}`} {
		s.Call(t.Context(), "bash", []byte(args))
	}
	s.Call(t.Context(), "unknown", nil)
	var sum tools.ToolStats
	calls, _ := recorded(t, path)
	for _, c := range calls[1:] {
		if c.Tool != "bash" {
			continue
		}
		sum.Calls++
		sum.BytesShown += int64(c.ShownBytes)
		sum.BytesProduced += int64(c.ProducedBytes)
		if c.Code != "" {
			sum.Errors++
		}
		if c.Truncated {
			sum.Truncated++
		}
		if c.Full != "" {
			sum.Spilled++
		}
	}
	stats := s.Stats()["bash"]
	stats.Duration = 0
	require.Equal(t, sum, stats)
}

func TestRecordOfJobs(t *testing.T) {
	need.Shell(t)
	s, path := recording(t, config.Config{})
	s.Call(tools.WithCallID(t.Context(), "start"), "bash", []byte(`{"command": "echo a; sleep 100", "background": true, "ready_when": "a"}`))
	require.NoError(t, s.Close())
	calls, errs := recorded(t, path)
	require.Empty(t, errs)
	require.Len(t, calls, 3, "Close waits for the end of a job")
	job := calls[2]
	require.Equal(t, []any{"job", "start", 1, 2}, []any{job.Kind, job.ID, job.Job, job.ProducedBytes})
	require.Equal(t, &record.Exit{How: record.EndedSignal, Code: -1, Signal: "SIGTERM"}, job.Facts.Exit)
	require.FileExists(t, job.Full)
}

// A tool that makes calls of its own, as one that starts a sub-agent does.
func TestRecordOfCallsWithin(t *testing.T) {
	s, path := recording(t, config.Config{})
	agent := tools.Func("agent", "", func(ctx context.Context, _ struct{}) (string, error) {
		s.Call(tools.WithCallID(ctx, "inner"), "ls", nil)
		return "done", nil
	})
	require.NoError(t, s.Add(agent))
	s.Call(tools.WithCallID(t.Context(), "outer"), "agent", nil)
	s.Call(tools.WithCallID(t.Context(), "after"), "ls", nil)
	calls, _ := recorded(t, path)
	require.Len(t, calls, 4)
	for i, want := range [][]any{{"inner", "outer", 2}, {"outer", "", 1}, {"after", "", 1}} {
		c := calls[i+1]
		require.Equal(t, want, []any{c.ID, c.CalledBy, c.AtOnce})
	}
}

// Large arguments and texts are recorded as their beginning, so that the size of a line is bounded.
func TestRecordIsBounded(t *testing.T) {
	s, path := recording(t, config.Config{MaxBytes: 3 << 20, MaxLines: 10})
	content := strings.Repeat("é", 1<<20)
	s.Call(t.Context(), "write", fmt.Appendf(nil, `{"path": "a", "content": "x%s"}`, content))
	s.Call(t.Context(), "read", []byte(`{"path": "a"}`))
	calls, errs := recorded(t, path)
	require.Empty(t, errs)
	var args string
	require.NoError(t, json.Unmarshal(calls[1].Args, &args))
	require.LessOrEqual(t, utf8.RuneCountInString(args), 4096+len("..."))
	require.True(t, strings.HasPrefix(args, `{"path":"a","content":"xé`), args[:40])
	read := calls[2]
	require.Equal(t, 2<<20+1, read.ShownBytes)
	require.Equal(t, "x"+content[:1<<20-2], read.Text, "whole characters")
}

func TestRecordRefused(t *testing.T) {
	dir := t.TempDir()
	in := config.Config{Workspace: dir}
	_, err := record.Open(t.TempDir(), in)
	var refused *config.OptionError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "Record", refused.Option)
	require.Contains(t, err.Error(), "must be a file of yours that can be written to: it is a directory")

	for _, inside := range []string{"r.jsonl", "sub/r.jsonl", ".clarvis/sub/r.jsonl", filepath.Join(dir, "r.jsonl")} {
		_, err = record.Open(inside, in)
		require.ErrorContains(t, err, "but must be outside of the workspace, where searches would find it, or in .clarvis")
		require.NoFileExists(t, filepath.Join(dir, inside))
	}

	link := filepath.Join(t.TempDir(), "link")
	need.Symlink(t, dir, link)
	_, err = record.Open(filepath.Join(link, "sub", "r.jsonl"), in)
	require.ErrorContains(t, err, "but must be outside of the workspace", "wherever links lead")

	_, err = record.Open(filepath.Join(t.TempDir(), "r.jsonl"), config.Config{Workspace: dir, MaxBytes: 1})
	require.ErrorContains(t, err, "MaxBytes", "the error of the configuration")
	_, err = record.Open(filepath.Join(t.TempDir(), "r.jsonl"), config.Config{Workspace: filepath.Join(dir, "none")})
	require.ErrorContains(t, err, "record: workspace")

	outside := filepath.Join(t.TempDir(), "log")
	s, rec := observed(t, filepath.Join(outside, "r.jsonl"), in)
	require.FileExists(t, filepath.Join(outside, "r.jsonl"))
	require.NoError(t, os.RemoveAll(outside))
	require.NoError(t, os.WriteFile(outside, nil, 0o600))
	res, err := s.Call(t.Context(), "ls", nil)
	require.NoError(t, err)
	require.False(t, res.IsError)
	require.NoError(t, s.Close())
	require.ErrorContains(t, rec.Close(), "record: 1 line is not in the record "+filepath.Join(outside, "r.jsonl"))
}

// A record among the full outputs is hidden with them, and no sweep removes it.
func TestRecordAmongSpills(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		s, rec := observed(t, ".clarvis/record.jsonl", config.Config{Workspace: dir, Spill: config.Spill{MaxAge: 1}})
		s.Call(t.Context(), "find", []byte(`{"pattern": "*.jsonl"}`))
		require.NoError(t, s.Close())
		require.NoError(t, rec.Close())
	}
	calls, errs := recorded(t, filepath.Join(dir, ".clarvis", "record.jsonl"))
	require.Empty(t, errs)
	require.Len(t, calls, 4)
	require.Empty(t, calls[3].Facts.Output)
	require.FileExists(t, filepath.Join(dir, ".clarvis", ".gitignore"))
}

func TestRecordTogether(t *testing.T) {
	s, path := recording(t, config.Config{})
	other, _ := observed(t, path, config.Config{Workspace: t.TempDir()})
	const each = 20
	var wg sync.WaitGroup
	for i := range 2 * each {
		wg.Go(func() { []*tools.Suite{s, other}[i%2].Call(t.Context(), "ls", nil) })
	}
	wg.Wait()
	calls, errs := recorded(t, path)
	require.Empty(t, errs)
	count := map[string]int{}
	for _, c := range calls {
		if c.Kind == "call" {
			count[c.Session]++
			require.GreaterOrEqual(t, c.AtOnce, 1)
			require.LessOrEqual(t, c.AtOnce, each)
		}
	}
	require.Equal(t, map[string]int{calls[0].Session: each, calls[1].Session: each}, count)
}

// What is hidden from the model is in no line of the record.
func TestRecordIsRedacted(t *testing.T) {
	need.Part(t, "tools/redaction")
	const secret = "hunter2-swordfish-4711"
	s, path := recording(t, config.Config{
		Redact: config.RedactKnown, RedactValues: func() []string { return []string{secret} }, MaxLines: 100,
	})
	require.NoError(t, s.Add(tools.Func("fetch", "", func(context.Context, struct{}) (string, error) { return secret, nil })))
	for _, c := range [][2]string{
		{"bash", `{"command": "echo ` + secret + `; seq 500; echo 'FAIL: ` + secret + `'; seq 500"}`},
		{"bash", `{"command": "sh -c 'sleep 5; : ` + secret + `' & echo begun"}`},
		{"read", `{"path": "` + secret + `"}`}, {"read", `{"paht": "` + secret + `"}`}, {secret, `{}`}, {"fetch", `{}`},
		{"bash", `{"command": "echo ` + secret + `; sleep 100", "background": true, "ready_when": "."}`},
		{"job", `{"id": 1, "signal": "kill"}`}, {"job", `{}`},
	} {
		s.Call(t.Context(), c[0], []byte(c[1]))
	}
	require.NoError(t, s.Close())
	text := testkit.ReadFile(t, path)
	require.NotContains(t, text, secret)
	require.Contains(t, text, "[redacted")
	calls, errs := recorded(t, path)
	require.Empty(t, errs)
	require.Len(t, calls, 11)
	require.NotEmpty(t, calls[1].Said, "how many secrets")
}

// Nor is it in the line of the session, wherever the options have it.
func TestSessionIsRedacted(t *testing.T) {
	need.Part(t, "tools/redaction")
	const value, variable = "hunter2-swordfish-4711", "tiger-mountain-0815-x"
	const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	t.Setenv("DEPLOY_TOKEN", variable)
	cfg := config.Config{Workspace: t.TempDir(), RedactValues: func() []string { return []string{value} }}
	for _, secret := range []string{value, variable, token} {
		cfg.Rules.Deny = append(cfg.Rules.Deny, "bash(curl "+secret+")")
	}
	for redact, shown := range map[config.Redact][]string{
		config.RedactOff: {value, variable, token}, config.RedactKnown: {token}, config.RedactSecrets: nil,
	} {
		cfg.Redact = redact
		path := filepath.Join(t.TempDir(), "record.jsonl")
		rec, err := record.Open(path, cfg, all.Parts()...)
		require.NoError(t, err)
		require.NoError(t, rec.Close())
		text := testkit.ReadFile(t, path)
		for _, secret := range []string{value, variable, token} {
			is := strings.Contains(text, secret)
			require.Equal(t, slices.Contains(shown, secret), is, "%s: %s", redact, secret)
		}
		calls, errs := recorded(t, path)
		require.Empty(t, errs)
		require.Len(t, calls, 1)
	}
}

// The end of a job is a line, and nothing else that the observer is told of it.
func TestRecordOfJobEvents(t *testing.T) {
	need.Shell(t)
	var states []string
	s, path := recording(t, config.Config{Observe: func(_ context.Context, e config.Event) {
		if e.Job != 0 {
			states = append(states, e.JobState)
		}
	}})
	s.Call(t.Context(), "bash", []byte(`{"command": "echo a; sleep 100", "background": true, "ready_when": "a"}`))
	require.NoError(t, s.Close())
	require.Len(t, states, 3, "Close waits for the observer of the end")
	require.Equal(t, []string{"started", "matched"}, states[:2])
	var ends []string
	calls, errs := recorded(t, path)
	require.Empty(t, errs)
	for _, c := range calls {
		if c.Kind == "job" {
			ends = append(ends, c.State)
		}
	}
	require.Equal(t, states[2:], ends)
}

// newSuite returns a suite with all parts.
func TestMain(m *testing.M) { suitetest.Main(m) }

func newSuite(cfg config.Config) (*tools.Suite, error) { return tools.New(cfg, all.Parts()...) }
