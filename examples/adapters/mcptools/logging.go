package mcptools

//lint:file-ignore SA1019 most clients speak a protocol before 2026-07-28, which deprecates log messages

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/tools"
)

// jobLogger is the logger that notifications about jobs name.
const jobLogger = "spillway/job"

// logEnd sends a log message to the session of a call when the job that the call has started ends. The session sends it
// if its client has set a level that includes it: "info", or "warning" for a job that failed. From
// protocol revision 2026-07-28 a level is that of one request, whose messages end with it, and the client is not told.
func logEnd(ctx context.Context, session *mcp.ServerSession, suite *tools.Suite, res tools.Result) {
	started, ok := res.Details.(tools.BashResult)
	if suite == nil || !ok || started.Job == 0 {
		return
	}
	for _, j := range suite.Jobs() {
		if j.State().Job != started.Job {
			continue
		}
		ctx := context.WithoutCancel(ctx)
		go func() {
			_ = j.Wait(ctx) // no error: ctx does not end. Closing the suite ends the job
			state := j.State()
			level := mcp.LoggingLevel("info")
			if state.ExitCode != 0 {
				level = "warning"
			}
			// A client that has gone is not told.
			_ = session.Log(ctx, &mcp.LoggingMessageParams{Level: level, Logger: jobLogger, Data: map[string]any{
				"message": fmt.Sprintf("Job %d: %s", state.Job, state.State), "job": state,
			}})
		}()
	}
}
