package einotools_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	"github.com/spillway-go/spillway/examples/adapters/einotools"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
)

// scripted is a model that gives the same messages to whatever it is asked, one
// after the other. All copies of it, with tools and without, share one script.
type scripted struct {
	tools  []*schema.ToolInfo
	script *script
}

type script struct {
	mu       sync.Mutex
	messages []*schema.Message
	requests [][]*schema.Message
	tools    []*schema.ToolInfo // of the last request
}

func newScripted(messages ...*schema.Message) scripted {
	return scripted{script: &script{messages: messages}}
}

func (m scripted) WithTools(list []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	return scripted{list, m.script}, nil
}

func (m scripted) Generate(_ context.Context, request []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	s := m.script
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.messages) == 0 {
		return nil, errors.New("nothing is scripted for this request")
	}
	s.requests, s.tools = append(s.requests, slices.Clone(request)), m.tools
	message := s.messages[0]
	s.messages = s.messages[1:]
	return message, nil
}

func (m scripted) Stream(ctx context.Context, request []*schema.Message, options ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	message, err := m.Generate(ctx, request, options...)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]*schema.Message{message}), nil
}

// answers are the messages of tools at the end of a request.
func (m scripted) answers(request int) []adaptertest.Answer {
	var list []adaptertest.Answer
	for _, message := range m.script.requests[request] {
		if message.Role != schema.Tool {
			list = nil
			continue
		}
		a := adaptertest.Answer{Text: message.Content}
		for _, part := range message.UserInputMultiContent {
			switch part.Type {
			case schema.ChatMessagePartTypeText:
				a.Text += part.Text
			case schema.ChatMessagePartTypeImageURL:
				data, err := base64.StdEncoding.DecodeString(*part.Image.Base64Data)
				if err != nil {
					panic(err)
				}
				a.Images = append(a.Images, tools.Image{MIMEType: part.Image.MIMEType, Data: data})
			}
		}
		list = append(list, a)
	}
	return list
}

// calls is a model's message that calls tools: names and arguments in turn.
func calls(list ...string) *schema.Message {
	var all []schema.ToolCall
	for i := 0; i < len(list); i += 2 {
		all = append(all, schema.ToolCall{ID: fmt.Sprintf("call_%d", i/2), Function: schema.FunctionCall{Name: list[i], Arguments: list[i+1]}})
	}
	return schema.AssistantMessage("", all)
}

func stepByStep() scripted {
	var messages []*schema.Message
	for _, step := range adaptertest.Steps() {
		messages = append(messages, calls(step.Tool, step.Args))
	}
	return newScripted(append(messages, schema.AssistantMessage("done", nil))...)
}

const noPicture = "\n\n[The picture itself cannot be shown here]"

// Every step in a message of its own, with an answer that is generated and with
// one that is streamed.
func TestTools(t *testing.T) {
	for _, streaming := range []bool{false, true} {
		t.Run(fmt.Sprint("streaming ", streaming), func(t *testing.T) {
			chat, suite := stepByStep(), adaptertest.Suite(t)
			agent, err := newAgent(t.Context(), chat, suite)
			testkit.NoError(t, err)
			run(t, agent, streaming)
			for i, step := range adaptertest.Steps() {
				got := chat.answers(i + 1)[0]
				if step.Args == `{"path": "logo.png"}` {
					text, cut := strings.CutSuffix(got.Text, noPicture)
					if !cut {
						t.Errorf("%q does not say that the picture is missing", got.Text)
					}
					got = adaptertest.Answer{Text: text, Images: []tools.Image{{MIMEType: "image/png", Data: adaptertest.PNG()}}}
				}
				step.Check(t, got, false)
			}
		})
	}
}

func run(t *testing.T, agent *react.Agent, streaming bool) {
	t.Helper()
	question := []*schema.Message{schema.UserMessage("?")}
	if !streaming {
		if message, err := agent.Generate(t.Context(), question); err != nil || message.Content != "done" {
			t.Fatal(message, err)
		}
		return
	}
	stream, err := agent.Stream(t.Context(), question)
	testkit.NoError(t, err)
	if message, err := schema.ConcatMessageStream(stream); err != nil || message.Content != "done" {
		t.Fatal(message, err)
	}
}

