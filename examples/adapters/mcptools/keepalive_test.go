package mcptools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/tools"
)

// dialect is how a server of some version speaks.
type dialect struct {
	version      string
	capabilities map[string]any
	protocols    []string // of MCP; nil is all
	tools        []string
}

// dial connects to a server of a dialect, whose tools do nothing.
func dial(t *testing.T, d dialect) ([]tools.Tool, *mcp.ClientSession) {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "spillway", Version: d.version}, &mcp.ServerOptions{
		Capabilities:              &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Experimental: d.capabilities},
		SupportedProtocolVersions: d.protocols,
	})
	for _, name := range d.tools {
		server.AddTool(mcptools.Tool(fake{name: name}, nil))
	}
	list, session, _ := connectTo(t, server)
	return list, session
}

// connectTo connects to a server until the test ends. end ends the connection before, on both sides.
func connectTo(t *testing.T, server *mcp.Server) (list []tools.Tool, session *mcp.ClientSession, end func()) {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	served, err := server.Connect(t.Context(), there, nil)
	require.NoError(t, err)
	list, session, err = mcptools.Connect(t.Context(), here)
	require.NoError(t, err)
	end = func() { session.Close(); served.Wait() }
	t.Cleanup(end)
	return list, session, end
}

// The two ends may be of different versions, also of MCP.
func TestDifferences(t *testing.T) {
	all := config.ToolNames()
	said := func(protocol int, watches bool, names []string) map[string]any {
		return map[string]any{"spillway": map[string]any{"protocol": protocol, "watches": watches, "tools": names, "later": "something"}}
	}
	tests := []struct {
		name string
		far  dialect
		want []string
	}{
		{"equal", dialect{"(devel)", mcptools.Handshake(mcptools.ShortestSilence), nil, all}, nil},
		{"an older MCP", dialect{"(devel)", mcptools.Handshake(mcptools.ShortestSilence), []string{"2025-06-18"}, all}, nil},
		{"foreign", dialect{"9.9", nil, nil, []string{"fetch"}}, []string{"the server is spillway 9.9, which is not Spillway or an older version"}},
		{"what only looks like a handshake", dialect{"9.9", map[string]any{"spillway": []int{1}}, nil, nil}, []string{"the server is spillway 9.9, which is not"}},
		{"a server that does not watch", dialect{"(devel)", mcptools.Handshake(0), nil, all}, []string{"the server does not watch the connection"}},
		{"a later one, with another tool", dialect{"(devel)", said(2, true, append(slices.Clone(all), "browse")), nil, append(slices.Clone(all), "browse")},
			[]string{"version 2 of Spillway's additions to MCP, and this program 1: update this program", "does not know browse"}},
		{"an earlier one, without a tool", dialect{"(devel)", said(1, true, all[:5]), nil, all[:5]}, []string{"the server's version lacks " + strings.Join(all[5:], ", ") + ": update the server"}},
		{"read-only", dialect{"(devel)", mcptools.Handshake(mcptools.ShortestSilence), nil, []string{"read", "grep", "find", "ls"}}, []string{"the server was started without bash, write, edit"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list, session := dial(t, test.far)
			got := mcptools.Differences(session, list)
			require.Len(t, got, len(test.want))
			for i, want := range test.want {
				assert.Contains(t, got[i], want)
			}
			require.Len(t, list, len(test.far.tools))
		})
	}
}

// A server of a version that says nothing of it allows the shortest silence.
func TestSilenceNotSaid(t *testing.T) {
	_, session := dial(t, dialect{"(devel)", map[string]any{"spillway": map[string]any{"protocol": 1, "watches": true}}, nil, nil})
	require.Equal(t, mcptools.ShortestSilence, mcptools.Silence(session))
}

// A server that watches gets promises, and no other does, in each revision. Revision 2026-07-28 has no ping: a server may
// refuse it before anybody hears of it.
func TestPromises(t *testing.T) {
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		for _, silence := range []time.Duration{0, mcptools.ShortestSilence, time.Hour} {
			t.Run(fmt.Sprint(revision, " ", silence), func(t *testing.T) {
				watches := silence > 0
				server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, &mcp.ServerOptions{
					Capabilities:              &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Experimental: mcptools.Handshake(silence)},
					SupportedProtocolVersions: []string{revision}})
				mcptools.Add(server, suiteOf(t), nil)
				heard := make(chan bool, 100)
				server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
					return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
						if _, alive := req.GetParams().(*mcp.PingParams); alive {
							assert.Equal(t, revision < "2026-07-28", method == "ping", "%s in revision %s", method, revision)
							heard <- mcptools.PromisedSilence(req) > 0
						}
						return next(ctx, method, req)
					}
				})
				_, session, end := connectTo(t, server)
				require.Equal(t, revision, session.InitializeResult().ProtocolVersion)
				require.Equal(t, watches, <-heard, "a promise: %v, to a server that watches: %v", !watches, watches)
				require.Equal(t, silence, mcptools.Silence(session))
				end()
				close(heard)
				for promise := range heard {
					if promise && !watches {
						t.Error("a promise to a server that does not watch")
					}
				}
			})
		}
	}
}

