// Package capture keeps what a command prints: every byte in a file and, for each reader, a bounded text of the new
// part, as a terminal would show it.
package capture

import (
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spillway-go/spillway/internal/jsoncut"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/truncation"
)

type Options struct {
	Spill  *spill.Dir        // holds the files
	Kind   string            // the prefix of the files' names
	Policy truncation.Policy // bounds a part, of both streams together
	Recent truncation.Policy // bounds the end in a snapshot
	Split  bool              // stderr is a stream of its own
	Reads  bool              // the reader of the text can read files in any encoding
	Redact *mask.Masker      // replaces secrets in everything kept and shown; nil replaces none

	// Kept, unless empty, is a file that already has the output as shown: none is made, and the output can only be
	// finished.
	Kept string

	Name func(path string) string            // returns the form in which an absolute path is shown
	Open func(path string) (*os.File, error) // opens a file of Spill by its absolute path
}

// Output is what a command prints. It is safe for concurrent use.
type Output struct {
	Options

	// Admit, unless nil, decides whether n printed bytes are kept; otherwise they are lost. Set it before anything is
	// printed.
	Admit func(n int64) bool

	mu      sync.Mutex    // guards the fields below and the streams; a [Reader] takes its own lock first
	streams []*stream     // stdout and stderr, or both as one
	first   *Reader       // gets the output directly, not from the files
	more    chan struct{} // closed when something is printed; nil if nothing waits

	published bool // the files have their names, and the output is shown in parts
	complete  bool // the published files get nothing more
	cut       bool // the command was ended, so the output may be incomplete
	failed    bool // the command failed
}

type stream struct {
	*Output
	spill file
	mask  mask.Writer // in front of file and view; nil if nothing is redacted
	view  *view       // of the first reader
	wrote time.Time   // when something was last printed
	path  string      // the absolute path of the published or kept file; "" if it could not be made
	kept  bool        // the file is kept, and gets nothing more
	err   error       // why the file does not hold all of the output

	prettyPath string // the file made by pretty; "" for none
}

// New returns an empty output.
func New(options Options) *Output {
	o := &Output{Options: options}
	if options.Kept != "" {
		o.streams = []*stream{{Output: o, spill: &keptFile{path: options.Kept}}}
	} else {
		w := options.Spill.NewWriter(options.Kind)
		o.streams = []*stream{{Output: o, spill: w}}
		if options.Split {
			o.streams = append(o.streams, &stream{Output: o, spill: w.Beside("stderr")})
		}
	}
	o.first = o.NewReader()
	for i, s := range o.streams {
		s.view = o.first.views[i]
		if !o.Redact.Off() {
			s.mask = o.Redact.Writer(printed{s})
		}
	}
	return o
}

// file is a [spill.Writer], or a stand-in that writes nothing.
type file interface {
	io.WriteCloser
	io.ReaderAt
	Size() int64
	Publish() (path string, err error)
	Keep() (path string, err error)
}

// keptFile stands for a file that exists already.
type keptFile struct {
	path string
	size int64
	head []byte // the beginning, which shows what kind of output it is
}

func (f *keptFile) Write(p []byte) (int, error) {
	f.size += int64(len(p))
	f.head = append(f.head, p[:min(len(p), textfile.SniffLen-len(f.head))]...)
	return len(p), nil
}

func (f *keptFile) Size() int64              { return f.size }
func (f *keptFile) Keep() (string, error)    { return f.path, nil }
func (f *keptFile) Close() error             { return nil }
func (f *keptFile) Publish() (string, error) { return "", errKept }

func (f *keptFile) ReadAt(p []byte, at int64) (int, error) {
	if at < int64(len(f.head)) {
		return copy(p, f.head[at:]), nil
	}
	return 0, errKept
}

var errKept = errors.New("capture: an output with a file already can only be finished")

// Stdout returns the writer for stdout, and for stderr unless Split is set.
func (o *Output) Stdout() io.Writer { return o.streams[0] }

