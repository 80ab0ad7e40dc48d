package anthropictools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/spillway-go/spillway/examples/adapters/anthropictools"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/tools"
)

func modelText(text string) string {
	return fmt.Sprintf(`{"type": "message", "role": "assistant", "stop_reason": "end_turn", "content": [{"type": "text", "text": %q}]}`, text)
}

// modelCalls is a model's message that calls tools: names and arguments in turn.
func modelCalls(calls ...string) string {
	blocks := []string{`{"type": "text", "text": "I look."}`}
	for i := 0; i < len(calls); i += 2 {
		blocks = append(blocks, fmt.Sprintf(`{"type": "tool_use", "id": "toolu_%d", "name": %q, "input": %s}`, i/2, calls[i], calls[i+1]))
	}
	return fmt.Sprintf(`{"type": "message", "role": "assistant", "stop_reason": "tool_use", "content": [%s]}`, strings.Join(blocks, ","))
}

type request struct {
	Tools []struct {
		Name, Description string
		InputSchema       json.RawMessage `json:"input_schema"`
	}
	Messages []struct {
		Content []struct {
			Type      string
			ToolUseID string `json:"tool_use_id"`
			IsError   bool   `json:"is_error"`
			Content   []struct {
				Type, Text string
				Source     struct {
					Type      string
					MediaType string `json:"media_type"`
					Data      []byte // encoding/json decodes base64
				}
			}
		}
	}
}

// answers are the answers in the last message of a request.
func answers(text []byte) []adaptertest.Answer {
	var r request
	adaptertest.Decode(text, &r)
	var list []adaptertest.Answer
	for i, block := range r.Messages[len(r.Messages)-1].Content {
		if block.Type != "tool_result" || block.ToolUseID != fmt.Sprintf("toolu_%d", i) {
			panic(fmt.Sprintf("block %d is none that answers call %d: %s", i, i, text))
		}
		a := adaptertest.Answer{IsError: block.IsError}
		for _, part := range block.Content {
			switch part.Type {
			case "text":
				a.Text += part.Text
			case "image":
				a.Images = append(a.Images, tools.Image{MIMEType: part.Source.MediaType, Data: part.Source.Data})
			}
		}
		list = append(list, a)
	}
	return list
}

func newClient(t *testing.T, script ...string) (anthropic.Client, *adaptertest.Server) {
	t.Helper()
	server := adaptertest.NewServer(script...)
	t.Cleanup(server.Close)
	return anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none")), server
}

// eachWay runs a test with the loop of one's own and with the tool runner, which puts
// a prefix in front of the text of a failure.
func eachWay(t *testing.T, test func(t *testing.T, ask askFunc, prefix string)) {
	t.Run("loop", func(t *testing.T) { test(t, ask, "") })
	t.Run("runner", func(t *testing.T) { test(t, askRunner, "Error: ") })
}

type askFunc func(ctx context.Context, client anthropic.Client, suite *tools.Suite, question string) (string, error)

// Every step in a message of its own.
func TestSteps(t *testing.T) {
	eachWay(t, func(t *testing.T, ask askFunc, prefix string) {
		var script []string
		for _, step := range adaptertest.Steps() {
			script = append(script, modelCalls(step.Tool, step.Args))
		}
		client, server := newClient(t, append(script, modelText("done"))...)
		if text, err := ask(t.Context(), client, adaptertest.Suite(t), "?"); text != "done" || err != nil {
			t.Fatal(text, err)
		}
		for i, step := range adaptertest.Steps() {
			got := answers(server.Requests()[i+1])[0]
			if got.IsError {
				got.Text = strings.TrimPrefix(got.Text, prefix)
			}
			step.Check(t, got, true)
		}
	})
}

// All steps in one message, and a tool that is not there: each is answered, in order.
func TestSeveralCalls(t *testing.T) {
	eachWay(t, func(t *testing.T, ask askFunc, prefix string) {
		var calls []string
		for _, step := range adaptertest.Steps() {
			calls = append(calls, step.Tool, step.Args)
		}
		client, server := newClient(t, modelCalls(append(calls, "nosuch", "{}")...), modelText("done"))
		if _, err := ask(t.Context(), client, adaptertest.Suite(t), "?"); err != nil {
			t.Fatal(err)
		}
		list := answers(server.Requests()[1])
		for i, step := range adaptertest.Steps() {
			if list[i].IsError {
				list[i].Text = strings.TrimPrefix(list[i].Text, prefix)
			}
			step.Check(t, list[i], true)
		}
		if got := list[len(list)-1]; !got.IsError || !strings.Contains(got.Text, "nosuch") {
			t.Errorf("a tool that is not there: %+v", got)
		}
	})
}

