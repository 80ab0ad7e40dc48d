// Package testkit provides helpers that the tests of several packages share.
package testkit

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"testing"
)

// Some returns how many of n rounds a test makes: all, or a tenth with -short or under
// the race detector, or a hundredth with both. It is for work of one goroutine, in which
// the detector finds nothing at ten times the cost; the tests also run without it.
func Some(n int) int {
	switch {
	case Race && testing.Short():
		return max(n/100, 1)
	case Race || testing.Short():
		return max(n/10, 1)
	}
	return n
}

// Few is Some for work of several goroutines: all of it under the race detector, too.
func Few(n int) int {
	if testing.Short() {
		return max(n/10, 1)
	}
	return n
}

// Alone skips a short test under the race detector. It is for what takes seconds there, and one goroutine computes;
// long tests still show that.
func Alone(t testing.TB) {
	t.Helper()
	if Race && testing.Short() {
		t.Skip("one goroutine computes")
	}
}

// Raced leaves a costly test to .ci/run race, which runs before each landing, and to long runs. With RACED_TESTS=short
// short ones without the detector run it, too.
func Raced(t testing.TB) {
	t.Helper()
	if testing.Short() && !Race && os.Getenv("RACED_TESTS") != "short" {
		t.Skip("costs much; .ci/run race runs it")
	}
}

// NotUnderRace skips a single-goroutine test on hundreds of megabytes under the race
// detector.
func NotUnderRace(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("one goroutine, and too much work under the race detector")
	}
}

// Countdown is a context that ends after its error was asked for a number of times. It
// shows how long work continues after the end of its context, on a machine of any speed.
type Countdown struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

// EndsAfter returns a context that reports n times that it has not ended, unless ctx has.
func EndsAfter(ctx context.Context, n int) *Countdown {
	c := new(Countdown)
	c.Context, c.cancel = context.WithCancel(ctx)
	c.left.Store(int64(n))
	return c
}

// Err counts calls, and ends the context after the last.
func (c *Countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// Left returns how many answers are left; a negative number counts those given after the
// end.
func (c *Countdown) Left() int { return int(c.left.Load()) }

// StartSignals starts the runtime's goroutine for signals, which stays, for tests that count goroutines. Where SIGINT
// was ignored when the program was started, the first command would start it.
func StartSignals() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	signal.Stop(c)
}

// HasProc reports whether processes are in /proc: in some sandboxes they are hidden.
func HasProc() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}

// NeedProc skips a test that needs processes in /proc where these are hidden.
func NeedProc(t testing.TB) {
	t.Helper()
	if !HasProc() {
		t.Skip("no processes in /proc")
	}
}
