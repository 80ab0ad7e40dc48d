package main

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	testkit.NoError(t, run(t.Context(), t.TempDir(), &out, false))
	for _, want := range []string{`"Name": "execute_tool bash"`, `"spillway.lines_produced"`, `"Value": 100000`, `"Name": "execute_tool read"`, `"Description": "not_found"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
}

// traced makes calls below a span of the program's, and returns the spans of the calls.
func traced(t *testing.T, content bool, calls func(ctx context.Context, suite *tools.Suite)) []sdk.ReadOnlySpan {
	t.Helper()
	recorder := tracetest.NewSpanRecorder()
	provider := sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder))
	defer provider.Shutdown(t.Context())
	spans := &spans{tracer: provider.Tracer("test"), content: content}
	suite, err := tools.New(config.Config{Workspace: t.TempDir(), Observe: spans.observe}, all.Parts()...)
	testkit.NoError(t, err)
	defer suite.Close()
	spans.describe(suite)
	ctx, parent := spans.tracer.Start(t.Context(), "invoke_agent")
	calls(ctx, suite)
	ended := recorder.Ended()
	for _, span := range ended {
		if span.Parent().SpanID() != parent.SpanContext().SpanID() || span.SpanKind() != trace.SpanKindInternal {
			t.Errorf("%s is %v, of %v", span.Name(), span.SpanKind(), span.Parent())
		}
	}
	return ended
}

// attributes are those of the conventions.
func attributes(span sdk.ReadOnlySpan) map[string]string {
	all := map[string]string{}
	for _, a := range span.Attributes() {
		if !strings.HasPrefix(string(a.Key), "spillway.") {
			all[string(a.Key)] = a.Value.AsString()
		}
	}
	return all
}

// The names and values are those of the conventions, and the times those of the call.
func TestConventions(t *testing.T) {
	var began, ended time.Time
	var description string
	spans := traced(t, false, func(ctx context.Context, suite *tools.Suite) {
		description = suite.Tools()[0].Description()
		began = time.Now()
		suite.Call(tools.WithCallID(ctx, "toolu_01"), "read", []byte(`{"path": "none"}`))
		ended = time.Now()
		suite.Call(tools.WithCallID(ctx, "toolu_02"), "made_up", nil)
	})
	if len(spans) != 2 {
		t.Fatalf("%d spans", len(spans))
	}
	read, made := spans[0], spans[1]
	if read.Name() != "execute_tool read" || made.Name() != "execute_tool _OTHER" {
		t.Errorf("%s, %s", read.Name(), made.Name())
	}
	if read.Status() != (sdk.Status{Code: codes.Error, Description: "not_found"}) {
		t.Errorf("%v", read.Status())
	}
	// The start is computed from two readings of the clock.
	if start := read.StartTime(); start.Before(began.Add(-time.Millisecond)) || read.EndTime().After(ended) || !start.Before(read.EndTime()) {
		t.Errorf("from %v to %v, not within %v and %v", start, read.EndTime(), began, ended)
	}
	same(t, attributes(read), map[string]string{
		"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "read", "gen_ai.tool.type": "function",
		"gen_ai.tool.call.id": "toolu_01", "gen_ai.tool.description": description, "error.type": "not_found",
	})
	same(t, attributes(made), map[string]string{
		"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "_OTHER", "gen_ai.tool.type": "function",
		"gen_ai.tool.call.id": "toolu_02", "error.type": "invalid_input",
	})
}

// Arguments, and the result of a call that succeeded, are there if they are asked for.
func TestContent(t *testing.T) {
	spans := traced(t, true, func(ctx context.Context, suite *tools.Suite) {
		suite.Call(ctx, "ls", nil)
		suite.Call(ctx, "read", []byte(`{"path": "none"}`))
	})
	ls, read := attributes(spans[0]), attributes(spans[1])
	if ls["gen_ai.tool.call.arguments"] != `{}` || ls["gen_ai.tool.call.result"] != "(empty directory)" {
		t.Errorf("%v", ls)
	}
	if _, has := read["gen_ai.tool.call.result"]; has || read["gen_ai.tool.call.arguments"] != `{"path":"none"}` {
		t.Errorf("%v", read)
	}
}

// The span of a client is the parent where the program has none of its own.
func TestTraceOfClient(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	provider := sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder))
	spans := &spans{tracer: provider.Tracer("test")}
	own, _ := provider.Tracer("test").Start(t.Context(), "own")
	for _, ctx := range []context.Context{t.Context(), own} {
		suite, err := tools.New(config.Config{Workspace: t.TempDir(), Observe: spans.observe}, all.Parts()...)
		testkit.NoError(t, err)
		defer suite.Close()
		suite.Call(tools.WithTrace(ctx, "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01", "a=1"), "ls", nil)
	}
	client, program := recorder.Ended()[0].Parent(), recorder.Ended()[1].Parent()
	if client.TraceID().String() != "0af7651916cd43dd8448eb211c80319c" || client.SpanID().String() != "00f067aa0ba902b7" || !client.IsRemote() || client.TraceState().String() != "a=1" {
		t.Errorf("the parent is %+v", client)
	}
	if program.SpanID() != trace.SpanContextFromContext(own).SpanID() {
		t.Errorf("the parent is %+v, and not the program's own span", program)
	}
}

// What becomes of a job is no call.
func TestJob(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	spans := &spans{tracer: sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder)).Tracer("test")}
	spans.observe(t.Context(), config.Event{Tool: "job", Job: 1, JobState: "started"})
	if n := len(recorder.Ended()); n != 0 {
		t.Errorf("%d spans", n)
	}
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	if !maps.Equal(got, want) {
		t.Errorf("the attributes are %v, not %v", got, want)
	}
}
