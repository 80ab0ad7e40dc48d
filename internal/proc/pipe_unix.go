//go:build unix

package proc

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// pipe is the reading end of a command's output. To read it never blocks a thread.
type pipe struct {
	*os.File
	raw syscall.RawConn
}

func pipeOf(f *os.File) *pipe {
	raw, _ := f.SyscallConn() // fails for nil alone
	return &pipe{f, raw}
}

// newPipe returns both ends of a new pipe.
func newPipe() (*pipe, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	p := pipeOf(r)
	p.resize(pipeSize)
	return p, w, nil
}

// Read reads what there is, or waits for it until the deadline.
func (p *pipe) Read(b []byte) (int, error) {
	n, err := p.File.Read(b)
	return n, hangupIsEOF(err)
}

// hangupIsEOF turns the error of a terminal that nobody has open any more into the end.
func hangupIsEOF(err error) error {
	if errors.Is(err, syscall.EIO) {
		return io.EOF
	}
	return err
}

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
	p.SetReadDeadline(time.Time{})
	p.resize(idlePipeSize)
}

// drain reads and discards until the pipe ends or is closed. It holds a buffer only
// while there is something to read.
func (p *pipe) drain() {
	for ended := false; !ended; {
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
		ended = ended || err != nil
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
