package tools

import (
	"context"
	"errors"
	"fmt"

	"github.com/spillway-go/spillway/internal/redact"
)

// recovering is the hook that makes an error of a panic. Nothing of what was gathered before is left: it may have
// secrets. The error shows no secret, nor anything of a panic of what hides them.
func recovering(r *redact.Redactor) hook {
	return func(ctx context.Context, c *call, next handler) (rep reply) {
		defer func() {
			if p := recover(); p != nil {
				what := "the call"
				if c.tool != nil {
					what = "the tool " + c.name
				}
				rep = reply{err: bug(what, "a panic of which nothing can be shown")}
				defer func() { _ = recover() }()
				said, _ := r.String(fmt.Sprint(p))
				rep.err = bug(what, said)
			}
		}()
		return next(ctx, c)
	}
}

var errPanic = errors.New("panic")

// recovered, deferred, makes an error of a panic in what.
func recovered(what string, err *error) {
	if p := recover(); p != nil {
		*err = bug(what, fmt.Sprint(p))
	}
}

func bug(what, said string) *Error {
	return &Error{
		Code: CodeInternal, Message: fmt.Sprintf("a bug in %s: %s. Try something else", what, show(said)), Err: errPanic,
	}
}
