// Package genaitools provides a suite's tools to Google's genai, for the Gemini API and
// Vertex AI, with [Tools] and [Answer].
package genaitools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	_ "image/gif" // the decoder, for image.Decode
	"image/png"

	"google.golang.org/genai"

	"github.com/spillway-go/spillway/tools"
)

// Tools returns the suite's tools, for GenerateContentConfig.
func Tools(suite *tools.Suite) []*genai.Tool {
	all := &genai.Tool{}
	for _, t := range suite.Tools() {
		all.FunctionDeclarations = append(all.FunctionDeclarations, &genai.FunctionDeclaration{
			Name: t.Name(), Description: t.Description(), ParametersJsonSchema: t.Schema(),
		})
	}
	return []*genai.Tool{all}
}

// Answer runs the calls of a response in turn, and returns the parts that answer them,
// for Chat.Send or a user content. Images are in the function responses, as models from
// Gemini 3 on accept them; see [Apart].
//
// The Gemini API may leave out the ID of a call, which then has one of the suite's.
//
// The error is that of an ended context. The parts are complete even then: the answer to
// a call that was not made says so.
func Answer(ctx context.Context, suite *tools.Suite, calls []*genai.FunctionCall) ([]*genai.Part, error) {
	var parts []*genai.Part
	var ended error
	for _, call := range calls {
		args, err := json.Marshal(call.Args)
		if err != nil {
			return nil, fmt.Errorf("genaitools: the arguments of %s: %w", call.Name, err)
		}
		res, err := suite.Call(tools.WithCallID(ctx, call.ID), call.Name, args)
		if err != nil {
			ended = err
		}
		key := "output"
		if res.IsError {
			key = "error"
		}
		response := &genai.FunctionResponse{ID: call.ID, Name: call.Name, Response: map[string]any{key: res.Text}}
		for _, picture := range res.Images {
			data, kind := supported(picture)
			response.Parts = append(response.Parts, genai.NewFunctionResponsePartFromBytes(data, kind))
		}
		parts = append(parts, &genai.Part{FunctionResponse: response})
	}
	return parts, ended
}

// Apart returns the contents of an answer for models before Gemini 3, which refuse images
// in a function response and other parts beside it: the responses, then a content with
// the images, if any.
func Apart(parts []*genai.Part) []*genai.Content {
	var responses, pictures []*genai.Part
	for _, part := range parts {
		response := *part.FunctionResponse
		for _, picture := range response.Parts {
			text, _ := response.Response["output"].(string)
			pictures = append(pictures,
				genai.NewPartFromText("From "+response.Name+": "+text),
				genai.NewPartFromBytes(picture.InlineData.Data, picture.InlineData.MIMEType))
		}
		response.Parts = nil
		responses = append(responses, &genai.Part{FunctionResponse: &response})
	}
	contents := []*genai.Content{genai.NewContentFromParts(responses, genai.RoleUser)}
	if len(pictures) > 0 {
		contents = append(contents, genai.NewContentFromParts(pictures, genai.RoleUser))
	}
	return contents
}

// supported is a picture in a format that Gemini takes, which GIF is not: the
// first picture of it, as PNG.
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
