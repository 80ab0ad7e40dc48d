package proc

import (
	"slices"
	"time"
)

// detaching asks the goroutine that controls a command to let it run on.
type detaching struct {
	permit func() bool
	answer chan bool
}

// Detach makes the command Detached if its shell runs and permit returns true. It reports whether it did, and returns
// false if the command was Detached already. permit must not wait for the process.
func (p *Process) Detach(permit func() bool) bool {
	ask := detaching{permit, make(chan bool, 1)}
	select {
	case p.detach <- ask:
		return <-ask.answer
	case <-p.ended:
		return false
	}
}

func (p *Process) overruns(permit func() bool) bool {
	if p.command.Detached || p.tree.ended() || !permit() {
		return false
	}
	p.command.Detached = true
	return true
}

// mayOverrun asks Command.Overrun whether the command may go on.
func (p *Process) mayOverrun(why Reason) func() bool {
	return func() bool { return p.command.Overrun != nil && p.command.Overrun(why) }
}

const (
	idleLooks   = 16 // looks during Command.IdleTimeout
	minIdleLook = 10 * time.Millisecond
	maxIdleLook = 5 * time.Second
)

// silence notices that a command prints nothing. It looks at intervals whether something was printed since its last
// look.
type silence struct {
	*time.Ticker
	process *Process
	every   time.Duration

	last  time.Time     // of the last look
	left  int64         // value of Process.left at the last look
	lasts time.Duration // time without output
}

func (p *Process) newSilence() *silence {
	every := min(max(p.command.IdleTimeout/idleLooks, minIdleLook), maxIdleLook)
	return &silence{Ticker: time.NewTicker(every), process: p, every: every, last: time.Now(), left: p.left.Load()}
}

// over reports, at a look, whether the command has printed nothing for IdleTimeout. Time in which the command waits
// for its output to be read does not count. A late look, as after the host program was suspended, counts as one in
// time and decides nothing, because the output of the meantime may still be in the pipe.
func (s *silence) over(now time.Time) bool {
	passed, left := now.Sub(s.last), s.process.left.Load()
	writes := func(c *copier) bool { return c.writing.Load() }
	prints := left != s.left || slices.ContainsFunc(s.process.streams, writes)
	s.last, s.left = now, left
	if prints {
		s.lasts = 0
		return false
	}
	late := passed > 2*s.every
	if late {
		passed = s.every
	}
	s.lasts += passed
	return !late && s.lasts >= s.process.command.IdleTimeout
}
