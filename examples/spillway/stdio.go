package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/examples/adapters/mcptools"
)

// grace is how long running calls may still take after the client has closed its end. So
// `printf ... | spillway` gets its answers, and a long command does not outlive a client that
// died.
const grace = 2 * time.Second

// stdioTransport is a transport over an input and an output. It answers input that is not a
// message, and goes on; it gives the answers that are due before it reports the end of the
// input; and it gives none to a cancelled request, as the protocol asks.
type stdioTransport struct {
	in     io.ReadCloser
	out    io.Writer
	over   chan struct{} // receives when answers are still due grace after the end of the input
	client *watchdog
}

// newStdioTransport returns a transport whose client may be silent for that long even if it
// promised less.
func newStdioTransport(in io.ReadCloser, out io.Writer, silence time.Duration) *stdioTransport {
	return &stdioTransport{in, out, make(chan struct{}, 1), newWatchdog(in, silence)}
}

func (t *stdioTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	out := &output{to: t.out}
	in := &lines{Closer: t.in, in: bufio.NewReader(t.client), refuse: out.refuse}
	c, err := (&mcp.IOTransport{Reader: in, Writer: out, MaxLineLength: -1}).Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &stdioConn{Connection: c, refuse: out.refuse, over: t.over, client: t.client,
		open: map[any]bool{}, idle: make(chan struct{}, 1)}, nil
}

type stdioConn struct {
	mcp.Connection
	refuse func(*refusal)
	over   chan struct{}
	client *watchdog

	mu   sync.Mutex
	open map[any]bool  // requests without an answer, by id; true if cancelled
	idle chan struct{} // receives when the last of them is answered
}

func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.Connection.Read(ctx)
	for err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil {
		c.refuse(newRefusal(nil, jsonrpc.CodeInvalidRequest, err)) // JSON, but not a message
		msg, err = c.Connection.Read(ctx)
	}
	if errors.Is(err, io.EOF) {
		c.client.inputEnded()
		c.wait(ctx)
	}
	if req, ok := msg.(*jsonrpc.Request); ok {
		mcptools.Identify(req)
		c.received(req)
	}
	return msg, err
}

func (c *stdioConn) received(req *jsonrpc.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if req.ID.IsValid() {
		c.open[req.ID.Raw()] = false
		return
	}
	var params struct {
		RequestID any `json:"requestId"`
	}
	if req.Method != "notifications/cancelled" || json.Unmarshal(req.Params, &params) != nil {
		return
	}
	if id, err := jsonrpc.MakeID(params.RequestID); err == nil {
		if _, waits := c.open[id.Raw()]; waits {
			c.open[id.Raw()] = true
		}
	}
}

func (c *stdioConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	res, ok := msg.(*jsonrpc.Response)
	if !ok {
		return c.Connection.Write(ctx, msg)
	}
	c.mu.Lock()
	cancelled := c.open[res.ID.Raw()]
	c.mu.Unlock()
	var err error
	if !cancelled {
		err = c.Connection.Write(ctx, msg)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if delete(c.open, res.ID.Raw()); len(c.open) == 0 {
		select {
		case c.idle <- struct{}{}:
		default:
		}
	}
	return err
}

// wait waits for the answers that are due.
func (c *stdioConn) wait(ctx context.Context) {
	timeout := time.After(grace)
	for {
		c.mu.Lock()
		due := len(c.open)
		c.mu.Unlock()
		if due == 0 {
			return
		}
		select {
		case <-c.idle:
		case <-ctx.Done():
			return
		case <-timeout:
			c.over <- struct{}{}
			return
		}
	}
}
