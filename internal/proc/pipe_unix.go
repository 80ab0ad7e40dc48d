//go:build unix

package proc

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// pipe is the reading end of a command's output.
type pipe struct {
	file *os.File
	raw  syscall.RawConn
}

// newPipe returns both ends of a new pipe. The reading end never blocks a thread.
func newPipe() (*pipe, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	raw, err := r.SyscallConn()
	if err != nil {
		r.Close()
		w.Close()
		return nil, nil, err
	}
	p := &pipe{file: r, raw: raw}
	p.resize(pipeSize)
	return p, w, nil
}

// Read reads what there is, or waits for it until the deadline.
func (p *pipe) Read(b []byte) (int, error) {
	n, err := p.file.Read(b)
	return n, hangupIsEOF(err)
}

// hangupIsEOF turns the error of a terminal that nobody has open any more into the end.
func hangupIsEOF(err error) error {
	if errors.Is(err, syscall.EIO) {
		return io.EOF
	}
	return err
}

// Close closes the pipe and ends a Read that waits.
func (p *pipe) Close() error { return p.file.Close() }

func (p *pipe) setDeadline(t time.Time) { p.file.SetReadDeadline(t) }

// readNow reads what is in the pipe, whatever the deadline: (0, nil) if it is empty.
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

// idle prepares the pipe for drain: it may stay there for hours, so it gives back
// what it has taken of the user's share of pipe memory.
func (p *pipe) idle() {
	p.setDeadline(time.Time{})
	p.resize(idlePipeSize)
}

// drain reads and discards until the pipe ends or is closed. It holds a buffer only
// while there is something to read.
func (p *pipe) drain() {
	for {
		ended := false
		err := p.raw.Read(func(fd uintptr) bool {
			buffer := buffers.Get().(*[bufferSize]byte)
			defer buffers.Put(buffer)
			n, err := ignoringEINTR(func() (int, error) { return syscall.Read(int(fd), buffer[:]) })
			if errors.Is(err, syscall.EAGAIN) {
				return false // wait
			}
			ended = err != nil || n == 0
			return true
		})
		if err != nil || ended {
			return
		}
	}
}

func ignoringEINTR(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
