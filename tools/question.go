package tools

import (
	"context"
	"errors"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/quote"
)

// askFunc asks a person about a call.
type askFunc = func(context.Context, config.Call) (config.Answer, error)

type askingKey struct{}

// oneQuestion returns an ask that asks one question at a time: a person who is asked about a call, and about a host
// that another command wants to reach, sees them one after the other. Who is asked may make calls, which are asked about.
// Its error is an *Error, also where ask panics.
func oneQuestion(ask askFunc) askFunc {
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
				return config.Answer{}, failure(ctx.Err(), "")
			}
		}
		return asked(context.WithValue(ctx, askingKey{}, true), ask, call)
	}
}

func asked(ctx context.Context, ask askFunc, call config.Call) (answer config.Answer, err error) {
	defer recovered("what asks the user", &err)
	if answer, err = ask(ctx, call); err != nil {
		if ctx.Err() != nil {
			return answer, failure(ctx.Err(), "")
		}
		if own, ok := errors.AsType[*Error](err); ok {
			return answer, own // that of the preview: the call would fail with it
		}
		return answer, &Error{Code: CodeDenied, Message: quote.Short(quote.Inline(err.Error()), maxMessage), Err: err}
	}
	return answer, nil
}