// The same with pictures.
func TestEnhancedTools(t *testing.T) {
	for _, streaming := range []bool{false, true} {
		t.Run(fmt.Sprint("streaming ", streaming), func(t *testing.T) {
			chat, suite := stepByStep(), adaptertest.Suite(t)
			list, err := einotools.EnhancedTools(suite)
			testkit.NoError(t, err)
			agent, err := react.NewAgent(t.Context(), &react.AgentConfig{ToolCallingModel: chat, ToolsConfig: compose.ToolsNodeConfig{Tools: list}, MaxStep: 100})
			testkit.NoError(t, err)
			run(t, agent, streaming)
			for i, step := range adaptertest.Steps() {
				step.Check(t, chat.answers(i + 1)[0], false)
			}
		})
	}
}

// Several calls in one message, one without arguments and one of a tool that is
// not there: the run goes on.
func TestSeveralCalls(t *testing.T) {
	chat := newScripted(calls("ls", "", "nosuch", "{}", "ls", `{"path": "server.log"}`), schema.AssistantMessage("done", nil))
	agent, err := newAgent(t.Context(), chat, adaptertest.Suite(t))
	testkit.NoError(t, err)
	run(t, agent, false)
	got := chat.answers(1)
	for i, want := range []string{"logo.png\nserver.log", "invalid_input: there is no tool nosuch", "not_a_directory: "} {
		if !strings.HasPrefix(got[i].Text, want) {
			t.Errorf("%q does not begin with %q", got[i].Text, want)
		}
	}
}

// A context that ends ends the run, of both kinds of tools.
func TestCancel(t *testing.T) {
	for name, of := range map[string]func(*tools.Suite) ([]tool.BaseTool, error){"plain": einotools.Tools, "enhanced": einotools.EnhancedTools} {
		t.Run(name, func(t *testing.T) {
			suite := adaptertest.Suite(t)
			list, err := of(suite)
			testkit.NoError(t, err)
			node, err := compose.NewToolNode(t.Context(), &compose.ToolsNodeConfig{Tools: list})
			testkit.NoError(t, err)
			adaptertest.Cancel(t, suite, func(ctx context.Context) error {
				_, err := node.Invoke(ctx, calls("bash", adaptertest.Sleeper))
				return err
			})
		})
	}
}

// The same through an agent.
func TestCancelAgent(t *testing.T) {
	suite := adaptertest.Suite(t)
	agent, err := newAgent(t.Context(), newScripted(calls("bash", adaptertest.Sleeper)), suite)
	testkit.NoError(t, err)
	adaptertest.Cancel(t, suite, func(ctx context.Context) error {
		_, err := agent.Generate(ctx, []*schema.Message{schema.UserMessage("?")})
		return err
	})
}

// What the model is told of the tools, and that the conversion of the schema to
// Eino's type loses nothing.
func TestSchemas(t *testing.T) {
	suite := adaptertest.Suite(t)
	testkit.NoError(t, suite.Add(adaptertest.Rich()))
	chat := newScripted(schema.AssistantMessage("done", nil))
	agent, err := newAgent(t.Context(), chat, suite)
	testkit.NoError(t, err)
	run(t, agent, false)
	for i, want := range suite.Tools() {
		got := chat.script.tools[i]
		if got.Name != want.Name() || got.Desc != want.Description() {
			t.Errorf("%s is told as %+v", want.Name(), got)
		}
		converted, err := got.ToJSONSchema()
		testkit.NoError(t, err)
		adaptertest.SameSchema(t, want, converted)
	}
}

func TestBadSchema(t *testing.T) {
	suite := adaptertest.Suite(t)
	testkit.NoError(t, suite.Add(adaptertest.Odd()))
	if _, err := einotools.Tools(suite); err == nil || !strings.Contains(err.Error(), "the tool odd") {
		t.Error(err)
	}
}

// Two calls in one message have their ids, with both kinds of tools.
func TestIDs(t *testing.T) {
	for name, of := range map[string]func(*tools.Suite) ([]tool.BaseTool, error){"plain": einotools.Tools, "enhanced": einotools.EnhancedTools} {
		t.Run(name, func(t *testing.T) {
			adaptertest.Identified(t, true, func(ctx context.Context, suite *tools.Suite, both [2]adaptertest.Call) {
				list, err := of(suite)
				testkit.NoError(t, err)
				node, err := compose.NewToolNode(ctx, &compose.ToolsNodeConfig{Tools: list})
				testkit.NoError(t, err)
				message := calls("bash", both[0].Args, "bash", both[1].Args)
				for i := range message.ToolCalls {
					message.ToolCalls[i].ID = both[i].ID
				}
				if _, err := node.Invoke(ctx, message); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
