package proc

// Reading identifies a thread that waits for input, up to the time when it goes on.
type Reading struct {
	pid, tid int
	switches uint64 // how often it waited so far
}

// Reading returns the thread of the command that is blocked in a read of its stdin or terminal. It returns false unless
// nothing is there to be read, all output was passed on, and every other process waits for another one of the command, or
// where the system does not tell: elsewhere than on Linux, without /proc, for programs that wait for several things at
// once, such as those with an event loop, and for programs of other users.
func (p *Process) Reading() (r Reading, ok bool) {
	if p.input == nil || p.input.waiting() {
		return r, false
	}
	if r, ok = p.lookForReading(); !ok {
		return r, false
	}
	// Only now: a thread that reads has written everything that it says before.
	for _, s := range p.streams {
		if s.from.pending() {
			return Reading{}, false
		}
	}
	return r, true
}

func (p *Process) lookForReading() (Reading, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.released {
		return Reading{}, false
	}
	return p.tree.reading(p.input)
}

// waiting reports whether there is input that is not read yet, as far as that is known, or will be no more.
func (in *input) waiting() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.ended || in.writing || in.reads == nil {
		return true
	}
	raw, err := in.file.SyscallConn()
	return err != nil || !in.terminal && unread(raw)
}
