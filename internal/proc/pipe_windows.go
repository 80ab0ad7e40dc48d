package proc

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// pipeSize is the most that a pipe holds.
const pipeSize = 1 << 20

// pipe is the reading end of a command's output. Windows cannot interrupt the read of an anonymous pipe, so Read waits
// until there is something to read: it looks every millisecond after output, and every 10 ms when there is none.
type pipe struct {
	*os.File
	raw      syscall.RawConn
	deadline atomic.Int64 // Unix nanoseconds; 0 means none
}

const (
	minPeekPause = time.Millisecond
	maxPeekPause = 10 * time.Millisecond
)

var peekNamedPipe = windows.NewLazySystemDLL("kernel32.dll").NewProc("PeekNamedPipe")

func newPipe() (*pipe, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	raw, _ := r.SyscallConn() // fails for nil alone
	return &pipe{File: r, raw: raw}, w, nil
}

func (p *pipe) Read(b []byte) (int, error) {
	for pause := minPeekPause; ; pause = min(pause+minPeekPause, maxPeekPause) {
		if n, err := p.readNow(b); n > 0 || err != nil {
			return n, err
		}
		if d := p.deadline.Load(); d != 0 && time.Now().UnixNano() > d {
			return 0, os.ErrDeadlineExceeded
		}
		time.Sleep(pause)
	}
}

// readNow reads what is in the pipe, whatever the deadline. It returns (0, nil) if the pipe
// is empty.
func (p *pipe) readNow(b []byte) (int, error) {
	available, err := p.peek()
	if err != nil || available == 0 {
		return 0, err
	}
	n, err := p.File.Read(b[:min(len(b), available)])
	return n, brokenIsEOF(err)
}

func (p *pipe) peek() (int, error) {
	var available uint32
	var failure error
	err := p.raw.Control(func(handle uintptr) {
		ok, _, errno := peekNamedPipe.Call(handle, 0, 0, 0, uintptr(unsafe.Pointer(&available)), 0)
		if ok == 0 {
			failure = brokenIsEOF(errno)
		}
	})
	if err != nil {
		return 0, err
	}
	return int(available), failure
}

func brokenIsEOF(err error) error {
	if errors.Is(err, windows.ERROR_BROKEN_PIPE) {
		return io.EOF
	}
	return err
}

func (p *pipe) SetReadDeadline(t time.Time) error {
	p.deadline.Store(t.UnixNano())
	return nil
}

// passedOn and pending do nothing, because this system does not tell what a process waits for.
func (p *pipe) passedOn()     {}
func (p *pipe) pending() bool { return true }

func (p *pipe) idle() { p.deadline.Store(0) }
