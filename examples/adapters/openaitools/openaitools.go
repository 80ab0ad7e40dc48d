// Package openaitools provides a suite's tools to openai-go: to chat completions with
// [Tools] and [Answer], and to the Responses API with [ResponseTools] and
// [ResponseAnswer]. Both are in one package as the SDK's own imports both.
package openaitools

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"github.com/spillway-go/spillway/tools"
)

// Tools returns the suite's tools, for ChatCompletionNewParams.
func Tools(suite *tools.Suite) []openai.ChatCompletionToolUnionParam {
	var list []openai.ChatCompletionToolUnionParam
	for _, t := range suite.Tools() {
		list = append(list, openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: t.Name(), Description: openai.String(t.Description()), Parameters: schema(t),
		}))
	}
	return list
}

// StrictTools is like [Tools], in strict mode: the API lets the model write only arguments that the schema has. The model
// then names every argument, and gives null for those that it leaves out. A tool that was added, and whose schema strict
// mode refuses, is not strict.
func StrictTools(suite *tools.Suite) []openai.ChatCompletionToolUnionParam {
	list := Tools(suite)
	for i := range list {
		f := &list[i].OfFunction.Function
		f.Strict = openai.Bool(strict(f.Parameters))
	}
	return list
}

// Answer runs the calls of a message in turn, and returns the messages that answer them.
// The API takes only text from a tool: images follow in a user message, after the answers
// to all calls.
//
// The error is that of an ended context. The messages are complete even then: the answer
// to a call that was not made says so.
func Answer(ctx context.Context, suite *tools.Suite, calls []openai.ChatCompletionMessageToolCallUnion) ([]openai.ChatCompletionMessageParamUnion, error) {
	var messages []openai.ChatCompletionMessageParamUnion
	var pictures []openai.ChatCompletionContentPartUnionParam
	var ended error
	for _, call := range calls {
		res, err := suite.Call(tools.WithCallID(ctx, call.ID), call.Function.Name, json.RawMessage(call.Function.Arguments))
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

// ResponseTools returns the suite's tools, for ResponseNewParams.
func ResponseTools(suite *tools.Suite) []responses.ToolUnionParam {
	var list []responses.ToolUnionParam
	for _, t := range suite.Tools() {
		// Strict is this API's default.
		tool := responses.ToolParamOfFunction(t.Name(), schema(t), false)
		tool.OfFunction.Description = openai.String(t.Description())
		list = append(list, tool)
	}
	return list
}

// StrictResponseTools is like [ResponseTools], in strict mode as [StrictTools] has it.
func StrictResponseTools(suite *tools.Suite) []responses.ToolUnionParam {
	list := ResponseTools(suite)
	for i := range list {
		list[i].OfFunction.Strict = openai.Bool(strict(list[i].OfFunction.Parameters))
	}
	return list
}

// ResponseAnswer is like [Answer], for the output of a response. The items that answer
// its calls hold the images too; there are none without calls.
func ResponseAnswer(ctx context.Context, suite *tools.Suite, output []responses.ResponseOutputItemUnion) (responses.ResponseInputParam, error) {
	var items responses.ResponseInputParam
	var ended error
	for _, item := range output {
		if item.Type != "function_call" {
			continue
		}
		call := item.AsFunctionCall()
		res, err := suite.Call(tools.WithCallID(ctx, call.CallID), call.Name, json.RawMessage(call.Arguments))
		if err != nil {
			ended = err
		}
		items = append(items, responseItem(call.CallID, res))
	}
	return items, ended
}

func responseItem(id string, res tools.Result) responses.ResponseInputItemUnionParam {
	output := responses.ResponseInputItemFunctionCallOutputParam{CallID: openai.String(id)}
	if len(res.Images) == 0 {
		output.Output.OfString = openai.String(res.Text)
		return responses.ResponseInputItemUnionParam{OfFunctionCallOutput: &output}
	}
	parts := responses.ResponseFunctionCallOutputItemListParam{responses.ResponseFunctionCallOutputItemParamOfInputText(res.Text)}
	for _, image := range res.Images {
		parts = append(parts, responses.ResponseFunctionCallOutputItemUnionParam{
			OfInputImage: &responses.ResponseInputImageContentParam{ImageURL: openai.String(dataURL(image))},
		})
	}
	output.Output.OfResponseFunctionCallOutputItemArray = parts
	return responses.ResponseInputItemUnionParam{OfFunctionCallOutput: &output}
}

func schema(t tools.Tool) (object map[string]any) {
	_ = json.Unmarshal(t.Schema(), &object) // no error: a suite takes no tool whose schema is something else
	return object
}

// strictKeywords are those of strict mode that schemas of tools need.
var strictKeywords = []string{
	"type", "description", "enum", "properties", "required", "additionalProperties", "items", "minItems", "maxItems",
}

// strict makes a schema one of strict mode, in which every property is required, and one that was optional may be null. It
// reports false, and changes nothing, if the schema has something that strict mode refuses.
func strict(schema map[string]any) bool {
	if schema["type"] != "object" || !mayBeStrict(schema) {
		return false
	}
	requireAll(schema)
	return true
}

func mayBeStrict(schema map[string]any) bool {
	for keyword := range schema {
		if !slices.Contains(strictKeywords, keyword) {
			return false
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	if schema["type"] == "object" && (schema["additionalProperties"] != false || properties == nil) {
		return false
	}
	for _, p := range properties {
		if p, ok := p.(map[string]any); !ok || p["type"] == nil || !mayBeStrict(p) {
			return false
		}
	}
	items, ok := schema["items"].(map[string]any)
	return schema["items"] == nil || ok && mayBeStrict(items)
}

func requireAll(schema map[string]any) {
	if items, ok := schema["items"].(map[string]any); ok {
		requireAll(items)
	}
	properties, ok := schema["properties"].(map[string]any)
	if !ok {
		return
	}
	required, _ := schema["required"].([]any)
	for name, p := range properties {
		p := p.(map[string]any)
		requireAll(p)
		if slices.Contains(required, any(name)) {
			continue
		}
		if kind, ok := p["type"].(string); ok {
			p["type"] = []any{kind, "null"}
		}
		if enum, ok := p["enum"].([]any); ok {
			p["enum"] = append(enum, nil)
		}
	}
	schema["required"] = slices.Sorted(maps.Keys(properties))
}

func dataURL(image tools.Image) string {
	return "data:" + image.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(image.Data)
}
