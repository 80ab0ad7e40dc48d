package mcptools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/truncation"
)

// The SDK starts a goroutine for every request that it reads, queues every notification, and
// decodes all JSON in a message. For a message of 16 MiB, the largest that its transports take,
// decoding needs up to 250 MiB. These constants bound what a server may send.
const (
	maxUnanswered = 256       // requests whose answers the server has not taken
	maxRequest    = 64 << 10  // bytes of such a request: its id, method and parameters
	maxNumber     = 1<<53 - 1 // as an id; the SDK takes a larger one and its neighbor for the same (go-sdk#1253)
	maxValues     = 500_000   // JSON values of an answer; a decoded one takes up to 64 bytes
	maxTools      = 1000      // tools that a server lists, and pages of that list
	maxList       = 16 << 20  // bytes of that list
)

var errValues = fmt.Errorf("the server's answer has more than %d JSON values", maxValues)

// boundedTransport keeps from the SDK what a server sends beyond these bounds.
type boundedTransport struct {
	mcp.Transport
	progress *listeners

	mu   sync.Mutex
	conn mcp.Connection
	over bool
}

// Connect connects, unless hangUp was called before. Over HTTP the SDK needs its own type of
// connection, to which it gives the session, so only the SDK's bounds apply there.
func (t *boundedTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		go conn.Close()
		return nil, mcp.ErrConnectionClosed
	}
	t.conn = conn
	if _, ok := t.Transport.(*mcp.StreamableClientTransport); ok {
		return conn, nil
	}
	return &boundedConn{Connection: conn, progress: t.progress}, nil
}

// hangUp closes the connection. Closing the session is not enough: it would wait until all
// requests are answered, forever if the server answers nothing or takes no answer.
func (t *boundedTransport) hangUp() {
	t.mu.Lock()
	t.over = true
	conn := t.conn
	t.mu.Unlock()
	if conn != nil {
		conn.Close()
	}
}

type boundedConn struct {
	mcp.Connection
	progress   *listeners
	unanswered atomic.Int64
}

// Read returns the next answer or request. It reports progress itself and drops all other
// notifications, because nobody listens to them and the SDK would queue them without limit.
func (c *boundedConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		msg, err := c.Connection.Read(ctx)
		req, isRequest := msg.(*jsonrpc.Request)
		switch {
		case err != nil:
		case !isRequest:
			return answer(msg), nil
		case req.ID.IsValid():
			if err = c.countRequest(req); err == nil {
				return req, nil
			}
		default:
			c.notice(req)
			continue
		}
		go c.Connection.Close() // or the session would wait for answers that the server does not take
		return nil, err
	}
}

// countRequest counts a request of the server, and refuses one that is too large, one too many, or
// one that could only be answered by the id of another.
func (c *boundedConn) countRequest(req *jsonrpc.Request) error {
	id, _ := req.ID.Raw().(string)
	if number, _ := req.ID.Raw().(int64); number > maxNumber || number < -maxNumber {
		return fmt.Errorf("the server sent a request whose id is beyond %d", int64(maxNumber))
	}
	if size := len(id) + len(req.Method) + len(req.Params); size > maxRequest {
		return fmt.Errorf("the server sent a request of %d bytes, the limit is %d", size, maxRequest)
	}
	if n := c.unanswered.Add(1); n > maxUnanswered {
		return fmt.Errorf("the server sent %d requests and has not taken the answers to them, the limit is %d",
			n, maxUnanswered)
	}
	return nil
}

// Write counts an answer once the server has taken it.
func (c *boundedConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	if _, ok := msg.(*jsonrpc.Response); ok {
		defer c.unanswered.Add(-1)
	}
	return c.Connection.Write(ctx, msg)
}

func (c *boundedConn) notice(req *jsonrpc.Request) {
	var params mcp.ProgressNotificationParams
	if req.Method == "notifications/progress" && json.Unmarshal(req.Params, &params) == nil {
		c.progress.notify(&params)
	}
}

// answer returns msg, or an error in place of an answer that would take too much memory when it
// is decoded.
func answer(msg jsonrpc.Message) jsonrpc.Message {
	if res, ok := msg.(*jsonrpc.Response); ok && values(res.Result) > maxValues {
		return &jsonrpc.Response{ID: res.ID, Error: errValues}
	}
	return msg
}

// values returns the number of values in JSON text. It counts arrays and objects twice.
func values(encoded []byte) int {
	n, quoted := 1, false
	for i := 0; i < len(encoded); i++ {
		switch b := encoded[i]; {
		case b == '"':
			quoted = !quoted
		case quoted && b == '\\':
			i++
		case !quoted && (b == ',' || b == '[' || b == '{'):
			n++
		}
	}
	return n
}

// short returns a server's text for use in a sentence: on one line, and cut to 500 characters.
func short(said string) string {
	limits := truncation.Limits{Chars: 500}
	said = truncation.Policy{Strategy: truncation.HeadChars, Limits: limits, Unmarked: true}.Cut(said)
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, said)
}

// listTools returns the tools of a server.
func listTools(ctx context.Context, session *mcp.ClientSession) (list []*mcp.Tool, err error) {
	size, cursor := 0, ""
	for range maxTools {
		page, err := session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, err
		}
		encoded, err := json.Marshal(page)
		if err != nil {
			return nil, err
		}
		list, size, cursor = append(list, page.Tools...), size+len(encoded), page.NextCursor
		switch {
		case len(list) > maxTools:
			return nil, fmt.Errorf("the server lists more than %d tools", maxTools)
		case size > maxList:
			return nil, fmt.Errorf("the server's list of tools has more than %d MiB", maxList>>20)
		case cursor == "":
			return list, nil
		}
	}
	return nil, fmt.Errorf("the server lists its tools on more than %d pages", maxTools)
}
