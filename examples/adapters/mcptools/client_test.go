package mcptools_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	someKey  = "0123456789abcdef"
	otherKey = "fedcba9876543210"
	trace    = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"
)

// alone serves a suite over HTTP without sessions.
func alone(t *testing.T, suite *tools.Suite) (url string) {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	mcptools.Add(server, suite, nil)
	site := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true}))
	t.Cleanup(site.Close)
	return site.URL
}

// sending adds a header to each request.
type sending struct{ name, value string }

func (s sending) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if s.value != "" {
		r.Header.Set(s.name, s.value)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// keyed is a client that sends a key in the header; none for "".
func keyed(t *testing.T, url, key string) *mcp.ClientSession {
	t.Helper()
	return headed(t, url, sending{mcptools.ClientHeader, key})
}

func headed(t *testing.T, url string, header sending) *mcp.ClientSession {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "near", Version: "1"}, nil).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: header}}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != "2026-07-28" || session.ID() != "" {
		t.Fatalf("revision %s, session %q", got, session.ID())
	}
	return session
}

// Without sessions, each client that sends a key reads jobs on from where it stopped, and none from where another did.
// One without a key is told how to send one.
func TestKeys(t *testing.T) {
	needBash(t)
	url := alone(t, suiteOf(t))
	one, other, nobody := keyed(t, url, someKey), keyed(t, url, otherKey), keyed(t, url, "")
	invoke(t, one, "bash", `{"command": "echo up; read x; echo $x", "background": true, "ready_when": "up"}`)
	job := func(session *mcp.ClientSession, args string) string {
		t.Helper()
		shown, _, _ := strings.Cut(textOf(t, invoke(t, session, "job", args)), "\n\n[")
		return shown
	}
	require.Equal(t, "down", job(one, `{"id": 1, "input": "down\n", "wait_ms": 60000}`))
	require.Equal(t, "up\ndown", job(other, `{"id": 1}`))
	require.Equal(t, "(no new output)", job(keyed(t, url, someKey), `{"id": 1}`))
	res := invoke(t, nobody, "job", `{"id": 1}`)
	if text := textOf(t, res); !res.IsError || !strings.HasPrefix(text, "denied: ") || !strings.Contains(text, mcptools.ClientHeader) {
		t.Errorf("a client without a key was told %q", text)
	}
	if text := job(nobody, `{}`); !strings.HasPrefix(text, "1: exited") {
		t.Errorf("the list of jobs, without a key: %q", text)
	}
}

// The key may be in _meta, which counts more than the header; what cannot be a key is refused.
func TestKeyForms(t *testing.T) {
	t.Parallel()
	needBash(t)
	url := alone(t, suiteOf(t))
	invoke(t, keyed(t, url, someKey), "bash", `{"command": "echo up; read x", "background": true, "ready_when": "up"}`)
	for _, tt := range []struct {
		header string
		meta   any
		want   string
	}{
		{"", someKey, "(no new output)"},
		{otherKey, someKey, "(no new output)"},
		{otherKey, nil, "up"},
		{"", nil, "denied: "},
		{"short", nil, "error"},
		{someKey, "short", "error"},
		{someKey, int64(1234567890123456), "error"},
		{someKey, "", "error"},
		{strings.Repeat("x", 129), nil, "error"},
		{"", strings.Repeat("x", 129), "error"},
		{"", "0123456789abcdef\n", "error"},
		{"", "0123456789abcdeé", "error"},
		{strings.Repeat("x", 128), nil, "up"},
		{"", "AZaz09._~+/=-xyz", "up"},
	} {
		params := &mcp.CallToolParams{Name: "job", Arguments: map[string]any{"id": 1, "wait_ms": 1}}
		if tt.meta != nil {
			params.Meta = mcp.Meta{mcptools.ClientKey: tt.meta}
		}
		res, err := keyed(t, url, tt.header).CallTool(t.Context(), params)
		text := "error"
		if err == nil {
			text = textOf(t, res)
		} else if !strings.Contains(err.Error(), "takes 16 to 128 characters") {
			t.Errorf("%+v: %v", tt, err)
		}
		assert.True(t, strings.HasPrefix(text, tt.want), "%+v: %q", tt, text)
	}
}

// The ids of calls of two clients with one token differ, and do not tell a key. Whoever is nobody cannot choose one,
// nor pass as the client of a pipe.
func TestIDsWithoutSessions(t *testing.T) {
	events := make(chan config.Event, 1)
	suite, err := tools.New(config.Config{Workspace: t.TempDir(), Observe: func(_ context.Context, e config.Event) { events <- e }}, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	defer suite.Close()
	url := alone(t, suite)
	id := func(session *mcp.ClientSession) string {
		t.Helper()
		params := &mcp.CallToolParams{Meta: mcp.Meta{"traceparent": trace, "tracestate": "a=1"}, Name: "ls"}
		params.SetProgressToken("token")
		if _, err := session.CallTool(t.Context(), params); err != nil {
			t.Fatal(err)
		}
		e := <-events
		if e.TraceParent != trace || e.TraceState != "a=1" {
			t.Errorf("the trace is %q, %q", e.TraceParent, e.TraceState)
		}
		return e.ID
	}
	one, other := id(keyed(t, url, someKey)), id(keyed(t, url, otherKey))
	if one == other || !strings.HasPrefix(one, "key-") || !strings.HasSuffix(one, "/token") || strings.Contains(one, someKey) {
		t.Errorf("the ids are %s and %s", one, other)
	}
	if got := id(keyed(t, url, "")); !strings.HasPrefix(got, "call-") {
		t.Errorf("without a key, the id is %s", got)
	}
	if got := id(headed(t, url, sending{"Spillway-Request-Id", "mine"})); !strings.HasPrefix(got, "call-") {
		t.Errorf("with a header of its own, the id is %s", got)
	}
}

// Connect has a key, as it has a session where there are any.
func TestConnectWithoutSessions(t *testing.T) {
	needBash(t)
	url := alone(t, suiteOf(t))
	list, session, err := mcptools.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url})
	require.NoError(t, err)
	defer session.Close()
	texts := map[string]string{}
	for _, name := range []string{"bash", "job"} {
		for _, tool := range list {
			if tool.Name() == name {
				args := map[string]string{
					"bash": `{"command": "echo up; read x; echo $x", "background": true, "ready_when": "up"}`,
					"job":  `{"id": 1, "input": "down\n", "wait_ms": 60000}`,
				}[name]
				res, err := tool.Call(t.Context(), []byte(args))
				if err != nil || res.IsError || res.Details == nil {
					t.Errorf("%s: %+v, %v", name, res, err)
				}
				texts[name] = res.Text
			}
		}
	}
	require.True(t, strings.HasPrefix(texts["job"], "down\n\n["), "%q", texts)
}

// A client that closes its connection ends its call, as the revision without sessions demands.
func TestCancelWithoutSessions(t *testing.T) {
	running, ended := make(chan bool), make(chan error, 1)
	suite := suiteOf(t, fake{"wait", func(ctx context.Context, _ json.RawMessage) (tools.Result, error) {
		close(running)
		<-ctx.Done()
		ended <- ctx.Err()
		return tools.Result{}, ctx.Err()
	}})
	session := keyed(t, alone(t, suite), "")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-running
		cancel()
	}()
	_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "wait"})
	require.ErrorIs(t, err, context.Canceled, "the client's call")
	require.ErrorIs(t, <-ended, context.Canceled, "the tool's context")
}
