package anthropictools_test

import (
	"context"
	"fmt"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/spillway-go/spillway/examples/adapters/anthropictools"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/tools"
)

// ask is the loop of an agent.
func ask(ctx context.Context, client anthropic.Client, suite *tools.Suite, question string) (string, error) {
	params := anthropic.MessageNewParams{
		Model: anthropic.ModelClaudeSonnet5, MaxTokens: 8192, Tools: anthropictools.Tools(suite),
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(question))},
	}
	for {
		message, err := client.Messages.New(ctx, params)
		if err != nil {
			return "", err
		}
		answers, err := anthropictools.Answer(ctx, suite, message.Content)
		if err != nil {
			return "", err
		}
		if len(answers) == 0 {
			text := ""
			for _, block := range message.Content {
				text += block.Text // "" of a block that is none of text, such as thinking
			}
			return text, nil
		}
		params.Messages = append(params.Messages, message.ToParam(), anthropic.NewUserMessage(answers...))
	}
}

// askRunner leaves the loop to the SDK's tool runner.
func askRunner(ctx context.Context, client anthropic.Client, suite *tools.Suite, question string) (string, error) {
	runner := client.Beta.Messages.NewToolRunner(anthropictools.RunnerTools(suite), anthropic.BetaToolRunnerParams{
		BetaMessageNewParams: anthropic.BetaMessageNewParams{
			Model: anthropic.ModelClaudeSonnet5, MaxTokens: 8192,
			Messages: []anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock(question))},
		},
	})
	message, err := runner.RunToCompletion(ctx)
	if err != nil {
		return "", err
	}
	text := ""
	for _, block := range message.Content {
		text += block.Text
	}
	return text, nil
}

func Example() {
	suite, closeAll := adaptertest.Open()
	defer closeAll()
	server := adaptertest.NewServer(
		modelCalls("grep", `{"pattern": "request 7$", "path": "server.log"}`),
		modelText("Request 7 failed."),
	)
	defer server.Close()
	client := anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"))

	text, err := ask(context.Background(), client, suite, "What became of request 7?")
	fmt.Println(text, err)
	fmt.Println(answers(server.Requests()[1])[0].Text)
	// Output:
	// Request 7 failed. <nil>
	// server.log:13: info request 7
	// server.log:14: error request 7
}

func Example_runner() {
	suite, closeAll := adaptertest.Open()
	defer closeAll()
	server := adaptertest.NewServer(
		modelCalls("grep", `{"pattern": "request 7$", "path": "server.log"}`),
		modelText("Request 7 failed."),
	)
	defer server.Close()
	client := anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"))

	text, err := askRunner(context.Background(), client, suite, "What became of request 7?")
	fmt.Println(text, err)
	fmt.Println(answers(server.Requests()[1])[0].Text)
	// Output:
	// Request 7 failed. <nil>
	// server.log:13: info request 7
	// server.log:14: error request 7
}
