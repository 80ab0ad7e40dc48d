package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
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

func (a *api) options() []option.RequestOption {
	return []option.RequestOption{option.WithBaseURL(a.URL), option.WithAPIKey("key"), option.WithMaxRetries(0)}
}

// The conversation that the API is sent is that of the loop: the prompt, the
// model's turns as they were, and the results with their notices.
func TestAnthropic(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "notes.txt", "one\ntwo\nthree\n")
	suite, err := tools.New(config.Config{Workspace: dir})
	require.NoError(t, err)
	defer suite.Close()
	server := newAPI(t,
		[2]string{`{"type": "thinking", "thinking": "hm", "signature": "signed"}, {"type": "text", "text": "I look."},
			{"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "notes.txt", "limit": 1}},
			{"type": "tool_use", "id": "toolu_2", "name": "read", "input": {"path": "note.txt"}}`, "tool_use"},
		[2]string{`{"type": "text", "text": "Three lines."}`, "end_turn"})
	var out bytes.Buffer
	a := agent{model: newClaude("m", suite, server.options()...), suite: suite, out: newTranscript(&out)}
	require.NoError(t, a.run(t.Context(), "What is there?"))
	require.Contains(t, out.String(), "\nI look.\n● read path=\"notes.txt\" limit=1\n")
	require.Regexp(t, `\n\nThree lines\.\n$`, out.String())

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
		suite, err := tools.New(config.Config{Workspace: dir})
		require.NoError(t, err)
		defer suite.Close()
		var answers [][2]string
		if answer[0] != "" {
			answers = append(answers, answer)
		}
		server := newAPI(t, answers...)
		a := agent{model: newClaude("m", suite, server.options()...), suite: suite, out: newTranscript(&bytes.Buffer{})}
		require.ErrorContains(t, a.run(t.Context(), "Go."), want)
		require.NoFileExists(t, dir+"/made")
	}
}

// The program takes the key and the server from the environment.
func TestAnthropicProgram(t *testing.T) {
	server := newAPI(t, [2]string{`{"type": "text", "text": "Hello."}`, "end_turn"})
	t.Setenv("ANTHROPIC_API_KEY", "key")
	t.Setenv("ANTHROPIC_BASE_URL", server.URL)
	var out, stderr bytes.Buffer
	code := run(t.Context(), []string{"-workspace", t.TempDir(), "-provider", "anthropic", "-model", "m", "Say", "hello."}, &out, &stderr)
	require.Equal(t, 0, code, "%s", &stderr)
	require.Contains(t, out.String(), "> Say hello.\n\nHello.\n")
}
