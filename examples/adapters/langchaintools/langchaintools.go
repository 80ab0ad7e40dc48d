// Package langchaintools provides a suite's tools to LangChainGo: to your own loop with
// [Tools] and [Answer], and to the SDK's agents with [AgentTools].
package langchaintools

import (
	"context"
	"encoding/base64"
	"encoding/json"

	"github.com/tmc/langchaingo/llms"
	agenttools "github.com/tmc/langchaingo/tools"

	"github.com/spillway-go/spillway/tools"
)

// noPicture ends a text whose picture is not sent.
const noPicture = "\n\n[The picture itself cannot be shown here]"

// Tools returns the suite's tools, for [llms.WithTools].
func Tools(suite *tools.Suite) []llms.Tool {
	var list []llms.Tool
	for _, t := range suite.Tools() {
		var parameters map[string]any               // googleai takes no other type
		_ = json.Unmarshal(t.Schema(), &parameters) // no error: a suite takes no tool whose schema is something else
		list = append(list, llms.Tool{Type: "function", Function: &llms.FunctionDefinition{
			Name: t.Name(), Description: t.Description(), Parameters: parameters,
		}})
	}
	return list
}

// Picture makes a part of a message of an image: [DataURL] or [Binary].
type Picture func(tools.Image) llms.ContentPart

// DataURL is the form that OpenAI's API and those like it take.
func DataURL(image tools.Image) llms.ContentPart {
	return llms.ImageURLPart("data:" + image.MIMEType + ";base64," + base64.StdEncoding.EncodeToString(image.Data))
}

// Binary is the form for all other models.
func Binary(image tools.Image) llms.ContentPart {
	return llms.BinaryPart(image.MIMEType, image.Data)
}

// Answer runs the calls of a response in turn, and returns the messages that continue the
// conversation: each call, in its own message because some models take only one, and its
// answer. Answers are only text; images follow in a user message. If picture is nil, the
// text mentions them instead.
//
// The error is that of an ended context. The messages are complete even then: the answer
// to a call that was not made says so.
func Answer(ctx context.Context, suite *tools.Suite, calls []llms.ToolCall, picture Picture) ([]llms.MessageContent, error) {
	var messages []llms.MessageContent
	var pictures []llms.ContentPart
	var ended error
	for _, call := range calls {
		if call.FunctionCall == nil {
			continue // not a call of a function
		}
		res, err := suite.Call(tools.WithCallID(ctx, call.ID), call.FunctionCall.Name, json.RawMessage(call.FunctionCall.Arguments))
		if err != nil {
			ended = err
		}
		if len(res.Images) > 0 && picture == nil {
			res.Text, res.Images = res.Text+noPicture, nil
		}
		if len(res.Images) > 0 {
			pictures = append(pictures, llms.TextPart("From the call "+call.ID+" of "+call.FunctionCall.Name+":"))
		}
		for _, image := range res.Images {
			pictures = append(pictures, picture(image))
		}
		answer := llms.ToolCallResponse{ToolCallID: call.ID, Name: call.FunctionCall.Name, Content: res.Text}
		messages = append(messages,
			llms.MessageContent{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{call}},
			llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{answer}})
	}
	if len(pictures) > 0 {
		messages = append(messages, llms.MessageContent{Role: llms.ChatMessageTypeHuman, Parts: pictures})
	}
	return messages, ended
}

// AgentTools returns the suite's tools for an agent, which exchanges only text:
// descriptions include the schema, and the text mentions images. A call has no ID there,
// and gets one of the suite's.
func AgentTools(suite *tools.Suite) []agenttools.Tool {
	var list []agenttools.Tool
	for _, t := range suite.Tools() {
		list = append(list, agentTool{t})
	}
	return list
}

type agentTool struct{ tool tools.Tool }

func (t agentTool) Name() string { return t.tool.Name() }

func (t agentTool) Description() string {
	return t.tool.Description() + " The input is a JSON object of this schema: " + string(t.tool.Schema())
}

// Call runs the tool. Its error is that of a context that ended: an error ends the
// run, and so a failure is a text that begins with its code.
func (t agentTool) Call(ctx context.Context, input string) (string, error) {
	res, err := t.tool.Call(ctx, json.RawMessage(input))
	if err != nil {
		return "", err
	}
	if len(res.Images) > 0 {
		res.Text += noPicture
	}
	return res.Text, nil
}
