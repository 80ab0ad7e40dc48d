//go:build model

package serve

import (
	"context"
	"fmt"
	"io"

	anthropic "github.com/anthropics/anthropic-sdk-go/v2"
)

// deliver asks a model about the text of a result, and writes the answer: with it, the size of a program is that of an
// agent's.
func deliver(out io.Writer, text string) error {
	client := anthropic.NewClient()
	message, err := client.Beta.Messages.New(context.Background(), anthropic.BetaMessageNewParams{
		Model: anthropic.ModelClaudeSonnet5, MaxTokens: 1024,
		Messages: []anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock(text))},
	})
	if err != nil {
		return err
	}
	for _, block := range message.Content {
		if _, err := fmt.Fprintln(out, block.Text); err != nil {
			return err
		}
	}
	return nil
}
