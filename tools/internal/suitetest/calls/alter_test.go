package calls_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/spillway-go/spillway/tools/record"
	"github.com/stretchr/testify/require"
)

// altering is a suite whose results change makes, and its events.
func altering(t *testing.T, change func(e config.Event) (string, error)) (*tools.Suite, *[]config.Event) {
	var events []config.Event
	s := suitetest.AllTools(t, config.Config{
		Redact:  config.RedactSecrets,
		Filter:  func(_ context.Context, e config.Event) (string, error) { return change(e) },
		Observe: func(_ context.Context, e config.Event) { events = append(events, e) },
	}, map[string]string{"a.txt": "one secret\ntwo\n", "token": suitetest.TokenValue + "\n"})
	require.NoError(t, s.Add(tools.Func("own", "d", func(context.Context, struct{}) (string, error) { return "own secret", nil }),
		tools.Func("fails", "d", func(context.Context, struct{}) (string, error) { return "", errors.New("a secret failure") })))
	return s, &events
}

func noSecret(e config.Event) (string, error) {
	return strings.ReplaceAll(e.Text, "secret", "[gone]"), nil
}

func TestResultIsChanged(t *testing.T) {
	s, events := altering(t, noSecret)
	for _, call := range []struct{ tool, args, want string }{
		{"read", `{"path":"a.txt"}`, "one [gone]"},
		{"grep", `{"pattern":"secret"}`, "a.txt:1: one [gone]"},
		{"own", `{}`, "own [gone]"},
		{"fails", `{}`, "a [gone] failure"},
		{"read", `{"path":"secret.txt"}`, "[gone].txt"},
		{"read", `{"paht":"secret"}`, "path"},
		{"secret", `{}`, "[gone]"},
	} {
		res, err := s.Call(t.Context(), call.tool, json.RawMessage(call.args))
		require.NoError(t, err)
		require.Contains(t, res.Text, call.want)
		require.NotContains(t, res.Text, "secret")
		require.Equal(t, res.Text, (*events)[len(*events)-1].Text, "the observer gets what the model does")
	}
	r, err := s.Read(t.Context(), tools.ReadParams{Path: "a.txt"})
	require.NoError(t, err)
	require.Contains(t, r.Text, "one [gone]")
	require.Contains(t, r.Page, "one secret", "details stay")
	_, err = s.Read(t.Context(), tools.ReadParams{Path: "secret.txt"})
	require.Equal(t, tools.CodeNotFound, tools.CodeOf(err))
	require.NotContains(t, err.Error(), "secret")
	view, err := s.With(tools.View{ReadOnly: true})
	require.NoError(t, err)
	require.Contains(t, suitetest.Call(t, view, "read", map[string]any{"path": "a.txt"}).Text, "[gone]")
}

// It is called behind redaction, with the redacted text and arguments.
func TestResultIsRedacted(t *testing.T) {
	var got config.Event
	s, _ := altering(t, func(e config.Event) (string, error) { got = e; return e.Text, nil })
	res := suitetest.Call(t, s, "read", map[string]any{"path": "token"})
	require.NotContains(t, got.Text, "ghp_")
	require.Equal(t, res.Text, got.Text)
	require.Equal(t, "read", got.Tool)
	require.JSONEq(t, `{"path":"token"}`, string(got.Args))
}

// It gets no secret, however a call ends, and the model gets none that it brings along.
func TestResultSeesNoSecret(t *testing.T) {
	token := suitetest.TokenValue
	var got config.Event
	s, events := altering(t, func(e config.Event) (string, error) { got = e; return e.Text + " " + token, nil })
	require.NoError(t, s.Add(
		tools.Func("tells", "d", func(context.Context, struct{}) (string, error) { return token, nil }),
		tools.Func("failsWith", "d", func(context.Context, struct{}) (string, error) { return "", errors.New(token) }),
		tools.Func("panics", "d", func(context.Context, struct{}) (text string, err error) { panic(token) })))
	for _, call := range []struct{ tool, args string }{
		{"read", `{"path":"token"}`},
		{"read", `{"path":"` + token + `"}`},
		{"read", `{"` + token + `":1}`},
		{"read", token},
		{"grep", `{"pattern":"."}`},
		{"bash", `{"command":"cat token; echo ` + token + ` >&2; false"}`},
		{"bash", `{"command":"seq 5000; echo error: $(cat token); seq 5000"}`},
		{"bash", `{"command":"cat token; sleep 60","timeout_ms":300}`},
		{"write", `{"path":"new","content":"` + token + `"}`},
		{token, `{}`},
		{"tells", `{}`}, {"failsWith", `{}`}, {"panics", `{}`},
	} {
		res, err := s.Call(t.Context(), call.tool, json.RawMessage(call.args))
		require.NoError(t, err)
		require.NotContains(t, res.Text, token, "%s %s", call.tool, call.args)
		seen, err := json.Marshal(got)
		require.NoError(t, err)
		require.NotContains(t, string(seen)+got.Text+got.Said, token, "%s %s", call.tool, call.args)
		require.Equal(t, res.Text, (*events)[len(*events)-1].Text)
	}
}

