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
// found, in ascending order. any says that there may be some: the command is not Gone.
func (p *Process) Left() (pids []int, any bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return nil, false
	}
	pids, _ = p.tree.survivors(math.MaxInt64)
	return pids, true
}

// ErrNoInterrupt is returned by Interrupt where the system has nothing like it.
var ErrNoInterrupt = errors.New("there is no interrupt on this system")

// Interrupt does what Ctrl-C does in a terminal: the foreground processes get SIGINT, which
// are those of the shell's group. When the shell has ended, all that it left get it.
func (p *Process) Interrupt() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return nil
	}
	if p.input != nil && p.input.terminal {
		return p.Input("\x03", false)
	}
	return p.tree.interrupt()
}

// Terminate asks every process to end, by SIGTERM, and kills those that are left after
// TerminateTime.
func (p *Process) Terminate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		time.AfterFunc(cmp.Or(p.group.asked, TerminateTime), p.Kill)
		p.tree.terminate()
	}
}

// Kill ends every process at once, by SIGKILL. Like Interrupt and Terminate, it does not wait
// for that: Gone tells.
func (p *Process) Kill() { p.killing.Do(func() { close(p.kill) }) }
