package mcptools

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stretchr/testify/require"
)

// A server is given up at the tick at which its time is over. One that answers, if only by
// a refusal, has all of it again.
func TestSilentServer(t *testing.T) {
	p, tick, ended := &keepalive{}, make(chan time.Time), make(chan error)
	answers := make(chan error, 1)
	ping := func(ctx context.Context) error {
		select {
		case err := <-answers:
			return err
		case <-ctx.Done():
			return mcp.ErrConnectionClosed
		}
	}
	go func() { ended <- p.run(ping, pingTimeout/2, tick, nil) }()
	for _, answer := range []error{nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "there is no ping"}} {
		tick <- time.Time{}
		answers <- answer
		for !p.answered.Load() {
			runtime.Gosched()
		}
		tick <- time.Time{}
	}
	tick <- time.Time{}
	select {
	case err := <-ended:
		t.Fatalf("given up too early: %v", err)
	default:
	}
	tick <- time.Time{}
	require.ErrorIs(t, <-ended, errSilent)
}

// Close of a session does not wait for pings that nobody answers: the next ping finds it closed.
func TestPingsEndWithTheSession(t *testing.T) {
	p, tick, over, ended := &keepalive{}, make(chan time.Time), make(chan error), make(chan error)
	first, waits, given := make(chan bool, 1), make(chan bool), make(chan bool)
	first <- true
	ping := func(ctx context.Context) error {
		select {
		case <-first:
			close(waits)
			<-ctx.Done()
			close(given)
		default:
		}
		return mcp.ErrConnectionClosed
	}
	go func() { ended <- p.run(ping, pingTimeout/2, tick, over) }()
	<-waits
	tick <- time.Time{}
	<-given
	over <- nil
	require.NoError(t, <-ended)
}
