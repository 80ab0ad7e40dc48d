// Command observe-otel makes an OpenTelemetry span of every call of a suite, with
// the bytes that the tool produced and those that it showed. The spans
// are printed; a program would set up an exporter of its own.
//
//	cd examples/observe-otel && go run . [DIR]
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	if err := run(context.Background(), dir, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "observe-otel:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, out io.Writer) error {
	exporter, err := stdouttrace.New(stdouttrace.WithWriter(out), stdouttrace.WithPrettyPrint())
	if err != nil {
		return err
	}
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exporter))
	defer provider.Shutdown(ctx)
	suite, err := tools.New(config.Config{Workspace: dir, MaxLines: 20, Observe: observer(provider.Tracer("spillway"))})
	if err != nil {
		return err
	}
	defer suite.Close()
	suite.Call(ctx, "bash", []byte(`{"command": "seq 100000"}`))
	suite.Call(ctx, "read", []byte(`{"path": "no such file"}`))
	return nil
}

// observer makes a span of each call. An event comes when the call is over, so the
// span is given its times. It belongs to the span in the context of the call.
func observer(tracer trace.Tracer) func(context.Context, config.Event) {
	return func(ctx context.Context, e config.Event) {
		end := time.Now()
		_, span := tracer.Start(ctx, "execute_tool "+e.Tool, trace.WithTimestamp(end.Add(-e.Duration)), trace.WithAttributes(
			attribute.String("gen_ai.tool.name", e.Tool),
			attribute.Int("spillway.bytes_produced", e.BytesProduced), attribute.Int("spillway.bytes_shown", e.BytesShown),
			attribute.Int("spillway.lines_produced", e.LinesProduced), attribute.Int("spillway.lines_shown", e.LinesShown),
			attribute.Bool("spillway.truncated", e.Truncated), attribute.Bool("spillway.limit_reached", e.LimitReached), attribute.String("spillway.truncated_by", string(e.TruncatedBy)),
		))
		if e.Code != "" {
			span.SetAttributes(attribute.String("error.type", string(e.Code)))
			span.SetStatus(codes.Error, string(e.Code))
		}
		span.End(trace.WithTimestamp(end))
	}
}
