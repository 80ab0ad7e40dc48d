package mcptools_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What was shown to a session is forgotten when it has ended: one that gets its id is shown a
// job from its beginning.
func TestForgetReaders(t *testing.T) {
	needBash(t)
	server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, &mcp.ServerOptions{GetSessionID: func() string { return "the only one" }})
	mcptools.Add(server, suiteOf(t), nil)
	site := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer site.Close()
	client := mcp.NewClient(&mcp.Implementation{Name: "near", Version: "1"}, nil)
	connect := func() *mcp.ClientSession {
		// Without the question for the server's newest revision, which would have a session of the same id: its end
		// would end the next one.
		transport := &mcp.StreamableClientTransport{Endpoint: site.URL, DisableStandaloneSSE: true}
		session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
		require.NoError(t, err)
		return session
	}
	shown := func(calls ...string) (texts []string) {
		session := connect()
		defer session.Close()
		for _, args := range calls {
			texts = append(texts, textOf(t, invoke(t, session, "job", args)))
		}
		return texts
	}
	session := connect()
	invoke(t, session, "bash", `{"command": "echo up; read x", "background": true, "ready_when": "up"}`)
	session.Close()
	texts := shown(`{"id": 1, "input": "\n", "wait_ms": 60000}`, `{"id": 1}`)
	for !strings.HasPrefix(texts[0], "up\n") { // the session before ends behind its Close
		texts = shown(`{"id": 1}`, `{"id": 1}`)
	}
	require.True(t, strings.HasPrefix(texts[1], "(no new output)"), "one session was shown %q", texts)
}

// Two sessions give their calls one token: the ids differ.
func TestIDsOfSessions(t *testing.T) {
	var mu sync.Mutex
	var ids []string
	suite, err := tools.New(config.Config{Workspace: t.TempDir(), Observe: func(_ context.Context, e config.Event) {
		mu.Lock()
		defer mu.Unlock()
		ids = append(ids, e.ID)
	}}, all.Parts()...)
	require.NoError(t, err)
	defer suite.Close()
	server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, nil)
	mcptools.Add(server, suite, nil)
	site := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer site.Close()
	for range 2 {
		client := mcp.NewClient(&mcp.Implementation{Name: "near", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: site.URL, DisableStandaloneSSE: true}, nil)
		require.NoError(t, err)
		defer session.Close()
		params := &mcp.CallToolParams{Name: "ls"}
		params.SetProgressToken("token")
		if _, err := session.CallTool(t.Context(), params); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		assert.Equal(t, session.ID()+"/token", ids[len(ids)-1])
		mu.Unlock()
	}
	require.Len(t, ids, 2)
	require.NotEqual(t, ids[1], ids[0], "the ids are %q", ids)
}
