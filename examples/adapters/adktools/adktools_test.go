package adktools_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"google.golang.org/adk/model"
	"google.golang.org/genai"

	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/tools"
)

// scripted is a model that gives the same contents to whatever it is asked, one after the
// other.
type scripted struct {
	script   []*genai.Content
	requests []model.LLMRequest
}

func (s *scripted) Name() string { return "scripted" }

func (s *scripted) GenerateContent(ctx context.Context, req *model.LLMRequest, _ bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		if err := ctx.Err(); err != nil || len(s.requests) == len(s.script) {
			yield(nil, errors.Join(err, errors.New("nothing is scripted for this request")))
			return
		}
		s.requests = append(s.requests, *req)
		yield(&model.LLMResponse{Content: s.script[len(s.requests)-1]}, nil)
	}
}

// answers are the answers of tools in the last content of a request.
func (s *scripted) answers(request int) []adaptertest.Answer {
	contents := s.requests[request].Contents
	var list []adaptertest.Answer
	for _, part := range contents[len(contents)-1].Parts {
		failure, isError := part.FunctionResponse.Response["error"].(string)
		output, _ := part.FunctionResponse.Response["output"].(string)
		list = append(list, adaptertest.Answer{Text: output + failure, IsError: isError})
	}
	return list
}

// calls is a model's content that calls tools: names and arguments in turn.
func calls(list ...string) *genai.Content {
	content := &genai.Content{Role: genai.RoleModel}
	for i := 0; i < len(list); i += 2 {
		var args map[string]any
		adaptertest.Decode([]byte(list[i+1]), &args)
		content.Parts = append(content.Parts, genai.NewPartFromFunctionCall(list[i], args))
		content.Parts[i/2].FunctionCall.ID = fmt.Sprint("call-", i/2)
	}
	return content
}

// Every step in a content of its own. The ADK carries no images, and the text says so.
func TestSteps(t *testing.T) {
	llm := &scripted{}
	for _, step := range adaptertest.Steps() {
		llm.script = append(llm.script, calls(step.Tool, step.Args))
	}
	llm.script = append(llm.script, genai.NewContentFromText("done", genai.RoleModel))
	if got, err := ask(t.Context(), llm, adaptertest.Suite(t), "?"); got != "done" || err != nil {
		t.Fatal(got, err)
	}
	for i, step := range adaptertest.Steps() {
		got := llm.answers(i + 1)[0]
		if text, ok := strings.CutSuffix(got.Text, "\n\n[The picture itself cannot be shown here]"); ok {
			got = adaptertest.Answer{Text: text, Images: []tools.Image{{MIMEType: "image/png", Data: adaptertest.PNG()}}}
		}
		step.Check(t, got, true)
	}
}

// Several calls in one content, with arguments that do not follow the schema: the run
// goes on.
func TestSeveralCalls(t *testing.T) {
	llm := &scripted{script: []*genai.Content{calls(
		"ls", `null`,
		"read", `{"path": "server.log", "offset": "300", "limit": null}`,
		"grep", `{"path": "server.log"}`,
		"no_such_tool", `{}`,
	), genai.NewContentFromText("done", genai.RoleModel)}}
	if _, err := ask(t.Context(), llm, adaptertest.Suite(t), "?"); err != nil {
		t.Fatal(err)
	}
	got := llm.answers(1)
	for i, want := range []string{"logo.png\nserver.log", "error request 150", "invalid_input: pattern", "tool 'no_such_tool' not found"} {
		if isError := i > 1; !strings.HasPrefix(got[i].Text, want) || got[i].IsError != isError {
			t.Errorf("call %d: %+v does not begin with %q", i, got[i], want)
		}
	}
}

// A context that ends in a tool ends the run.
func TestCancel(t *testing.T) {
	suite := adaptertest.Suite(t)
	adaptertest.Cancel(t, suite, func(ctx context.Context) error {
		_, err := ask(ctx, &scripted{script: []*genai.Content{calls("bash", adaptertest.Sleeper)}}, suite, "?")
		return err
	})
}

// What the model is told of the tools, all in one genai.Tool.
func TestSchemas(t *testing.T) {
	suite := adaptertest.Suite(t)
	if err := suite.Add(adaptertest.Rich()); err != nil {
		t.Fatal(err)
	}
	llm := &scripted{script: []*genai.Content{genai.NewContentFromText("done", genai.RoleModel)}}
	if _, err := ask(t.Context(), llm, suite, "?"); err != nil {
		t.Fatal(err)
	}
	if n := len(llm.requests[0].Config.Tools); n != 1 {
		t.Fatalf("%d tools", n)
	}
	for i, tool := range suite.Tools() {
		sent := llm.requests[0].Config.Tools[0].FunctionDeclarations[i]
		if sent.Name != tool.Name() || sent.Description != tool.Description() {
			t.Fatalf("%s is told as %+v", tool.Name(), sent)
		}
		adaptertest.SameSchema(t, tool, sent.ParametersJsonSchema)
	}
}

// Two calls in one content have their ids.
func TestIDs(t *testing.T) {
	adaptertest.Identified(t, true, func(ctx context.Context, suite *tools.Suite, both [2]adaptertest.Call) {
		content := calls("bash", both[0].Args, "bash", both[1].Args)
		for i, part := range content.Parts {
			part.FunctionCall.ID = both[i].ID
		}
		llm := &scripted{script: []*genai.Content{content, genai.NewContentFromText("done", genai.RoleModel)}}
		if _, err := ask(ctx, llm, suite, "?"); err != nil {
			t.Error(err)
		}
	})
}
