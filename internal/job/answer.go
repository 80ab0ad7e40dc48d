package job

import (
	"context"
	"time"
)

type answerKey struct{}

// WithAnswerBy returns a context for a call that must be answered by t, unless that is zero.
func WithAnswerBy(ctx context.Context, t time.Time) context.Context {
	return context.WithValue(ctx, answerKey{}, t)
}

func AnswerBy(ctx context.Context) time.Time {
	t, _ := ctx.Value(answerKey{}).(time.Time)
	return t
}

// UntilAnswer returns how much of a wait is left until the call must be answered, rounded as in notices, and at least
// least: a quick command is worth its result however long a person was asked about it.
func UntilAnswer(ctx context.Context, wait, least time.Duration) time.Duration {
	by := AnswerBy(ctx)
	if by.IsZero() {
		return wait
	}
	return min(wait, max(least, time.Until(by).Round(answerPrecision)))
}

// answerPrecision rounds off the milliseconds that a call has already taken: 50 s are 50 s.
const answerPrecision = 100 * time.Millisecond
