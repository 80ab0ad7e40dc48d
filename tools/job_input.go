package tools

import (
	"context"
	"time"

	"github.com/spillway-go/spillway/internal/proc"
)

const (
	// inputPoll is the first pause between two looks at whether a job waits for input. A look takes
	// about 50 µs for each of its processes.
	inputPoll = 5 * time.Millisecond
	// maxInputPoll is the longest pause, of a call that has waited for ten times as long.
	maxInputPoll = 250 * time.Millisecond
	// inputQuiet is how long a job must wait for input, and print nothing, before a call says so.
	inputQuiet = 30 * time.Millisecond
)

// waitsForInput returns true when the job waits for input, or false when it has ended or ctx ends. before is the wait
// that the input of this call ends.
func (j *Job) waitsForInput(ctx context.Context, before proc.Reading) bool {
	var last proc.Reading
	var printed int64
	began, since := time.Now(), time.Now()
	timer := time.NewTimer(inputPoll)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return false
		case <-j.process.Gone():
			return false
		}
		pause := inputPoll
		now, ok := j.process.Reading()
		size := j.out.Size()
		switch {
		case !ok || now == before:
			last = proc.Reading{}
			pause = min(max(pause, time.Since(began)/10), maxInputPoll)
		case now != last || size != printed:
			last, printed, since = now, size, time.Now()
		case time.Since(since) >= inputQuiet:
			return true
		}
		timer.Reset(pause)
	}
}
