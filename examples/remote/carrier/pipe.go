package carrier

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxSilence is how long a server that answers a ping every half second may send nothing. It
	// is longer than the server waits for this side. So if the network fails, the server has ended
	// everything that it runs by the time the calls fail here.
	maxSilence = 5 * time.Second
	// exitTime is how long a carrier may take to end.
	exitTime = 3 * time.Second
	// maxStderr is how many bytes of a carrier's stderr are kept.
	maxStderr = 2000
)

// pipe is a running carrier with its input and output.
type pipe struct {
	cmd         *exec.Cmd
	in          io.WriteCloser
	out         *os.File
	tail        tail         // of stderr
	readTimeout atomic.Int64 // how long a read may wait, in nanoseconds; 0 is forever
	hangUpOnce  sync.Once
	ended       chan struct{}
}

func start(argv []string) (*pipe, error) {
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	p := &pipe{cmd: exec.Command(argv[0], argv[1:]...), out: out, ended: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.WaitDelay = theirs, &p.tail, time.Second
	if p.in, err = p.cmd.StdinPipe(); err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		out.Close()
		return nil, fmt.Errorf("carrier: %w", err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

// Read fails if the other side is silent for too long. Any byte counts, because a large result
// may be slow.
func (p *pipe) Read(b []byte) (int, error) {
	if timeout := time.Duration(p.readTimeout.Load()); timeout > 0 {
		_ = p.out.SetReadDeadline(time.Now().Add(timeout)) // Windows does not support it
	}
	n, err := p.out.Read(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		p.kill()
		err = fmt.Errorf("nothing was heard for %v: %w",
			time.Duration(p.readTimeout.Load()), io.ErrUnexpectedEOF)
	}
	return n, err
}

// Close does nothing: closing the input ends the carrier.
func (p *pipe) Close() error { return nil }

// setReadTimeout sets how long a read may wait from now on.
func (p *pipe) setReadTimeout(timeout time.Duration) {
	p.readTimeout.Store(int64(timeout))
	_ = p.out.SetReadDeadline(time.Now().Add(timeout))
}

// input is the input of a carrier.
type input struct{ *pipe }

func (i input) Write(b []byte) (int, error) { return i.in.Write(b) }

func (i input) Close() error {
	i.hangUp()
	return nil
}

// hangUp closes the input, and kills the carrier if it does not end then.
func (p *pipe) hangUp() {
	p.hangUpOnce.Do(func() {
		p.readTimeout.Store(0)
		_ = p.out.SetReadDeadline(time.Time{})
		p.in.Close()
		select {
		case <-p.ended:
		case <-time.After(exitTime):
		}
		p.kill()
	})
}

// kill kills the carrier. What it leaves running on the other side ends by itself. What it leaves
// on this side may keep the pipes open, so kill closes them.
func (p *pipe) kill() {
	_ = p.cmd.Process.Kill()
	p.in.Close()
	p.out.Close()
}

// stderr returns the end of what the carrier printed to stderr, such as why it could not connect.
func (p *pipe) stderr() string {
	select {
	case <-p.ended:
	case <-time.After(exitTime):
	}
	if said := p.tail.String(); said != "" {
		return ": " + said
	}
	return ""
}

// tail keeps the last maxStderr bytes of what is written.
type tail struct {
	mu  sync.Mutex
	end []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p...)
	t.end = bytes.Clone(t.end[max(0, len(t.end)-maxStderr):])
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(t.end), "?"))
}
