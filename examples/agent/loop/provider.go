package loop

import (
	"context"
	"encoding/json"

	"github.com/spillway-go/spillway/tools"
)

// A Provider is a conversation with a model. It keeps what was said in the form
// that its API wants.
type Provider interface {
	// Next tells the model what was said since its last turn, and gives its next.
	Next(ctx context.Context, said Input) (Reply, error)
	// Cut has the model forget what was said from a prompt of the user on. Prompts count from 0.
	Cut(prompt int)
}

// Input is what a model is told: the user's prompt, or the results of its calls. From then on it
// sees, of earlier results, only the lines in Shelved.
type Input struct {
	Prompt  string
	Results []Answer
	Shelved []Shelved
}

// Answer is the result of a call.
type Answer struct {
	Call   Call
	Result tools.Result
}

// Reply is a turn of a model. Without calls it is the final answer.
type Reply struct {
	Text  string
	Calls []Call
}

// Call is a tool that the model wants to be called.
type Call struct {
	ID   string // the provider's own name of the call
	Name string
	Args json.RawMessage
}
