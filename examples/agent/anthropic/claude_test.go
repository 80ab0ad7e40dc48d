package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/agent/loop"
	"github.com/spillway-go/spillway/tools"
)

// api is a server that answers as the API does: the answers in turn, each the
// content and the reason to stop. It keeps what it is sent.
type api struct {
	*httptest.Server
	requests []string
}

func newAPI(t *testing.T, answers ...[2]string) *api {
	a := &api{}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		a.requests = append(a.requests, string(body))
		if n := len(a.requests); n <= len(answers) && r.URL.Path == "/v1/messages" && r.Header.Get("X-Api-Key") == "key" {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [%s], "stop_reason": %q}`,
				answers[n-1][0], answers[n-1][1])
			return
		}
		w.WriteHeader(http.StatusBadRequest)
	}))
	t.Cleanup(a.Close)
	return a
}

// run runs the program with that server.
func (a *api) run(t *testing.T, args ...string) (code int, out, stderr string) {
	t.Setenv("ANTHROPIC_API_KEY", "key")
	t.Setenv("ANTHROPIC_BASE_URL", a.URL)
	var o, e bytes.Buffer
	code = loop.Run(t.Context(), parse, args, &o, &e)
	return code, o.String(), e.String()
}

// The conversation that the API is sent is that of the loop: the prompt, the
// model's turns as they were, and the results with their notices.
func TestAnthropic(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("one\ntwo\nthree\n"), 0o644))
	server := newAPI(t,
		[2]string{`{"type": "thinking", "thinking": "hm", "signature": "signed"}, {"type": "text", "text": "I look."},
			{"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "notes.txt", "limit": 1}},
			{"type": "tool_use", "id": "toolu_2", "name": "read", "input": {"path": "note.txt"}}`, "tool_use"},
		[2]string{`{"type": "text", "text": "Three lines."}`, "end_turn"})
	code, out, stderr := server.run(t, "-workspace", dir, "-model", "m", "What", "is there?")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, "\nI look.\n● read path=\"notes.txt\" limit=1\n")
	require.Contains(t, out, "\n\nThree lines.\n")

	require.Len(t, server.requests, 2)
	var sent struct {
		Model    string
		System   []struct{ Text string }
		Tools    []struct{ Name string }
		Messages json.RawMessage
	}
	require.NoError(t, json.Unmarshal([]byte(server.requests[1]), &sent))
	require.Equal(t, "m", sent.Model)
	require.Contains(t, sent.System[0].Text, dir)
	require.Contains(t, sent.Tools, struct{ Name string }{"write"})
	require.JSONEq(t, `[
		{"role": "user", "content": [{"type": "text", "text": "What is there?"}]},
		{"role": "assistant", "content": [
			{"type": "thinking", "thinking": "hm", "signature": "signed"},
			{"type": "text", "text": "I look."},
			{"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "notes.txt", "limit": 1}},
			{"type": "tool_use", "id": "toolu_2", "name": "read", "input": {"path": "note.txt"}}]},
		{"role": "user", "content": [
			{"type": "tool_result", "tool_use_id": "toolu_1", "is_error": false,
				"content": [{"type": "text", "text": "one\n\n[2 more lines in file. Use offset=2 to continue]"}]},
			{"type": "tool_result", "tool_use_id": "toolu_2", "is_error": true,
				"content": [{"type": "text", "text": "not_found: note.txt does not exist. Did you mean notes.txt?"}]}]}
	]`, string(sent.Messages))
}

// A turn that was cut off is not acted on: its last call may be half of one.
func TestAnthropicFailures(t *testing.T) {
	for want, answer := range map[string][2]string{
		"the model's turn was cut off (max_tokens)": {`{"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {"command": "touch made"}}`, "max_tokens"},
		"the model refused":                         {`{"type": "text", "text": "No."}`, "refusal"},
		"400 Bad Request":                           {},
	} {
		dir := t.TempDir()
		var answers [][2]string
		if answer[0] != "" {
			answers = append(answers, answer)
		}
		code, _, stderr := newAPI(t, answers...).run(t, "-workspace", dir, "Go.")
		require.Equal(t, loop.ExitFailure, code)
		require.Contains(t, stderr, want)
		require.NoFileExists(t, dir+"/made")
	}
}

func TestUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"agent: ANTHROPIC_API_KEY is not set: ":                     {"Hello"},
		"agent: what should the model do? Write it behind the flag": {"-model", "m"},
		"agent: flag provided but not defined: -x (see -help)\n":    {"-x"},
	} {
		t.Setenv("ANTHROPIC_API_KEY", "")
		var out, stderr bytes.Buffer
		require.Equal(t, loop.ExitUsage, loop.Run(t.Context(), parse, args, &out, &stderr))
		require.Contains(t, stderr.String(), want)
		require.Empty(t, out.String())
	}
}

// What was shelved is sent as a line from then on, with the same id, and everything else as it was.
func TestShelved(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), bytes.Repeat([]byte(name+" line\n"), 400), 0o644))
	}
	reads := func(id, path string) [2]string {
		return [2]string{fmt.Sprintf(`{"type": "tool_use", "id": %q, "name": "read", "input": {"path": %q}}`, id, path), "tool_use"}
	}
	server := newAPI(t, reads("toolu_1", "a"), reads("toolu_2", "b"), [2]string{`{"type": "text", "text": "Read."}`, "end_turn"})
	code, _, stderr := server.run(t, "-workspace", dir, "-context", "2000", "Read.")
	require.Equal(t, 0, code, stderr)
	require.Len(t, server.requests, 3)
	require.Contains(t, server.requests[1], `a line\na line\n`)
	require.NotContains(t, server.requests[2], `a line\n`)
	require.Regexp(t, `"tool_use_id":"toolu_1"[^\[]*\[\{"text":"\[read: 400 lines, 2\.7KB\. Full result: \.clarvis/result-\w{8}\.txt\]"`, server.requests[2])
	require.Contains(t, server.requests[2], `b line\nb line\n`)
}

// What was said from a prompt on is not sent again after a rewind to before it.
func TestCut(t *testing.T) {
	said := func(text string) [2]string { return [2]string{`{"type": "text", "text": "` + text + `"}`, "end_turn"} }
	server := newAPI(t, said("One."), said("Two."), said("Three."))
	t.Setenv("ANTHROPIC_API_KEY", "key")
	t.Setenv("ANTHROPIC_BASE_URL", server.URL)
	c := newClaude("m", suiteIn(t))
	for _, prompt := range []string{"a", "b", "c"} {
		if prompt == "c" {
			c.Cut(1)
		}
		_, err := c.Next(t.Context(), loop.Input{Prompt: prompt})
		require.NoError(t, err)
	}
	var sent struct{ Messages json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(server.requests[2]), &sent))
	require.JSONEq(t, `[
		{"role": "user", "content": [{"type": "text", "text": "a"}]},
		{"role": "assistant", "content": [{"type": "text", "text": "One."}]},
		{"role": "user", "content": [{"type": "text", "text": "c"}]}
	]`, string(sent.Messages))
}

func suiteIn(t *testing.T) *tools.Suite {
	suite, err := tools.New(config.Config{Workspace: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { suite.Close() })
	return suite
}
