package genaitools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/genai"

	"github.com/spillway-go/spillway/examples/adapters/genaitools"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
)

func modelText(text string) string {
	return fmt.Sprintf(`{"candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [{"text": %q}]}}]}`, text)
}

// modelCalls is a response that calls tools: names and arguments in turn.
func modelCalls(calls ...string) string {
	var list []string
	for i := 0; i < len(calls); i += 2 {
		list = append(list, fmt.Sprintf(`{"functionCall": {"id": "id-%d", "name": %q, "args": %s}}`, i/2, calls[i], calls[i+1]))
	}
	return fmt.Sprintf(`{"candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [%s]}}]}`, strings.Join(list, ","))
}

type request struct {
	Contents []struct {
		Role  string
		Parts []struct {
			FunctionResponse *struct {
				ID, Name string
				Response map[string]string
				Parts    []struct {
					InlineData struct {
						MIMEType string
						Data     []byte
					}
				}
			}
		}
	}
	Tools []struct {
		FunctionDeclarations []struct {
			Name, Description    string
			ParametersJSONSchema json.RawMessage
		}
	}
}

func decoded(text []byte) (r request) {
	adaptertest.Decode(text, &r)
	return r
}

// answers are the answers in the last content of a request.
func answers(text []byte) []adaptertest.Answer {
	r := decoded(text)
	var list []adaptertest.Answer
	for i, part := range r.Contents[len(r.Contents)-1].Parts {
		f := part.FunctionResponse
		if want := fmt.Sprintf("id-%d", i); f.ID != want || len(f.Response) != 1 {
			panic(fmt.Sprintf("%s: not one key, or not %s", text, want))
		}
		failure, isError := f.Response["error"]
		a := adaptertest.Answer{Text: f.Response["output"] + failure, IsError: isError}
		for _, p := range f.Parts {
			a.Images = append(a.Images, tools.Image{MIMEType: p.InlineData.MIMEType, Data: p.InlineData.Data})
		}
		list = append(list, a)
	}
	return list
}

// configs are both APIs of the SDK.
func configs(url string) map[string]*genai.ClientConfig {
	options := genai.HTTPOptions{BaseURL: url}
	return map[string]*genai.ClientConfig{
		"gemini": {Backend: genai.BackendGeminiAPI, APIKey: "none", HTTPOptions: options},
		"vertex": {Backend: genai.BackendVertexAI, APIKey: "none", HTTPOptions: options},
	}
}

func newClient(t *testing.T, backend string, script ...string) (*genai.Client, *adaptertest.Server) {
	t.Helper()
	server := adaptertest.NewServer(script...)
	t.Cleanup(server.Close)
	client, err := genai.NewClient(t.Context(), configs(server.URL)[backend])
	testkit.NoError(t, err)
	return client, server
}

// Every step in a response of its own, and what the model is told of the tools.
func TestSteps(t *testing.T) {
	for backend := range configs("") {
		t.Run(backend, func(t *testing.T) {
			var script []string
			for _, step := range adaptertest.Steps() {
				script = append(script, modelCalls(step.Tool, step.Args))
			}
			client, server := newClient(t, backend, append(script, modelText("done"))...)
			suite := adaptertest.Suite(t)
			testkit.NoError(t, suite.Add(adaptertest.Rich()))
			if text, err := ask(t.Context(), client, suite, "?"); text != "done" || err != nil {
				t.Fatal(text, err)
			}
			for i, step := range adaptertest.Steps() {
				step.Check(t, answers(server.Requests()[i+1])[0], true)
			}
			sent := decoded(server.Requests()[0]).Tools[0].FunctionDeclarations
			for i, tool := range suite.Tools() {
				if sent[i].Name != tool.Name() || sent[i].Description != tool.Description() {
					t.Errorf("%s is sent as %+v", tool.Name(), sent[i])
				}
				adaptertest.SameSchema(t, tool, sent[i].ParametersJSONSchema)
			}
		})
	}
}

