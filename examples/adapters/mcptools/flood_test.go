package mcptools

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// foreign is a server that a test plays by hand, over two pipes.
type foreign struct {
	t  *testing.T
	in *bufio.Reader
	io.Writer
}

// request reads up to the next request of the client. It is empty at the end.
func (f *foreign) request() (method string, id any) {
	for {
		if method, id = f.message(); method != "" || id == nil {
			return method, id
		}
	}
}

// message reads the next request or answer of the client, but for pings, which it answers.
func (f *foreign) message() (method string, id any) {
	for {
		line, err := f.in.ReadBytes('\n')
		if err != nil {
			return "", nil
		}
		var req struct {
			Method string
			ID     any
		}
		assert.NoError(f.t, json.Unmarshal(line, &req), line)
		switch {
		case req.Method == "ping":
			f.answers(req.ID, "{}")
		case req.ID != nil:
			return req.Method, req.ID
		}
	}
}

// answers answers a request. It reports whether the client took that.
func (f *foreign) answers(id any, result string) bool {
	return f.says(`"id":%v,"result":%s`, id, result)
}

func (f *foreign) says(format string, args ...any) bool {
	_, err := fmt.Fprintf(f, `{"jsonrpc":"2.0",`+format+"}\n", args...)
	return err == nil
}

