package main

import (
	"context"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// calls are the tool calls that run, of all sessions. The SDK ends a session when its
// calls have ended: a client that gives its session up would wait for a command
// that nobody wants any more.
type calls struct {
	mu   sync.Mutex
	open map[*call]bool
}

type call struct {
	session string
	cancel  context.CancelFunc
}

// watch is middleware of the MCP server, which hears of every call.
func (c *calls) watch(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method != "tools/call" {
			return next(ctx, method, req)
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		one := &call{req.GetSession().ID(), cancel}
		c.mu.Lock()
		c.open[one] = true
		c.mu.Unlock()
		defer func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			delete(c.open, one)
		}()
		return next(ctx, method, req)
	}
}

// endBefore ends the calls of a session before next deletes it.
func (c *calls) endBefore(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			c.end(r.Header.Get("Mcp-Session-Id"))
		}
		next.ServeHTTP(w, r)
	})
}

func (c *calls) end(session string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for one := range c.open {
		if one.session == session {
			one.cancel()
		}
	}
}
