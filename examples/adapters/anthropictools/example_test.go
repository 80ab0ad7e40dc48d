package anthropictools_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/anthropictools"
	"github.com/spillway-go/spillway/tools"
)

// The tool runner of the SDK, with the tools of a suite. The client of this example
// has its answers from a script; yours is anthropic.NewClient().
func Example() {
	ctx := context.Background()
	client := (&model{turns: []string{use("read", `{"path": "notes.txt", "limit": 2}`), say("Two lines, and there are more.")}}).client()
	dir := notes()
	defer os.RemoveAll(dir)

	suite, err := tools.New(config.Config{Workspace: dir})
	if err != nil {
		log.Fatal(err)
	}
	defer suite.Close()

	runner := client.Beta.Messages.NewToolRunner(anthropictools.Tools(suite), anthropic.BetaToolRunnerParams{
		BetaMessageNewParams: anthropic.BetaMessageNewParams{
			Model:     anthropic.ModelClaudeSonnet5,
			MaxTokens: 8192,
			Messages:  []anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("What is in notes.txt?"))},
		},
	})
	message, err := runner.RunToCompletion(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(message.Content[0].Text)

	sent := runner.Messages()[2].Content[0].OfToolResult // what the model was sent
	fmt.Println(sent.Content[0].OfText.Text)
	// Output:
	// Two lines, and there are more.
	// first
	// second
	//
	// [2 more lines in file. Use offset=3 to continue]
}

// ownLoop is a loop without the runner.
func ownLoop(ctx context.Context, client anthropic.Client, suite *tools.Suite, prompt string) error {
	messages := []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(prompt))}
	for {
		message, err := client.Messages.New(ctx, anthropic.MessageNewParams{
			Model:     anthropic.ModelClaudeSonnet5,
			MaxTokens: 8192,
			Tools:     anthropictools.Params(suite),
			Messages:  messages,
		})
		if err != nil {
			return err
		}
		messages = append(messages, message.ToParam())
		if message.StopReason != anthropic.StopReasonToolUse {
			return nil
		}
		var results []anthropic.ContentBlockParamUnion
		for _, block := range message.Content {
			if use, ok := block.AsAny().(anthropic.ToolUseBlock); ok {
				result, err := anthropictools.Call(ctx, suite, use)
				if err != nil {
					return err // the context ended
				}
				results = append(results, result)
			}
		}
		messages = append(messages, anthropic.NewUserMessage(results...))
	}
}

// A failure is a result that the model reads.
func ExampleCall() {
	dir := notes()
	defer os.RemoveAll(dir)
	suite, err := tools.New(config.Config{Workspace: dir})
	if err != nil {
		log.Fatal(err)
	}
	defer suite.Close()

	use := anthropic.ToolUseBlock{ID: "toolu_1", Name: "read", Input: []byte(`{"path": "note.txt"}`)}
	block, err := anthropictools.Call(context.Background(), suite, use)
	if err != nil {
		log.Fatal(err) // the context ended
	}
	fmt.Println(block.OfToolResult.IsError, block.OfToolResult.Content[0].OfText.Text)
	// Output:
	// true not_found: note.txt does not exist. Did you mean notes.txt?
}

// notes is a directory with one file.
func notes() string {
	dir, err := os.MkdirTemp("", "notes")
	if err != nil {
		log.Fatal(err)
	}
	text := strings.Join([]string{"first", "second", "third", "fourth"}, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte(text), 0o644); err != nil {
		log.Fatal(err)
	}
	return dir
}
