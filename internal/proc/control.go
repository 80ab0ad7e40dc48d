package proc

import (
	"cmp"
	"errors"
	"math"
	"time"
)

// TerminateTime is how long processes have to end after Terminate before they are killed.
const TerminateTime = 2 * time.Second

// Ended returns a channel that is closed when Wait would return.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Gone returns a channel that is closed when no process of the command and no writer of its
// output is left.
func (p *Process) Gone() <-chan struct{} { return p.gone }

// Left returns the processes that an ended shell left running, as far as they can be found, in
// ascending order. It returns false if the command is Gone.
func (p *Process) Left() (pids []int, some bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.released {
		return nil, false
	}
	pids, _ = p.tree.survivors(math.MaxInt64)
	return pids, true
}

// NoneLeft reports whether it is certain that no process of an ended command is left.
func (p *Process) NoneLeft() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.released && !p.outcome.Uncertain && p.tree.findsAll()
}

// ProcessLimit returns the limit of processes and threads if the command, or what it left running, tried to start more
// so far; else 0.
func (p *Process) ProcessLimit() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.released {
		p.limit = p.tree.processLimit()
	}
	return p.limit
}

// MemoryLimit returns Command.MaxMemory if the command, or what it left running, was ended because it held more; else 0.
func (p *Process) MemoryLimit() int64 {
	reason := Exited // not ended by the limit yet
	if closedWithin(p.ended, 0) {
		reason = p.outcome.Reason
	}
	if reason == MemoryLimit || reason == Exited && closedWithin(p.excess, 0) {
		return p.command.MaxMemory
	}
	return 0
}

// ErrNoInterrupt is the error of Interrupt on systems that have no such signal.
var ErrNoInterrupt = errors.New("there is no interrupt on this system")

// Interrupt does what Ctrl-C does in a terminal: it sends SIGINT to the processes of the
// shell's group. Once the shell has ended, it sends SIGINT to all processes that the shell left.
func (p *Process) Interrupt() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.released {
		return nil
	}
	if p.input != nil && p.input.terminal {
		return p.Input("\x03", false)
	}
	return p.tree.interrupt()
}

// Terminate sends SIGTERM to every process, and kills those that still run after TerminateTime.
func (p *Process) Terminate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.released {
		p.tree.terminate()
		time.AfterFunc(cmp.Or(p.group.terminateTime, TerminateTime), p.Kill)
	}
}

// Kill sends SIGKILL to every process. Like Interrupt and Terminate, it does not wait until the
// processes have ended; Gone tells.
func (p *Process) Kill() { p.killing.Do(func() { close(p.kill) }) }
