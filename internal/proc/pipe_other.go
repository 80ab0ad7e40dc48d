//go:build unix && !linux

package proc

// pipeSize is the most that a pipe holds on these systems, which enlarge pipes by themselves.
const (
	pipeSize     = 1 << 20
	idlePipeSize = 0
)

// resize does nothing, because these systems cannot set the size of a pipe.
func (p *pipe) resize(int) {}

// unread returns true, because these systems do not tell what a process waits for.
func (p *pipe) unread() bool { return true }