// All steps in one response.
func TestSeveralCalls(t *testing.T) {
	var calls []string
	for _, step := range adaptertest.Steps() {
		calls = append(calls, step.Tool, step.Args)
	}
	client, server := newClient(t, "gemini", modelCalls(append(calls, "ls", "null")...), modelText("done"))
	if _, err := ask(t.Context(), client, adaptertest.Suite(t), "?"); err != nil {
		t.Fatal(err)
	}
	list := answers(server.Requests()[1])
	for i, step := range adaptertest.Steps() {
		step.Check(t, list[i], true)
	}
	if got := list[len(list)-1].Text; got != "logo.png\nserver.log" {
		t.Errorf("ls without arguments: %q", got)
	}
}

// Models before Gemini 3: as many parts as calls, and the pictures behind them.
func TestApart(t *testing.T) {
	parts, err := genaitools.Answer(t.Context(), adaptertest.Suite(t), []*genai.FunctionCall{
		{ID: "1", Name: "read", Args: map[string]any{"path": "logo.png"}}, {ID: "2", Name: "ls"},
	})
	testkit.NoError(t, err)
	contents := genaitools.Apart(parts)
	if len(contents) != 2 || len(contents[0].Parts) != 2 || len(contents[1].Parts) != 2 {
		t.Fatalf("%+v", contents)
	}
	for i, part := range contents[0].Parts {
		if part.FunctionResponse.Parts != nil || part.FunctionResponse.ID != parts[i].FunctionResponse.ID {
			t.Errorf("%+v", part.FunctionResponse)
		}
	}
	if len(parts[0].FunctionResponse.Parts) != 1 {
		t.Error("the parts that were given have changed")
	}
	if got := contents[1].Parts[0].Text; !strings.HasPrefix(got, "From read: Read image: PNG, 4x3") {
		t.Errorf("%q", got)
	}
	if got := contents[1].Parts[1].InlineData; got.MIMEType != "image/png" || !bytes.Equal(got.Data, adaptertest.PNG()) {
		t.Errorf("%+v", got)
	}
	if got := genaitools.Apart(parts[1:]); len(got) != 1 {
		t.Errorf("without pictures: %d contents", len(got))
	}
}

func TestGIF(t *testing.T) {
	suite := adaptertest.Suite(t)
	isPNG := adaptertest.GIF(t, suite)
	parts, err := genaitools.Answer(t.Context(), suite, []*genai.FunctionCall{{Name: "read", Args: map[string]any{"path": "a.gif"}}})
	testkit.NoError(t, err)
	blob := parts[0].FunctionResponse.Parts[0].InlineData
	if !isPNG(tools.Image{MIMEType: blob.MIMEType, Data: blob.Data}) {
		t.Errorf("%s, %d bytes", blob.MIMEType, len(blob.Data))
	}
}

// A context that ends: the error, and an answer to every call.
func TestCancel(t *testing.T) {
	suite := adaptertest.Suite(t)
	var args map[string]any
	adaptertest.Decode([]byte(adaptertest.Sleeper), &args)
	var parts []*genai.Part
	adaptertest.Cancel(t, suite, func(ctx context.Context) (err error) {
		parts, err = genaitools.Answer(ctx, suite, []*genai.FunctionCall{{Name: "bash", Args: args}, {Name: "ls"}})
		return err
	})
	if len(parts) != 2 {
		t.Fatalf("%d answers to 2 calls", len(parts))
	}
	for _, part := range parts {
		if text, _ := part.FunctionResponse.Response["error"].(string); !strings.HasPrefix(text, "aborted: ") {
			t.Errorf("%v", part.FunctionResponse.Response)
		}
	}
}

// Two responses at once: the calls have their ids, or, where the API gives none, the suite's.
func TestIDs(t *testing.T) {
	for _, hasID := range []bool{true, false} {
		adaptertest.Identified(t, hasID, func(ctx context.Context, suite *tools.Suite, both [2]adaptertest.Call) {
			adaptertest.Both(both, func(call adaptertest.Call) {
				function := &genai.FunctionCall{Name: "bash"}
				adaptertest.Decode([]byte(call.Args), &function.Args)
				if hasID {
					function.ID = call.ID
				}
				if _, err := genaitools.Answer(ctx, suite, []*genai.FunctionCall{function}); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
