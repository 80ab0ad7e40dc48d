package loop

import (
	"context"
	"fmt"

	"github.com/spillway-go/spillway/internal/question"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/checkpoint"
)

// maxTurns ends a conversation that leads nowhere.
const maxTurns = 100

// agent is a model with tools.
type agent struct {
	model Provider
	suite *tools.Suite
	out   *transcript
	mind  *memory

	// These are nil unless the user goes on after an answer.
	user   *question.Terminal
	points *checkpoint.Checkpoints
	turns  []turn
}

// run has the model answer a prompt. Its calls are made one after the other, as a
// reader follows them.
func (a *agent) run(ctx context.Context, prompt string) error {
	said := Input{Prompt: prompt}
	a.mind.add(len(prompt))
	for range maxTurns {
		a.mind.turn()
		reply, err := a.model.Next(ctx, said)
		if err != nil {
			return err
		}
		a.out.says(reply.Text)
		a.mind.add(len(reply.Text))
		if len(reply.Calls) == 0 {
			return nil
		}
		said = Input{}
		for _, c := range reply.Calls {
			res, err := a.call(ctx, c)
			if err != nil {
				return err // the context ended; a failure of the tool is a result
			}
			said.Results = append(said.Results, Answer{c, res})
			a.mind.add(len(c.Args))
		}
		if said.Shelved, err = a.mind.addResults(ctx, said.Results); ctx.Err() != nil {
			return ctx.Err()
		}
		a.out.shelved(said.Shelved, err)
	}
	return fmt.Errorf("no answer after %d turns", maxTurns)
}

// call makes one call and shows it, also where it is ended before its time.
func (a *agent) call(ctx context.Context, c Call) (tools.Result, error) {
	a.out.call(c)
	ctx = tools.WithCallID(tools.WithProgress(ctx, a.out.progress), c.ID)
	res, err := a.suite.Call(ctx, c.Name, c.Args)
	a.out.result(c, res)
	return res, err
}
