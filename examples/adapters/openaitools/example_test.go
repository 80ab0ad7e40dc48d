package openaitools_test

import (
	"context"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/examples/adapters/openaitools"
	"github.com/spillway-go/spillway/tools"
)

// ask is the loop of an agent with chat completions.
func ask(ctx context.Context, client openai.Client, suite *tools.Suite, question string) (string, error) {
	params := openai.ChatCompletionNewParams{
		Model: openai.ChatModelGPT5_2, Tools: openaitools.Tools(suite),
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(question)},
	}
	for {
		completion, err := client.Chat.Completions.New(ctx, params)
		if err != nil {
			return "", err
		}
		message := completion.Choices[0].Message
		if len(message.ToolCalls) == 0 {
			return message.Content, nil
		}
		answers, err := openaitools.Answer(ctx, suite, message.ToolCalls)
		if err != nil {
			return "", err
		}
		params.Messages = append(append(params.Messages, message.ToParam()), answers...)
	}
}

// askResponses is the loop of an agent with the Responses API.
func askResponses(ctx context.Context, client openai.Client, suite *tools.Suite, question string) (string, error) {
	params := responses.ResponseNewParams{Model: openai.ChatModelGPT5_2, Tools: openaitools.ResponseTools(suite)}
	params.Input.OfString = openai.String(question)
	for {
		response, err := client.Responses.New(ctx, params)
		if err != nil {
			return "", err
		}
		answers, err := openaitools.ResponseAnswer(ctx, suite, response.Output)
		if err != nil {
			return "", err
		}
		if len(answers) == 0 {
			return response.OutputText(), nil
		}
		params.PreviousResponseID = openai.String(response.ID)
		params.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: answers}
	}
}

func Example() {
	suite, closeAll := adaptertest.Open()
	defer closeAll()
	server := adaptertest.NewServer(
		chatCall("grep", `{"pattern": "request 7$", "path": "server.log"}`),
		chatText("Request 7 failed."),
	)
	defer server.Close()
	client := openai.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"))

	text, err := ask(context.Background(), client, suite, "What became of request 7?")
	fmt.Println(text, err)
	fmt.Println(chatAnswers(server.Requests()[1])[0].Text)
	// Output:
	// Request 7 failed. <nil>
	// server.log:13: info request 7
	// server.log:14: error request 7
}

func Example_responses() {
	suite, closeAll := adaptertest.Open()
	defer closeAll()
	server := adaptertest.NewServer(
		responseCall("grep", `{"pattern": "request 7$", "path": "server.log"}`),
		responseText("Request 7 failed."),
	)
	defer server.Close()
	client := openai.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"))

	text, err := askResponses(context.Background(), client, suite, "What became of request 7?")
	fmt.Println(text, err)
	fmt.Println(responseAnswer(server.Requests()[1]).Text)
	// Output:
	// Request 7 failed. <nil>
	// server.log:13: info request 7
	// server.log:14: error request 7
}
