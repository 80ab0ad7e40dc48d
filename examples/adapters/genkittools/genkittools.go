// Package genkittools provides a suite's tools to Genkit, which makes the calls itself,
// with [Add].
package genkittools

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"image"
	_ "image/gif" // the decoder, for image.Decode
	"image/png"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core"
	"github.com/firebase/genkit/go/core/api"
	"github.com/firebase/genkit/go/genkit"

	"github.com/spillway-go/spillway/tools"
)

// Add registers the suite's tools with g, once, and returns their names for
// [ai.WithTools]. Genkit does not tell a tool the Ref of its call, which therefore has an
// ID of the suite's, unless the program runs the tool itself and sets one
// ([tools.WithCallID]).
func Add(g *genkit.Genkit, suite *tools.Suite) []ai.ToolRef {
	var list []ai.ToolRef
	for _, t := range suite.Tools() {
		genkit.RegisterAction(g, newAction(t))
		list = append(list, ai.ToolName(t.Name()))
	}
	return list
}

// action is a tool of which the model is told a schema that Genkit does not check
// arguments against. Genkit ends the run on the first "100" for 100, or a key that
// is missing; a suite takes the one, and tells the model of the other.
type action struct {
	api.Action
	schema map[string]any
}

func newAction(t tools.Tool) action {
	var schema map[string]any
	_ = json.Unmarshal(t.Schema(), &schema) // no error: a suite takes no tool whose schema is something else
	// As ai.NewMultipartTool has it, which leaves no choice of what is checked.
	metadata := map[string]any{
		"type": api.ActionTypeToolV2, "name": t.Name(), "description": t.Description(),
		"tool": map[string]any{"multipart": true},
	}
	return action{core.NewAction(t.Name(), api.ActionTypeToolV2, metadata, nil, run(t)), schema}
}

// Desc says what the tool takes.
func (a action) Desc() api.ActionDesc {
	desc := a.Action.Desc()
	desc.InputSchema = a.schema
	return desc
}

// Register puts the tool into a registry.
func (a action) Register(r api.Registry) {
	r.RegisterAction(a.Desc().Key, a)
}

// run is what the tool does. Its error is that of a context that ended: an error
// ends the run, and so a failure is an output "error" instead of "output".
func run(t tools.Tool) core.Func[any, *ai.MultipartToolResponse] {
	return func(ctx context.Context, input any) (*ai.MultipartToolResponse, error) {
		args, err := json.Marshal(input)
		if err != nil {
			return nil, err
		}
		res, err := t.Call(ctx, args)
		if err != nil {
			return nil, err
		}
		key := "output"
		if res.IsError {
			key = "error"
		}
		response := &ai.MultipartToolResponse{Output: map[string]any{key: res.Text}}
		for _, picture := range res.Images {
			data, kind := supported(picture)
			url := "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)
			response.Content = append(response.Content, ai.NewMediaPart(kind, url))
		}
		return response, nil
	}
}

// supported is a picture in a format that Gemini takes, the one plugin of Genkit that
// sends pictures of tools. GIF is not: the first picture of it, as PNG.
func supported(picture tools.Image) (data []byte, kind string) {
	if picture.MIMEType != "image/gif" {
		return picture.Data, picture.MIMEType
	}
	decoded, _, err := image.Decode(bytes.NewReader(picture.Data))
	var buf bytes.Buffer
	if err != nil || png.Encode(&buf, decoded) != nil {
		return picture.Data, picture.MIMEType // the API says what is wrong with it
	}
	return buf.Bytes(), "image/png"
}