const initialized = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"foreign","version":"1"}}`

// greets answers what a client asks for before it lists tools, and takes that request.
func (f *foreign) greets() (listID any) {
	for {
		switch method, id := f.request(); method {
		case "tools/list", "":
			return id
		case "initialize":
			f.answers(id, initialized)
		default:
			f.says(`"id":%v,"error":{"code":-32601,"message":"no"}`, id)
		}
	}
}

// one lists one tool.
const one = `{"tools":[{"name":"one","inputSchema":{"type":"object"}}]}`

// play starts a server, and returns its transport. What it plays ends when its pipes are closed,
// at the latest by the end of the test.
func play(t *testing.T, server func(f *foreign)) *mcp.IOTransport {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		server(&foreign{t, bufio.NewReader(toServer), fromServer})
	}()
	t.Cleanup(func() { toServer.Close(); fromServer.Close(); <-ended })
	return &mcp.IOTransport{Reader: toClient, Writer: fromClient}
}

// A server that sends requests and takes no answer is given up, and says why.
func TestFloodOfRequests(t *testing.T) {
	sent := make(chan int, 1)
	list, session, err := Connect(t.Context(), play(t, func(f *foreign) {
		f.answers(f.greets(), one)
		f.request() // the call
		n := 0
		for f.says(`"id":"%d","method":"ping"`, n) {
			n++
		}
		sent <- n
	}))
	require.NoError(t, err)
	res, err := list[0].Call(t.Context(), nil)
	if want := "sent 257 requests and has not taken the answers to them, the limit is 256"; err != nil || res.Code != tools.CodeIOError || !strings.Contains(res.Text, want) {
		t.Errorf("%v, %+v; want %q", err, res, want)
	}
	if n := <-sent; n < 256 || n > 256+2 { // one or two are in the pipe
		t.Errorf("the client took %d requests", n)
	}
	require.Error(t, session.Wait(), "the session ended without an error")
}

// A server whose requests the SDK could only answer by the id of another is given up, and says why. See
// modelcontextprotocol/go-sdk#1253.
func TestLargeIDs(t *testing.T) {
	ids := []string{"9007199254740992", "-9007199254740993"}
	if math.MaxInt > math.MaxInt32 { // on 386 the SDK makes 0 of it, which may be an id
		ids = append(ids, "1e300")
	}
	for _, id := range ids {
		list, session, err := Connect(t.Context(), play(t, func(f *foreign) {
			f.answers(f.greets(), one)
			f.request() // the call
			f.says(`"id":9007199254740991,"method":"roots/list"`)
			if _, got := f.message(); got != float64(1<<53-1) {
				t.Errorf("the client answered %v", got)
			}
			f.says(`"id":%s,"method":"roots/list"`, id)
			if _, got := f.message(); got != nil {
				t.Errorf("the client answered %s as %v", id, got)
			}
		}))
		require.NoError(t, err)
		res, err := list[0].Call(t.Context(), nil)
		if want := "a request whose id is beyond 9007199254740991"; err != nil || res.Code != tools.CodeIOError || !strings.Contains(res.Text, want) {
			t.Errorf("%s: %v, %+v; want %q", id, err, res, want)
		}
		assert.Error(t, session.Wait(), id)
	}
}

// Requests whose answers are taken may be any number.
func TestManyRequests(t *testing.T) {
	list, session, err := Connect(t.Context(), play(t, func(f *foreign) {
		f.answers(f.greets(), one)
		_, call := f.request()
		for n := range 2*maxUnanswered + 1 {
			f.says(`"id":"%d","method":"roots/list"`, n)
			if method, id := f.message(); method != "" || id != fmt.Sprint(n) {
				t.Errorf("the client sent %q %v", method, id)
			}
		}
		f.answers(call, `{"content":[{"type":"text","text":"done"}]}`)
		f.request()
	}))
	require.NoError(t, err)
	defer session.Close()
	if res, err := list[0].Call(t.Context(), nil); err != nil || res.Text != "done" {
		t.Errorf("%v, %+v", err, res)
	}
}

// Notifications are not queued, of whatever kind: a report that is busy gets the last one.
func TestFloodOfNotifications(t *testing.T) {
	busy, free := make(chan struct{}), make(chan struct{})
	list, session, err := Connect(t.Context(), play(t, func(f *foreign) {
		f.answers(f.greets(), one)
		_, call := f.request()
		f.says(`"method":"notifications/progress","params":{"progressToken":"1","progress":1,"message":"first"}`)
		<-busy
		before := runtime.NumGoroutine()
		for n := range 300 {
			f.says(`"method":"notifications/progress","params":{"progressToken":"1","progress":%d,"message":%q}`, n, strings.Repeat("x", 5000))
			f.says(`"method":"notifications/message","params":{"level":"info","data":"%d"}`, n)
			f.says(`"method":"notifications/cancelled","params":{"requestId":%d}`, n)
			f.says(`"method":"nobody/knows"`)
		}
		f.says(`"method":"notifications/progress","params":{"progressToken":"1","progress":2,"message":"last"}`)
		assert.LessOrEqual(t, runtime.NumGoroutine(), before+10, before)
		close(free)
		f.answers(call, `{"content":[]}`)
		f.request()
	}))
	require.NoError(t, err)
	defer session.Close()
	var heard []string
	ctx := tools.WithProgress(t.Context(), func(u tools.Update) {
		assert.LessOrEqual(t, len(u.Tail), 4<<10)
		if heard = append(heard, u.Tail); len(heard) == 1 {
			close(busy)
			<-free
		}
	})
	if _, err := list[0].Call(ctx, nil); err != nil {
		t.Error(err)
	}
	if heard[0] != "first\n" || len(heard) > 3 { // one waited, and the last may have come later
		t.Errorf("heard %d updates", len(heard))
	}
}

// What is large in another way ends the connection, or the call.
func TestFloodOfBytes(t *testing.T) {
	testkit.Raced(t)
	for name, test := range map[string]struct {
		send func(f *foreign, call any)
		want string
	}{
		"a request": {func(f *foreign, _ any) {
			f.says(`"id":1,"method":"ping","params":{"a":%q}`, strings.Repeat("x", 64<<10))
		},
			"the server sent a request of 65548 bytes, the limit is 65536)"},
		"an id": {func(f *foreign, _ any) { f.says(`"id":%q,"method":"ping"`, strings.Repeat("x", 64<<10)) },
			"the server sent a request of 65540 bytes, the limit is 65536)"},
		"values": {func(f *foreign, call any) {
			f.answers(call, `{"content":[],"structuredContent":[`+strings.Repeat("{},", maxValues)+"0]}")
		},
			"io_error: the server's answer has more than 500000 JSON values. Ask for less"},
		"a code": {func(f *foreign, call any) {
			f.answers(call, fmt.Sprintf(`{"content":[],"isError":true,"_meta":{"details":{"error":%q}}}`, strings.Repeat("x", 1<<20)))
		}, ""},
		"a message": {func(f *foreign, _ any) { fmt.Fprintf(f, "%s\n", strings.Repeat(" ", 17<<20)) }, "is broken ("},
	} {
		t.Run(name, func(t *testing.T) {
			list, session, err := Connect(t.Context(), play(t, func(f *foreign) {
				f.answers(f.greets(), one)
				_, call := f.request()
				test.send(f, call)
				f.request()
			}))
			require.NoError(t, err)
			defer session.Close()
			res, err := list[0].Call(t.Context(), nil)
			if err != nil || !res.IsError || !strings.Contains(res.Text, test.want) || len(res.Code) > 100 {
				t.Errorf("%v, %q, %.500s; want %q", err, res.Code, res.Text, test.want)
			}
		})
	}
}

// What a server says of itself does not flood a log, and breaks no line of it.
func TestLongGreeting(t *testing.T) {
	names := strings.TrimSuffix(strings.Repeat(fmt.Sprintf("%q,", strings.Repeat("x", 100)+"\n"), 1000), ",")
	for _, capabilities := range []string{`{"tools":{}}`, `{"tools":{},"experimental":{"spillway":{"protocol":1,"tools":[` + names + `]}}}`} {
		list, session, err := Connect(t.Context(), play(t, func(f *foreign) {
			for method, id := f.request(); method != ""; method, id = f.request() {
				switch method {
				case "tools/list":
					f.answers(id, one)
				case "initialize":
					f.answers(id, `{"protocolVersion":"2025-11-25","capabilities":`+capabilities+`,"serverInfo":{"name":"a\nb","version":"v`+strings.Repeat("1", 100<<10)+`"}}`)
				default:
					f.says(`"id":%v,"error":{"code":-32601,"message":"no"}`, id)
				}
			}
		}))
		require.NoError(t, err)
		said := strings.Join(Differences(session, list), "; ")
		if len(said) > 4000 || strings.Contains(said, "\n") || said == "" {
			t.Errorf("%d bytes: %.4000s", len(said), said)
		}
		session.Close()
	}
}

// A list of tools has a limit, in tools, in pages and in bytes.
func TestEndlessList(t *testing.T) {
	for name, test := range map[string]struct{ page, want string }{
		"of tools": {`"tools":[` + strings.TrimSuffix(strings.Repeat(`{"name":"one","inputSchema":{"type":"object"}},`, 1001), ",") + `]`, "the server lists more than 1000 tools"},
		"of pages": {`"tools":[]`, "the server lists its tools on more than 1000 pages"},
		"of bytes": {`"tools":[{"name":"one","inputSchema":{"type":"object"},"title":"` + strings.Repeat("x", 9<<20) + `"}]`, "the server's list of tools has more than 16 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "of bytes" {
				testkit.Alone(t)
			}
			list, session, err := Connect(t.Context(), play(t, func(f *foreign) {
				for n, id := 0, f.greets(); id != nil; _, id = f.request() {
					n++
					f.answers(id, fmt.Sprintf(`{%s,"nextCursor":"%d"}`, test.page, n))
				}
			}))
			require.ErrorContains(t, err, test.want, "%v, %d tools, %v; want %q", err, len(list), session, test.want)
		})
	}
}

// Connect returns when its context ends, at whatever it waits, and ends the connection.
func TestConnectEndsWithItsContext(t *testing.T) {
	for name, server := range map[string]func(f *foreign, waits func()){
		"reads nothing":   func(f *foreign, waits func()) { f.in.ReadByte(); waits() },
		"answers nothing": func(f *foreign, waits func()) { f.request(); waits(); f.request() },
		"never lists":     func(f *foreign, waits func()) { f.greets(); waits(); f.request() },
		"never ends its list": func(f *foreign, waits func()) {
			f.answers(f.greets(), `{"tools":[],"nextCursor":"a"}`)
			f.request()
			waits()
			f.request()
		},
		"floods before a list": func(f *foreign, waits func()) {
			f.greets()
			for n := range 100 {
				f.says(`"id":"%d","method":"ping"`, n)
			}
			waits()
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			transport := play(t, func(f *foreign) {
				server(f, cancel)
				io.Copy(io.Discard, f.in) // until the client hangs up
			})
			returned := make(chan error, 1)
			go func() {
				_, session, err := Connect(ctx, transport)
				assert.Nil(t, session, "there is a session")
				returned <- err
			}()
			select {
			case err := <-returned:
				require.ErrorIs(t, err, context.Canceled)
			case <-time.After(pingTimeout / 2): // far beyond a second, for a machine that is busy
				t.Error("Connect does not return")
			}
		})
	}
}

// silentTransport never connects.
type silentTransport struct{ connecting chan struct{} }

func (s silentTransport) Connect(context.Context) (mcp.Connection, error) {
	close(s.connecting)
	select {}
}

func TestConnectLeavesATransportThatHangs(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	transport := silentTransport{make(chan struct{})}
	go func() { <-transport.connecting; cancel() }()
	if _, _, err := Connect(ctx, transport); !errors.Is(err, context.Canceled) {
		t.Errorf("Connect returned %v", err)
	}
}
