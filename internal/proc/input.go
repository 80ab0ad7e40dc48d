package proc

import (
	"errors"
	"os"
	"sync"
)

// maxInput is how many bytes of input are held beyond what the command's pipe takes. The pipe holds as much again.
const maxInput = 64 << 10

var (
	ErrNoInput    = errors.New("the command has no input")
	ErrInputEnded = errors.New("the input has ended")
	ErrInputFull  = errors.New("the command has not read the input before")
)

// input is the host's end of a command's stdin. While queue is not empty, a goroutine writes
// from it.
type input struct {
	file     *os.File
	reads    os.FileInfo // the command's end
	terminal bool

	mu      sync.Mutex
	queue   []byte
	writing bool
	ended   bool // the input ends after the queue
}

// Input queues text for the command to read, all of it or none, without waiting until it is read. If last is set, the
// input ends after text; in a terminal, Input writes the character for the end.
func (p *Process) Input(text string, last bool) error {
	in := p.input
	if in == nil {
		return ErrNoInput
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if last && in.terminal {
		text, last = text+"\x04", false
	}
	switch {
	case in.ended:
		return ErrInputEnded
	case len(in.queue)+len(text) > maxInput:
		return ErrInputFull
	}
	in.queue, in.ended = append(in.queue, text...), last
	if !in.writing {
		in.writing = true
		go in.write()
	}
	return nil
}

// write writes the queue until it is empty or every reader has closed the pipe.
func (in *input) write() {
	in.mu.Lock()
	defer in.mu.Unlock()
	for len(in.queue) > 0 {
		next := in.queue[:min(len(in.queue), 4<<10)]
		in.mu.Unlock()
		n, err := in.file.Write(next)
		in.mu.Lock()
		in.queue = in.queue[min(n, len(in.queue)):]
		if err != nil {
			in.queue, in.ended = nil, true
		}
	}
	in.queue, in.writing = nil, false
	if in.ended && !in.terminal {
		in.file.Close()
	}
}

// close ends the input. A blocked write fails.
func (in *input) close() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.queue, in.ended = nil, true
	in.file.Close()
}
