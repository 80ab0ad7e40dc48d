package genaitools_test

import (
	"context"
	"fmt"
	"log"

	"google.golang.org/genai"

	"github.com/spillway-go/spillway/examples/adapters/genaitools"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/tools"
)

// ask is the loop of an agent.
func ask(ctx context.Context, client *genai.Client, suite *tools.Suite, question string) (string, error) {
	chat, err := client.Chats.Create(ctx, "gemini-3-flash-preview", &genai.GenerateContentConfig{Tools: genaitools.Tools(suite)}, nil)
	if err != nil {
		return "", err
	}
	response, err := chat.Send(ctx, genai.NewPartFromText(question))
	for err == nil && len(response.FunctionCalls()) > 0 {
		var parts []*genai.Part
		if parts, err = genaitools.Answer(ctx, suite, response.FunctionCalls()); err != nil {
			break
		}
		response, err = chat.Send(ctx, parts...)
	}
	if err != nil {
		return "", err
	}
	return response.Text(), nil
}

func Example() {
	suite, closeAll := adaptertest.Open()
	defer closeAll()
	server := adaptertest.NewServer(
		modelCalls("grep", `{"pattern": "request 7$", "path": "server.log"}`),
		modelText("Request 7 failed."),
	)
	defer server.Close()
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		Backend: genai.BackendGeminiAPI, APIKey: "none", HTTPOptions: genai.HTTPOptions{BaseURL: server.URL},
	})
	if err != nil {
		log.Fatal(err)
	}

	text, err := ask(context.Background(), client, suite, "What became of request 7?")
	fmt.Println(text, err)
	fmt.Println(answers(server.Requests()[1])[0].Text)
	// Output:
	// Request 7 failed. <nil>
	// server.log:13: info request 7
	// server.log:14: error request 7
}
