// Package fantasytools provides a suite's tools to an agent of Fantasy, which makes the
// calls itself, with [Tools].
package fantasytools

import (
	"context"
	"encoding/json"
	"fmt"

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
		response = fantasy.NewImageResponse(res.Images[0].Data, res.Images[0].MIMEType)
		response.Content = res.Text
	}
	if len(res.Images) > 1 {
		response.Content += fmt.Sprintf("\n\n[Only the first of %d images is shown here]", len(res.Images))
	}
	return response, err
}
