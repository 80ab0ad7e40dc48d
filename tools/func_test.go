package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

type place struct {
	Line int `json:"line" jsonschema:"line to go to"`
}

type allKinds struct {
	place
	Name   string             `json:"name" jsonschema:"who it is"`
	Size   int64              `json:"size,omitempty"`
	Ratio  float64            `json:"ratio,omitempty"`
	Force  bool               `json:"force,omitempty"`
	Tags   []string           `json:"tags,omitempty"`
	Points []place            `json:"points,omitempty"`
	Weight map[string]float64 `json:"weight,omitempty"`
	Plain  string
	Out    string `json:"-"`
}

func ExampleFunc() {
	type args struct {
		Name  string `json:"name" jsonschema:"whom to greet"`
		Times int    `json:"times,omitempty" jsonschema:"how often; default 1"`
	}
	greet := tools.Func("greet", "Greet somebody.", func(_ context.Context, a args) (string, error) {
		return strings.Repeat("Hello, "+a.Name+"!\n", max(a.Times, 1)), nil
	})
	res, _ := greet.Call(context.Background(), json.RawMessage(`{"name": "Ada", "times": "2"}`))
	fmt.Print(res.Text)
	res, _ = greet.Call(context.Background(), json.RawMessage(`{"who": "Ada"}`))
	fmt.Println(res.Text)
	// Output:
	// Hello, Ada!
	// Hello, Ada!
	// invalid_input: greet has no argument who. Its arguments are name, times
}

func ExampleEffectsOf() {
	suite, done := project(config.Config{}, "a", 1)
	defer done()
	for _, t := range suite.Tools()[:2] {
		fmt.Printf("%s: %+v\n", t.Name(), tools.EffectsOf(t))
	}
	// Output:
	// read: {Reads:true Writes:false Executes:false}
	// bash: {Reads:true Writes:true Executes:true}
}

func ExampleResult_Shown() {
	suite, done := project(config.Config{MaxBytes: 1024}, "log.txt", 5000)
	defer done()
	res, _ := suite.Call(context.Background(), "read", json.RawMessage(`{"path": "log.txt"}`))
	b := res.Shown()
	fmt.Println(b.Truncated, b.OriginalLength, b.MaxLength, b.More)
	// Output: true 48893 1024 true
}

// A function gets its arguments as models write them, of any type that JSON has.
func TestFuncArguments(t *testing.T) {
	t.Parallel()
	var got allKinds
	tool := tools.Func("all", "", func(_ context.Context, a allKinds) (string, error) {
		got = a
		return "", nil
	})
	res, err := tool.Call(t.Context(), json.RawMessage(`{"line": "7", "name": 5, "size": "9000000000", "ratio": 0.5, "force": "true",
		"tags": "one", "points": [{"line": 1}], "weight": {"a": 2}, "Plain": "p", "description": "why"}`))
	require.NoError(t, err)
	require.False(t, res.IsError, res.Text)
	require.Equal(t, allKinds{place: place{7}, Name: "5", Size: 9_000_000_000, Ratio: 0.5, Force: true, Tags: []string{"one"},
		Points: []place{{1}}, Weight: map[string]float64{"a": 2}, Plain: "p"}, got)
	for args, want := range map[string]string{
		`{"name": "x", "Plain": ""}`:                         "line is required",
		`{"line": 0, "name": null, "Plain": ""}`:             "name is required",
		`{"line": 1, "name": "", "Plain": "", "ratio": [1]}`: "ratio must be a number, but it is [1]",
		`{"line": 1.5, "name": "", "Plain": ""}`:             "line must be a whole number",
		`[]`:                                                 "the arguments must be one JSON object",
	} {
		res, err := tool.Call(t.Context(), json.RawMessage(args))
		require.NoError(t, err)
		require.True(t, res.IsError, args)
		require.Equal(t, tools.CodeInvalidInput, res.Code)
		require.Contains(t, res.Text, want)
	}
	var schema struct {
		Type       string
		Required   []string
		Properties map[string]struct{ Description, Type string }
	}
	require.NoError(t, json.Unmarshal(tool.Schema(), &schema))
	require.ElementsMatch(t, []string{"line", "name", "Plain"}, schema.Required)
	require.Equal(t, "who it is", schema.Properties["name"].Description)
	require.Equal(t, "array", schema.Properties["tags"].Type)
	require.Panics(t, func() { tools.Func("n", "", func(context.Context, int) (string, error) { return "", nil }) })
}

