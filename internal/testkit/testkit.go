// Package testkit provides what the tests of several packages share.
package testkit

import (
	"context"
	"os"
	"sync/atomic"
	"testing"
)

// Some returns how many of n rounds a test makes: all of them, or a tenth with -short or
// under the race detector. It is for work of one goroutine, in which that finds nothing,
// at ten times the cost; the tests run without it as well.
func Some(n int) int {
	if Race || testing.Short() {
		return max(n/10, 1)
	}
	return n
}

// NotUnderRace skips a test of one goroutine that works on hundreds of megabytes.
func NotUnderRace(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("one goroutine, and too much work under the race detector")
	}
}

// Countdown is a context that ends when it was asked for its error so many times. It
// tells how far work goes on after the end of its context, on a machine of any speed.
type Countdown struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

// EndsAfter returns a context that answers n times that it has not ended, unless ctx has.
func EndsAfter(ctx context.Context, n int) *Countdown {
	c := new(Countdown)
	c.Context, c.cancel = context.WithCancel(ctx)
	c.left.Store(int64(n))
	return c
}

// Err counts, and ends the context when it is time.
func (c *Countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// Left returns how many answers are left; below zero it is how many were given after the end.
func (c *Countdown) Left() int { return int(c.left.Load()) }

// NeedProc skips a test that looks at processes through /proc where that is hidden, as
// it is in some sandboxes.
func NeedProc(t testing.TB) {
	t.Helper()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("no /proc: ", err)
	}
}
