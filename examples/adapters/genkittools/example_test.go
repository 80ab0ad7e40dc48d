package genkittools_test

import (
	"context"
	"fmt"
	"log"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"

	"github.com/spillway-go/spillway/examples/adapters/genkittools"
	"github.com/spillway-go/spillway/examples/adapters/internal/adaptertest"
)

func Example() {
	suite, closeAll := adaptertest.Open()
	defer closeAll()
	ctx := context.Background()
	g := genkit.Init(ctx)
	model := newScripted(g,
		calls("grep", map[string]any{"pattern": "request 7$", "path": "server.log"}),
		ai.NewModelTextMessage("Request 7 failed."),
	)

	text, err := genkit.GenerateText(ctx, g,
		ai.WithModel(model), ai.WithTools(genkittools.Add(g, suite)...), ai.WithMaxTurns(100),
		ai.WithPrompt("What became of request 7?"))
	if err != nil {
		log.Fatal(err)
	}

	fmt.Println(text)
	fmt.Println(model.answers(1)["call_0"].Text)
	// Output:
	// Request 7 failed.
	// server.log:13: info request 7
	// server.log:14: error request 7
}