// Stderr returns the writer for stderr, or nil if that is Stdout.
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
	if s.mask != nil {
		s.mask.Write(p)
	} else {
		printed{s}.Write(p)
	}
	if s.more != nil {
		close(s.more)
		s.more = nil
	}
	return len(p), nil
}

// printed writes output to the spill file and to the view.
type printed struct{ *stream }

func (s printed) Write(p []byte) (int, error) {
	s.spill.Write(p)
	s.view.write(p)
	return len(p), nil
}

// end says that nothing more will be printed. The caller holds s.mu.
func (s *stream) end() {
	switch {
	case s.mask == nil:
	case s.cut:
		s.mask.Cut()
	default:
		s.mask.Flush()
	}
}

// save keeps the file, unless it is published, and returns its name.
func (s *stream) save() (path string, err error) {
	if !s.published && !s.kept {
		s.kept = true
		s.path, s.err = s.spill.Keep()
	}
	if s.err != nil {
		return "", s.err
	}
	return s.Name(s.path), nil
}

// pretty keeps a copy of the file, which is a JSON document, with a line for each value, and returns its name; "" if
// there is none.
func (s *stream) pretty() string {
	raw, is := s.spill.(*spill.Writer)
	if !is || s.published || s.path == "" {
		return ""
	}
	if s.prettyPath == "" {
		f, err := s.Open(s.path)
		if err != nil {
			return ""
		}
		defer f.Close()
		w := raw.Beside("json")
		defer w.Close()
		if jsoncut.Indent(w, f) != nil {
			return ""
		}
		if s.prettyPath, err = w.Keep(); err != nil {
			return ""
		}
	}
	return s.Name(s.prettyPath)
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

func (o *Output) Size() (n int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.streams {
		n += s.spill.Size()
	}
	return n
}

// Snapshot returns the size of the output in bytes, its lines since the first reader's last part, and the end of the
// last active stream.
func (o *Output) Snapshot() (size int64, lines int, tail string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var last time.Time
	for i, s := range o.streams {
		recent, held := s.view.recent.Result(), string(s.view.screen.Held())
		size, lines = size+s.spill.Size(), lines+recent.TotalLines+strings.Count(held, "\n")
		if i > 0 && !s.wrote.After(last) {
			continue
		}
		if recent.NewlineDropped {
			recent.Text += "\n"
		}
		last, tail = s.wrote, s.view.whatIs(o.Recent.Cut(recent.Text+held))
	}
	return size, lines, tail
}

// Publish gives the files names, so that they can be read while they grow. From then on the output is shown in parts,
// until [Output.Complete].
func (o *Output) Publish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.published = true
	for _, s := range o.streams {
		s.path, s.err = s.spill.Publish()
	}
}

// Cut records that the command was ended, so that the output may end in the middle of a secret.
func (o *Output) Cut() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cut = true
}

// Fail records that the command failed. If no line tells why, the text then says so.
func (o *Output) Fail() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failed = true
}

// Complete ends the published files.
func (o *Output) Complete() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.complete = true
	for _, s := range o.streams {
		s.end()
		_, s.err = s.spill.Keep()
	}
}

// File returns the path of the first stream's published file, and the error if it is not complete.
func (o *Output) File() (f notice.Saved) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.streams[0]
	if f.Err = s.err; s.path != "" {
		f.Path = o.Name(s.path)
	}
	return f
}

// Finish ends an output that was not published and returns all of it, bounded. With keep, which says that more was
// printed than captured, even a short file is kept.
func (o *Output) Finish(keep bool) []Text {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.streams {
		s.end()
	}
	return o.show(o.first.views, o.Policy.Limits, false, keep)
}

// Close removes the files, unless they were published or hold what Finish omitted.
func (o *Output) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.streams {
		s.spill.Close()
	}
}

// readAt reads the output at an offset. It fails if a complete file cannot be opened.
func (s *stream) readAt(p []byte, at int64) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.read(p, at)
}

// read is readAt for a caller that holds s.mu.
func (s *stream) read(p []byte, at int64) (n int, err error) {
	if !s.complete {
		return s.spill.ReadAt(p, at)
	}
	f, err := s.Open(s.path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.ReadAt(p, at)
}
