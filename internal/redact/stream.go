package redact

import (
	"cmp"
	"io"
	"slices"
	"sync"

	"github.com/spillway-go/spillway/internal/mask"
)

// piece is the number of bytes that a stream looks at at a time.
const piece = 32 << 10

// Writer masks what is written, and passes it on. It holds text back only from where a secret may have begun; Flush
// passes that on. It is not safe for concurrent use.
type Writer struct {
	w    io.Writer
	pipe *pipe // nil if nothing is masked
	err  error // of w
}

// Writer returns what NewWriter returns.
func (r *Redactor) Writer(w io.Writer) mask.Writer { return r.NewWriter(w) }

// NewWriter returns a Writer to w that masks what r knows now.
func (r *Redactor) NewWriter(w io.Writer) *Writer {
	writer := &Writer{w: w}
	if e := r.engine(); e != nil {
		writer.pipe = e.pipe()
	}
	return writer
}

// Write takes all of p, unless the underlying writer fails; its error is returned then and from then on.
func (w *Writer) Write(p []byte) (n int, err error) {
	if w.pipe == nil {
		return w.w.Write(p)
	}
	for rest := range slices.Chunk(p, piece) {
		if w.pass(w.pipe.push(rest)); w.err != nil {
			return n, w.err
		}
		n += len(rest)
	}
	return n, w.err
}

// Flush passes on what is held back: nothing follows it.
func (w *Writer) Flush() error {
	if w.pipe != nil {
		w.pass(w.pipe.flush())
	}
	return w.err
}

// Cut is Flush for a stream that was ended in the middle, such as by a timeout: of a secret that may have begun, nothing
// is passed on.
func (w *Writer) Cut() error {
	if w.pipe != nil {
		w.pass(w.pipe.cut())
	}
	return w.err
}

func (w *Writer) pass(text []byte) {
	if len(text) > 0 && w.err == nil {
		_, w.err = w.w.Write(text)
	}
}

// Pending returns what is held back, masked as if the stream ended here.
func (w *Writer) Pending() []byte {
	if w.pipe == nil {
		return nil
	}
	return w.pipe.clone().flush()
}

// Findings returns what was masked, without the first since of them. It is in the order in which their ends came. There
// are at most [mask.MaxFindings].
func (w *Writer) Findings(since int) []mask.Finding {
	if w.pipe == nil || since >= len(w.pipe.found.list) {
		return nil
	}
	return slices.Clone(w.pipe.found.list[max(since, 0):])
}

// Count returns the number of secrets that were masked.
func (w *Writer) Count() int {
	if w.pipe == nil {
		return 0
	}
	return w.pipe.found.count
}

// Reader masks what is read. It is not safe for concurrent use.
type Reader struct {
	rd     io.Reader
	pipe   *pipe // nil if nothing is masked
	buffer []byte
	ready  []byte // masked, not yet read
	err    error  // of rd, returned when ready is empty
}

// Reader returns a Reader of rd that masks what r knows now.
func (r *Redactor) Reader(rd io.Reader, utf16 bool) mask.Reader {
	reader := &Reader{rd: rd}
	if e := r.engine(); e != nil {
		reader.pipe = e.pipeOf(utf16)
	}
	return reader
}