// A server that knows no way to say that it is there says so by its refusal.
func TestForeignServerIsAlive(t *testing.T) {
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		server := mcp.NewServer(&mcp.Implementation{Name: "foreign", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{revision}})
		server.AddTool(mcptools.Tool(fake{"do", func(context.Context, json.RawMessage) (tools.Result, error) {
			return tools.Result{Text: "done"}, nil
		}}, nil))
		here, there := mcp.NewInMemoryTransports()
		refused := make(chan string, 100)
		served, err := server.Connect(t.Context(), strict{there, refused}, nil)
		require.NoError(t, err)
		list, session, err := mcptools.Connect(t.Context(), here)
		require.NoError(t, err)
		t.Logf("%s: refused %s", revision, <-refused)
		if res, err := list[0].Call(t.Context(), json.RawMessage(`{}`)); err != nil || res.Text != "done" {
			t.Errorf("%s: %+v, %v", revision, res, err)
		}
		session.Close()
		served.Wait()
	}
}

// strict is a transport of a server that has no ping, nor any method of its own.
type strict struct {
	mcp.Transport
	refused chan<- string
}

func (s strict) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := s.Transport.Connect(ctx)
	return strictConn{conn, s.refused}, err
}

type strictConn struct {
	mcp.Connection
	refused chan<- string
}

func (c strictConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		msg, err := c.Connection.Read(ctx)
		req, _ := msg.(*jsonrpc.Request)
		if err != nil || req == nil || req.Method != "ping" && !strings.HasPrefix(req.Method, "spillway/") {
			return msg, err
		}
		no := &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "there is no " + req.Method}
		if err := c.Connection.Write(ctx, &jsonrpc.Response{ID: req.ID, Error: no}); err != nil {
			return nil, err
		}
		c.refused <- req.Method
	}
}

// stuck is an input that takes nothing once it is full, as that of a machine that is gone.
type stuck struct {
	io.WriteCloser
	full chan struct{}
	over chan struct{}
}

func (s *stuck) Write(p []byte) (int, error) {
	select {
	case <-s.full:
		<-s.over
		return 0, io.ErrClosedPipe
	default:
		return s.WriteCloser.Write(p)
	}
}

// A pipe that takes nothing holds no call beyond its context.
func TestStuckPipe(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, nil)
	mcptools.Add(server, suiteOf(t), nil)
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	served, err := server.Connect(t.Context(), &mcp.IOTransport{Reader: toServer, Writer: fromServer}, nil)
	require.NoError(t, err)
	in := &stuck{fromClient, make(chan struct{}), make(chan struct{})}
	list, session, err := mcptools.Connect(t.Context(), &mcp.IOTransport{Reader: toClient, Writer: in})
	require.NoError(t, err)
	defer func() { close(in.over); fromClient.Close(); fromServer.Close(); session.Close(); served.Wait() }()
	close(in.full)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range 3 {
		go cancel()
		res, err := list[0].Call(ctx, json.RawMessage(`{}`))
		if !errors.Is(err, context.Canceled) || res.Code != tools.CodeAborted {
			t.Errorf("%+v, %v", res, err)
		}
	}
}

// What a server refuses is no broken connection.
func TestRefusal(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "far", Version: "1"}, nil)
	mcptools.Add(server, suiteOf(t), nil)
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/call" {
				return nil, errors.New("not on a Sunday")
			}
			return next(ctx, method, req)
		}
	})
	list, _, _ := connectTo(t, server)
	res, err := list[0].Call(t.Context(), json.RawMessage(`{}`))
	if want := "io_error: the server of this tool refused the call: not on a Sunday. Another call may work"; err != nil || res.Text != want || res.Code != tools.CodeIOError {
		t.Errorf("%+v, %v; want %q", res, err, want)
	}
}

// What the other side says of its silence is a time within bounds, however large the number is.
func TestSilenceDoesNotOverflow(t *testing.T) {
	for ms, want := range map[float64]time.Duration{
		1500: 1500 * time.Millisecond, 499: 0, 3_600_000: 0, -1e13: 0, 1e13: 0, 1e300: 0, -1e300: 0, math.Inf(-1): 0,
	} {
		ping := &mcp.ServerRequest[*mcp.PingParams]{Params: &mcp.PingParams{Meta: mcp.Meta{"spillway/silenceMs": ms}}}
		assert.Equal(t, want, mcptools.PromisedSilence(ping), ms)
	}
	for silence, want := range map[any]time.Duration{
		3000: 3 * time.Second, int64(10_000_000_000_000): math.MaxInt64 / time.Millisecond * time.Millisecond, int64(-10_000_000_000_000): mcptools.ShortestSilence,
	} {
		_, session := dial(t, dialect{capabilities: map[string]any{
			"spillway": map[string]any{"protocol": 1, "watches": true, "silenceMs": silence},
		}})
		assert.Equal(t, want, mcptools.Silence(session), silence)
	}
}
