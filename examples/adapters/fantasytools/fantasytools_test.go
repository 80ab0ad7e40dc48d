package fantasytools_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"charm.land/fantasy"

	"github.com/spillway-go/spillway/examples/adapters/fantasytools"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/tools"
)

// scripted is a model that gives the same responses to whatever it is asked, one after
// the other.
type scripted struct {
	fantasy.LanguageModel
	script   []fantasy.Response
	requests []fantasy.Call
}

func (s *scripted) Provider() string { return "test" }
func (s *scripted) Model() string    { return "scripted" }

func (s *scripted) Generate(_ context.Context, call fantasy.Call) (*fantasy.Response, error) {
	if len(s.requests) == len(s.script) {
		return nil, errors.New("nothing is scripted for this request")
	}
	s.requests = append(s.requests, call)
	return &s.script[len(s.requests)-1], nil
}

// answers are the answers of tools at the end of a request.
func (s *scripted) answers(request int) []adaptertest.Answer {
	prompt := s.requests[request].Prompt
	var list []adaptertest.Answer
	for _, part := range prompt[len(prompt)-1].Content {
		result, _ := fantasy.AsMessagePart[fantasy.ToolResultPart](part)
		switch output := result.Output.(type) {
		case fantasy.ToolResultOutputContentText:
			list = append(list, adaptertest.Answer{Text: output.Text})
		case fantasy.ToolResultOutputContentError:
			list = append(list, adaptertest.Answer{Text: output.Error.Error(), IsError: true})
		case fantasy.ToolResultOutputContentMedia:
			data, err := base64.StdEncoding.DecodeString(output.Data)
			if err != nil {
				panic(err)
			}
			list = append(list, adaptertest.Answer{Text: output.Text, Images: []tools.Image{{MIMEType: output.MediaType, Data: data}}})
		}
	}
	return list
}

func text(s string) fantasy.Response {
	return fantasy.Response{Content: fantasy.ResponseContent{fantasy.TextContent{Text: s}}, FinishReason: fantasy.FinishReasonStop}
}

// calls is a response that calls tools: names and arguments in turn.
func calls(list ...string) fantasy.Response {
	response := fantasy.Response{FinishReason: fantasy.FinishReasonToolCalls}
	for i := 0; i < len(list); i += 2 {
		response.Content = append(response.Content, fantasy.ToolCallContent{ToolCallID: fmt.Sprint(i / 2), ToolName: list[i], Input: list[i+1]})
	}
	return response
}

// Every step in a response of its own.
func TestSteps(t *testing.T) {
	model := &scripted{}
	for _, step := range adaptertest.Steps() {
		model.script = append(model.script, calls(step.Tool, step.Args))
	}
	model.script = append(model.script, text("done"))
	if got, err := ask(t.Context(), model, adaptertest.Suite(t), "?"); got != "done" || err != nil {
		t.Fatal(got, err)
	}
	for i, step := range adaptertest.Steps() {
		step.Check(t, model.answers(i + 1)[0], true)
	}
}

// Several calls in one response, with arguments that do not follow the schema: the run
// goes on.
func TestSeveralCalls(t *testing.T) {
	model := &scripted{script: []fantasy.Response{calls(
		"ls", `{}`,
		"read", `{"path": "server.log", "offset": "300", "limit": null}`,
		"grep", `{"path": "server.log"}`,
		"grep", `{"pattern": "request 7$", "output_mode": 12}`,
		"no_such_tool", `{}`,
	), text("done")}}
	if _, err := ask(t.Context(), model, adaptertest.Suite(t), "?"); err != nil {
		t.Fatal(err)
	}
	got := model.answers(1)
	for i, want := range []string{"logo.png\nserver.log", "error request 150", "missing required parameter: pattern", "invalid_input: output_mode", "tool not found: no_such_tool"} {
		if isError := i > 1; !strings.HasPrefix(got[i].Text, want) || got[i].IsError != isError {
			t.Errorf("call %d: %+v does not begin with %q", i, got[i], want)
		}
	}
}

