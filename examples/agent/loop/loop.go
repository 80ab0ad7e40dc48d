package loop

import (
	"context"
	"fmt"

	"github.com/spillway-go/spillway/tools"
)

// maxTurns ends a conversation that leads nowhere.
const maxTurns = 100

// agent is a model with tools.
type agent struct {
	model Provider
	suite *tools.Suite
	out   *transcript
}

// run has the model answer a prompt. Its calls are made one after the other, as a
// reader follows them.
func (a *agent) run(ctx context.Context, prompt string) error {
	a.out.prompt(prompt)
	said := Input{Prompt: prompt}
	for range maxTurns {
		reply, err := a.model.Next(ctx, said)
		if err != nil {
			return err
		}
		a.out.says(reply.Text)
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
		}
	}
	return fmt.Errorf("no answer after %d turns", maxTurns)
}

// call makes one call and shows it, also where it is ended before its time.
func (a *agent) call(ctx context.Context, c Call) (tools.Result, error) {
	a.out.call(c)
	res, err := a.suite.Call(tools.WithProgress(ctx, a.out.progress), c.Name, c.Args)
	a.out.result(c, res)
	return res, err
}