func (r *Reader) Read(p []byte) (int, error) {
	if r.pipe == nil {
		return r.rd.Read(p)
	}
	if len(p) == 0 {
		return 0, nil
	}
	if r.buffer == nil {
		r.buffer = make([]byte, piece)
	}
	for len(r.ready) == 0 && r.err == nil {
		n, err := r.rd.Read(r.buffer)
		r.ready = r.pipe.push(r.buffer[:n])
		if r.err = err; err != nil {
			r.ready = slices.Concat(r.ready, r.pipe.flush())
		}
	}
	if len(r.ready) == 0 {
		return 0, r.err
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

// Findings returns what was masked, in order. There are at most [mask.MaxFindings].
func (r *Reader) Findings() []mask.Finding {
	if r.pipe == nil {
		return nil
	}
	return slices.Clone(r.pipe.found.sorted())
}

// ReaderAt reads a masked text from any place. What it masks depends on a window of [Window] bytes before the place,
// and on what follows. It is safe for concurrent use.
type ReaderAt struct {
	rd     io.ReaderAt
	engine *engine // nil if nothing is masked
	utf16  bool    // a call takes the text to be UTF-16 without a byte order mark

	mu     sync.Mutex
	pipe   *pipe
	base   int64  // where pipe began
	next   int64  // where it goes on
	begin  int64  // the offset of ready
	ready  []byte // masked
	end    bool   // ready ends where the text does
	list   []mask.Finding
	buffer []byte
}

// ReaderAt returns a ReaderAt of rd that masks what r knows now.
func (r *Redactor) ReaderAt(rd io.ReaderAt, utf16 bool) mask.ReaderAt {
	return &ReaderAt{rd: rd, engine: r.engine(), utf16: utf16}
}

func (r *ReaderAt) ReadAt(p []byte, off int64) (n int, err error) {
	if r.engine == nil || off < 0 {
		return r.rd.ReadAt(p, off)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for n < len(p) {
		if err := r.reach(off + int64(n)); err != nil {
			return n, err
		}
		n += copy(p[n:], r.ready[off+int64(n)-r.begin:])
	}
	return n, nil
}

// reach makes ready hold the byte at off.
func (r *ReaderAt) reach(off int64) error {
	if r.pipe == nil || off < r.begin || off > r.next+Window {
		r.restart(off)
	}
	for off >= r.begin+int64(len(r.ready)) {
		if r.end {
			// The text may have grown since.
			if n, _ := r.rd.ReadAt(r.buffer[:1], off); n == 0 {
				return io.EOF
			}
			r.restart(off)
		}
		if err := r.advance(); err != nil {
			return err
		}
	}
	return nil
}

// restart begins a window before off.
func (r *ReaderAt) restart(off int64) {
	if r.buffer == nil {
		r.buffer = make([]byte, piece)
	}
	r.collect()
	r.base = max(0, off-Window) &^ 1
	r.pipe, r.next, r.begin, r.ready, r.end = r.engine.pipeOf(r.utf16), r.base, r.base, nil, false
	if n, _ := r.rd.ReadAt(r.buffer[:2], 0); n == 2 && r.base > 0 {
		r.pipe.begin(r.buffer[:2], true)
	}
}

// advance masks the next piece. Of what was ready before, the last Window bytes stay.
func (r *ReaderAt) advance() error {
	n, err := r.rd.ReadAt(r.buffer, r.next)
	r.next += int64(n)
	if drop := len(r.ready) - Window; drop > 0 {
		r.ready = slices.Delete(r.ready, 0, drop)
		r.begin += int64(drop)
	}
	r.ready = append(r.ready, r.pipe.push(r.buffer[:n])...)
	switch {
	case err == io.EOF:
		r.ready = append(r.ready, r.pipe.flush()...)
		r.end = true
	case err != nil:
		r.collect()
		r.pipe = nil
		return err
	}
	return nil
}

// collect keeps what the pipe has found.
func (r *ReaderAt) collect() {
	if r.pipe == nil {
		return
	}
	for _, f := range r.pipe.found.list {
		f.Start, f.End, f.Line, f.LastLine = f.Start+r.base, f.End+r.base, 0, 0
		r.list = append(r.list, f)
	}
	r.pipe.found.list = nil
	slices.SortFunc(r.list, func(a, b mask.Finding) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	r.list = slices.CompactFunc(r.list, func(a, b mask.Finding) bool { return a.Start < b.End && b.Start < a.End })
	r.list = r.list[:min(len(r.list), mask.MaxFindings)]
}

// Findings returns what was masked in what was read, in order. Lines are 0. There are at most [mask.MaxFindings].
func (r *ReaderAt) Findings() []mask.Finding {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.collect()
	return slices.Clone(r.list)
}
