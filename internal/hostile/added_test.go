//go:build linux

package hostile_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/truncation"
)

// added are tools that say too much of themselves, or return too much.
var added = []hostile{
	{name: "added: what tools say of themselves", opts: config.Config{Tools: []string{config.NoTools}}, calls: []call{
		{add: foreign{name: strings.Repeat("n", 1<<20)}, text: "has 1048576 bytes, over the limit of 128"},
		{add: foreign{name: "f", description: much("d", 16<<20)}, text: "over the limit of 32768"},
		{add: foreign{name: "f", schema: much(`{"a":`, 1<<21)}, text: "over the limit of 131072"},
		{add: foreign{name: "f", schema: much(`[`, 128<<10)}, text: "must be a JSON object"},
	}},
	{name: "added: what tools return", opts: config.Config{Tools: []string{config.NoTools}}, calls: []call{
		{add: foreign{name: "images", images: 1 << 20}},
		{add: foreign{name: "text", text: much("a\n", 1<<24)}},
		{tool: "images", args: args{}, text: "1048512 images left out (1023.9MB): a result holds at most 64 images, together 5MB"},
		{tool: "text", args: args{}, text: "a\na\n"},
	}},
	{name: "added: JSON documents", opts: config.Config{Tools: []string{config.NoTools}}, calls: []call{
		{add: document("deep", much("[", 1<<20))},
		{add: document("values", func() string { return "[" + strings.Repeat("0,", 249_000) + "1]" })},
		{add: document("members", func() string { return "[" + strings.Repeat(`{"a":{"b":[{},[]]}},`, 49_000) + "null]" })},
		{add: document("keys", func() string {
			var b strings.Builder
			for i := range 249_000 {
				fmt.Fprintf(&b, `,"k%d":%d`, i, i)
			}
			return "{" + b.String()[1:] + "}"
		})},
		{add: document("string", func() string { return `["` + strings.Repeat(`\ud83d\ude00`, 1<<20) + `"]` })},
		{tool: "string", args: args{}, text: "bytes left out]"},
		{tool: "deep", args: args{}, text: "Full output: "},
		{tool: "values", args: args{}, text: `"[248,998 left out: $[2..248999]]"`},
		{tool: "members", args: args{}, text: `"[48,998 left out: $[2..48999]]"`},
		{tool: "keys", args: args{}, text: "keys left out]"},
	}},
	{name: "added: many tools", opts: config.Config{Tools: []string{config.NoTools}}, more: func() (calls []call) {
		for i := range 1001 {
			calls = append(calls, call{add: foreign{name: fmt.Sprintf("f%d", i), description: much("d", 32<<10)}})
		}
		return calls
	}},
}

// much makes a text when it is asked for: a case must not hold those of others.
func much(text string, n int) func() string { return func() string { return strings.Repeat(text, n) } }

// document is a tool that returns a text, which is cut as JSON if it is a document.
func document(name string, text func() string) tools.Tool {
	return tools.Truncate(foreign{name: name, text: text}, truncation.Policy{Strategy: truncation.JSON})
}

// foreign is a tool of somebody else's.
type foreign struct {
	name                      string
	description, schema, text func() string // nil is none
	images                    int
}

func (f foreign) Name() string            { return f.name }
func (f foreign) Description() string     { return made(f.description, "") }
func (f foreign) Schema() json.RawMessage { return json.RawMessage(made(f.schema, "{}")) }

func made(text func() string, def string) string {
	if text == nil {
		return def
	}
	return text()
}

func (f foreign) Call(context.Context, json.RawMessage) (tools.Result, error) {
	res := tools.Result{Text: made(f.text, ""), Images: make([]tools.Image, f.images)}
	data := make([]byte, 1024)
	for i := range res.Images {
		res.Images[i] = tools.Image{MIMEType: "image/png", Data: data}
	}
	return res, nil
}