// Two images in a result: the first, and a text that says so.
func TestSeveralImages(t *testing.T) {
	suite := adaptertest.Suite(t)
	if err := suite.Add(pictures{}); err != nil {
		t.Fatal(err)
	}
	model := &scripted{script: []fantasy.Response{calls("pictures", `{}`), text("done")}}
	if _, err := ask(t.Context(), model, suite, "?"); err != nil {
		t.Fatal(err)
	}
	got := model.answers(1)[0]
	if want := "two pictures\n\n[Only the first of 2 images is shown here]"; got.Text != want || len(got.Images) != 1 || string(got.Images[0].Data) != "first" {
		t.Errorf("%+v", got)
	}
}

// pictures is a tool with two images in its result.
type pictures struct{ tools.Tool }

func (pictures) Name() string            { return "pictures" }
func (pictures) Description() string     { return "" }
func (pictures) Schema() json.RawMessage { return json.RawMessage(`{"type": "object"}`) }
func (pictures) Call(context.Context, json.RawMessage) (tools.Result, error) {
	return tools.Result{Text: "two pictures", Images: []tools.Image{{MIMEType: "image/png", Data: []byte("first")}, {MIMEType: "image/png", Data: []byte("second")}}}, nil
}

// A context that ends in a tool: Run returns its error, the run of the agent ends.
func TestCancel(t *testing.T) {
	suite := adaptertest.Suite(t)
	adaptertest.Cancel(t, suite, func(ctx context.Context) error {
		for _, tool := range fantasytools.Tools(suite) {
			if tool.Info().Name == "bash" {
				_, err := tool.Run(ctx, fantasy.ToolCall{Name: "bash", Input: adaptertest.Sleeper})
				return err
			}
		}
		return errors.New("no bash")
	})
}

func TestCancelGenerate(t *testing.T) {
	suite := adaptertest.Suite(t)
	adaptertest.Cancel(t, suite, func(ctx context.Context) error {
		_, err := ask(ctx, &scripted{script: []fantasy.Response{calls("bash", adaptertest.Sleeper)}}, suite, "?")
		return err
	})
}

// What the model is told of the tools.
func TestSchemas(t *testing.T) {
	suite := adaptertest.Suite(t)
	model := &scripted{script: []fantasy.Response{text("done")}}
	if _, err := ask(t.Context(), model, suite, "?"); err != nil {
		t.Fatal(err)
	}
	for i, tool := range suite.Tools() {
		sent, ok := model.requests[0].Tools[i].(fantasy.FunctionTool)
		if !ok || sent.Name != tool.Name() || sent.Description != tool.Description() {
			t.Fatalf("%s is told as %+v", tool.Name(), model.requests[0].Tools[i])
		}
		var want struct{ Properties, Required any }
		adaptertest.Decode(tool.Schema(), &want)
		if want.Required == nil {
			want.Required = []any{}
		}
		if sent.InputSchema["required"].([]string) == nil {
			sent.InputSchema["required"] = []any{}
		}
		for key, value := range map[string]any{"properties": want.Properties, "required": want.Required} {
			if got, want := adaptertest.Encoded(sent.InputSchema[key]), adaptertest.Encoded(value); got != want {
				t.Errorf("%s: %s are sent as\n%s\nnot\n%s", tool.Name(), key, got, want)
			}
		}
	}
}

// Two calls at once have their ids. An agent runs those of bash in turn.
func TestIDs(t *testing.T) {
	adaptertest.Identified(t, true, func(ctx context.Context, suite *tools.Suite, both [2]adaptertest.Call) {
		adaptertest.Both(both, func(call adaptertest.Call) {
			response := calls("bash", call.Args)
			response.Content[0] = fantasy.ToolCallContent{ToolCallID: call.ID, ToolName: "bash", Input: call.Args}
			if _, err := ask(ctx, &scripted{script: []fantasy.Response{response, text("done")}}, suite, "?"); err != nil {
				t.Error(err)
			}
		})
	})
}
