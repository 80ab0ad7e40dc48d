//go:build unix

package proc

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// pipe is the reading end of a command's output. Reading it never blocks a thread.
type pipe struct {
	*os.File
	raw   syscall.RawConn
	holds atomic.Bool // what was read may not be passed on yet
}

func pipeOf(f *os.File) *pipe {
	raw, _ := f.SyscallConn() // fails for nil alone
	return &pipe{File: f, raw: raw}
}

func newPipe() (*pipe, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	p := pipeOf(r)
	p.resize(pipeSize)
	return p, w, nil
}

// Read is like File.Read. The pipe then holds the data until passedOn is called.
func (p *pipe) Read(b []byte) (n int, err error) {
	failed := p.raw.Read(func(fd uintptr) bool {
		n, err = p.take(fd, b)
		return !errors.Is(err, syscall.EAGAIN)
	})
	if failed != nil {
		return 0, failed
	}
	return n, err
}

// take reads what is there. It sets holds before the data leaves the pipe, so that pending cannot miss it in between.
func (p *pipe) take(fd uintptr, b []byte) (n int, err error) {
	p.holds.Store(true)
	n, err = ignoringEINTR(func() (int, error) { return syscall.Read(int(fd), b) })
	switch {
	case n > 0:
		return n, nil
	case err == nil && len(b) > 0,
		errors.Is(err, syscall.EIO): // no process has the terminal open
		err = io.EOF
	}
	p.holds.Store(false)
	return 0, err
}

// passedOn records that what was read has reached its reader.
func (p *pipe) passedOn() { p.holds.Store(false) }

// pending reports whether the command wrote something that was not passed on yet.
func (p *pipe) pending() bool { return p.unread() || p.holds.Load() }

// readNow reads what is in the pipe, whatever the deadline. It returns (0, nil) if the pipe is empty.
func (p *pipe) readNow(b []byte) (n int, err error) {
	failed := p.raw.Control(func(fd uintptr) { n, err = p.take(fd, b) })
	if failed != nil {
		return 0, failed
	}
	if errors.Is(err, syscall.EAGAIN) {
		return 0, nil
	}
	return n, err
}

// idle prepares the pipe for drain, which may last for hours: it shrinks the pipe, because each user has a limit for
// all pipes together.
func (p *pipe) idle() {
	p.SetReadDeadline(time.Time{})
	p.resize(idlePipeSize)
}

func ignoringEINTR(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
