//go:build model

package ask

import (
	"context"
	"fmt"

	anthropic "github.com/anthropics/anthropic-sdk-go/v2"
)

// About asks a model about the text, and prints the answer.
func About(text string) error {
	client := anthropic.NewClient()
	message, err := client.Beta.Messages.New(context.Background(), anthropic.BetaMessageNewParams{
		Model: anthropic.ModelClaudeSonnet5, MaxTokens: 1024,
		Messages: []anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock(text))},
	})
	if err != nil {
		return err
	}
	for _, block := range message.Content {
		fmt.Println(block.Text)
	}
	return nil
}
