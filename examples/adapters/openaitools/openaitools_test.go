package openaitools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/examples/adapters/openaitools"
	"github.com/spillway-go/spillway/tools"
)

func chatText(text string) string {
	return fmt.Sprintf(`{"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": %s}}]}`, adaptertest.Encoded(text))
}

// chatCall is a model's message that calls tools: names and arguments in turn.
func chatCall(calls ...string) string {
	var list []string
	for i := 0; i < len(calls); i += 2 {
		list = append(list, fmt.Sprintf(`{"id": "call_%d", "type": "function", "function": {"name": %q, "arguments": %s}}`, i/2, calls[i], adaptertest.Encoded(calls[i+1])))
	}
	return fmt.Sprintf(`{"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "content": null, "tool_calls": [%s]}}]}`, strings.Join(list, ","))
}

// chatMessage is a message of a request as the API reads it.
type chatMessage struct {
	Role       string
	Content    json.RawMessage
	ToolCallID string `json:"tool_call_id"`
}

type chatRequest struct {
	Messages []chatMessage
	Tools    []struct {
		Type     string
		Function struct {
			Name, Description string
			Parameters        json.RawMessage
			Strict            *bool
		}
	}
}

// chatAnswers are the answers to the calls of the last assistant message.
func chatAnswers(request []byte) []adaptertest.Answer {
	var r chatRequest
	adaptertest.Decode(request, &r)
	var list []adaptertest.Answer
	for _, m := range r.Messages {
		switch m.Role {
		case "assistant":
			list = nil
		case "tool":
			var text string
			adaptertest.Decode(m.Content, &text)
			list = append(list, adaptertest.Answer{Text: text})
		case "user":
			var parts []struct {
				Text     string
				ImageURL struct{ URL string } `json:"image_url"`
			}
			if len(list) == 0 {
				continue // the question
			}
			adaptertest.Decode(m.Content, &parts)
			at := 0
			for _, p := range parts {
				fmt.Sscanf(p.Text, "From the call call_%d of", &at)
				if p.ImageURL.URL != "" {
					list[at].Images = append(list[at].Images, adaptertest.Image(p.ImageURL.URL))
				}
			}
		}
	}
	return list
}

func newClient(t *testing.T, answers ...string) (openai.Client, *adaptertest.Server) {
	server := adaptertest.NewServer(answers...)
	t.Cleanup(server.Close)
	return openai.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none")), server
}

// Every step in a message of its own.
func TestChat(t *testing.T) {
	var script []string
	for _, step := range adaptertest.Steps() {
		script = append(script, chatCall(step.Tool, step.Args))
	}
	client, server := newClient(t, append(script, chatText("done"))...)
	if text, err := ask(t.Context(), client, adaptertest.Suite(t), "?"); text != "done" || err != nil {
		t.Fatal(text, err)
	}
	for i, step := range adaptertest.Steps() {
		step.Check(t, chatAnswers(server.Requests()[i+1])[0], false)
	}
}

// All steps in one message: the answers to all calls come before the pictures.
func TestChatSeveralCalls(t *testing.T) {
	var calls []string
	for _, step := range adaptertest.Steps() {
		calls = append(calls, step.Tool, step.Args)
	}
	calls = append(calls, "ls", "", "nosuch", "{}")
	client, server := newClient(t, chatCall(calls...), chatText("done"))
	if _, err := ask(t.Context(), client, adaptertest.Suite(t), "?"); err != nil {
		t.Fatal(err)
	}
	answers := chatAnswers(server.Requests()[1])
	for i, step := range adaptertest.Steps() {
		step.Check(t, answers[i], false)
	}
	n := len(adaptertest.Steps())
	if got := answers[n].Text; got != "logo.png\nserver.log" {
		t.Errorf("ls without arguments: %q", got)
	}
	if got := answers[n+1].Text; !strings.HasPrefix(got, "invalid_input: there is no tool nosuch") {
		t.Errorf("a tool that is not there: %q", got)
	}
	var r chatRequest
	adaptertest.Decode(server.Requests()[1], &r)
	var roles []string
	for i, m := range r.Messages {
		roles = append(roles, m.Role)
		if want := fmt.Sprintf("call_%d", i-2); m.Role == "tool" && m.ToolCallID != want {
			t.Errorf("message %d answers %q, not %q", i, m.ToolCallID, want)
		}
	}
	if got, want := strings.Join(roles, " "), "user assistant tool tool tool tool tool tool user"; got != want {
		t.Errorf("the messages are of %s, not of %s", got, want)
	}
}

// A context that ends: the error, and messages that the conversation could go on
// with.
func TestChatCancel(t *testing.T) {
	suite := adaptertest.Suite(t)
	var message openai.ChatCompletion
	adaptertest.Decode([]byte(chatCall("bash", adaptertest.Sleeper, "ls", "{}")), &message)
	var answers []openai.ChatCompletionMessageParamUnion
	adaptertest.Cancel(t, suite, func(ctx context.Context) (err error) {
		answers, err = openaitools.Answer(ctx, suite, message.Choices[0].Message.ToolCalls)
		return err
	})
	if len(answers) != 2 {
		t.Fatalf("%d answers to 2 calls", len(answers))
	}
	for _, a := range answers {
		if text := a.OfTool.Content.OfString.Value; !strings.HasPrefix(text, "aborted: ") {
			t.Errorf("%q", text)
		}
	}
}

