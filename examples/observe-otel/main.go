// Command observe-otel makes an OpenTelemetry span of every call of a suite, as the semantic
// conventions for generative AI describe the execution of a tool, with the bytes that the
// tool produced and those that it showed. The spans are printed; a program would set up an
// exporter of its own.
//
//	cd examples/observe-otel && go run . [-content] [DIR]
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	"go.opentelemetry.io/otel/propagation"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

func main() {
	content := flag.Bool("content", false, "put arguments and results, which may be secret, into the spans")
	flag.Parse()
	dir := cmp.Or(flag.Arg(0), ".")
	if err := run(context.Background(), dir, os.Stdout, *content); err != nil {
		fmt.Fprintln(os.Stderr, "observe-otel:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, out io.Writer, content bool) error {
	exporter, err := stdouttrace.New(stdouttrace.WithWriter(out), stdouttrace.WithPrettyPrint())
	if err != nil {
		return err
	}
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exporter))
	defer provider.Shutdown(ctx)
	spans := &spans{tracer: provider.Tracer("spillway"), content: content}
	suite, err := tools.New(config.Config{Workspace: dir, MaxLines: 20, Observe: spans.observe})
	if err != nil {
		return err
	}
	defer suite.Close()
	spans.describe(suite)
	// The id that the model gave the call; the adapters pass it on.
	suite.Call(tools.WithCallID(ctx, "toolu_01"), "bash", []byte(`{"command": "seq 100000"}`))
	suite.Call(ctx, "read", []byte(`{"path": "no such file"}`))
	return nil
}

// spans makes spans of calls.
type spans struct {
	tracer       trace.Tracer
	content      bool // with arguments and results, which the conventions leave to an option
	descriptions map[string]string
}

// describe looks up the tools of a suite, before its first call.
func (s *spans) describe(suite *tools.Suite) {
	s.descriptions = map[string]string{}
	for _, t := range suite.Tools() {
		s.descriptions[t.Name()] = t.Description()
	}
}

// observe makes the span of a call. An event comes when the call is over, so the span is
// given its times. It belongs to the span in the context of the call, or else to that of the
// client that the event names, as with MCP. An event about a job is none of a call.
//
// https://github.com/open-telemetry/semantic-conventions-genai has the names; all are "in
// development".
func (s *spans) observe(ctx context.Context, e config.Event) {
	if e.Job > 0 {
		return
	}
	if !trace.SpanContextFromContext(ctx).IsValid() {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{
			"traceparent": e.TraceParent, "tracestate": e.TraceState,
		})
	}
	end := time.Now()
	name := cmp.Or(e.Tool, "_OTHER") // the model has made up a tool
	_, span := s.tracer.Start(ctx, "execute_tool "+name, trace.WithTimestamp(end.Add(-e.Duration)), trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "execute_tool"),
		attribute.String("gen_ai.tool.name", name), attribute.String("gen_ai.tool.type", "function"),
		attribute.String("gen_ai.tool.call.id", e.ID),
		attribute.Int("spillway.bytes_produced", e.BytesProduced), attribute.Int("spillway.bytes_shown", e.BytesShown),
		attribute.Int("spillway.lines_produced", e.LinesProduced), attribute.Int("spillway.lines_shown", e.LinesShown),
		attribute.Bool("spillway.truncated", e.Truncated), attribute.Bool("spillway.limit_reached", e.LimitReached),
		attribute.String("spillway.truncated_by", string(e.TruncatedBy)),
	))
	if description := s.descriptions[e.Tool]; description != "" {
		span.SetAttributes(attribute.String("gen_ai.tool.description", description))
	}
	if s.content && e.Args != nil {
		span.SetAttributes(attribute.String("gen_ai.tool.call.arguments", string(e.Args)))
	}
	switch {
	case e.Code != "":
		span.SetAttributes(attribute.String("error.type", string(e.Code)))
		span.SetStatus(codes.Error, string(e.Code))
	case s.content:
		span.SetAttributes(attribute.String("gen_ai.tool.call.result", e.Text))
	}
	span.End(trace.WithTimestamp(end))
}
