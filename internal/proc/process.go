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
	// waitDelay is how long a call waits for more output after the shell has ended. It may come from a process
	// substitution, or from a child that outlives the shell briefly.
	waitDelay = 100 * time.Millisecond
	// killDelay is how long a call waits for the rest of the output after it has ended every
	// process. The pipe ends sooner unless a process could not be ended.
	killDelay = 100 * time.Millisecond
)

// Process is a running command with everything that it started.
type Process struct {
	group   *Group
	command Command
	began   time.Time
	tree    *tree
	state   *os.File  // the file for the shell's state, or nil
	defined *os.File  // the file for its functions and aliases, or nil
	streams []*copier // stdout with stderr in it, or stdout and stderr
	input   *input    // nil without Command.Input
	cancel  context.CancelFunc

	left    atomic.Int64  // bytes that may still be copied to Output and Stderr
	copied  chan Reason   // receives why the copying of each stream ended
	ended   chan struct{} // closed when outcome is set and all output is copied
	gone    chan struct{} // closed when no process or open pipe is left
	outcome Outcome

	killing sync.Once
	kill    chan struct{} // closed by Kill
	excess  chan struct{} // closed when the command holds more than MaxMemory
	detach  chan detaching

	unwatch context.CancelFunc // stops tree.watch; nil unless the process is in the background
	ending  sync.Once          // runs end once

	mu       sync.Mutex // held while signalling, so that the control group is not reused
	released bool       // release was called
	limit    int        // the last result of ProcessLimit
}

func newProcess(g *Group, c Command, began time.Time) *Process {
	p := &Process{group: g, command: c, began: began, copied: make(chan Reason, 2),
		ended: make(chan struct{}), gone: make(chan struct{}), kill: make(chan struct{}), detach: make(chan detaching),
		excess: make(chan struct{})}
	p.left.Store(c.MaxOutput)
	return p
}

// Wait returns when the command has ended and all of its output was written. If a Write panicked, the command was
// canceled and Wait panics with the same value. Several goroutines may wait.
func (p *Process) Wait() Outcome {
	<-p.ended
	for _, s := range p.streams {
		if s.panicked != nil {
			panic(s.panicked)
		}
	}
	return p.outcome
}

// begin starts a command in a goroutine, because the file system of the directory or the shell may hang. If the
// context, the timeout or the group ends first, begin returns no Process but a reason. On Linux, nothing of the
// command ever runs then; elsewhere the command is killed as soon as it has started.
func (g *Group) begin(ctx context.Context, c Command, began time.Time) (*Process, Reason, error) {
	var decided atomic.Bool // set once: either the command runs, or begin has given up
	decide := func() bool { return decided.CompareAndSwap(false, true) }
	type start struct {
		process *Process
		err     error
	}
	started := make(chan start, 1)
	go func() {
		defer c.OpenDir.Close() // here, because this may go on after Start has returned
		p, err := g.start(c, began, decide)
		started <- start{p, err}
	}()
	limit := c.Timeout
	if c.Detached || c.Overrun != nil {
		limit = cmp.Or(c.StartTimeout, c.Timeout)
	}
	timeout := time.NewTimer(time.Until(began.Add(limit)))
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
	if !decide() { // the command runs, and Process.run ends it
		s := <-started
		return s.process, reason, s.err
	}
	go func() {
		if s := <-started; s.process != nil { // on systems without a gate
			s.process.tree.end(true)
			s.process.tree.reap()
			s.process.state.Close()
			s.process.defined.Close()
			s.process.release()
		}
	}()
	return nil, reason, nil
}

// start starts the command's shell. On Linux nothing of the command runs unless permit returns true.
func (g *Group) start(c Command, began time.Time, permit func() bool) (*Process, error) {
	c.Sandbox = cmp.Or[Sandbox](c.Sandbox, Unconfined{})
	c.Output = cmp.Or[io.Writer](c.Output, io.Discard)
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
	p.state, p.defined, shell.state, shell.defined = shell.state, shell.defined, nil, nil
	return p, nil
}

// open opens the pipes or the terminal, and returns the command's ends of them: stdin,
// stdout, and stderr if Command.Stderr is set.
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
		p.streams, ends = append(p.streams, &copier{from: out, to: sink, left: &p.left}), append(ends, in)
	}
	return ends, nil
}

func (p *Process) openInput() (*os.File, error) {
	if !p.command.Input {
		return os.Open(os.DevNull)
	}
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("input pipe: %w", err)
	}
	p.input = &input{file: in}
	p.input.reads, _ = stdin.Stat()
	return stdin, nil
}

func (p *Process) openTerminal() ([]*os.File, error) {
	ours, theirs, err := newTerminal()
	if err != nil {
		return nil, fmt.Errorf("terminal: %w", err)
	}
	p.streams = []*copier{{from: ours, to: p.command.Output, left: &p.left}}
	p.input = &input{file: ours.File, terminal: true}
	p.input.reads, _ = theirs.Stat()
	return []*os.File{theirs, theirs}, nil
}

