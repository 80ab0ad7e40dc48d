package proc

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestOutputLimitIsExact(t *testing.T) {
	t.Parallel()
	inTurn(t, 0, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		for _, n := range []int64{99999, 100000, 100001} {
			c := b.command("printf '%100000s'")
			c.MaxOutput = n
			o, out := b.run(c)
			want := Exited
			if n < 100000 {
				want = OutputLimit
			}
			if o.Reason != want || int64(len(out)) != min(n, 100000) {
				t.Errorf("limit %d: %+v, %d bytes", n, o, len(out))
			}
		}
	})
}

func TestWriteErrorsAreIgnored(t *testing.T) {
	t.Parallel()
	inTurn(t, 1, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		c := b.command("for i in 1 2 3; do echo $i; sleep 0.05; done; exit 3")
		var got strings.Builder
		c.Output = writerFunc(func(p []byte) (int, error) {
			got.Write(p)
			return 0, errors.New("disk full")
		})
		o, _ := b.run(c)
		if o.ExitCode != 3 || got.String() != "1\n2\n3\n" {
			t.Errorf("outcome %+v, output %q", o, got.String())
		}
	})
}

func TestWriterPanics(t *testing.T) {
	t.Parallel()
	for i, stream := range []string{"stdout", "stderr"} {
		t.Run(stream, func(t *testing.T) {
			inTurn(t, i, func(t *testing.T, g *Group) {
				b := newBench(t, g)
				c := b.command("trap '' PIPE TERM; setsid sleep $LONG & echo $! $$ >>$PIDS; echo; echo >&2; sleep $LONG")
				panics := writerFunc(func([]byte) (int, error) { panic("broken") })
				if c.Output = panics; stream == "stderr" {
					c.Output, c.Stderr = nil, panics
				}
				func() {
					defer func() {
						if p := recover(); p != "broken" {
							t.Errorf("recovered %v", p)
						}
					}()
					g.Run(context.Background(), c)
				}()
				b.noneLeft(2)
			})
		})
	}
}

func TestWriterExitsGoroutine(t *testing.T) {
	t.Parallel()
	inTurn(t, 0, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		c := b.command("echo $$ >>$PIDS; echo; sleep $LONG")
		c.Output = writerFunc(func([]byte) (int, error) { runtime.Goexit(); return 0, nil })
		var wait sync.WaitGroup
		wait.Go(func() { g.Run(context.Background(), c) })
		wait.Wait()
		b.noneLeft(1)
	})
}

// TestWriterBlocks checks that processes end in time when the output is not taken.
func TestWriterBlocks(t *testing.T) {
	t.Parallel()
	inTurn(t, 1, func(t *testing.T, g *Group) {
		untilInTime(func(timeout time.Duration) bool {
			b, began := newBench(t, g), false
			c := b.command("echo $$ >>$PIDS; echo; sleep $LONG")
			c.Timeout = timeout
			c.Output = writerFunc(func(p []byte) (int, error) {
				began = true
				eventually(t, func() error {
					for _, pid := range b.pids() {
						if alive(pid) {
							return errors.New("the shell is alive though the time is over")
						}
					}
					return nil
				})
				return len(p), nil
			})
			o, _ := b.run(c)
			if o.Reason != TimedOut {
				t.Errorf("outcome %+v", o)
			}
			if timeout < patience && !began {
				return false
			}
			b.noneLeft(1)
			return true
		})
	})
}

// TestSlowWriter checks that what was written before the end is passed on, even if that
// takes longer than what is waited for after the end.
func TestSlowWriter(t *testing.T) {
	t.Parallel()
	inTurn(t, 0, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		c := b.command("printf '%900000s'; sleep $LONG & printf end")
		var got strings.Builder
		c.Output = writerFunc(func(p []byte) (int, error) {
			time.Sleep(3 * waitDelay / 2)
			return got.Write(p)
		})
		if o, _ := b.run(c); o.Reason != Exited || got.Len() != 900003 || !strings.HasSuffix(got.String(), "end") {
			t.Errorf("outcome %+v with %d bytes", o, got.Len())
		}
	})
}

func TestNoOutput(t *testing.T) {
	t.Parallel()
	inTurn(t, 1, func(t *testing.T, g *Group) {
		c := newBench(t, g).command("echo hi; exit 2")
		if o, err := g.Run(context.Background(), c); err != nil || o.ExitCode != 2 {
			t.Errorf("%+v, %v", o, err)
		}
	})
}
