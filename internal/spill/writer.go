package spill

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spillway-go/spillway/internal/lock"
)

// held is how much a Writer holds in memory, in bytes. Most output is shorter, and then no file is made.
const held = 256 << 10

// Writer takes one stream of any size: it holds up to 256 KiB in memory, and the rest
// goes to a file. Defer Close; call Keep to retain the file. A Writer is not safe for
// concurrent use; those of one Dir are independent.
type Writer struct {
	dir  *Dir
	kind string
	with *group
	buf  []byte // everything, while there is no file
	file *os.File
	base string
	size int64
	err  error // why there can be no file, or no more of it

	published bool // the file has its final name
}

// NewWriter starts a stream. Its file's name, if it needs one, begins with kind, which is one that
// sweeps know (see name): "bash" gives names like bash-k3x9q2mf.log.
func (d *Dir) NewWriter(kind string) *Writer {
	return &Writer{dir: d, kind: kind, with: &group{}}
}

// Beside starts a stream that belongs to w, as stderr does to stdout: keeping one does not make [Dir.Limit] remove the
// other.
func (w *Writer) Beside(kind string) *Writer {
	return &Writer{dir: w.dir, kind: kind, with: w.with}
}

// Write takes all of p. It never fails: Keep returns the error. Writes after Keep or
// Close are counted and discarded.
func (w *Writer) Write(p []byte) (int, error) {
	w.size += int64(len(p))
	switch {
	case w.err != nil:
	case w.file != nil:
		w.toFile(p)
	default:
		w.buf = append(w.buf, p...)
		if len(w.buf) > held {
			w.Spill()
		}
	}
	return len(p), nil
}

// Spill moves the stream to a file, if it is not in one yet. Call it as soon as it is clear that the file will be
// kept; otherwise the file is created when the memory is used up, or by Keep.
func (w *Writer) Spill() {
	if w.file != nil || w.err != nil {
		return
	}
	w.file, w.base, w.err = w.dir.create(w.kind)
	if w.err == nil {
		w.toFile(w.buf)
	}
	w.buf = nil
}

func (w *Writer) toFile(p []byte) {
	if _, err := w.file.Write(p); err != nil {
		w.err = err
		if !w.published {
			w.discard()
		}
	}
}

// Publish moves the stream to a file with its final name, and returns its absolute path, so that others can read what
// was written so far. If writing fails later, the file stays as it is, and Publish and Keep return the error. Publish
// may be called again.
func (w *Writer) Publish() (path string, err error) {
	w.Spill()
	if w.err == nil {
		if w.err = w.name(); errors.Is(w.err, fs.ErrNotExist) {
			w.err = fmt.Errorf("%w: somebody removed %s, or this file in it", fs.ErrNotExist, filepath.Base(w.dir.path))
		}
	}
	if w.err != nil {
		return "", reason(w.err)
	}
	return filepath.Join(w.dir.path, w.base), nil
}

// ReadAt reads what was written at an offset, before Keep or Close.
func (w *Writer) ReadAt(p []byte, offset int64) (int, error) {
	if w.file == nil {
		return bytes.NewReader(w.buf).ReadAt(p, offset)
	}
	return w.file.ReadAt(p, offset)
}

// Size returns the number of bytes written so far.
func (w *Writer) Size() int64 { return w.size }

// Keep ends the stream and returns the absolute path of the file that holds all of it, or
// the reason why there is none, such as "no space left on device". The file stays until a
// sweep removes it. After the first Keep or Close, the error is [fs.ErrClosed].
func (w *Writer) Keep() (path string, err error) {
	path, err = w.Publish()
	due := err == nil && w.dir.kept(w.with, w.base, w.size)
	if err == nil {
		w.err = fs.ErrClosed // the file is no longer this writer's
	}
	w.Close() // which releases the lock
	if due {
		w.dir.sweep()
	}
	return path, err
}

// name gives the file its final name, if needed. It checks that the file still exists at its path, because it, or the
// directory, may have been removed while it was written.
func (w *Writer) name() error {
	root, err := w.dir.enter(false)
	if err != nil {
		return err
	}
	defer root.Close()
	if w.published {
		return lock.Same(root, w.base, w.file)
	}
	if err := lock.Same(root, w.base+unfinished, w.file); err != nil {
		return err
	}
	err = root.Rename(w.base+unfinished, w.base)
	w.published = err == nil
	return err
}

// Close ends the stream and, unless Keep or Publish was called, removes the file. It never
// fails and may be called more than once.
func (w *Writer) Close() error {
	if w.err == nil {
		w.err = fs.ErrClosed
		if w.file != nil && !w.published {
			w.discard()
		}
	}
	if w.file != nil {
		w.file.Close()
		w.file = nil
	}
	w.buf = nil
	return nil
}

func (w *Writer) discard() {
	if root, err := w.dir.enter(false); err == nil {
		root.Remove(w.base + unfinished)
		root.Close()
	}
	w.file.Close()
	w.file = nil
}

// reason strips the operation and the path from an error, because the reader of a notice has no use for them.
func reason(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
