package tools

import (
	"context"
	"time"

	"github.com/spillway-go/spillway/internal/proc"
)

const (
	// inputPoll is the first pause between two looks at whether a job waits for input. A look takes 50 µs for each of
	// its processes, and without a control group 15 µs more for each of the system: BenchmarkReading.
	inputPoll = 5 * time.Millisecond
	// maxInputPoll is the longest pause, of a call that has waited for ten times as long. Only looks that take more than
	// a tenth of that are rarer.
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
		looked := time.Now()
		now, ok := j.process.Reading()
		pause := max(inputPoll, 10*time.Since(looked))
		size := j.out.Size()
		switch {
		case !ok || now == before:
			last = proc.Reading{}
			pause = max(pause, min(time.Since(began)/10, maxInputPoll))
		case now != last || size != printed:
			last, printed, since = now, size, time.Now()
		case time.Since(since) >= inputQuiet:
			return true
		}
		timer.Reset(pause)
	}
}
