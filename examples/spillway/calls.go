package main

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// calls are the tool calls that run and the answers that are being written, of all
// sessions. The SDK ends a session when its calls have ended and were answered: a client
// that gives its session up would wait for a command that nobody wants any more, or for
// one of its own connections that it does not read. And it keeps any number of sessions,
// also of clients that begin one for each call and end none.
type calls struct {
	server *mcp.Server

	mu   sync.Mutex
	open map[*call]bool
	used map[string]time.Time // when a session had its last request
}

type call struct {
	session string
	end     func()
}

func newCalls(server *mcp.Server) *calls {
	return &calls{server: server, open: map[*call]bool{}, used: map[string]time.Time{}}
}

// watch is middleware of the MCP server, which hears of every request.
func (c *calls) watch(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session := req.GetSession().ID()
		if session == "" { // the request stands alone, and ends with its connection
			return next(ctx, method, req)
		}
		c.use(session)
		if method == "tools/call" {
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			defer cancel()
			defer c.begin(session, cancel)()
		}
		return next(ctx, method, req)
	}
}

// begin notes what is to be ended with the session, until it is done.
func (c *calls) begin(session string, end func()) (done func()) {
	one := &call{session, end}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[one] = true
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.open, one)
	}
}

// use notes that a session has a request. If there are too many, it ends the one that has
// had none for the longest time. One in which a call runs or is answered, or that has a
// stream open, is in use.
func (c *calls) use(session string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used[session] = time.Now()
	if len(c.used) <= maxSessions {
		return
	}
	busy := map[string]bool{}
	for one := range c.open {
		busy[one.session] = true
	}
	used := map[string]time.Time{} // without those that have ended
	var oldest *mcp.ServerSession
	for session := range c.server.Sessions() {
		last, known := c.used[session.ID()]
		if !known {
			continue // it begins or ends, at this moment
		}
		used[session.ID()] = last
		if !busy[session.ID()] && (oldest == nil || last.Before(used[oldest.ID()])) {
			oldest = session
		}
	}
	c.used = used
	if len(used) > maxSessions && oldest != nil {
		delete(c.used, oldest.ID())
		go oldest.Close() // which waits for a call that has begun by now
	}
}

// serve is next, but the calls of a session end before it is deleted, and a client that
// does not read their answers holds that up no longer than grace.
func (c *calls) serve(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		session := r.Header.Get("Mcp-Session-Id")
		switch r.Method {
		case http.MethodDelete:
			c.end(session)
		case http.MethodGet, http.MethodPost:
			answer := http.NewResponseController(w)
			done := c.begin(session, func() { _ = answer.SetWriteDeadline(time.Now().Add(grace)) }) // a server's own writer can
			defer func() {
				done()
				_ = answer.SetWriteDeadline(time.Time{}) // for the next request
			}()
		}
		next.ServeHTTP(w, r)
	})
}

func (c *calls) end(session string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for one := range c.open {
		if one.session == session {
			one.end()
		}
	}
}
