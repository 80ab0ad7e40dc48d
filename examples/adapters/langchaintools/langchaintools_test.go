package langchaintools_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/examples/adapters/langchaintools"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
)

func modelText(text string) string {
	return fmt.Sprintf(`{"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": %s}}]}`, adaptertest.Encoded(text))
}

// modelCalls is a model's message that calls tools: names and arguments in turn.
func modelCalls(calls ...string) string {
	var list []string
	for i := 0; i < len(calls); i += 2 {
		list = append(list, fmt.Sprintf(`{"id": "call_%d", "type": "function", "function": {"name": %q, "arguments": %s}}`, i/2, calls[i], adaptertest.Encoded(calls[i+1])))
	}
	return fmt.Sprintf(`{"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "content": "", "tool_calls": [%s]}}]}`, strings.Join(list, ","))
}

type message struct {
	Role       string
	Content    json.RawMessage
	ToolCallID string            `json:"tool_call_id"`
	ToolCalls  []json.RawMessage `json:"tool_calls"`
}

type request struct {
	Messages []message
	Tools    []struct {
		Function struct {
			Name, Description string
			Parameters        json.RawMessage
		}
	}
}

// answers are all answers of tools in a request.
func answers(text []byte) []adaptertest.Answer {
	var r request
	adaptertest.Decode(text, &r)
	var list []adaptertest.Answer
	for _, m := range r.Messages {
		switch {
		case m.Role == "tool":
			var text string
			adaptertest.Decode(m.Content, &text)
			list = append(list, adaptertest.Answer{Text: text})
		case m.Role == "user" && len(list) > 0:
			var parts []struct {
				ImageURL struct{ URL string } `json:"image_url"`
			}
			adaptertest.Decode(m.Content, &parts)
			for _, p := range parts {
				if p.ImageURL.URL != "" {
					last := &list[len(list)-1]
					last.Images = append(last.Images, adaptertest.Image(p.ImageURL.URL))
				}
			}
		}
	}
	return list
}

func newModel(t *testing.T, script ...string) (llms.Model, *adaptertest.Server) {
	t.Helper()
	server := adaptertest.NewServer(script...)
	t.Cleanup(server.Close)
	model, err := openai.New(openai.WithBaseURL(server.URL), openai.WithToken("none"), openai.WithModel("gpt-5.2"))
	testkit.NoError(t, err)
	return model, server
}

// Every step in a message of its own.
func TestSteps(t *testing.T) {
	var script []string
	for _, step := range adaptertest.Steps() {
		script = append(script, modelCalls(step.Tool, step.Args))
	}
	model, server := newModel(t, append(script, modelText("done"))...)
	if text, err := ask(t.Context(), model, adaptertest.Suite(t), "?"); text != "done" || err != nil {
		t.Fatal(text, err)
	}
	for i, step := range adaptertest.Steps() {
		step.Check(t, answers(server.Requests()[i+1])[i], false)
	}
}

// Several calls in one message: pairs of a call and its answer.
func TestSeveralCalls(t *testing.T) {
	model, server := newModel(t, modelCalls("read", `{"path": "logo.png"}`, "ls", "", "nosuch", "{}"), modelText("done"))
	if _, err := ask(t.Context(), model, adaptertest.Suite(t), "?"); err != nil {
		t.Fatal(err)
	}
	var r request
	adaptertest.Decode(server.Requests()[1], &r)
	var roles []string
	for _, m := range r.Messages {
		roles = append(roles, m.Role)
		if m.Role == "assistant" && len(m.ToolCalls) != 1 {
			t.Errorf("%d calls in one message", len(m.ToolCalls))
		}
	}
	if got, want := strings.Join(roles, " "), "user assistant tool assistant tool assistant tool user"; got != want {
		t.Errorf("the messages are of %s, not of %s", got, want)
	}
	for i, want := range []string{"Read image: PNG", "logo.png\nserver.log", "invalid_input: there is no tool nosuch"} {
		if got := answers(server.Requests()[1])[i].Text; !strings.HasPrefix(got, want) {
			t.Errorf("%q does not begin with %q", got, want)
		}
	}
}

