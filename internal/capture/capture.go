// Package capture keeps what a command prints: every byte in a file, and for each reader the
// bounded text that a terminal would show of what is new to it.
package capture

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/truncation"
)

// Options say where an output is kept and how much of it is shown.
type Options struct {
	Spill  *spill.Dir        // takes every byte
	Kind   string            // what the names of its files begin with
	Policy truncation.Policy // bounds what is shown at a time, of both streams together
	Recent truncation.Policy // bounds the end that a snapshot shows
	Split  bool              // stderr is a stream of its own

	Name func(path string) string            // returns an absolute path as a text names it
	Open func(path string) (*os.File, error) // opens a file of Spill by its absolute path
}

// Output is what a command prints. It is safe for concurrent use.
type Output struct {
	Options

	// Admit, unless it is nil, is asked before n bytes are taken, which are lost if it refuses them.
	// Set it before anything is printed.
	Admit func(n int64) bool

	mu      sync.Mutex    // guards all below, and the streams; a [Reader] takes its own lock first
	streams []*stream     // stdout, with stderr in it unless that is apart, and stderr
	first   *Reader       // is shown what is printed without reading the files
	more    chan struct{} // closed when something is printed; nil if nobody waits for that

	published bool // the files have their names, and the output is shown in parts
	whole     bool // the published files are complete
}

// stream is stdout or stderr, or both together.
type stream struct {
	*Output
	spill *spill.Writer
	view  *view     // of the first reader
	wrote time.Time // when something came last
	path  string    // the published file, absolute; "" if there could be none
	err   error     // why not all of the output is in there
}

// New returns an output into which nothing was printed yet.
func New(options Options) *Output {
	o := &Output{Options: options}
	w := options.Spill.NewWriter(options.Kind)
	o.streams = append(o.streams, &stream{Output: o, spill: w})
	if options.Split {
		o.streams = append(o.streams, &stream{Output: o, spill: w.Beside("stderr")})
	}
	o.first = o.NewReader()
	for i, s := range o.streams {
		s.view = o.first.views[i]
	}
	return o
}

// Stdout takes what a command prints to stdout, and to stderr unless that is apart.
func (o *Output) Stdout() io.Writer { return o.streams[0] }

// Stderr takes what a command prints to stderr; nil if Stdout does.
func (o *Output) Stderr() io.Writer {
	if !o.Split {
		return nil
	}
	return o.streams[1]
}

func (s *stream) Write(p []byte) (int, error) {
	if s.Admit != nil && !s.Admit(int64(len(p))) {
		return len(p), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrote = time.Now()
	s.spill.Write(p)
	s.view.write(p)
	if s.view.shown.Full() {
		s.spill.Spill()
	}
	if s.more != nil {
		close(s.more)
		s.more = nil
	}
	return len(p), nil
}

// changes returns a channel that is closed when something is printed.
func (o *Output) changes() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.more == nil {
		o.more = make(chan struct{})
	}
	return o.more
}

// Size returns the number of bytes that were printed.
func (o *Output) Size() (n int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.streams {
		n += s.spill.Size()
	}
	return n
}

// Snapshot returns how far the output has come: its bytes, its lines since the first reader was
// shown a part, and the end of the stream that came last.
func (o *Output) Snapshot() (size int64, lines int, tail string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var last time.Time
	for i, s := range o.streams {
		recent := s.view.recent.Result()
		size, lines = size+s.spill.Size(), lines+recent.TotalLines
		if i > 0 && !s.wrote.After(last) {
			continue
		}
		if recent.NewlineDropped {
			recent.Text += "\n"
		}
		last, tail = s.wrote, o.Recent.Cut(recent.Text+string(s.view.filter.Pending()))
	}
	return size, lines, tail
}

// Publish gives the files the names by which they can be read while they grow. From then on
// the output is shown in parts, until [Output.Complete].
func (o *Output) Publish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.published = true
	for _, s := range o.streams {
		s.path, s.err = s.spill.Publish()
	}
}

// Complete ends the published files.
func (o *Output) Complete() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.whole = true
	for _, s := range o.streams {
		_, s.err = s.spill.Keep()
	}
}

// File says where the published file of the first stream is, and why not all of that is in there.
func (o *Output) File() (f truncation.Saved) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.streams[0]
	if f.Err = s.err; s.path != "" {
		f.Path = o.Name(s.path)
	}
	return f
}

// Finish ends an output that was not published and returns all of it, bounded. keep says that there
// was more, so that the files are kept however short they are.
func (o *Output) Finish(keep bool) []Text {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.show(o.first.views, false, keep)
}

// Close removes the files, unless they were published or hold what Finish left out.
func (o *Output) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.streams {
		s.spill.Close()
	}
}

// readAt reads what was printed at an offset. The error is for a complete file that cannot be opened.
func (s *stream) readAt(p []byte, at int64) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.whole {
		return s.spill.ReadAt(p, at)
	}
	f, err := s.Open(s.path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.ReadAt(p, at)
}
