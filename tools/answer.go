package tools

import (
	"context"
	"time"

	"github.com/spillway-go/spillway/internal/job"
)

// WithAnswerBy returns a context for a call that must be answered by t, because whoever waits for it gives up soon
// afterwards, such as an MCP client with a timeout of its own. Then a command of bash becomes a job, as at its timeout
// with [config.OnTimeoutBackground], and the call returns what was printed so far. If the suite has no jobs, or as many
// run as may, it goes on as without t. A call that waits for a job waits no longer than until t. Both have Jobs.Settle in
// any case. The other tools of a suite do not look at t. The zero time takes t away.
func WithAnswerBy(ctx context.Context, t time.Time) context.Context {
	return job.WithAnswerBy(ctx, t)
}

// AnswerBy returns the time that [WithAnswerBy] put into the context, or the zero time. A tool of your own that takes
// long should have returned what it has by then.
func AnswerBy(ctx context.Context) time.Time { return job.AnswerBy(ctx) }
