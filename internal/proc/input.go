package proc

import (
	"errors"
	"os"
	"sync"
)

// maxInput bounds what is held of input that a command has not read, in bytes. The pipe
// holds as much again.
const maxInput = 64 << 10

// The errors of Input.
var (
	ErrNoInput    = errors.New("the command has no input")
	ErrInputEnded = errors.New("the input has ended")
	ErrInputFull  = errors.New("the command has not read the input before")
)

// input is what a command reads. A goroutine writes what waits for the command to read, as
// long as there is something.
type input struct {
	file     *os.File
	terminal bool

	mu      sync.Mutex
	queue   []byte
	writing bool
	ended   bool // the queue is followed by the end
}

// Input gives the command text to read, and then the end of its input if last is set. It
// takes all of the text or none, and does not wait for the command. In a terminal the end is
// the character that stands for it.
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

// write writes the queue until it is empty or nobody reads any more.
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

// close ends the input, also for a write that waits.
func (in *input) close() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.queue, in.ended = nil, true
	in.file.Close()
}