// What a function returns besides its text keeps its code, alone and in a suite.
func TestFuncErrors(t *testing.T) {
	t.Parallel()
	type none struct{}
	stale := &tools.Error{Code: "stale", Message: "the file changed"}
	for _, tt := range []struct {
		err  error
		code tools.Code
		text string
	}{
		{fmt.Errorf("saving: %w", stale), "stale", "stale: the file changed\n\nsome text"},
		{fs.ErrNotExist, tools.CodeNotFound, "not_found: "},
		{errors.New("odd"), tools.CodeIOError, "io_error: "},
		{context.Canceled, tools.CodeAborted, "aborted: "},
	} {
		tool := tools.Func("f", "", func(context.Context, none) (string, error) { return "some text", tt.err })
		var events []config.Event
		s := newSuite(t, config.Config{Observe: func(_ context.Context, e config.Event) { events = append(events, e) }}, nil)
		require.NoError(t, s.Add(tool))
		for _, call := range []func() (tools.Result, error){
			func() (tools.Result, error) { return tool.Call(t.Context(), nil) },
			func() (tools.Result, error) { return s.Call(t.Context(), "f", nil) },
		} {
			res, err := call()
			require.NoError(t, err)
			require.True(t, res.IsError)
			require.Equal(t, tt.code, res.Code)
			require.True(t, strings.HasPrefix(res.Text, tt.text), res.Text)
		}
		require.Len(t, events, 1)
		require.EqualValues(t, tt.code, events[0].Code)
	}
	res, err := tools.Func("f", "", func(context.Context, none) (string, error) { panic("oh") }).Call(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, tools.CodeInternal, res.Code)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	res, err = tools.Func("f", "", func(ctx context.Context, _ none) (string, error) { return "half", ctx.Err() }).Call(ctx, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Contains(t, res.Text, "half")
}

// The guard is told of the effects of every tool.
func TestEffects(t *testing.T) {
	t.Parallel()
	got := map[string]config.Effects{}
	s := newSuite(t, config.Config{Guard: func(_ context.Context, c config.Call) error {
		got[c.Tool] = c.Effects
		return nil
	}}, map[string]string{"a": "a\n"})
	type none struct{}
	f := func(name string, effects ...config.Effects) tools.Tool {
		return tools.Func(name, "", func(context.Context, none) (string, error) { return "", nil }, effects...)
	}
	reads, all := config.Effects{Reads: true}, config.Effects{Reads: true, Writes: true, Executes: true}
	both := config.Effects{Reads: true, Writes: true}
	require.NoError(t, s.Add(f("unknown"), f("nothing", config.Effects{}), f("known", reads),
		f("both", reads, config.Effects{Writes: true}), tools.Truncate(f("bounded", reads), truncation.Policy{})))
	for name, args := range map[string]string{"read": `{"path":"a"}`, "bash": `{"command":":"}`, "grep": `{"pattern":"a"}`, "find": `{"pattern":"a"}`,
		"ls": `{}`, "unknown": `{}`, "known": `{}`, "bounded": `{}`, "nothing": `{}`, "both": `{}`} {
		res, err := s.Call(t.Context(), name, json.RawMessage(args))
		require.NoError(t, err)
		require.False(t, res.IsError, res.Text)
	}
	require.Equal(t, map[string]config.Effects{"read": reads, "bash": all, "grep": reads, "find": reads, "ls": reads,
		"unknown": all, "known": reads, "bounded": reads, "nothing": {}, "both": both}, got)
}

// Every result gives its metadata, those of failures too.
func TestBoundsOfAnyResult(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	cfg := config.Config{MaxBytes: 1024, Bash: config.Bash{MaxCaptureBytes: 1 << 20}}
	s := newSuite(t, cfg, map[string]string{"a": strings.Repeat("line\n", 1000)})
	res := call(t, s, "read", map[string]any{"path": "a"})
	require.True(t, res.Shown().Truncated)
	require.Equal(t, 1024, res.Shown().MaxLength)
	res, err := s.Call(t.Context(), "bash", json.RawMessage(`{"command":"yes"}`))
	require.NoError(t, err)
	require.Equal(t, tools.CodeOutputLimit, res.Code)
	require.True(t, res.Shown().Truncated, res.Text)
	require.Zero(t, tools.Result{Text: "x"}.Shown())
}
