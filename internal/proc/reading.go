package proc

// Reading identifies a thread that waits for input, until it continues.
type Reading struct {
	pid, tid int
	switches uint64 // how often it has waited so far
}

// Reading returns the thread of the command that is blocked in a read of its stdin or terminal. It returns false
// unless there is nothing to read, all output was passed on, and every other process waits for another one of the
// command. It also returns false if the system does not tell: on systems other than Linux, without /proc, for programs
// that wait for several things at once, such as those with an event loop, and for programs of other users.
func (p *Process) Reading() (r Reading, ok bool) {
	if p.input == nil || p.input.waiting() {
		return r, false
	}
	if r, ok = p.lookForReading(); !ok {
		return r, false
	}
	// Only now, because a thread that reads has already written everything that it says before.
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

// waiting reports whether there is unread input, as far as that is known, or there will be no more.
func (in *input) waiting() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.ended || in.writing || in.reads == nil {
		return true
	}
	raw, err := in.file.SyscallConn()
	return err != nil || !in.terminal && unread(raw)
}
