package genkittools_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"

	"github.com/spillway-go/spillway/examples/adapters/genkittools"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
)

// scripted is a model that gives the same messages to whatever it is asked, one
// after the other.
type scripted struct {
	ai.Model
	messages []*ai.Message
	requests []*ai.ModelRequest
}

func newScripted(g *genkit.Genkit, messages ...*ai.Message) *scripted {
	s := &scripted{messages: messages}
	options := &ai.ModelOptions{Supports: &ai.ModelSupports{Tools: true, Multiturn: true, Media: true}}
	s.Model = genkit.DefineModel(g, "test/scripted", options, s.generate)
	return s
}

func (s *scripted) generate(_ context.Context, request *ai.ModelRequest, _ ai.ModelStreamCallback) (*ai.ModelResponse, error) {
	if len(s.messages) == 0 {
		return nil, errors.New("nothing is scripted for this request")
	}
	copied := *request
	s.requests = append(s.requests, &copied)
	message := s.messages[0]
	s.messages = s.messages[1:]
	return &ai.ModelResponse{Request: request, Message: message, FinishReason: ai.FinishReasonStop}, nil
}

// answers are the answers of tools at the end of a request, by what they answer:
// Genkit gives them in the order in which they came.
func (s *scripted) answers(request int) map[string]adaptertest.Answer {
	all := map[string]adaptertest.Answer{}
	list := s.requests[request].Messages
	for _, part := range list[len(list)-1].Content {
		output := part.ToolResponse.Output.(map[string]any)
		a := adaptertest.Answer{}
		if a.Text, a.IsError = output["error"].(string); !a.IsError {
			a.Text = output["output"].(string)
		}
		for _, media := range part.ToolResponse.Content {
			a.Images = append(a.Images, adaptertest.Image(media.Text))
		}
		all[part.ToolResponse.Ref] = a
	}
	return all
}

// calls is a model's message that calls tools: names and arguments in turn.
func calls(list ...any) *ai.Message {
	message := &ai.Message{Role: ai.RoleModel}
	for i := 0; i < len(list); i += 2 {
		message.Content = append(message.Content, ai.NewToolRequestPart(&ai.ToolRequest{
			Name: list[i].(string), Ref: fmt.Sprintf("call_%d", i/2), Input: list[i+1],
		}))
	}
	return message
}

func object(text string) (args map[string]any) {
	adaptertest.Decode([]byte(text), &args)
	return args
}

// generate asks a scripted model with the suite's tools, and runs these.
func generate(ctx context.Context, t *testing.T, suite *tools.Suite, script ...*ai.Message) (*scripted, error) {
	t.Helper()
	g := genkit.Init(t.Context())
	model := newScripted(g, script...)
	_, err := genkit.Generate(ctx, g, ai.WithModel(model), ai.WithTools(genkittools.Add(g, suite)...), ai.WithMaxTurns(100), ai.WithPrompt("?"))
	return model, err
}

// Every step in a message of its own.
func TestSteps(t *testing.T) {
	var script []*ai.Message
	for _, step := range adaptertest.Steps() {
		script = append(script, calls(step.Tool, object(step.Args)))
	}
	model, err := generate(t.Context(), t, adaptertest.Suite(t), append(script, ai.NewModelTextMessage("done"))...)
	testkit.NoError(t, err)
	for i, step := range adaptertest.Steps() {
		step.Check(t, model.answers(i + 1)["call_0"], true)
	}
}

// Several calls in one message, with arguments that do not follow the schema: the
// run goes on.
func TestSeveralCalls(t *testing.T) {
	model, err := generate(t.Context(), t, adaptertest.Suite(t), calls(
		"ls", nil,
		"read", map[string]any{"path": "server.log", "offset": "300", "limit": nil},
		"grep", map[string]any{"path": "server.log"},
		"grep", map[string]any{"pattern": "request 7$", "output_mode": 12},
		"ls", "no object",
	), ai.NewModelTextMessage("done"))
	testkit.NoError(t, err)
	for ref, want := range map[string]string{
		"call_0": "logo.png\nserver.log", "call_1": "error request 150", "call_2": "invalid_input: pattern",
		"call_3": "invalid_input: output_mode", "call_4": "invalid_input: the arguments",
	} {
		if got := model.answers(1)[ref]; !strings.HasPrefix(got.Text, want) || got.IsError != strings.HasPrefix(want, "invalid") {
			t.Errorf("%s: %+v does not begin with %q", ref, got, want)
		}
	}
}

func TestGIF(t *testing.T) {
	suite := adaptertest.Suite(t)
	isPNG := adaptertest.GIF(t, suite)
	model, err := generate(t.Context(), t, suite, calls("read", map[string]any{"path": "a.gif"}), ai.NewModelTextMessage("done"))
	testkit.NoError(t, err)
	if got := model.answers(1)["call_0"].Images; len(got) != 1 || !isPNG(got[0]) {
		t.Errorf("%d images", len(got))
	}
}

// A context that ends, in a tool: its error.
func TestCancelTool(t *testing.T) {
	g, suite := genkit.Init(t.Context()), adaptertest.Suite(t)
	genkittools.Add(g, suite)
	adaptertest.Cancel(t, suite, func(ctx context.Context) error {
		_, err := genkit.LookupTool(g, "bash").RunRawMultipart(ctx, object(adaptertest.Sleeper))
		return err
	})
}

// The same in a run. Genkit's error names that of the context, but does not wrap it.
func TestCancelGenerate(t *testing.T) {
	suite := adaptertest.Suite(t)
	adaptertest.Cancel(t, suite, func(ctx context.Context) error {
		_, err := generate(ctx, t, suite, calls("bash", object(adaptertest.Sleeper)))
		if err != nil && strings.Contains(err.Error(), context.Canceled.Error()) {
			return ctx.Err()
		}
		return err
	})
}

// What the model is told of the tools.
func TestSchemas(t *testing.T) {
	suite := adaptertest.Suite(t)
	testkit.NoError(t, suite.Add(adaptertest.Rich()))
	model, err := generate(t.Context(), t, suite, ai.NewModelTextMessage("done"))
	testkit.NoError(t, err)
	sent := map[string]*ai.ToolDefinition{}
	for _, definition := range model.requests[0].Tools {
		sent[definition.Name] = definition
	}
	for _, tool := range suite.Tools() {
		definition := sent[tool.Name()]
		if definition == nil || definition.Description != tool.Description() {
			t.Fatalf("%s is told as %+v", tool.Name(), definition)
		}
		adaptertest.SameSchema(t, tool, definition.InputSchema)
	}
}

// Two calls in one message have ids of the suite's.
func TestIDs(t *testing.T) {
	adaptertest.Identified(t, false, func(ctx context.Context, suite *tools.Suite, both [2]adaptertest.Call) {
		message := calls("bash", object(both[0].Args), "bash", object(both[1].Args))
		if _, err := generate(ctx, t, suite, message, ai.NewModelTextMessage("done")); err != nil {
			t.Error(err)
		}
	})
}
