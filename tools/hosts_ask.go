package tools

import (
	"context"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/egress"
	"github.com/spillway-go/spillway/internal/hosts"
)

// askHost returns what asks about a host, or nil if nobody can be asked.
func askHost(ask func(context.Context, config.Call) (config.Answer, error),
) func(context.Context, hosts.Target, config.Call) (egress.Answer, error) {
	if ask == nil {
		return nil
	}
	return func(ctx context.Context, to hosts.Target, call config.Call) (egress.Answer, error) {
		call.Host, call.Session = to.Dialled(), []string{to.String()}
		call.Why = "the command wants to reach " + to.String() + ", which Bash.Hosts does not name"
		answer, err := asked(ctx, ask, call)
		switch {
		case err != nil:
			return egress.No, err
		case answer.Decision == config.Once:
			return egress.Once, nil
		case answer.Decision == config.Session:
			return egress.Session, nil
		}
		return egress.No, nil
	}
}

type askingKey struct{}

// oneQuestion returns an ask that asks one question at a time: a person who is asked about a call, and about a host
// that another command wants to reach, sees them one after the other. Who is asked may make calls, which are asked about.
func oneQuestion(ask func(context.Context, config.Call) (config.Answer, error),
) func(context.Context, config.Call) (config.Answer, error) {
	if ask == nil {
		return nil
	}
	asking := make(chan struct{}, 1)
	return func(ctx context.Context, call config.Call) (config.Answer, error) {
		if ctx.Value(askingKey{}) == nil {
			select {
			case asking <- struct{}{}:
				defer func() { <-asking }()
			case <-ctx.Done():
				return config.Answer{}, ctx.Err()
			}
		}
		return ask(context.WithValue(ctx, askingKey{}, true), call)
	}
}
