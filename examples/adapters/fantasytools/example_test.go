package fantasytools_test

import (
	"context"
	"fmt"

	"charm.land/fantasy"

	"github.com/spillway-go/spillway/examples/adapters/fantasytools"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
	"github.com/spillway-go/spillway/tools"
)

// ask lets an agent answer a question with the suite's tools.
func ask(ctx context.Context, model fantasy.LanguageModel, suite *tools.Suite, question string) (string, error) {
	agent := fantasy.NewAgent(model, fantasy.WithTools(fantasytools.Tools(suite)...))
	result, err := agent.Generate(ctx, fantasy.AgentCall{Prompt: question})
	if err == nil {
		err = ctx.Err() // Generate ends without an error when the context ended in a tool
	}
	if err != nil {
		return "", err
	}
	return result.Response.Content.Text(), nil
}

func Example() {
	suite, closeAll := adaptertest.Open()
	defer closeAll()
	model := &scripted{script: []fantasy.Response{
		calls("grep", `{"pattern": "request 7$", "path": "server.log"}`),
		text("Request 7 failed."),
	}}

	answer, err := ask(context.Background(), model, suite, "What became of request 7?")
	fmt.Println(answer, err)
	fmt.Println(model.answers(1)[0].Text)
	// Output:
	// Request 7 failed. <nil>
	// server.log:13: info request 7
	// server.log:14: error request 7
}
