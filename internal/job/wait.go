package job

import (
	"context"
	"time"

	"github.com/spillway-go/spillway/internal/capture"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/proc"
)

const (
	// inputPoll is the first pause between looks at whether a job waits for input. A look takes 50 µs for each process
	// of the job and, without a control group, 15 µs more for each process of the system: BenchmarkReading.
	inputPoll = 5 * time.Millisecond
	// maxInputPoll is the longest pause, after a call has waited ten times as long. Only looks that take more than a
	// tenth of that are rarer.
	maxInputPoll = 250 * time.Millisecond
	// inputQuiet is how long a job must wait for input, and print nothing, before a call says so.
	inputQuiet = 30 * time.Millisecond
)

// Until is what a call waits for, besides the end of the job.
type Until struct {
	Argument string          // the argument with the pattern; "" if there is none
	Search   *capture.Search // finds the line; finds nothing without a pattern
	Input    bool            // return when the job waits for input
	Before   proc.Reading    // the wait for input that this call's input ends
	Longest  time.Duration
}

type Awaited struct {
	Found  capture.Match
	Input  bool          // the job waits for input, and no line was found
	Notice notice.Notice // says that no line was found
}

// Reading returns the current wait for input, which the next input ends.
func (j *Job) Reading() proc.Reading {
	reading, _ := j.process.Reading()
	return reading
}

// Await waits until the job has ended, the awaited event has come, the longest time is over, or ctx ends. When the
// suite is closed, the job ends.
func (j *Job) Await(ctx context.Context, u Until) (a Awaited) {
	ctx, cancel := context.WithTimeout(ctx, u.Longest)
	defer cancel()
	over, waits := j.process.Gone(), false
	u.Input = u.Input && u.Longest > inputQuiet
	if u.Input {
		looked := make(chan struct{})
		go func() {
			defer close(looked)
			waits = j.waitsForInput(ctx, u.Before)
		}()
		over = looked
	}
	a.Found = u.Search.Await(ctx, over)
	if u.Input {
		cancel()
		<-over
		a.Input = waits && a.Found.Line == 0
	}
	a.Notice = j.waited(a, u)
	return a
}

// waited says that a wait did not find its line, unless the job waits for input: that is said in its place.
func (j *Job) waited(a Awaited, u Until) notice.Notice {
	switch {
	case a.Found.Line > 0 || a.Input || u.Argument == "":
		return ""
	case isClosed(j.process.Gone()):
		return notice.NeverMatched(u.Argument)
	}
	return notice.NotMatched(u.Argument, u.Longest)
}

// waitsForInput returns true when the job waits for input, or false when it has ended or ctx ends. before is the wait
// that this call's input ends.
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
		size := j.command.Printed.Size()
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