// Pictures in both forms, and none.
func TestPictures(t *testing.T) {
	suite := adaptertest.Suite(t)
	calls := []llms.ToolCall{{ID: "1", FunctionCall: &llms.FunctionCall{Name: "read", Arguments: `{"path": "logo.png"}`}}, {ID: "2", Type: "other"}}
	for name, picture := range map[string]langchaintools.Picture{"data URL": langchaintools.DataURL, "binary": langchaintools.Binary, "none": nil} {
		t.Run(name, func(t *testing.T) {
			messages, err := langchaintools.Answer(t.Context(), suite, calls, picture)
			testkit.NoError(t, err)
			text := messages[1].Parts[0].(llms.ToolCallResponse).Content
			if said := strings.HasSuffix(text, "[The picture itself cannot be shown here]"); said != (picture == nil) {
				t.Errorf("%q", text)
			}
			if picture == nil {
				if len(messages) != 2 {
					t.Errorf("%d messages", len(messages))
				}
				return
			}
			switch part := messages[2].Parts[1].(type) {
			case llms.ImageURLContent:
				if want := "data:image/png;base64," + base64.StdEncoding.EncodeToString(adaptertest.PNG()); part.URL != want || name != "data URL" {
					t.Errorf("%q", part.URL)
				}
			case llms.BinaryContent:
				if part.MIMEType != "image/png" || !bytes.Equal(part.Data, adaptertest.PNG()) || name != "binary" {
					t.Errorf("%+v", part)
				}
			default:
				t.Errorf("%T", part)
			}
		})
	}
}

// A context that ends: the error, and an answer to every call.
func TestCancel(t *testing.T) {
	suite := adaptertest.Suite(t)
	calls := []llms.ToolCall{
		{ID: "1", FunctionCall: &llms.FunctionCall{Name: "bash", Arguments: adaptertest.Sleeper}},
		{ID: "2", FunctionCall: &llms.FunctionCall{Name: "ls"}},
	}
	var messages []llms.MessageContent
	adaptertest.Cancel(t, suite, func(ctx context.Context) (err error) {
		messages, err = langchaintools.Answer(ctx, suite, calls, nil)
		return err
	})
	if len(messages) != 4 {
		t.Fatalf("%d messages", len(messages))
	}
	for _, i := range []int{1, 3} {
		if text := messages[i].Parts[0].(llms.ToolCallResponse).Content; !strings.HasPrefix(text, "aborted: ") {
			t.Errorf("%q", text)
		}
	}
}

// What the model is told of the tools.
func TestSchemas(t *testing.T) {
	model, server := newModel(t, modelText("done"))
	suite := adaptertest.Suite(t)
	testkit.NoError(t, suite.Add(adaptertest.Rich()))
	if _, err := ask(t.Context(), model, suite, "?"); err != nil {
		t.Fatal(err)
	}
	var r request
	adaptertest.Decode(server.Requests()[0], &r)
	for i, tool := range suite.Tools() {
		sent := r.Tools[i].Function
		if sent.Name != tool.Name() || sent.Description != tool.Description() {
			t.Errorf("%s is sent as %+v", tool.Name(), sent)
		}
		adaptertest.SameSchema(t, tool, sent.Parameters)
	}
}

// observation is what the prompt of an agent has behind its last "Observation:".
func observation(text []byte) string {
	var r request
	adaptertest.Decode(text, &r)
	var prompt string
	adaptertest.Decode(r.Messages[0].Content, &prompt)
	_, last, _ := strings.Cut(prompt[strings.LastIndex(prompt, "Observation:"):], "Observation:")
	last, _, _ = strings.Cut(last, "\nThought:")
	return strings.TrimSpace(last)
}