func (p *Process) closeFiles() {
	closeStreams(p.streams)
	if p.input != nil {
		p.input.close()
	}
}

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

func (p *Process) setDeadline(t time.Time) {
	for _, s := range p.streams {
		s.from.SetReadDeadline(t)
	}
}

func (p *Process) run(ctx context.Context) {
	defer p.cancel()
	defer p.state.Close()
	defer p.defined.Close()
	var copying sync.WaitGroup
	for _, s := range p.streams {
		copying.Go(func() {
			reason := Canceled // in case Write ends the goroutine
			defer func() { p.copied <- reason }()
			reason = s.run()
		})
	}
	if limit := p.command.MaxMemory; limit > 0 {
		go func() {
			if p.tree.watchMemory(limit, p.gone) {
				close(p.excess)
			}
		}()
	}
	p.control(ctx)
	copying.Wait()
	if p.unwatch == nil {
		p.release()
		defer close(p.gone)
	}
	close(p.ended)
}

// control waits until something ends the call, and then ends the call's processes or leaves
// them to the group.
func (p *Process) control(ctx context.Context) {
	defer p.group.calls.Done()
	timeout := time.NewTimer(time.Until(p.began.Add(p.command.Timeout)))
	defer timeout.Stop()
	if p.command.Detached {
		timeout.Stop()
	}
	var silence *silence
	var looks <-chan time.Time
	if p.command.IdleTimeout > 0 && !p.command.Detached {
		silence = p.newSilence()
		defer silence.Stop()
		looks = silence.C
	}
	exited := p.tree.done
	for open := len(p.streams); exited != nil || open > 0; {
		reason := Exited
		select {
		case <-exited: // from here on waitDelay counts, not the timeout
			exited, looks = nil, nil
			timeout.Stop()
			p.setDeadline(time.Now().Add(cmp.Or(p.group.waitDelay, waitDelay)))
		case reason = <-p.copied:
			open-- // the shell may run on without it
		case <-timeout.C:
			if p.tree.ended() {
				continue // exited is about to be closed: this goroutine may itself be late
			}
			if !p.overruns(p.mayOverrun(TimedOut)) {
				reason = TimedOut
			}
		case now := <-looks:
			if silence.over(now) && !p.tree.ended() && !p.overruns(p.mayOverrun(IdleOut)) {
				reason = IdleOut
			}
		case ask := <-p.detach:
			ask.answer <- exited != nil && p.overruns(ask.permit)
		case <-ctx.Done():
			reason = Canceled
		case <-p.group.closing:
			reason = Canceled
		case <-p.kill:
			reason = Killed
		case <-p.excess:
			reason = MemoryLimit
		}
		if reason != Exited {
			p.stop(reason)
			return
		}
		if p.command.Detached {
			timeout.Stop()
			looks = nil
		}
	}
	if p.command.MaxMemory > 0 && p.tree.ranOut() {
		p.stop(MemoryLimit) // the kernel ended one process; the shell may have gone on
		return
	}
	p.finish()
}

// closedWithin reports whether c is closed within d. The second select is for a busy machine, on which both channels
// may be ready by the time of the first.
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

// finish sets the outcome of a call whose shell has exited, and leaves what still runs to the
// group.
func (p *Process) finish() {
	p.outcome.Reason = Exited
	background, all := p.tree.survivors(time.Since(p.began))
	p.outcome.Background = background
	p.outcome.ExitCode, p.outcome.Signal = p.tree.reap()
	if p.state != nil {
		p.outcome.State = readState(p.state, p.defined)
	}
	p.outcome.Duration, p.outcome.ProcessLimit = time.Since(p.began), p.ProcessLimit()
	hasWriter := func(s *copier) bool { return !s.ended }
	if len(background) > 0 || !all || slices.ContainsFunc(p.streams, hasWriter) {
		p.group.keepBackground(p)
	}
}

// stop ends every process of the command. The output is still copied meanwhile: what a
// process writes on SIGTERM often says why it hung.
func (p *Process) stop(r Reason) {
	if r == OutputLimit {
		closeStreams(p.streams) // makes a blocked writer fail at once
	}
	all := p.tree.end(r != Killed && r != MemoryLimit) // without SIGTERM, after which it could take still more
	p.setDeadline(time.Now().Add(killDelay))
	code, signal := p.tree.reap()
	p.outcome = Outcome{
		Reason: r, ExitCode: -1, Uncertain: !all, Duration: time.Since(p.began), ProcessLimit: p.ProcessLimit(),
	}
	if p.command.Detached {
		p.outcome.ExitCode, p.outcome.Signal = code, signal
	}
}
