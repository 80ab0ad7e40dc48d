package proc

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

const (
	// lingerTime is how long output that is on its way is waited for after the shell
	// has ended: of a process substitution, or a child that outlives it by a moment.
	lingerTime = 100 * time.Millisecond
	// tailTime is how long the end of the output is waited for once every process has
	// been ended. The pipe is at its end by then unless a process could not be ended.
	tailTime = 100 * time.Millisecond
)

// call is one command that runs.
type call struct {
	group  *Group
	began  time.Time
	limit  time.Duration
	tree   *tree
	copier copier

	copied  chan ending   // gets how the copying ended, once
	settled chan struct{} // closed when the processes are settled and outcome is set
	outcome Outcome
	kept    bool // the group has taken over tree and pipe
}

// start starts the command's shell.
func (g *Group) start(c Command, began time.Time) (*call, error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	shell, err := shellFor(c.Script)
	if err != nil {
		return nil, err
	}
	defer shell.close()
	out, in, err := newPipe()
	if err != nil {
		return nil, fmt.Errorf("output pipe: %w", err)
	}
	t, err := g.forest.plant(shell, c, null, in)
	in.Close()
	if err != nil {
		out.Close()
		shell.discard()
		if missing := checkDir(c.Dir); missing != nil {
			err = missing
		}
		return nil, err
	}
	sink := c.Output
	if sink == nil {
		sink = io.Discard
	}
	return &call{
		group:   g,
		began:   began,
		limit:   c.Timeout,
		tree:    t,
		copier:  copier{from: out, to: sink, max: c.MaxOutput},
		copied:  make(chan ending, 1),
		settled: make(chan struct{}),
	}, nil
}

// run copies the output in the caller's goroutine, so that a panic of its writer is
// the caller's own, while control settles the processes in another one.
func (c *call) run(ctx context.Context) (o Outcome) {
	go c.control(ctx)
	end := copyAbandoned
	defer func() {
		c.copied <- end // a panic or runtime.Goexit leaves it at copyAbandoned
		<-c.settled
		if !c.kept {
			c.copier.from.Close()
			c.tree.release()
		}
		o = c.outcome
	}()
	end = c.copier.run()
	return
}

// control waits for whatever ends the call and settles its processes.
func (c *call) control(ctx context.Context) {
	defer c.group.calls.Done()
	defer close(c.settled)
	timeout := time.NewTimer(time.Until(c.began.Add(c.limit)))
	defer timeout.Stop()

	copied := c.copied
	for {
		select {
		case <-c.tree.exited():
			c.linger(ctx, copied)
			return
		case end := <-copied:
			if end != copyDone {
				c.stop(reasonOf(end))
				return
			}
			copied = nil // every writer is gone; the shell may live on
		case <-timeout.C:
			c.stop(TimedOut)
			return
		case <-ctx.Done():
			c.stop(Canceled)
			return
		case <-c.group.closing:
			c.stop(Canceled)
			return
		}
	}
}

// linger takes over when the shell has ended by itself. copied is nil if the output has
// ended before. The timeout does not count any more: the command was in time.
func (c *call) linger(ctx context.Context, copied <-chan ending) {
	if copied != nil {
		c.copier.from.setDeadline(time.Now().Add(lingerTime))
		select {
		case end := <-copied:
			if end == copyOverflow || end == copyAbandoned {
				c.stop(reasonOf(end))
				return
			}
		case <-ctx.Done():
			c.stop(Canceled)
			return
		case <-c.group.closing:
			c.stop(Canceled)
			return
		}
	}
	c.outcome.Reason = Exited
	c.outcome.Background = c.tree.survivors(time.Since(c.began))
	c.outcome.ExitCode, c.outcome.Signal = c.tree.reap()
	c.outcome.Duration = time.Since(c.began)
	if len(c.outcome.Background) > 0 || !c.copier.ended {
		c.kept = true
		c.group.keep(c.tree, c.copier.from, c.copier.ended)
	}
}

// stop ends every process of the command. Meanwhile the output is copied on, so that
// its end is complete: what a process writes when it is told to end is often the reason
// why it hung.
func (c *call) stop(r Reason) {
	if r == OutputLimit {
		c.copier.from.Close() // a writer that is blocked fails at once
	}
	c.tree.end()
	c.copier.from.setDeadline(time.Now().Add(tailTime))
	c.tree.reap()
	c.outcome = Outcome{Reason: r, ExitCode: -1, Duration: time.Since(c.began)}
}

func reasonOf(e ending) Reason {
	if e == copyOverflow {
		return OutputLimit
	}
	return Canceled
}
