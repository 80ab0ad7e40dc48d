// Package genkittools gives a suite's tools to Genkit.
package genkittools

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	_ "image/gif" // the decoder, for image.Decode
	"image/png"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core"
	"github.com/firebase/genkit/go/core/api"
	"github.com/firebase/genkit/go/genkit"
	"github.com/spillway-go/spillway/tools"
)

// Define registers the suite's tools with g, once, and gives them for
// [ai.WithTools]. The error names a tool that was added and whose schema is not a
// JSON object; then nothing is registered.
func Define(g *genkit.Genkit, suite *tools.Suite) ([]ai.ToolRef, error) {
	var refs []ai.ToolRef
	var actions []api.Action
	for _, t := range suite.Tools() {
		var schema map[string]any
		if err := json.Unmarshal(t.Schema(), &schema); err != nil {
			return nil, fmt.Errorf("genkittools: the schema of the tool %s must be a JSON object: %w", t.Name(), err)
		}
		refs = append(refs, ai.ToolName(t.Name()))
		actions = append(actions, newAction(t, schema))
	}
	for _, a := range actions {
		genkit.RegisterAction(g, a)
	}
	return refs, nil
}

// action is a tool of which the model is told a schema that Genkit does not check
// arguments against. Genkit ends the run on the first "100" for 100, or a key that
// is missing; a suite takes the one, and tells the model of the other.
type action struct {
	api.Action
	schema map[string]any
}

func newAction(t tools.Tool, schema map[string]any) action {
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
