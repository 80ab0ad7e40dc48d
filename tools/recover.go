package tools

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/spillway-go/spillway/internal/mask"
)

// recovering is the hook that makes an error of a panic. Nothing of what was gathered before is left: it may have
// secrets. The error shows no secret, nor anything of a panic of what hides them.
func recovering(r *mask.Masker) hook {
	return func(ctx context.Context, c *call, next handler) (rep reply) {
		defer func() {
			if p := recover(); p != nil {
				what := "the call"
				if c.tool != nil {
					what = "the tool " + c.name
				}
				rep = reply{err: bug(what, "a panic that cannot be shown")}
				defer func() { _ = recover() }()
				said, _ := r.String(fmt.Sprint(p))
				rep.err = bug(what, said)
			}
		}()
		return next(ctx, c)
	}
}

// maxStack is how many bytes an event has of where a panic happened.
const maxStack = 16 << 10

// panicked is wrapped in the error of a panic. The stack is for the host: it says nothing that helps a model.
type panicked struct{ stack string }

func (*panicked) Error() string { return "panic" }

// stackOf returns where the panic happened that an error comes from, or "".
func stackOf(err *Error) string {
	if err == nil {
		return ""
	}
	p, ok := errors.AsType[*panicked](err.Err)
	if !ok {
		return ""
	}
	return p.stack
}

// recovered, deferred, makes an error of a panic in what.
func recovered(what string, err *error) {
	if p := recover(); p != nil {
		*err = bug(what, fmt.Sprint(p))
	}
}

// bug returns the error of a panic, while the function that panicked is still on the stack.
func bug(what, said string) *Error {
	stack := debug.Stack()
	return &Error{
		Code: CodeInternal, Message: fmt.Sprintf("a bug in %s: %s. Try something else", what, show(said)),
		Err: &panicked{string(stack[:min(len(stack), maxStack)])},
	}
}