// A record has what the model has read.
func TestResultIsRecorded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "record.jsonl")
	cfg := config.Config{
		Workspace: t.TempDir(), Tools: config.ToolNames(),
		Filter: func(_ context.Context, e config.Event) (string, error) {
			if e.Tool == "ls" {
				return "", errors.New("no answer")
			}
			return strings.ReplaceAll(e.Text, "secret", "[gone]") + strings.Repeat("more\n", 10_000), nil
		},
	}
	rec, err := record.Open(file, cfg)
	require.NoError(t, err)
	defer rec.Close()
	cfg.Observe = rec.Observe
	s := suitetest.New(t, cfg, map[string]string{"a.txt": "one secret\n"})
	var read []string
	for _, call := range []struct{ tool, args string }{
		{"read", `{"path":"a.txt"}`}, {"bash", `{"command":"cat a.txt; false"}`}, {"read", `{"path":"secret"}`}, {"secret", `{}`},
		{"ls", `{}`}, {"bash", `{"command":"echo secret","background":true}`},
	} {
		res, err := s.Call(t.Context(), call.tool, json.RawMessage(call.args))
		require.NoError(t, err)
		read = append(read, res.Text)
	}
	require.NoError(t, s.Close())
	require.NoError(t, rec.Close())
	var recorded []string
	for line, err := range record.Read(file) {
		require.NoError(t, err)
		if line.Kind == "call" {
			recorded = append(recorded, line.Text)
		}
	}
	require.Equal(t, read, recorded)
}

// A text that is too long is cut, and says so.
func TestResultIsBounded(t *testing.T) {
	s, _ := altering(t, func(e config.Event) (string, error) {
		if e.Tool == "own" {
			return strings.Repeat("x", 10<<20), nil
		}
		return strings.Repeat("line\n", 1<<20) + "\xff", nil
	})
	for _, tool := range []string{"own", "ls", "bash", "fails"} {
		res := suitetest.Call(t, s, tool, map[string]any{"command": "true"})
		require.Less(t, len(res.Text), 33<<10, tool)
		require.Contains(t, res.Text, "longer than a result may be", tool)
	}
}

// If it fails, nothing of the result is left.
func TestResultFails(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(config.Event) (string, error)
		code   tools.Code
		want   string
	}{
		"an error": {func(config.Event) (string, error) { return "", errors.New("no answer") }, tools.CodeIOError, "withheld: no answer"},
		"a panic":  {func(config.Event) (string, error) { panic("oh") }, tools.CodeInternal, "oh"},
	} {
		t.Run(name, func(t *testing.T) {
			s, events := altering(t, tt.change)
			for tool, args := range map[string]map[string]any{
				"read": {"path": "a.txt"}, "own": {}, "fails": {}, "bash": {"command": "cat a.txt; false"},
			} {
				res := suitetest.Call(t, s, tool, args)
				require.True(t, res.IsError)
				require.Equal(t, tt.code, res.Code)
				require.Contains(t, res.Text, tt.want)
				details, err := json.Marshal(res.Details)
				require.NoError(t, err)
				require.NotContains(t, res.Text+string(details), "secret", tool)
				require.NotContains(t, (*events)[len(*events)-1].Text, "secret")
			}
			r, err := s.Read(t.Context(), tools.ReadParams{Path: "a.txt"})
			require.Equal(t, tt.code, tools.CodeOf(err))
			require.Zero(t, r)
		})
	}
}
