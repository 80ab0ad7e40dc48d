// Package anthropictools are the tools of a suite for the Go SDK of Anthropic:
// Tools for its tool runner, and Params and Call for those who write the loop
// themselves.
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

// Tools are the tools of a suite for the SDK's tool runner.
func Tools(suite *tools.Suite) []anthropic.BetaTool {
	var list []anthropic.BetaTool
	for _, t := range suite.Tools() {
		list = append(list, runnerTool{t})
	}
	return list
}

// runnerTool has Name and Description from the tool itself.
type runnerTool struct{ tools.Tool }

// InputSchema is the schema as it is, byte by byte: to take it apart into the
// fields of the SDK would lose the order of the arguments.
func (t runnerTool) InputSchema() anthropic.BetaToolInputSchemaParam {
	return param.Override[anthropic.BetaToolInputSchemaParam](t.Schema())
}

// Execute runs the tool. The runner knows no failure but a Go error, of which it
// makes a result with is_error that the model reads; it does not end the run.
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
	for _, img := range res.Images {
		content = append(content, anthropic.BetaToolResultBlockParamContentUnion{OfImage: &anthropic.BetaImageBlockParam{
			Source: anthropic.BetaImageBlockParamSourceUnion{OfBase64: &anthropic.BetaBase64ImageSourceParam{
				MediaType: anthropic.BetaBase64ImageSourceMediaType(img.MIMEType),
				Data:      base64.StdEncoding.EncodeToString(img.Data),
			}},
		}})
	}
	return content, nil
}

// Params are the tools of a suite for the Tools of anthropic.MessageNewParams.
func Params(suite *tools.Suite) []anthropic.ToolUnionParam {
	var list []anthropic.ToolUnionParam
	for _, t := range suite.Tools() {
		list = append(list, anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{
			Name:        t.Name(),
			Description: anthropic.String(t.Description()),
			InputSchema: param.Override[anthropic.ToolInputSchemaParam](t.Schema()),
		}})
	}
	return list
}

// Call answers a tool_use block with a tool_result block. The error says that ctx
// ended; the block then holds what was gathered until then.
func Call(ctx context.Context, suite *tools.Suite, use anthropic.ToolUseBlock) (anthropic.ContentBlockParamUnion, error) {
	res, err := suite.Call(ctx, use.Name, use.Input)
	return Result(use.ID, res), err
}

// Result is the tool_result block of a result, for the tool_use block with that ID.
func Result(id string, res tools.Result) anthropic.ContentBlockParamUnion {
	block := anthropic.ToolResultBlockParam{ToolUseID: id, IsError: anthropic.Bool(res.IsError)}
	if res.Text != "" { // the API refuses an empty block
		block.Content = append(block.Content, anthropic.ToolResultBlockParamContentUnion{OfText: &anthropic.TextBlockParam{Text: res.Text}})
	}
	if res.IsError {
		return anthropic.ContentBlockParamUnion{OfToolResult: &block} // the API refuses images in an error
	}
	for _, img := range res.Images {
		block.Content = append(block.Content, anthropic.ToolResultBlockParamContentUnion{OfImage: &anthropic.ImageBlockParam{
			Source: anthropic.ImageBlockParamSourceUnion{OfBase64: &anthropic.Base64ImageSourceParam{
				MediaType: anthropic.Base64ImageSourceMediaType(img.MIMEType),
				Data:      base64.StdEncoding.EncodeToString(img.Data),
			}},
		}})
	}
	return anthropic.ContentBlockParamUnion{OfToolResult: &block}
}
