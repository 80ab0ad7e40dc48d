package einotools_test

import (
	"context"
	"fmt"
	"log"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	"github.com/spillway-go/spillway/examples/adapters/einotools"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/tools"
)

// newAgent is an agent with the suite's tools.
func newAgent(ctx context.Context, chat model.ToolCallingChatModel, suite *tools.Suite) (*react.Agent, error) {
	list, err := einotools.Tools(suite) // or EnhancedTools
	if err != nil {
		return nil, err
	}
	return react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel: chat,
		ToolsConfig:      compose.ToolsNodeConfig{Tools: list, UnknownToolsHandler: einotools.Unknown(suite)},
		MaxStep:          100,
	})
}

func Example() {
	suite, closeAll := adaptertest.Open()
	defer closeAll()
	chat := newScripted(
		calls("grep", `{"pattern": "request 7$", "path": "server.log"}`),
		schema.AssistantMessage("Request 7 failed.", nil),
	)

	ctx := context.Background()
	agent, err := newAgent(ctx, chat, suite)
	if err != nil {
		log.Fatal(err)
	}
	message, err := agent.Generate(ctx, []*schema.Message{schema.UserMessage("What became of request 7?")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(message.Content)
	fmt.Println(chat.answers(1)[0].Text)
	// Output:
	// Request 7 failed.
	// server.log:13: info request 7
	// server.log:14: error request 7
}
