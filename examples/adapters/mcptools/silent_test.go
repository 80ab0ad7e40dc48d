package mcptools

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A server is given up at the tick at which its time is over. One that answers, if only by
// a refusal, has all of it again.
func TestSilentServer(t *testing.T) {
	p, tick, ended := &pulse{}, make(chan time.Time), make(chan error)
	answers := make(chan error, 1)
	ping := func(ctx context.Context) error {
		select {
		case err := <-answers:
			return err
		case <-ctx.Done():
			return mcp.ErrConnectionClosed
		}
	}
	go func() { ended <- p.run(ping, patience/2, tick, nil) }()
	for _, answer := range []error{nil, errors.New("there is no ping")} {
		tick <- time.Time{}
		answers <- answer
		for !p.heard.Load() {
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
	if err := <-ended; err != errSilent {
		t.Errorf("ended with %v", err)
	}
}
