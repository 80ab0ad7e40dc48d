package main

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/examples/adapters/mcptools"
)

// vigil notices that a client is gone although the input does not end: docker exec and
// kubectl exec leave their process in the container, with its pipes open, when they are
// killed. It goes by the client's promise to be heard ([mcptools.Promise]). Any byte
// counts: a large message may be slow.
type vigil struct {
	io.Reader               // the input
	silence   time.Duration // that a client is allowed even if it promised less
	gone      chan struct{}

	heard    atomic.Bool // since the last look
	promised atomic.Bool
	end      sync.Once
}

// It is looked this often, within the time that a client may be silent, whether something
// was heard: at least looks times, and after longestLook at the latest. Looks are counted,
// not time: while this process is kept from running, the client may have been heard by
// nobody.
const (
	looks       = 6
	longestLook = mcptools.ShortestSilence / looks
)

func newVigil(in io.Reader, silence time.Duration) *vigil {
	return &vigil{Reader: in, silence: silence, gone: make(chan struct{})}
}

func (v *vigil) Read(p []byte) (int, error) {
	n, err := v.Reader.Read(p)
	if n > 0 {
		v.heard.Store(true)
	}
	return n, err
}

// hear is middleware of the MCP server. The first promise begins the vigil.
func (v *vigil) hear(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if limit := mcptools.Promise(req); limit > 0 && !v.promised.Swap(true) {
			go v.watch(max(limit, v.silence))
		}
		return next(ctx, method, req)
	}
}

func (v *vigil) watch(limit time.Duration) {
	count := max(looks, limit/longestLook)
	tick := time.NewTicker(limit / count)
	defer tick.Stop()
	for quiet := time.Duration(0); quiet < count; quiet++ {
		<-tick.C
		if v.heard.Swap(false) {
			quiet = -1
		}
	}
	v.end.Do(func() { close(v.gone) })
}

// left is told of the end of the input. A client that promised to be heard wants no more
// answers.
func (v *vigil) left() {
	if v.promised.Load() {
		v.end.Do(func() { close(v.gone) })
	}
}
