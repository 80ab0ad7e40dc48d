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
	// lingerTime is how long a call waits for more output after the shell has ended: from a
	// process substitution, or from a child that outlives the shell by a moment.
	lingerTime = 100 * time.Millisecond
	// tailTime is how long a call waits for the end of the output once it has ended every
	// process. By then the pipe is at its end, unless a process could not be ended.
	tailTime = 100 * time.Millisecond
)

// Process is a running command with all that it started.
type Process struct {
	group   *Group
	command Command
	began   time.Time
	tree    *tree
	state   *os.File  // where the shell saves its state, or nil
	streams []*copier // stdout, or both together; stderr if it is apart
	input   *input    // or nil
	cancel  context.CancelFunc

	left    atomic.Int64  // bytes of output that may still be passed on
	copied  chan Reason   // receives how the copying of each stream ended
	ended   chan struct{} // closed when outcome is set and all output is copied
	gone    chan struct{} // closed when nothing is left of it
	outcome Outcome

	killing sync.Once
	kill    chan struct{} // closed by Kill

	unwatch context.CancelFunc // stops tree.watch; nil unless the group has taken over tree and pipes
	ending  sync.Once          // ends what the group took over

	mu       sync.Mutex // held while processes are signalled, so that their control group is not reused
	released bool       // release was called
}

func newProcess(g *Group, c Command, began time.Time) *Process {
	p := &Process{group: g, command: c, began: began, copied: make(chan Reason, 2),
		ended: make(chan struct{}), gone: make(chan struct{}), kill: make(chan struct{})}
	p.left.Store(c.MaxOutput)
	return p
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
		defer c.OpenDir.Close() // here, as a start may go on when Start has returned
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
			s.process.tree.end(true)
			s.process.tree.reap()
			s.process.state.Close()
			s.process.release()
		}
	}()
	return nil, reason, nil
}

// start starts the command's shell. Where that is possible, nothing of the command has
// run if permit returns false.
func (g *Group) start(c Command, began time.Time, permit func() bool) (*Process, error) {
	shell, err := shellFor(c)
	if err != nil {
		return nil, err
	}
	defer shell.close()
	p := newProcess(g, c, began)
	files, err := p.open()
	if err == nil {
		p.tree, err = g.supervisor.start(shell, c, []*os.File{files[0], files[1], files[len(files)-1]}, permit)
	}
	closeAll(files)
	if err != nil {
		p.closeFiles()
		return nil, err
	}
	p.state, shell.state = shell.state, nil
	return p, nil
}

// open opens what the command's descriptors lead to, and returns the ends that the command
// gets: stdin, stdout, and stderr if that is apart.
func (p *Process) open() (ends []*os.File, err error) {
	if p.command.Terminal {
		return p.openTerminal()
	}
	stdin, err := p.openInput()
	if err != nil {
		return nil, err
	}
	ends = append(ends, stdin)
	sinks := []io.Writer{p.command.Output}
	if p.command.Stderr != nil {
		sinks = append(sinks, p.command.Stderr)
	}
	for _, sink := range sinks {
		out, in, err := newPipe()
		if err != nil {
			return ends, fmt.Errorf("output pipe: %w", err)
		}
		p.streams, ends = append(p.streams, newCopier(out, sink, &p.left)), append(ends, in)
	}
	return ends, nil
}

// openInput opens stdin for the command.
func (p *Process) openInput() (*os.File, error) {
	if !p.command.Input {
		return os.Open(os.DevNull)
	}
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("input pipe: %w", err)
	}
	p.input = &input{file: in}
	return stdin, nil
}

// openTerminal opens a terminal for the command.
func (p *Process) openTerminal() ([]*os.File, error) {
	ours, theirs, err := newTerminal()
	if err != nil {
		return nil, fmt.Errorf("terminal: %w", err)
	}
	p.streams = []*copier{newCopier(ours, p.command.Output, &p.left)}
	p.input = &input{file: ours.File, terminal: true}
	return []*os.File{theirs, theirs}, nil
}

