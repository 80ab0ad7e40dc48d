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
	// silence is how long nothing may come from a server that answers a ping every half
	// second. It is longer than the server waits for this side: when the network is dead,
	// nothing runs there any more when the calls fail here.
	silence = 5 * time.Second
	// farewell is how long a carrier may take to end.
	farewell = 3 * time.Second
	// maxWords is how much is kept of what a carrier prints for people.
	maxWords = 2000
)

// pipe is a carrier that runs: its input and its output.
type pipe struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *os.File
	words  words
	within atomic.Int64 // how long a read may wait, in nanoseconds; 0 is forever
	hung   sync.Once
	ended  chan struct{}
}

func start(argv []string) (*pipe, error) {
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	p := &pipe{cmd: exec.Command(argv[0], argv[1:]...), out: out, ended: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.WaitDelay = theirs, &p.words, time.Second
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

// Read fails when the other side is silent for too long. Any byte is a sign of life: a
// large result may be slow.
func (p *pipe) Read(b []byte) (int, error) {
	if within := p.within.Load(); within > 0 {
		_ = p.out.SetReadDeadline(time.Now().Add(time.Duration(within))) // Windows has none
	}
	n, err := p.out.Read(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		p.kill()
		err = fmt.Errorf("nothing was heard for %v: %w", time.Duration(p.within.Load()), io.ErrUnexpectedEOF)
	}
	return n, err
}

// Close is that of the output: the input's ends the carrier.
func (p *pipe) Close() error { return nil }

// expect demands from now on that something is heard at least that often.
func (p *pipe) expect(within time.Duration) {
	p.within.Store(int64(within))
	_ = p.out.SetReadDeadline(time.Now().Add(within))
}

// input is the side of a pipe that is written to.
type input struct{ *pipe }

func (i input) Write(b []byte) (int, error) { return i.in.Write(b) }

func (i input) Close() error {
	i.hangUp()
	return nil
}

// hangUp ends the input, and the carrier if it does not end of that.
func (p *pipe) hangUp() {
	p.hung.Do(func() {
		p.within.Store(0)
		_ = p.out.SetReadDeadline(time.Time{})
		p.in.Close()
		select {
		case <-p.ended:
		case <-time.After(farewell):
		}
		p.kill()
	})
}

// kill ends the carrier. What it leaves on the other side ends by itself; what it leaves on
// this one may keep the pipes open.
func (p *pipe) kill() {
	_ = p.cmd.Process.Kill()
	p.in.Close()
	p.out.Close()
}

// lastWords are what the carrier printed last for people, such as why it could not connect.
func (p *pipe) lastWords() string {
	select {
	case <-p.ended:
	case <-time.After(farewell):
	}
	if said := p.words.String(); said != "" {
		return ": " + said
	}
	return ""
}

// words keeps the end of what is written.
type words struct {
	mu  sync.Mutex
	end []byte
}

func (w *words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end = append(w.end, p...)
	w.end = bytes.Clone(w.end[max(0, len(w.end)-maxWords):])
	return len(p), nil
}

func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(w.end), "?"))
}
