// Package openaitools gives a suite's tools to openai-go: to chat completions with
// [Tools] and [Answer], and to the Responses API with [ResponseTools] and
// [ResponseAnswer].
package openaitools

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
	"github.com/spillway-go/spillway/tools"
)

// Tools are the suite's tools, for ChatCompletionNewParams. The error names a tool
// that was added and whose schema is not a JSON object.
func Tools(suite *tools.Suite) ([]openai.ChatCompletionToolUnionParam, error) {
	var list []openai.ChatCompletionToolUnionParam
	for _, t := range suite.Tools() {
		parameters, err := schema(t)
		if err != nil {
			return nil, err
		}
		list = append(list, openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: t.Name(), Description: openai.String(t.Description()), Parameters: parameters,
		}))
	}
	return list, nil
}

// Answer runs the calls of a message, one after the other, and gives the messages
// that follow it. The API takes text alone from a tool, so that pictures come in a
// message of the user, behind the answers to all calls.
//
// The error is that of a context that ended. The messages are complete then too:
// a call that was not made any more says so.
func Answer(ctx context.Context, suite *tools.Suite, calls []openai.ChatCompletionMessageToolCallUnion) ([]openai.ChatCompletionMessageParamUnion, error) {
	var messages []openai.ChatCompletionMessageParamUnion
	var pictures []openai.ChatCompletionContentPartUnionParam
	var ended error
	for _, call := range calls {
		res, err := suite.Call(ctx, call.Function.Name, json.RawMessage(call.Function.Arguments))
		if err != nil {
			ended = err
		}
		messages = append(messages, openai.ToolMessage(res.Text, call.ID))
		if len(res.Images) > 0 {
			pictures = append(pictures, openai.TextContentPart("From the call "+call.ID+" of "+call.Function.Name+":"))
		}
		for _, image := range res.Images {
			pictures = append(pictures, openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: dataURL(image)}))
		}
	}
	if len(pictures) > 0 {
		messages = append(messages, openai.UserMessage(pictures))
	}
	return messages, ended
}

// ResponseTools are the suite's tools, for ResponseNewParams; see [Tools].
func ResponseTools(suite *tools.Suite) ([]responses.ToolUnionParam, error) {
	var list []responses.ToolUnionParam
	for _, t := range suite.Tools() {
		parameters, err := schema(t)
		if err != nil {
			return nil, err
		}
		// A strict tool has no optional parameters, and strict is this API's default.
		tool := responses.ToolParamOfFunction(t.Name(), parameters, false)
		tool.OfFunction.Description = openai.String(t.Description())
		list = append(list, tool)
	}
	return list, nil
}

// ResponseAnswer runs a call and gives the item that answers it, pictures included.
// The error is that of a context that ended; the item says so too.
func ResponseAnswer(ctx context.Context, suite *tools.Suite, call responses.ResponseFunctionToolCall) (responses.ResponseInputItemUnionParam, error) {
	res, err := suite.Call(ctx, call.Name, json.RawMessage(call.Arguments))
	output := responses.ResponseInputItemFunctionCallOutputParam{CallID: openai.String(call.CallID)}
	if len(res.Images) == 0 {
		output.Output.OfString = openai.String(res.Text)
		return responses.ResponseInputItemUnionParam{OfFunctionCallOutput: &output}, err
	}
	parts := responses.ResponseFunctionCallOutputItemListParam{responses.ResponseFunctionCallOutputItemParamOfInputText(res.Text)}
	for _, image := range res.Images {
		parts = append(parts, responses.ResponseFunctionCallOutputItemUnionParam{
			OfInputImage: &responses.ResponseInputImageContentParam{ImageURL: openai.String(dataURL(image))},
		})
	}
	output.Output.OfResponseFunctionCallOutputItemArray = parts
	return responses.ResponseInputItemUnionParam{OfFunctionCallOutput: &output}, err
}

func schema(t tools.Tool) (map[string]any, error) {
	var object map[string]any
	if err := json.Unmarshal(t.Schema(), &object); err != nil {
		return nil, fmt.Errorf("openaitools: the schema of the tool %s must be a JSON object: %w", t.Name(), err)
	}
	return object, nil
}

func dataURL(image tools.Image) string {
	return "data:" + image.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(image.Data)
}
