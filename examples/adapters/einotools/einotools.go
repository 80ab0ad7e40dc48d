// Package einotools provides a suite's tools to Eino, which makes the calls itself: to a
// ToolsNode, or to an agent that has one, with [Tools] and [Unknown].
package einotools

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"

	"github.com/spillway-go/spillway/tools"
)

// Tools returns the suite's tools as tool.InvokableTool, which works with every Eino
// model. They answer only in text, which mentions an image; see [EnhancedTools]. The
// error names an added tool whose schema Eino does not understand.
func Tools(suite *tools.Suite) ([]tool.BaseTool, error) {
	return list(suite, func(i info) tool.BaseTool { return invokable{i} })
}

// EnhancedTools returns the suite's tools as tool.EnhancedInvokableTool: their messages
// hold text and images in UserInputMultiContent. Not every model accepts that from a
// tool.
func EnhancedTools(suite *tools.Suite) ([]tool.BaseTool, error) {
	return list(suite, func(i info) tool.BaseTool { return enhanced{i} })
}

// Unknown returns the UnknownToolsHandler of a ToolsNode: it tells the model which tools
// exist. Without it, the run ends when a model makes up a name.
func Unknown(suite *tools.Suite) func(ctx context.Context, name, args string) (string, error) {
	return func(ctx context.Context, name, args string) (string, error) {
		res, err := suite.Call(identified(ctx), name, json.RawMessage(args))
		return res.Text, err
	}
}

// identified passes on the id of a ToolsNode's call.
func identified(ctx context.Context) context.Context {
	return tools.WithCallID(ctx, compose.GetToolCallID(ctx))
}

func list(suite *tools.Suite, of func(info) tool.BaseTool) ([]tool.BaseTool, error) {
	var all []tool.BaseTool
	for _, t := range suite.Tools() {
		var parameters jsonschema.Schema
		if err := json.Unmarshal(t.Schema(), &parameters); err != nil {
			return nil, fmt.Errorf("einotools: the schema of the tool %s: %w", t.Name(), err)
		}
		if parameters.Required != nil && len(parameters.Required) == 0 { // the type leaves out an empty list
			parameters.Extras = map[string]any{"required": []string{}}
		}
		all = append(all, of(info{t, &schema.ToolInfo{
			Name: t.Name(), Desc: t.Description(), ParamsOneOf: schema.NewParamsOneOfByJSONSchema(&parameters),
		}}))
	}
	return all, nil
}

// info is a tool, and what the model is told of it.
type info struct {
	tool tools.Tool
	info *schema.ToolInfo
}

func (i info) Info(context.Context) (*schema.ToolInfo, error) { return i.info, nil }

type invokable struct{ info }

// InvokableRun runs a call. Its error is that of a context that ended: an error
// ends the run, and so a failure is a text that begins with its code.
func (t invokable) InvokableRun(ctx context.Context, args string, _ ...tool.Option) (string, error) {
	res, err := t.tool.Call(identified(ctx), json.RawMessage(args))
	if err != nil {
		return "", err
	}
	if len(res.Images) > 0 {
		res.Text += "\n\n[The picture itself cannot be shown here]"
	}
	return res.Text, nil
}

type enhanced struct{ info }

// InvokableRun is that of invokable, with pictures.
func (t enhanced) InvokableRun(ctx context.Context, arg *schema.ToolArgument, _ ...tool.Option) (*schema.ToolResult, error) {
	res, err := t.tool.Call(identified(ctx), json.RawMessage(arg.Text))
	if err != nil {
		return nil, err
	}
	result := &schema.ToolResult{Parts: []schema.ToolOutputPart{{Type: schema.ToolPartTypeText, Text: res.Text}}}
	for _, image := range res.Images {
		data := base64.StdEncoding.EncodeToString(image.Data)
		result.Parts = append(result.Parts, schema.ToolOutputPart{
			Type:  schema.ToolPartTypeImage,
			Image: &schema.ToolOutputImage{MessagePartCommon: schema.MessagePartCommon{Base64Data: &data, MIMEType: image.MIMEType}},
		})
	}
	return result, nil
}
