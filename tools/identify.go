package tools

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spillway-go/spillway/internal/job"
)

type callIDKey struct{}

// WithCallID returns a context for one call that the host knows by an id, such as the one that its model gave it. The id
// appears in config.Call, in events and in updates, also in those of calls that a tool makes with its own context.
// Without an id, or with "", the suite gives the call one that is unique among its calls.
func WithCallID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, callIDKey{}, id)
}

func callID(ctx context.Context) string {
	id, _ := ctx.Value(callIDKey{}).(string)
	return id
}

type insideKey struct{}

// inside is the call whose tool makes others with its own context.
type inside struct {
	id    string
	suite any // the *Suite of the call, for CallingSuite only
}

// identify is the hook that gives a call its id and the id of the enclosing call. If running is not nil, the call can
// be found there by its id while it runs.
func identify(suite any, made *atomic.Int64, running *job.Calls) hook {
	return func(ctx context.Context, c *call, next handler) reply {
		if c.id = callID(ctx); c.id == "" {
			c.id = "call-" + strconv.FormatInt(made.Add(1), 10)
			ctx = context.WithValue(ctx, callIDKey{}, c.id)
		}
		by, _ := ctx.Value(insideKey{}).(inside)
		c.by = by.id
		if running != nil {
			c.running.ID, c.running.Tool = c.id, c.name
			running.Add(&c.running)
			defer running.Remove(&c.running)
		}
		return next(context.WithValue(ctx, insideKey{}, inside{c.id, suite}), c)
	}
}

type traceKey struct{}

type trace struct{ parent, state string }

// traceForm matches what W3C Trace Context allows: a version, two ids that are not zero, and flags. maxState is its
// limit for a tracestate, in characters.
var (
	traceForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)
	})
	noTrace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ff|-0+-`) })
)

const maxState = 512

// isState reports whether a text may be a tracestate. It is not a regular expression, because compiling one cost every
// program a millisecond at its start.
func isState(text string) bool {
	return len(text) <= maxState && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}

// WithTrace returns a context for calls that belong to a trace of another program, such as an MCP client, which sent
// traceparent and tracestate. The events of the calls carry both, so that a program can make spans of them. If
// traceparent is not valid, both are ignored; if only tracestate is not, it is left out.
func WithTrace(ctx context.Context, traceparent, tracestate string) context.Context {
	if !traceForm().MatchString(traceparent) || noTrace().MatchString(traceparent) {
		return ctx
	}
	if !isState(tracestate) {
		tracestate = ""
	}
	return context.WithValue(ctx, traceKey{}, trace{traceparent, tracestate})
}

func traceOf(ctx context.Context) trace {
	t, _ := ctx.Value(traceKey{}).(trace)
	return t
}

// WithAnswerBy returns a context for a call that must be answered by t, because its caller gives up soon afterwards,
// such as an MCP client with a timeout of its own. Then a command of bash becomes a job, as at its timeout with
// [config.OnTimeoutBackground], and the call returns what was printed so far. If the suite has no jobs, or as many run
// as may, it goes on as without t. A call that waits for a job waits no longer than until t. Both have Jobs.Settle in
// any case. The other tools of a suite do not look at t. The zero time takes t away.
func WithAnswerBy(ctx context.Context, t time.Time) context.Context {
	return job.WithAnswerBy(ctx, t)
}

// AnswerBy returns the time that [WithAnswerBy] put into the context, or the zero time. A tool of your own that takes
// long should have returned what it has by then.
func AnswerBy(ctx context.Context) time.Time { return job.AnswerBy(ctx) }
