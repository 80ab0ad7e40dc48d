// Package adktools provides a suite's tools to an agent of Google's Agent Development Kit,
// which makes the calls itself, with [Tools].
package adktools

import (
	"encoding/json"
	"fmt"

	"google.golang.org/adk/agent"
	"google.golang.org/adk/model"
	"google.golang.org/adk/tool"
	"google.golang.org/genai"

	"github.com/spillway-go/spillway/tools"
)

// Tools returns the suite's tools, for llmagent.Config.
func Tools(suite *tools.Suite) []tool.Tool {
	var list []tool.Tool
	for _, t := range suite.Tools() {
		list = append(list, function{t})
	}
	return list
}

// function is a tool whose arguments the ADK does not check: its functiontool answers
// "100" for 100 with an error, which a suite takes.
type function struct{ tools.Tool }

// IsLongRunning reports false: a call ends with its result.
func (f function) IsLongRunning() bool { return false }

// Declaration is what the model is told.
func (f function) Declaration() *genai.FunctionDeclaration {
	var schema any
	_ = json.Unmarshal(f.Schema(), &schema) // no error: a suite takes no tool whose schema is something else
	return &genai.FunctionDeclaration{Name: f.Name(), Description: f.Description(), ParametersJsonSchema: schema}
}

// ProcessRequest adds the tool to a request, with those that are there in one genai.Tool.
func (f function) ProcessRequest(_ agent.ToolContext, req *model.LLMRequest) error {
	if req.Tools[f.Name()] != nil {
		return fmt.Errorf("two tools are named %s", f.Name())
	}
	if req.Tools == nil {
		req.Tools = map[string]any{}
	}
	req.Tools[f.Name()] = f
	if req.Config == nil {
		req.Config = &genai.GenerateContentConfig{}
	}
	for _, t := range req.Config.Tools {
		if t != nil && t.FunctionDeclarations != nil {
			t.FunctionDeclarations = append(t.FunctionDeclarations, f.Declaration())
			return nil
		}
	}
	req.Config.Tools = append(req.Config.Tools, &genai.Tool{FunctionDeclarations: []*genai.FunctionDeclaration{f.Declaration()}})
	return nil
}

// Run makes a call: "output" or, for a failure, "error". Its error is that of an ended
// context. The ADK carries no images, and the text says so.
func (f function) Run(ctx agent.ToolContext, args any) (map[string]any, error) {
	encoded, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	res, err := f.Call(tools.WithCallID(ctx, ctx.FunctionCallID()), encoded)
	if err != nil {
		return nil, err
	}
	key := "output"
	if res.IsError {
		key = "error"
	}
	if len(res.Images) > 0 {
		res.Text += "\n\n[The picture itself cannot be shown here]"
	}
	return map[string]any{key: res.Text}, nil
}
