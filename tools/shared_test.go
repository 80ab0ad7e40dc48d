package tools_test

import (
	"context"
	"encoding/json"

	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

// What these tests share with those of other packages.
var (
	call         = suitetest.Call
	countedLines = suitetest.CountedLines
	encode       = suitetest.Encode
	holds        = suitetest.Holds
	linesOf      = suitetest.LinesOf
	newSuite     = suitetest.New
	normal       = suitetest.Normal
	sorted       = suitetest.Sorted
	special      = suitetest.Special
	started      = suitetest.Started
	tail         = suitetest.Tail
)

// fake is a tool of somebody else's.
type fake struct {
	name string
	call func(args json.RawMessage) (tools.Result, error)
}

func (f fake) Name() string            { return f.name }
func (f fake) Description() string     { return "a tool of somebody else's" }
func (f fake) Schema() json.RawMessage { return json.RawMessage(`{"type":"object"}`) }
func (f fake) Call(_ context.Context, args json.RawMessage) (tools.Result, error) {
	return f.call(args)
}

func says(text string) fake {
	return fake{"fetch", func(json.RawMessage) (tools.Result, error) {
		return tools.Result{Text: text, Details: map[string]int{"status": 200}}, nil
	}}
}
