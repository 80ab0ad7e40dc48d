package proc

import (
	"cmp"
	"errors"
	"math"
	"time"
)

// TerminateTime is how long processes have to end after Terminate, before they are killed.
const TerminateTime = 2 * time.Second

// Ended is closed when Wait would return.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Gone is closed when nothing is left of the command: no process, and no writer of its
// output.
func (p *Process) Gone() <-chan struct{} { return p.gone }

// Left returns the processes that an ended shell has left running, as far as they can be
// found, in ascending order. It reports false if there can be none: the command is Gone.
func (p *Process) Left() (pids []int, some bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.released {
		return nil, false
	}
	pids, _ = p.tree.survivors(math.MaxInt64)
	return pids, true
}

// ErrNoInterrupt is the error of Interrupt on systems that have no such signal.
var ErrNoInterrupt = errors.New("there is no interrupt on this system")

// Interrupt does what Ctrl-C does in a terminal: it sends SIGINT to the foreground processes,
// which are those of the shell's group. Once the shell has ended, it sends SIGINT to all
// processes that the shell left.
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

// Terminate sends SIGTERM to every process, and kills those that are left after
// TerminateTime.
func (p *Process) Terminate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.released {
		time.AfterFunc(cmp.Or(p.group.terminateTime, TerminateTime), p.Kill)
		p.tree.terminate()
	}
}

// Kill ends every process at once, by SIGKILL. Like Interrupt and Terminate, it does not wait
// for their end; Gone does.
func (p *Process) Kill() { p.killing.Do(func() { close(p.kill) }) }
