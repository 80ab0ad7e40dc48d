package tools

import (
	"context"

	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/job"
	"github.com/spillway-go/spillway/internal/notice"
)

// jobReader returns the reader of the job that ctx names.
func jobReader(ctx context.Context, j *job.Job) *capture.Reader {
	if readerOf(ctx) == nobody {
		return j.Output().NewReader()
	}
	return j.Reader(readerOf(ctx))
}

// jobShown is what a call shows of a job, and how that stands.
type jobShown struct {
	BashResult
	state JobState
}

// showJob returns what was printed since it was shown last to a reader, up to the line that the call found, if any,
// and how the job stands. The error is that of ctx.
func (s *shell) showJob(
	ctx context.Context, j *job.Job, reader *capture.Reader, end job.Awaited, notices ...notice.Notice,
) (jobShown, error) {
	shown, err := j.Show(ctx, reader, end, s.cfg.Jobs.ReadyLines)
	if err != nil {
		return jobShown{}, err
	}
	state := shown.State
	notices = append(notices, shown.Notices...)
	said := notice.Join(notices...)
	res := BashResult{
		NewBytes: shown.NewBytes, ExitCode: max(state.ExitCode, 0), Signal: state.Signal,
		ProcessLimitReached: shown.ProcessLimit,
	}
	s.finishBash(&res, shown.Streams, "(no new output)", append(notices, shown.Stands))
	res.said = said // that of the job may be out of date when it is read again
	return jobShown{res, JobState(state)}, nil
}
