// Package fantasytools provides a suite's tools to an agent of Fantasy, which makes the
// calls itself, with [Tools].
package fantasytools

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"sync"

	"charm.land/fantasy"

	"github.com/spillway-go/spillway/tools"
)

// Tools returns the suite's tools, for [fantasy.WithTools]. While it streams, Fantasy
// runs those that only read beside each other.
func Tools(suite *tools.Suite) []fantasy.AgentTool {
	var list []fantasy.AgentTool
	for _, t := range suite.Tools() {
		list = append(list, &agentTool{tool: t, info: info(t)})
	}
	return list
}

// agentTool is a tool of the suite as Fantasy calls it.
type agentTool struct {
	tool    tools.Tool
	info    fantasy.ToolInfo
	options fantasy.ProviderOptions
}

// info describes a tool. Fantasy sends the properties and the required keys of a schema.
func info(t tools.Tool) fantasy.ToolInfo {
	var schema struct {
		Properties map[string]any
		Required   []string
	}
	_ = json.Unmarshal(t.Schema(), &schema) // no error: a suite takes no tool whose schema is something else
	effects := tools.EffectsOf(t)
	return fantasy.ToolInfo{
		Name: t.Name(), Description: t.Description(), Parameters: schema.Properties, Required: schema.Required,
		Parallel: !effects.Writes && !effects.Executes,
	}
}

func (a *agentTool) Info() fantasy.ToolInfo                             { return a.info }
func (a *agentTool) ProviderOptions() fantasy.ProviderOptions           { return a.options }
func (a *agentTool) SetProviderOptions(options fantasy.ProviderOptions) { a.options = options }

// Run makes a call. Its error is that of an ended context: an error ends the run. Fantasy
// carries one image with a result; the text counts the others.
func (a *agentTool) Run(ctx context.Context, call fantasy.ToolCall) (fantasy.ToolResponse, error) {
	res, err := a.tool.Call(tools.WithCallID(ctx, call.ID), json.RawMessage(call.Input))
	response := fantasy.NewTextResponse(res.Text)
	response.IsError = res.IsError
	if len(res.Images) > 0 && !res.IsError {
		data := res.Images[0].Data
		if !encodes() {
			data = []byte(base64.StdEncoding.EncodeToString(data))
		}
		response = fantasy.NewImageResponse(data, res.Images[0].MIMEType)
		response.Content = res.Text
	}
	if len(res.Images) > 1 {
		response.Content += fmt.Sprintf("\n\n[Only the first of %d images is shown here]", len(res.Images))
	}
	return response, err
}

// encodes reports whether Fantasy sends an image of a tool in base64. Up to v0.16.0 it sends the bytes that the tool
// returns, where base64 belongs. Nothing tells the version of a module to a program, so a model is played that calls a tool.
var encodes = sync.OnceValue(func() bool {
	image := fantasy.NewAgentTool("image", "", func(context.Context, struct{}, fantasy.ToolCall) (fantasy.ToolResponse, error) {
		return fantasy.NewImageResponse([]byte{0}, "image/png"), nil
	})
	res, err := fantasy.NewAgent(&played{}, fantasy.WithTools(image)).Generate(context.Background(), fantasy.AgentCall{Prompt: "image"})
	if err != nil || len(res.Steps) == 0 {
		return true
	}
	for _, result := range res.Steps[0].Content.ToolResults() {
		if media, ok := result.Result.(fantasy.ToolResultOutputContentMedia); ok {
			return media.Data != "\x00"
		}
	}
	return true
})

// played is a model that calls the tool image once.
type played struct {
	fantasy.LanguageModel
	called bool
}

func (*played) Provider() string { return "" }
func (*played) Model() string    { return "" }

func (p *played) Generate(context.Context, fantasy.Call) (*fantasy.Response, error) {
	if p.called {
		return &fantasy.Response{FinishReason: fantasy.FinishReasonStop}, nil
	}
	p.called = true
	return &fantasy.Response{
		Content:      fantasy.ResponseContent{fantasy.ToolCallContent{ToolCallID: "1", ToolName: "image", Input: "{}"}},
		FinishReason: fantasy.FinishReasonToolCalls,
	}, nil
}