// The steps through an agent that writes its calls as text. What it is told has
// the schemas in it.
func TestAgent(t *testing.T) {
	var script []string
	for _, step := range adaptertest.Steps() {
		script = append(script, modelText("Action: "+step.Tool+"\nAction Input: "+step.Args))
	}
	model, server := newModel(t, append(script, modelText("Final Answer: done"))...)
	suite := adaptertest.Suite(t)
	agent := agents.NewOneShotAgent(model, langchaintools.AgentTools(suite))
	if text, err := chains.Run(t.Context(), agents.NewExecutor(agent, agents.WithMaxIterations(10)), "?"); text != "done" || err != nil {
		t.Fatal(text, err)
	}
	for i, step := range adaptertest.Steps() {
		got := observation(server.Requests()[i+1])
		if step.Args == `{"path": "logo.png"}` {
			if want := "Read image: PNG"; !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "[The picture itself cannot be shown here]") {
				t.Errorf("%q", got)
			}
			continue
		}
		step.Check(t, adaptertest.Answer{Text: got}, false)
	}
	var r request
	adaptertest.Decode(server.Requests()[0], &r)
	var prompt string
	adaptertest.Decode(r.Messages[0].Content, &prompt)
	for _, tool := range suite.Tools() {
		if !strings.Contains(prompt, tool.Description()) || !strings.Contains(prompt, string(tool.Schema())) {
			t.Errorf("the prompt does not say what %s takes", tool.Name())
		}
	}
}

// The same through an agent that calls functions of one argument.
func TestFunctionsAgent(t *testing.T) {
	var script []string
	for _, step := range adaptertest.Steps()[:3] {
		script = append(script, modelCalls(step.Tool, `{"__arg1": `+adaptertest.Encoded(step.Args)+`}`))
	}
	model, server := newModel(t, append(script, modelText("done"))...)
	agent := agents.NewOpenAIFunctionsAgent(model, langchaintools.AgentTools(adaptertest.Suite(t)))
	if text, err := chains.Run(t.Context(), agents.NewExecutor(agent, agents.WithMaxIterations(10)), "?"); text != "done" || err != nil {
		t.Fatal(text, err)
	}
	for i, step := range adaptertest.Steps()[:3] {
		step.Check(t, answers(server.Requests()[i+1])[i], false)
	}
}

// A context that ends ends the run of an agent.
func TestCancelAgent(t *testing.T) {
	model, _ := newModel(t, modelText("Action: bash\nAction Input: "+adaptertest.Sleeper))
	suite := adaptertest.Suite(t)
	agent := agents.NewOneShotAgent(model, langchaintools.AgentTools(suite))
	adaptertest.Cancel(t, suite, func(ctx context.Context) error {
		_, err := chains.Run(ctx, agents.NewExecutor(agent), "?")
		return err
	})
}

// Two responses at once: the calls have their ids. Those of two agents have the suite's.
func TestIDs(t *testing.T) {
	adaptertest.Identified(t, true, func(ctx context.Context, suite *tools.Suite, both [2]adaptertest.Call) {
		adaptertest.Both(both, func(call adaptertest.Call) {
			function := llms.ToolCall{ID: call.ID, FunctionCall: &llms.FunctionCall{Name: "bash", Arguments: call.Args}}
			if _, err := langchaintools.Answer(ctx, suite, []llms.ToolCall{function}, nil); err != nil {
				t.Error(err)
			}
		})
	})
	adaptertest.Identified(t, false, func(ctx context.Context, suite *tools.Suite, both [2]adaptertest.Call) {
		adaptertest.Both(both, func(call adaptertest.Call) {
			for _, tool := range langchaintools.AgentTools(suite) {
				if tool.Name() != "bash" {
					continue
				}
				if _, err := tool.Call(ctx, call.Args); err != nil {
					t.Error(err)
				}
			}
		})
	})
}
