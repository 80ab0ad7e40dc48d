package capture

import (
	"context"
	"sync"
)

// Reader is shown an output in parts, each time what is new to it. It is safe for concurrent use.
type Reader struct {
	out   *Output
	mu    sync.Mutex // held while the files are read; Output.mu is taken after it
	views []*view    // of the streams of out
}

// Reader returns the reader that needs no file.
func (o *Output) Reader() *Reader { return o.first }

// NewReader returns a reader to which nothing was shown. It reads the published files.
func (o *Output) NewReader() *Reader {
	r := &Reader{out: o}
	for range o.streams {
		r.views = append(r.views, newView(o))
	}
	return r
}

// Take returns what was printed since the last Take, once the output is published. A reader whose
// file cannot be read shares the part of the first one. The error is that of ctx.
func (r *Reader) Take(ctx context.Context) ([]Text, error) {
	o, goesOn := r.out, false
	if r != o.first {
		r.mu.Lock()
		defer r.mu.Unlock()
		var err error
		if goesOn, err = r.catchUp(ctx); ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err != nil {
			r = o.first
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if r == o.first {
		goesOn = !o.whole
	}
	return o.show(r.views, goesOn, false), nil
}

// catchUp reads what was printed since the last time, and reports whether more may come. The error
// is that of ctx, or says that a file cannot be read.
func (r *Reader) catchUp(ctx context.Context) (goesOn bool, err error) {
	o, sizes := r.out, [2]int64{}
	o.mu.Lock()
	goesOn = !o.whole
	for i, s := range o.streams {
		sizes[i] = s.spill.Size()
	}
	o.mu.Unlock()
	for i, v := range r.views {
		if err := v.readFile(ctx, o.streams[i].path, sizes[i]); err != nil {
			return goesOn, err
		}
	}
	return goesOn, nil
}

// readFile takes the raw output up to size out of a file.
func (v *view) readFile(ctx context.Context, path string, size int64) error {
	f, err := v.out.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buffer := make([]byte, 64<<10)
	for v.read < size {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.ReadAt(buffer[:min(int64(len(buffer)), size-v.read)], v.read)
		if n == 0 {
			return err
		}
		v.write(buffer[:n])
	}
	return nil
}
