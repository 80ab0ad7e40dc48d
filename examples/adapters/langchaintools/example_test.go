package langchaintools_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/examples/adapters/langchaintools"
	"github.com/spillway-go/spillway/tools"
)

// ask is the loop of an agent whose model calls functions.
func ask(ctx context.Context, model llms.Model, suite *tools.Suite, question string) (string, error) {
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, question)}
	for {
		response, err := model.GenerateContent(ctx, messages, llms.WithTools(langchaintools.Tools(suite)))
		if err != nil {
			return "", err
		}
		var calls []llms.ToolCall
		for _, choice := range response.Choices {
			calls = append(calls, choice.ToolCalls...)
		}
		if len(calls) == 0 {
			return response.Choices[0].Content, nil
		}
		answers, err := langchaintools.Answer(ctx, suite, calls, langchaintools.DataURL)
		if err != nil {
			return "", err
		}
		messages = append(messages, answers...)
	}
}

func Example() {
	suite, closeAll := adaptertest.Open()
	defer closeAll()
	server := adaptertest.NewServer(
		modelCalls("grep", `{"pattern": "request 7$", "path": "server.log"}`),
		modelText("Request 7 failed."),
	)
	defer server.Close()
	model, err := openai.New(openai.WithBaseURL(server.URL), openai.WithToken("none"), openai.WithModel("gpt-5.2"))
	if err != nil {
		log.Fatal(err)
	}

	text, err := ask(context.Background(), model, suite, "What became of request 7?")
	fmt.Println(text, err)
	fmt.Println(answers(server.Requests()[1])[0].Text)
	// Output:
	// Request 7 failed. <nil>
	// server.log:13: info request 7
	// server.log:14: error request 7
}

func Example_agent() {
	suite, closeAll := adaptertest.Open()
	defer closeAll()
	server := adaptertest.NewServer(
		modelText("Thought: I search.\nAction: grep\nAction Input: "+`{"pattern": "request 7$", "path": "server.log"}`),
		modelText("Final Answer: Request 7 failed."),
	)
	defer server.Close()
	model, err := openai.New(openai.WithBaseURL(server.URL), openai.WithToken("none"), openai.WithModel("gpt-5.2"))
	if err != nil {
		log.Fatal(err)
	}

	agent := agents.NewOneShotAgent(model, langchaintools.AgentTools(suite))
	text, err := chains.Run(context.Background(), agents.NewExecutor(agent), "What became of request 7?")
	fmt.Println(text, err)
	fmt.Println(observation(server.Requests()[1]))
	// Output:
	// Request 7 failed. <nil>
	// server.log:13: info request 7
	// server.log:14: error request 7
}
