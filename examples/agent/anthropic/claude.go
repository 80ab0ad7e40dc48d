package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/anthropics/anthropic-sdk-go"

	"github.com/spillway-go/spillway/examples/adapters/anthropictools"
	"github.com/spillway-go/spillway/examples/agent/loop"
	"github.com/spillway-go/spillway/tools"
)

const (
	defaultModel = string(anthropic.ModelClaudeSonnet5)
	// maxTokens bounds one turn of the model, not the conversation.
	maxTokens = 8192
)

const instructions = `You are a coding agent. Your tools work in the directory %s; relative paths start there. ` +
	`Every output is bounded: where something was left out, the text ends in a notice in square brackets that says how to get the rest.`

// claude is a conversation over Anthropic's API.
type claude struct {
	client anthropic.Client
	params anthropic.MessageNewParams // with all that was said
	starts []int                      // where in the messages the prompts of the user are
}

// Cut leaves out the messages from a prompt on.
func (c *claude) Cut(prompt int) {
	c.params.Messages, c.starts = c.params.Messages[:c.starts[prompt]], c.starts[:prompt]
}

// newClaude is a conversation with a model that has the tools of a suite. The SDK takes the
// key of the API from the environment.
func newClaude(model string, suite *tools.Suite) *claude {
	return &claude{
		client: anthropic.NewClient(),
		params: anthropic.MessageNewParams{
			Model:     anthropic.Model(model),
			MaxTokens: maxTokens,
			System:    []anthropic.TextBlockParam{{Text: fmt.Sprintf(instructions, suite.Workspace())}},
			Tools:     anthropictools.Tools(suite),
			// What was said before is sent again with every turn.
			CacheControl: anthropic.NewCacheControlEphemeralParam(),
		},
	}
}

// shelve puts lines in place of the results of earlier calls.
func (c *claude) shelve(lines []loop.Shelved) {
	for _, s := range lines {
		for _, message := range c.params.Messages {
			for i, block := range message.Content {
				if result := block.OfToolResult; result != nil && result.ToolUseID == s.ID {
					message.Content[i] = anthropictools.Result(s.ID, tools.Result{Text: s.Line, IsError: result.IsError.Value})
				}
			}
		}
	}
}

func (c *claude) Next(ctx context.Context, said loop.Input) (loop.Reply, error) {
	c.shelve(said.Shelved)
	var content []anthropic.ContentBlockParamUnion
	for _, a := range said.Results {
		content = append(content, anthropictools.Result(a.Call.ID, a.Result))
	}
	if said.Prompt != "" {
		c.starts = append(c.starts, len(c.params.Messages))
		content = append(content, anthropic.NewTextBlock(said.Prompt))
	}
	c.params.Messages = append(c.params.Messages, anthropic.NewUserMessage(content...))
	message, err := c.client.Messages.New(ctx, c.params)
	if err != nil {
		return loop.Reply{}, err
	}
	c.params.Messages = append(c.params.Messages, message.ToParam())

	var reply loop.Reply
	for _, block := range message.Content {
		switch block := block.AsAny().(type) {
		case anthropic.TextBlock:
			reply.Text += block.Text
		case anthropic.ToolUseBlock:
			reply.Calls = append(reply.Calls, loop.Call{ID: block.ID, Name: block.Name, Args: block.Input})
		}
	}
	switch message.StopReason {
	case anthropic.StopReasonMaxTokens, anthropic.StopReasonModelContextWindowExceeded:
		// The arguments of the last call may end in the middle.
		return reply, fmt.Errorf("the model's turn was cut off (%s). Ask for less at a time", message.StopReason)
	case anthropic.StopReasonRefusal:
		return reply, errors.New("the model refused to go on. Put the prompt in other words")
	}
	return reply, nil
}
