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

// watchdog notices that a client is gone although the input does not end: when docker exec or
// kubectl exec is killed, its process stays in the container, with its pipes open. It relies on
// the client's promise never to be silent for longer than a limit ([mcptools.PromisedSilence]).
// Any byte counts as a sign of life, because a large message may be slow.
type watchdog struct {
	io.Reader               // the input
	silence   time.Duration // allowed to the client even if it promised less
	gone      chan struct{}

	heard    atomic.Bool // a byte was read since the last check
	promised atomic.Bool
	end      sync.Once
}

// While the client may be silent, the watchdog checks at least checks times, and at least every
// maxCheckInterval, whether it has heard something. It counts checks, not time: while this
// process is kept from running, nobody reads what the client sends.
const (
	checks           = 6
	maxCheckInterval = mcptools.ShortestSilence / checks
)

func newWatchdog(in io.Reader, silence time.Duration) *watchdog {
	return &watchdog{Reader: in, silence: silence, gone: make(chan struct{})}
}

func (w *watchdog) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if n > 0 {
		w.heard.Store(true)
	}
	return n, err
}

// middleware is middleware of the MCP server. The client's first promise starts the watchdog.
func (w *watchdog) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if limit := mcptools.PromisedSilence(req); limit > 0 && !w.promised.Swap(true) {
			go w.watch(max(limit, w.silence))
		}
		return next(ctx, method, req)
	}
}

func (w *watchdog) watch(limit time.Duration) {
	count := max(checks, limit/maxCheckInterval)
	tick := time.NewTicker(limit / count)
	defer tick.Stop()
	for quiet := time.Duration(0); quiet < count; quiet++ {
		<-tick.C
		if w.heard.Swap(false) {
			quiet = -1
		}
	}
	w.end.Do(func() { close(w.gone) })
}

// inputEnded handles the end of the input. A client that has made a promise wants no more
// answers.
func (w *watchdog) inputEnded() {
	if w.promised.Load() {
		w.end.Do(func() { close(w.gone) })
	}
}