func TestChatTools(t *testing.T) {
	client, server := newClient(t, chatText("done"))
	suite := adaptertest.Suite(t)
	if err := suite.Add(adaptertest.Rich()); err != nil {
		t.Fatal(err)
	}
	if _, err := ask(t.Context(), client, suite, "?"); err != nil {
		t.Fatal(err)
	}
	var r chatRequest
	adaptertest.Decode(server.Requests()[0], &r)
	for i, tool := range suite.Tools() {
		sent := r.Tools[i].Function
		if r.Tools[i].Type != "function" || sent.Name != tool.Name() || sent.Description != tool.Description() || sent.Strict != nil {
			t.Errorf("%s is sent as %+v", tool.Name(), sent)
		}
		adaptertest.SameSchema(t, tool, sent.Parameters)
	}
}

func responseText(text string) string {
	return fmt.Sprintf(`{"id": "resp_2", "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": %s}]}]}`, adaptertest.Encoded(text))
}

func responseCall(name, args string) string {
	return fmt.Sprintf(`{"id": "resp_1", "output": [{"type": "function_call", "call_id": "call_0", "name": %q, "arguments": %s}]}`, name, adaptertest.Encoded(args))
}

// responseAnswer is the answer to the call of the response before.
func responseAnswer(request []byte) adaptertest.Answer {
	var r struct {
		Previous string `json:"previous_response_id"`
		Input    []struct {
			Type   string
			CallID string `json:"call_id"`
			Output json.RawMessage
		}
	}
	adaptertest.Decode(request, &r)
	if len(r.Input) != 1 || r.Input[0].Type != "function_call_output" || r.Input[0].CallID != "call_0" || r.Previous != "resp_1" {
		panic(string(request))
	}
	var a adaptertest.Answer
	if json.Unmarshal(r.Input[0].Output, &a.Text) == nil {
		return a
	}
	var parts []struct {
		Type, Text string
		ImageURL   string `json:"image_url"`
	}
	adaptertest.Decode(r.Input[0].Output, &parts)
	for _, p := range parts {
		switch p.Type {
		case "input_text":
			a.Text += p.Text
		case "input_image":
			a.Images = append(a.Images, adaptertest.Image(p.ImageURL))
		}
	}
	return a
}

func TestResponses(t *testing.T) {
	var script []string
	for _, step := range adaptertest.Steps() {
		script = append(script, responseCall(step.Tool, step.Args))
	}
	client, server := newClient(t, append(script, responseText("done"))...)
	suite := adaptertest.Suite(t)
	if text, err := askResponses(t.Context(), client, suite, "?"); text != "done" || err != nil {
		t.Fatal(text, err)
	}
	for i, step := range adaptertest.Steps() {
		step.Check(t, responseAnswer(server.Requests()[i+1]), false)
	}
	var r struct {
		Tools []struct {
			Type, Name, Description string
			Parameters              json.RawMessage
			Strict                  *bool
		}
	}
	adaptertest.Decode(server.Requests()[0], &r)
	for i, tool := range suite.Tools() {
		sent := r.Tools[i]
		if sent.Type != "function" || sent.Name != tool.Name() || sent.Description != tool.Description() || sent.Strict == nil || *sent.Strict {
			t.Errorf("%s is sent as %+v", tool.Name(), sent)
		}
		adaptertest.SameSchema(t, tool, sent.Parameters)
	}
}

func TestResponsesCancel(t *testing.T) {
	suite := adaptertest.Suite(t)
	var response responses.Response
	adaptertest.Decode([]byte(responseCall("bash", adaptertest.Sleeper)), &response)
	response.Output = append(response.Output, response.Output[0])
	var answers responses.ResponseInputParam
	adaptertest.Cancel(t, suite, func(ctx context.Context) (err error) {
		answers, err = openaitools.ResponseAnswer(ctx, suite, response.Output)
		return err
	})
	if len(answers) != 2 {
		t.Fatalf("%d answers to 2 calls", len(answers))
	}
	for _, a := range answers {
		if text := a.OfFunctionCallOutput.Output.OfString.Value; !strings.HasPrefix(text, "aborted: ") {
			t.Errorf("%q", text)
		}
	}
}

// Two messages at once, of either API: the calls have their ids.
func TestIDs(t *testing.T) {
	adaptertest.Identified(t, true, func(ctx context.Context, suite *tools.Suite, both [2]adaptertest.Call) {
		adaptertest.Both(both, func(call adaptertest.Call) {
			var message openai.ChatCompletion
			adaptertest.Decode([]byte(strings.ReplaceAll(chatCall("bash", call.Args), "call_0", call.ID)), &message)
			if _, err := openaitools.Answer(ctx, suite, message.Choices[0].Message.ToolCalls); err != nil {
				t.Error(err)
			}
		})
	})
	adaptertest.Identified(t, true, func(ctx context.Context, suite *tools.Suite, both [2]adaptertest.Call) {
		adaptertest.Both(both, func(call adaptertest.Call) {
			var response responses.Response
			adaptertest.Decode([]byte(strings.ReplaceAll(responseCall("bash", call.Args), "call_0", call.ID)), &response)
			if _, err := openaitools.ResponseAnswer(ctx, suite, response.Output); err != nil {
				t.Error(err)
			}
		})
	})
}
