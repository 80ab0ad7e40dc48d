package mcptools

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// ShortestSilence is how long [Connect] promises to be silent at most. A server that
	// allows no more adds a sixth to notice, and everything there has ended within two
	// seconds.
	ShortestSilence = 1500 * time.Millisecond
	// beat is how often a server that watches is told that the client is there.
	beat = 500 * time.Millisecond
	// foreignBeat is how often any other server is asked whether it is there.
	foreignBeat = 10 * time.Second
	// patience is how long a server may leave that unanswered. It is long because a large
	// result may be before the answer in a slow pipe.
	patience = 30 * time.Second
)

// promiseKey is the key in _meta of a ping whose value is the milliseconds within which
// the next message follows.
const promiseKey = "spillway/silenceMs"

// Promise returns how long the client will be silent at most, as a ping from [Connect]
// says it; 0 for any other request. A server behind a carrier that outlives its client, as
// docker exec and kubectl exec do, ends when it has read no byte for that long.
func Promise(req mcp.Request) time.Duration {
	ping, ok := req.(*mcp.ServerRequest[*mcp.PingParams])
	if !ok || ping.Params == nil {
		return 0
	}
	ms, ok := ping.Params.Meta[promiseKey].(float64)
	if limit := time.Duration(ms) * time.Millisecond; ok && ms < float64(time.Hour/time.Millisecond) && limit >= beat {
		return limit
	}
	return 0
}

// pulse tells a server that the client is there, and notices when the server is not.
type pulse struct {
	broken chan struct{} // closed when the connection is
	why    error         // set before that
	heard  atomic.Bool   // a ping was answered since the last look
}

var errSilent = fmt.Errorf("it has not answered for %v", patience)

// startPulse begins with the first ping.
func startPulse(session *mcp.ClientSession) *pulse {
	p, every := &pulse{broken: make(chan struct{})}, foreignBeat
	var params *mcp.PingParams
	if greetingOf(session).Watches {
		every, params = beat, &mcp.PingParams{Meta: mcp.Meta{promiseKey: ShortestSilence.Milliseconds()}}
	}
	over := make(chan error, 1)
	go func() { over <- session.Wait() }()
	go func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		p.why = p.run(func(ctx context.Context) error { return session.Ping(ctx, params) }, every, tick.C, over)
		close(p.broken)
		if p.why == errSilent {
			session.Close() // it waits for a pipe that takes nothing
		}
	}()
	return p
}

// run pings now and at every tick, whether the last one was answered or not, and gives the
// reason why the connection has ended.
func (p *pulse) run(ping func(context.Context) error, every time.Duration, tick <-chan time.Time, over <-chan error) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	for silent := time.Duration(0); silent <= patience; silent += every {
		go func() {
			if err := ping(ctx); !errors.Is(err, mcp.ErrConnectionClosed) { // a refusal is an answer
				p.heard.Store(true)
			}
		}()
		select {
		case err := <-over:
			return err
		case <-tick:
		}
		if p.heard.Swap(false) {
			silent = 0
		}
	}
	return errSilent
}