// What the model is told of the tools: the schemas to the byte, but for white space.
func TestSchemas(t *testing.T) {
	eachWay(t, func(t *testing.T, ask askFunc, _ string) {
		client, server := newClient(t, modelText("done"))
		suite := adaptertest.Suite(t)
		if err := suite.Add(adaptertest.Rich()); err != nil {
			t.Fatal(err)
		}
		if _, err := ask(t.Context(), client, suite, "?"); err != nil {
			t.Fatal(err)
		}
		var r request
		adaptertest.Decode(server.Requests()[0], &r)
		for i, tool := range suite.Tools() {
			sent := r.Tools[i]
			var want, got bytes.Buffer
			_, _ = json.Compact(&want, tool.Schema()), json.Compact(&got, sent.InputSchema)
			if sent.Name != tool.Name() || sent.Description != tool.Description() || got.String() != want.String() {
				t.Errorf("%s is sent as %s, %q, %s", tool.Name(), sent.Name, sent.Description, sent.InputSchema)
			}
		}
	})
}

// The API refuses an image in a result with is_error, and an empty text.
func TestBlocksThatTheAPIRefuses(t *testing.T) {
	picture := []tools.Image{{MIMEType: "image/png", Data: []byte("x")}}
	failed := anthropictools.Result("1", tools.Result{Text: "aborted: ...", IsError: true, Images: picture}).OfToolResult.Content
	if len(failed) != 1 || failed[0].OfText == nil {
		t.Errorf("a failure: %+v", failed)
	}
	silent := anthropictools.Result("1", tools.Result{Images: picture}).OfToolResult.Content
	if len(silent) != 1 || silent[0].OfImage == nil {
		t.Errorf("a picture alone: %+v", silent)
	}
}

// Answers that begin with thinking, and that have nothing in them.
func TestThinkingAndNothing(t *testing.T) {
	for content, want := range map[string]string{
		`{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "do"}, {"type": "text", "text": "ne"}`: "done",
		``: "",
	} {
		eachWay(t, func(t *testing.T, ask askFunc, _ string) {
			client, _ := newClient(t, `{"type": "message", "role": "assistant", "stop_reason": "end_turn", "content": [`+content+`]}`)
			if got, err := ask(t.Context(), client, adaptertest.Suite(t), "?"); got != want || err != nil {
				t.Errorf("%q, %v; want %q", got, err, want)
			}
		})
	}
}

// A context that ends is the error of a run.
func TestCancel(t *testing.T) {
	eachWay(t, func(t *testing.T, ask askFunc, _ string) {
		client, _ := newClient(t, modelCalls("bash", adaptertest.Sleeper))
		suite := adaptertest.Suite(t)
		adaptertest.Cancel(t, suite, func(ctx context.Context) error {
			_, err := ask(ctx, client, suite, "?")
			return err
		})
	})
}

// The answers to all calls are there then, for who goes on with the conversation.
func TestCancelAnswer(t *testing.T) {
	suite := adaptertest.Suite(t)
	var message anthropic.Message
	adaptertest.Decode([]byte(modelCalls("bash", adaptertest.Sleeper, "ls", "{}")), &message)
	var blocks []anthropic.ContentBlockParamUnion
	adaptertest.Cancel(t, suite, func(ctx context.Context) (err error) {
		blocks, err = anthropictools.Answer(ctx, suite, message.Content)
		return err
	})
	if len(blocks) != 2 {
		t.Fatalf("%d answers to 2 calls", len(blocks))
	}
	for _, block := range blocks {
		if text := block.OfToolResult.Content[0].OfText.Text; !block.OfToolResult.IsError.Value || !strings.HasPrefix(text, "aborted: ") {
			t.Errorf("%q", text)
		}
	}
}

// Two messages at once, and two calls in one message, of which the runner does not tell the ids.
func TestIDs(t *testing.T) {
	t.Run("loop", func(t *testing.T) {
		adaptertest.Identified(t, true, func(ctx context.Context, suite *tools.Suite, both [2]adaptertest.Call) {
			adaptertest.Both(both, func(call adaptertest.Call) {
				var message anthropic.Message
				adaptertest.Decode([]byte(modelCalls("bash", call.Args)), &message)
				message.Content[1].ID = call.ID
				if _, err := anthropictools.Answer(ctx, suite, message.Content); err != nil {
					t.Error(err)
				}
			})
		})
	})
	t.Run("runner", func(t *testing.T) {
		adaptertest.Identified(t, false, func(ctx context.Context, suite *tools.Suite, both [2]adaptertest.Call) {
			client, _ := newClient(t, modelCalls("bash", both[0].Args, "bash", both[1].Args), modelText("done"))
			if _, err := askRunner(ctx, client, suite, "?"); err != nil {
				t.Error(err)
			}
		})
	})
}
