package proc

import "golang.org/x/sys/unix"

const (
	// pipeSize is the largest size that an unprivileged process may set
	// (/proc/sys/fs/pipe-max-size). With the default of 64 KiB a writer and its reader wake
	// each other more often: yes | head -c 1G takes 1.25 s instead of 0.98 s.
	pipeSize     = 1 << 20
	idlePipeSize = 64 << 10
)

// resize changes the size of the pipe if the system allows it.
func (p *pipe) resize(size int) {
	p.raw.Control(func(fd uintptr) {
		unix.FcntlInt(fd, unix.F_SETPIPE_SZ, size)
	})
}
