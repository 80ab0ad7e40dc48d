//go:build unix && !linux

package proc

// pipeSize bounds what a pipe holds: other systems enlarge a pipe by themselves, up to
// this size at most.
const (
	pipeSize     = 1 << 20
	idlePipeSize = 0
)

// resize does nothing: the size of a pipe cannot be set.
func (p *pipe) resize(int) {}
