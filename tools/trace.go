package tools

import (
	"context"
	"regexp"
)

type traceKey struct{}

// trace is where a call belongs in the trace of whoever made it.
type trace struct{ parent, state string }

// traceForm is what W3C Trace Context allows for the values: a version, two ids that are not zero, and flags; and a
// list of 512 characters.
var (
	traceForm = regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$`)
	noTrace   = regexp.MustCompile(`^ff|-0+-`)
	stateForm = regexp.MustCompile(`^[ -~]{0,512}$`)
)

// WithTrace returns a context for calls that belong to a trace of another program, such as an MCP client, which sent
// traceparent and tracestate. The events of the calls carry both, so that a program can make spans of them. If
// traceparent is not valid, both are ignored; if only tracestate is not, it is left out.
func WithTrace(ctx context.Context, traceparent, tracestate string) context.Context {
	if !traceForm.MatchString(traceparent) || noTrace.MatchString(traceparent) {
		return ctx
	}
	if !stateForm.MatchString(tracestate) {
		tracestate = ""
	}
	return context.WithValue(ctx, traceKey{}, trace{traceparent, tracestate})
}

func traceOf(ctx context.Context) trace {
	t, _ := ctx.Value(traceKey{}).(trace)
	return t
}