// closeFiles closes the program's own ends.
func (p *Process) closeFiles() {
	closeStreams(p.streams)
	if p.input != nil {
		p.input.close()
	}
}

// release frees what the process holds.
func (p *Process) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.released = true
	p.closeFiles()
	p.tree.release()
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
		s.from.SetReadDeadline(t)
	}
}

// run copies the output and settles the processes.
func (p *Process) run(ctx context.Context) {
	defer p.cancel()
	defer p.state.Close()
	var copying sync.WaitGroup
	for _, s := range p.streams {
		copying.Go(func() { p.copy(s) })
	}
	p.control(ctx)
	copying.Wait()
	if p.unwatch == nil {
		p.release()
		defer close(p.gone)
	}
	close(p.ended)
}

// copy copies a stream. A panic is kept for Wait.
func (p *Process) copy(s *copier) {
	reason := Canceled
	defer func() {
		s.panicked = recover()
		p.copied <- reason
	}()
	reason = s.run()
}

// control waits for whatever ends the call and settles its processes.
func (p *Process) control(ctx context.Context) {
	defer p.group.calls.Done()
	timeout := time.NewTimer(time.Until(p.began.Add(p.command.Timeout)))
	defer timeout.Stop()
	if p.command.Detached {
		timeout.Stop()
	}
	exited := p.tree.done
	for open := len(p.streams); exited != nil || open > 0; {
		reason := Exited
		select {
		case <-exited: // in time: what comes still is waited for a moment, whatever the timeout
			exited = nil
			timeout.Stop()
			p.setDeadline(time.Now().Add(cmp.Or(p.group.linger, lingerTime)))
		case reason = <-p.copied:
			open-- // its writers are gone; the shell may live on
		case <-timeout.C:
			if p.tree.ended() {
				continue // in time, or not much later: this goroutine may be late itself
			}
			if p.command.Overrun == nil || !p.command.Overrun() {
				reason = TimedOut
			} else {
				p.command.Detached = true
			}
		case <-ctx.Done():
			reason = Canceled
		case <-p.group.closing:
			reason = Canceled
		case <-p.kill:
			reason = Killed
		}
		if reason != Exited {
			p.stop(reason)
			return
		}
	}
	p.settle()
}

// closedWithin reports whether c is closed within d. On a busy machine both may be so by the time
// that a goroutine looks.
func closedWithin(c <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c:
		return true
	case <-timer.C:
	}
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// settle takes stock when the shell has ended by itself.
func (p *Process) settle() {
	p.outcome.Reason = Exited
	background, all := p.tree.survivors(time.Since(p.began))
	p.outcome.Background = background
	p.outcome.ExitCode, p.outcome.Signal = p.tree.reap()
	p.outcome.State = readState(p.state)
	p.outcome.Duration, p.outcome.Crowded = time.Since(p.began), p.tree.crowded()
	hasWriter := func(s *copier) bool { return !s.ended }
	if len(background) > 0 || !all || slices.ContainsFunc(p.streams, hasWriter) {
		p.group.keepBackground(p)
	}
}

// stop ends every process of the command. Meanwhile the output is copied on, so that
// its end is complete: what a process writes when it is told to end is often the reason
// why it hung.
func (p *Process) stop(r Reason) {
	if r == OutputLimit {
		closeStreams(p.streams) // a writer that is blocked fails at once
	}
	all := p.tree.end(r != Killed)
	p.setDeadline(time.Now().Add(tailTime))
	code, signal := p.tree.reap()
	p.outcome = Outcome{Reason: r, ExitCode: -1, Uncertain: !all, Duration: time.Since(p.began), Crowded: p.tree.crowded()}
	if p.command.Detached {
		p.outcome.ExitCode, p.outcome.Signal = code, signal
	}
}
