package proc

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
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
	group   *Group
	began   time.Time
	limit   time.Duration
	tree    *tree
	streams []*copier // stdout, or both together; stderr if it is apart

	copied   chan ending   // gets how the copying of each stream ended
	panicked any           // by the writer of a stream that is not the first
	settled  chan struct{} // closed when the processes are settled and outcome is set
	outcome  Outcome
	kept     bool // the group has taken over tree and pipes
}

// begin starts a command, in a goroutine: a file system that hangs, below the directory
// or the shell, must not hold the call. If the context, the timeout or the group ends
// first, there is no call but a reason. On Linux nothing of the command has run or will
// then; elsewhere it is ended as soon as it was started.
func (g *Group) begin(ctx context.Context, c Command, began time.Time) (*call, Reason, error) {
	var settled atomic.Bool // the command runs, or is given up
	settle := func() bool { return settled.CompareAndSwap(false, true) }
	type start struct {
		call *call
		err  error
	}
	started := make(chan start, 1)
	go func() {
		defer c.closeDir() // here, as a start may go on when Run has returned
		call, err := g.start(c, began, settle)
		started <- start{call, err}
	}()
	timeout := time.NewTimer(time.Until(began.Add(c.Timeout)))
	defer timeout.Stop()
	reason := Canceled
	select {
	case s := <-started:
		return s.call, Exited, s.err
	case <-timeout.C:
		reason = TimedOut
	case <-ctx.Done():
	case <-g.closing:
	}
	if !settle() { // it runs: run ends it
		s := <-started
		return s.call, reason, s.err
	}
	go func() {
		if s := <-started; s.call != nil { // where a start cannot be taken back
			s.call.tree.end()
			s.call.tree.reap()
			closeStreams(s.call.streams)
			s.call.tree.release()
		}
	}()
	return nil, reason, nil
}

// start starts the command's shell. Where that is possible, nothing of the command has
// run if permit returns false.
func (g *Group) start(c Command, began time.Time, permit func() bool) (*call, error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	shell, err := shellFor(c)
	if err != nil {
		return nil, err
	}
	defer shell.close()
	streams, ends, err := newStreams(c)
	if err != nil {
		return nil, fmt.Errorf("output pipe: %w", err)
	}
	t, err := g.forest.plant(shell, c, []*os.File{null, ends[0], ends[len(ends)-1]}, permit)
	closeAll(ends)
	if err != nil {
		closeStreams(streams)
		shell.discard()
		return nil, err
	}
	return &call{
		group:   g,
		began:   began,
		limit:   c.Timeout,
		tree:    t,
		streams: streams,
		copied:  make(chan ending, len(streams)),
		settled: make(chan struct{}),
	}, nil
}

// newStreams makes the pipes of a command, one or two, and returns the ends that the
// command writes to with them.
func newStreams(c Command) (streams []*copier, ends []*os.File, err error) {
	sinks := []io.Writer{c.Output}
	if c.Output == nil {
		sinks[0] = io.Discard
	}
	if c.Stderr != nil {
		sinks = append(sinks, c.Stderr)
	}
	var left atomic.Int64
	left.Store(c.MaxOutput)
	for _, sink := range sinks {
		out, in, err := newPipe()
		if err != nil {
			closeStreams(streams)
			closeAll(ends)
			return nil, nil, err
		}
		streams, ends = append(streams, &copier{from: out, to: sink, left: &left}), append(ends, in)
	}
	return streams, ends, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

func closeStreams(streams []*copier) {
	for _, s := range streams {
		s.from.Close()
	}
}

// setDeadline sets when the copying ends at the latest.
func (c *call) setDeadline(t time.Time) {
	for _, s := range c.streams {
		s.from.setDeadline(t)
	}
}

// run copies the output in the caller's goroutine, so that a panic of its writer is
// the caller's own, while control settles the processes in another one.
func (c *call) run(ctx context.Context) (o Outcome) {
	go c.control(ctx)
	var others sync.WaitGroup
	for _, s := range c.streams[1:] {
		others.Go(func() { c.copyAside(s) })
	}
	end := copyAbandoned
	defer func() {
		c.copied <- end // a panic or runtime.Goexit leaves it at copyAbandoned
		others.Wait()
		<-c.settled
		if !c.kept {
			closeStreams(c.streams)
			c.tree.release()
		}
		if c.panicked != nil {
			panic(c.panicked)
		}
		o = c.outcome
	}()
	end = c.streams[0].run()
	return
}

// copyAside copies a stream in a goroutine of its own. A panic is kept for the caller's.
func (c *call) copyAside(s *copier) {
	end := copyAbandoned
	defer func() {
		c.panicked = recover()
		c.copied <- end
	}()
	end = s.run()
}

// control waits for whatever ends the call and settles its processes.
func (c *call) control(ctx context.Context) {
	defer c.group.calls.Done()
	defer close(c.settled)
	timeout := time.NewTimer(time.Until(c.began.Add(c.limit)))
	defer timeout.Stop()

	for open := len(c.streams); ; {
		select {
		case <-c.tree.exited():
			c.linger(ctx, open)
			return
		case end := <-c.copied:
			if end != copyDone {
				c.stop(reasonOf(end))
				return
			}
			open-- // its writers are gone; the shell may live on
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

// linger takes over when the shell has ended by itself. open is the number of streams
// that have not ended. The timeout does not count any more: the command was in time.
func (c *call) linger(ctx context.Context, open int) {
	c.setDeadline(time.Now().Add(cmp.Or(c.group.linger, lingerTime)))
	for ; open > 0; open-- {
		select {
		case end := <-c.copied:
			if end != copyDone {
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
	background, all := c.tree.survivors(time.Since(c.began))
	c.outcome.Background = background
	c.outcome.ExitCode, c.outcome.Signal = c.tree.reap()
	c.outcome.Duration = time.Since(c.began)
	hasWriter := func(s *copier) bool { return !s.ended }
	if len(background) > 0 || !all || slices.ContainsFunc(c.streams, hasWriter) {
		c.kept = true
		c.group.keep(c.tree, c.streams)
	}
}

// stop ends every process of the command. Meanwhile the output is copied on, so that
// its end is complete: what a process writes when it is told to end is often the reason
// why it hung.
func (c *call) stop(r Reason) {
	if r == OutputLimit {
		closeStreams(c.streams) // a writer that is blocked fails at once
	}
	all := c.tree.end()
	c.setDeadline(time.Now().Add(tailTime))
	c.tree.reap()
	c.outcome = Outcome{Reason: r, ExitCode: -1, Uncertain: !all, Duration: time.Since(c.began)}
}

func reasonOf(e ending) Reason {
	if e == copyOverflow {
		return OutputLimit
	}
	return Canceled
}
