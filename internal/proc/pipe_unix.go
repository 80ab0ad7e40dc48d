//go:build unix

package proc

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// pipe is the reading end of a command's output. Reading it never blocks a thread.
type pipe struct {
	*os.File
	raw syscall.RawConn
}

func pipeOf(f *os.File) *pipe {
	raw, _ := f.SyscallConn() // fails for nil alone
	return &pipe{f, raw}
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

func (p *pipe) Read(b []byte) (int, error) {
	n, err := p.File.Read(b)
	return n, hangupIsEOF(err)
}

// hangupIsEOF turns EIO into io.EOF: it is the error of a terminal that no process has open.
func hangupIsEOF(err error) error {
	if errors.Is(err, syscall.EIO) {
		return io.EOF
	}
	return err
}

// readNow reads what is in the pipe, whatever the deadline. It returns (0, nil) if the pipe
// is empty.
func (p *pipe) readNow(b []byte) (n int, err error) {
	failed := p.raw.Control(func(fd uintptr) {
		n, err = ignoringEINTR(func() (int, error) { return syscall.Read(int(fd), b) })
	})
	switch {
	case failed != nil:
		return 0, failed
	case errors.Is(err, syscall.EAGAIN):
		return 0, nil
	case err != nil:
		return 0, hangupIsEOF(err)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// idle prepares the pipe for drain, which may last for hours: it returns what newPipe took of
// the memory that each user may have in pipes.
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
