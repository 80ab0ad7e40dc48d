package tools

import (
	"context"
	"time"
)

type answerKey struct{}

// WithAnswerBy returns a context for a call that must be answered by t, because whoever waits for it gives up soon
// afterwards, such as an MCP client with a timeout of its own. Then a command of bash becomes a job, as at its timeout
// with [config.OnTimeoutBackground], and the call returns what was printed so far. If the suite has no jobs, or as many
// run as may, it goes on as without t. A call that waits for a job waits no longer than until t. Both have Jobs.Settle in
// any case. The other tools of a suite do not look at t. The zero time takes t away.
func WithAnswerBy(ctx context.Context, t time.Time) context.Context {
	return context.WithValue(ctx, answerKey{}, t)
}

// AnswerBy returns the time that [WithAnswerBy] put into the context, or the zero time. A tool of your own that takes
// long should have returned what it has by then.
func AnswerBy(ctx context.Context) time.Time {
	t, _ := ctx.Value(answerKey{}).(time.Time)
	return t
}

// untilAnswer returns how much of a wait is left until the call must be answered, rounded as it is told. It is not less
// than Jobs.Settle: a quick command is worth its result however long a person was asked about it.
func (s *shell) untilAnswer(ctx context.Context, wait time.Duration) time.Duration {
	by := AnswerBy(ctx)
	if by.IsZero() {
		return wait
	}
	return min(wait, max(s.cfg.Jobs.Settle, time.Until(by).Round(answerPrecision)))
}

// answerPrecision keeps the milliseconds that a call has taken out of what is told: 50 s are 50 s.
const answerPrecision = 100 * time.Millisecond
