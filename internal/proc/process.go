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

// Process is a command that runs, and all that it started.
type Process struct {
	group   *Group
	began   time.Time
	limit   time.Duration
	tree    *tree
	streams []*copier // stdout, or both together; stderr if it is apart
	cancel  context.CancelFunc

	copied  chan ending   // gets how the copying of each stream ended
	ended   chan struct{} // closed when outcome is set and all output is copied
	outcome Outcome
	kept    bool // the group has taken over tree and pipes
}

// Wait returns when the command has ended and all of its output was written. A panic in
// a Write ended the command's processes, and goes on here. Several goroutines may wait.
func (p *Process) Wait() Outcome {
	<-p.ended
	for _, s := range p.streams {
		if s.panicked != nil {
			panic(s.panicked)
		}
	}
	return p.outcome
}

// Stop ends the command and all of its processes, as the end of its context does. It
// does not wait for that.
func (p *Process) Stop() { p.cancel() }

// begin starts a command, in a goroutine: a file system that hangs, below the directory
// or the shell, must not hold the caller. If the context, the timeout or the group ends
// first, there is no Process but a reason. On Linux nothing of the command has run or will
// then; elsewhere it is ended as soon as it was started.
func (g *Group) begin(ctx context.Context, c Command, began time.Time) (*Process, Reason, error) {
	var settled atomic.Bool // the command runs, or is given up
	settle := func() bool { return settled.CompareAndSwap(false, true) }
	type start struct {
		process *Process
		err     error
	}
	started := make(chan start, 1)
	go func() {
		defer c.closeDir() // here, as a start may go on when Start has returned
		p, err := g.start(c, began, settle)
		started <- start{p, err}
	}()
	timeout := time.NewTimer(time.Until(began.Add(c.Timeout)))
	defer timeout.Stop()
	reason := Canceled
	select {
	case s := <-started:
		return s.process, Exited, s.err
	case <-timeout.C:
		reason = TimedOut
	case <-ctx.Done():
	case <-g.closing:
	}
	if !settle() { // it runs: run ends it
		s := <-started
		return s.process, reason, s.err
	}
	go func() {
		if s := <-started; s.process != nil { // where a start cannot be taken back
			s.process.tree.end()
			s.process.tree.reap()
			closeStreams(s.process.streams)
			s.process.tree.release()
		}
	}()
	return nil, reason, nil
}

// start starts the command's shell. Where that is possible, nothing of the command has
// run if permit returns false.
func (g *Group) start(c Command, began time.Time, permit func() bool) (*Process, error) {
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
	return &Process{
		group:   g,
		began:   began,
		limit:   c.Timeout,
		tree:    t,
		streams: streams,
		copied:  make(chan ending, len(streams)),
		ended:   make(chan struct{}),
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
func (p *Process) setDeadline(t time.Time) {
	for _, s := range p.streams {
		s.from.setDeadline(t)
	}
}

// run copies the output and settles the processes.
func (p *Process) run(ctx context.Context) {
	defer close(p.ended)
	defer p.cancel()
	var copying sync.WaitGroup
	for _, s := range p.streams {
		copying.Go(func() { p.copy(s) })
	}
	p.control(ctx)
	copying.Wait()
	if !p.kept {
		closeStreams(p.streams)
		p.tree.release()
	}
}

// copy copies a stream. A panic is kept for Wait.
func (p *Process) copy(s *copier) {
	end := copyAbandoned
	defer func() {
		s.panicked = recover()
		p.copied <- end
	}()
	end = s.run()
}

// control waits for whatever ends the call and settles its processes.
func (p *Process) control(ctx context.Context) {
	defer p.group.calls.Done()
	timeout := time.NewTimer(time.Until(p.began.Add(p.limit)))
	defer timeout.Stop()

	for open := len(p.streams); ; {
		select {
		case <-p.tree.exited():
			p.linger(ctx, open)
			return
		case end := <-p.copied:
			if end != copyDone {
				p.stop(reasonOf(end))
				return
			}
			open-- // its writers are gone; the shell may live on
		case <-timeout.C:
			p.stop(TimedOut)
			return
		case <-ctx.Done():
			p.stop(Canceled)
			return
		case <-p.group.closing:
			p.stop(Canceled)
			return
		}
	}
}

// linger takes over when the shell has ended by itself. open is the number of streams
// that have not ended. The timeout does not count any more: the command was in time.
func (p *Process) linger(ctx context.Context, open int) {
	p.setDeadline(time.Now().Add(cmp.Or(p.group.linger, lingerTime)))
	for ; open > 0; open-- {
		select {
		case end := <-p.copied:
			if end != copyDone {
				p.stop(reasonOf(end))
				return
			}
		case <-ctx.Done():
			p.stop(Canceled)
			return
		case <-p.group.closing:
			p.stop(Canceled)
			return
		}
	}
	p.outcome.Reason = Exited
	background, all := p.tree.survivors(time.Since(p.began))
	p.outcome.Background = background
	p.outcome.ExitCode, p.outcome.Signal = p.tree.reap()
	p.outcome.Duration = time.Since(p.began)
	hasWriter := func(s *copier) bool { return !s.ended }
	if len(background) > 0 || !all || slices.ContainsFunc(p.streams, hasWriter) {
		p.kept = true
		p.group.keep(p.tree, p.streams)
	}
}

// stop ends every process of the command. Meanwhile the output is copied on, so that
// its end is complete: what a process writes when it is told to end is often the reason
// why it hung.
func (p *Process) stop(r Reason) {
	if r == OutputLimit {
		closeStreams(p.streams) // a writer that is blocked fails at once
	}
	all := p.tree.end()
	p.setDeadline(time.Now().Add(tailTime))
	p.tree.reap()
	p.outcome = Outcome{Reason: r, ExitCode: -1, Uncertain: !all, Duration: time.Since(p.began)}
}

func reasonOf(e ending) Reason {
	if e == copyOverflow {
		return OutputLimit
	}
	return Canceled
}
