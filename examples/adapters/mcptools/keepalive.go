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
	// ShortestSilence is the longest silence that [Connect] promises, and the shortest that
	// a server may allow. A server that allows no more takes up to a sixth longer to notice,
	// and everything there has ended within two seconds.
	ShortestSilence = 1500 * time.Millisecond
	// pingInterval is how often the client pings a server that watches.
	pingInterval = 500 * time.Millisecond
	// maxPromise is above what a client promises.
	maxPromise = time.Hour
	// slowPingInterval is how often the client pings any other server.
	slowPingInterval = 10 * time.Second
	// pingTimeout is how long a server may leave pings unanswered. It is long because a
	// large result may precede the answer in a slow pipe.
	pingTimeout = 30 * time.Second
)

// aliveMethod stands for ping from revision 2026-07-28 on, which has none. A server that does not know it refuses it,
// which is a sign of life too. The cheap requests that are left are not sent: the SDK answers them from its cache.
const aliveMethod = "spillway/alive"

// alive is the answer to that.
type alive struct{ mcp.ResultBase }

// answerAlive has a server answer as it answers a ping. A promise in the request is for middleware to hear.
func answerAlive(server *mcp.Server) error {
	return mcp.AddReceivingCustomMethod(server, aliveMethod,
		func(context.Context, *mcp.ServerSession, *mcp.PingParams) (*alive, error) { return &alive{}, nil })
}

// pings returns what asks a server of a session for a sign of life, with a promise if that is not 0.
func pings(session *mcp.ClientSession, promise time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		params := &mcp.PingParams{} // each time: the SDK writes in it
		if promise > 0 {
			params.Meta = mcp.Meta{silenceKey: promise.Milliseconds()}
		}
		if session.InitializeResult().ProtocolVersion < sessionless {
			return session.Ping(ctx, params)
		}
		_, err := mcp.CallCustomMethod[*mcp.PingParams, *alive](ctx, session, aliveMethod, params)
		return err
	}
}

// silenceKey is the key in _meta of a ping for the milliseconds within which the client
// promises its next message.
const silenceKey = "spillway/silenceMs"

// PromisedSilence returns the longest silence that a ping of [Connect] promises; 0 for any
// other request. A server behind a carrier that outlives its client, such as docker exec and
// kubectl exec, ends when it has read no byte for that long.
func PromisedSilence(req mcp.Request) time.Duration {
	ping, ok := req.(*mcp.ServerRequest[*mcp.PingParams])
	if !ok || ping.Params == nil {
		return 0
	}
	ms, _ := ping.Params.Meta[silenceKey].(float64)
	if ms < float64(pingInterval/time.Millisecond) || ms >= float64(maxPromise/time.Millisecond) {
		return 0 // before it is a duration, which could overflow
	}
	return time.Duration(ms) * time.Millisecond
}

// keepalive pings a server, so that the server knows that the client is there, and notices
// when the server stops answering.
type keepalive struct {
	broken   chan struct{} // closed when the connection is broken
	err      error         // set before that
	answered atomic.Bool   // a ping was answered since the last look
}

var errSilent = fmt.Errorf("it has not answered for %v", pingTimeout)

// startKeepalive starts pinging. It closes the connection to a server that is silent for too
// long.
func startKeepalive(session *mcp.ClientSession, hangUp func()) *keepalive {
	p, every, ping := &keepalive{broken: make(chan struct{})}, slowPingInterval, pings(session, 0)
	if handshakeOf(session).Watches {
		every, ping = pingInterval, pings(session, ShortestSilence)
	}
	over := make(chan error, 1)
	go func() { over <- session.Wait() }()
	go func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		p.err = p.run(ping, every, tick.C, over)
		close(p.broken)
		if p.err == errSilent {
			hangUp()
			session.Close()
		}
	}()
	return p
}

// run pings now and at every tick, whether the last ping was answered or not, and returns why
// the connection has ended.
func (p *keepalive) run(
	ping func(context.Context) error, every time.Duration, tick <-chan time.Time, over <-chan error,
) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	for silent := time.Duration(0); silent <= pingTimeout; silent += every {
		go func() {
			if err := ping(ctx); !errors.Is(err, mcp.ErrConnectionClosed) { // a refusal is an answer
				p.answered.Store(true)
			} else {
				stop() // Close of the session waits for pings that nobody answers
			}
		}()
		select {
		case err := <-over:
			return err
		case <-tick:
		}
		if p.answered.Swap(false) {
			silent = 0
		}
	}
	return errSilent
}
