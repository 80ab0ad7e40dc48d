package adktools_test

import (
	"context"
	"fmt"

	"google.golang.org/adk/agent"
	"google.golang.org/adk/agent/llmagent"
	"google.golang.org/adk/model"
	"google.golang.org/adk/runner"
	"google.golang.org/adk/session"
	"google.golang.org/genai"

	"github.com/spillway-go/spillway/examples/adapters/adktools"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/tools"
)

// ask lets an agent answer a question with the suite's tools.
func ask(ctx context.Context, llm model.LLM, suite *tools.Suite, question string) (string, error) {
	root, err := llmagent.New(llmagent.Config{Name: "coder", Model: llm, Tools: adktools.Tools(suite)})
	if err != nil {
		return "", err
	}
	run, err := runner.New(runner.Config{AppName: "app", Agent: root, SessionService: session.InMemoryService(), AutoCreateSession: true})
	if err != nil {
		return "", err
	}
	answer := ""
	for event, err := range run.Run(ctx, "user", "session", genai.NewContentFromText(question, genai.RoleUser), agent.RunConfig{}) {
		if err != nil {
			return "", err
		}
		if event.IsFinalResponse() && event.Content != nil {
			for _, part := range event.Content.Parts {
				answer += part.Text
			}
		}
	}
	return answer, ctx.Err()
}

func Example() {
	suite, closeAll := adaptertest.Open()
	defer closeAll()
	llm := &scripted{script: []*genai.Content{
		calls("grep", `{"pattern": "request 7$", "path": "server.log"}`),
		genai.NewContentFromText("Request 7 failed.", genai.RoleModel),
	}}

	answer, err := ask(context.Background(), llm, suite, "What became of request 7?")
	fmt.Println(answer, err)
	fmt.Println(llm.answers(1)[0].Text)
	// Output:
	// Request 7 failed. <nil>
	// server.log:13: info request 7
	// server.log:14: error request 7
}
