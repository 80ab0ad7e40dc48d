// Package anthropictools provides a suite's tools to anthropic-sdk-go: to your own loop
// with [Tools] and [Answer], and to the SDK's tool runner with [RunnerTools].
package anthropictools

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/spillway-go/spillway/tools"
)

// Tools returns the suite's tools, for MessageNewParams. It sends each schema byte for
// byte: splitting it into the SDK's fields would lose the order of the arguments.
func Tools(suite *tools.Suite) []anthropic.ToolUnionParam {
	var list []anthropic.ToolUnionParam
	for _, t := range suite.Tools() {
		list = append(list, anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{
			Name: t.Name(), Description: anthropic.String(t.Description()),
			InputSchema: param.Override[anthropic.ToolInputSchemaParam](t.Schema()),
		}})
	}
	return list
}

// Answer runs the calls in a message's content in turn, and returns the blocks that
// answer them, for a user message; none if there are no calls.
//
// The error is that of an ended context. The blocks are complete even then: the answer to
// a call that was not made says so.
func Answer(ctx context.Context, suite *tools.Suite, content []anthropic.ContentBlockUnion) ([]anthropic.ContentBlockParamUnion, error) {
	var blocks []anthropic.ContentBlockParamUnion
	var ended error
	for _, block := range content {
		if block.Type != "tool_use" {
			continue
		}
		res, err := suite.Call(tools.WithCallID(ctx, block.ID), block.Name, block.Input)
		if err != nil {
			ended = err
		}
		blocks = append(blocks, Result(block.ID, res))
	}
	return blocks, ended
}

// Result returns the block that answers the call with that ID, for programs that call the
// suite themselves.
func Result(id string, res tools.Result) anthropic.ContentBlockParamUnion {
	block := anthropic.ToolResultBlockParam{ToolUseID: id, IsError: anthropic.Bool(res.IsError)}
	if res.Text != "" { // the API refuses an empty block
		block.Content = append(block.Content, anthropic.ToolResultBlockParamContentUnion{OfText: &anthropic.TextBlockParam{Text: res.Text}})
	}
	if res.IsError {
		return anthropic.ContentBlockParamUnion{OfToolResult: &block} // the API refuses pictures in an error
	}
	for _, image := range res.Images {
		block.Content = append(block.Content, anthropic.ToolResultBlockParamContentUnion{OfImage: &anthropic.ImageBlockParam{
			Source: anthropic.ImageBlockParamSourceUnion{OfBase64: &anthropic.Base64ImageSourceParam{
				MediaType: anthropic.Base64ImageSourceMediaType(image.MIMEType),
				Data:      base64.StdEncoding.EncodeToString(image.Data),
			}},
		}})
	}
	return anthropic.ContentBlockParamUnion{OfToolResult: &block}
}

// RunnerTools returns the suite's tools for the SDK's tool runner, which makes the calls
// of a message concurrently. The runner does not tell a tool the ID of its call, which
// therefore has one of the suite's.
func RunnerTools(suite *tools.Suite) []anthropic.BetaTool {
	var list []anthropic.BetaTool
	for _, t := range suite.Tools() {
		list = append(list, runnerTool{t})
	}
	return list
}

// runnerTool has Name and Description from the tool itself.
type runnerTool struct{ tools.Tool }

func (t runnerTool) InputSchema() anthropic.BetaToolInputSchemaParam {
	return param.Override[anthropic.BetaToolInputSchemaParam](t.Schema())
}

// Execute runs a call. The runner knows no failure but a Go error, of which it makes
// a result with is_error that the model reads; it does not end the run.
func (t runnerTool) Execute(ctx context.Context, input json.RawMessage) ([]anthropic.BetaToolResultBlockParamContentUnion, error) {
	res, err := t.Call(ctx, input)
	if err != nil {
		return nil, err // the context ended, and with it the run: the next request fails
	}
	if res.IsError {
		return nil, errors.New(res.Text)
	}
	var content []anthropic.BetaToolResultBlockParamContentUnion
	if res.Text != "" { // the API refuses an empty block
		content = append(content, anthropic.BetaToolResultBlockParamContentUnion{OfText: &anthropic.BetaTextBlockParam{Text: res.Text}})
	}
	for _, image := range res.Images {
		content = append(content, anthropic.BetaToolResultBlockParamContentUnion{OfImage: &anthropic.BetaImageBlockParam{
			Source: anthropic.BetaImageBlockParamSourceUnion{OfBase64: &anthropic.BetaBase64ImageSourceParam{
				MediaType: anthropic.BetaBase64ImageSourceMediaType(image.MIMEType),
				Data:      base64.StdEncoding.EncodeToString(image.Data),
			}},
		}})
	}
	return content, nil
}
