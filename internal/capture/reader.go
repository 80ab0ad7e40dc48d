package capture

import (
	"context"
	"slices"
	"sync"
)

// Reader gets an output in parts, each with what is new to it. It is safe for concurrent use.
type Reader struct {
	out   *Output
	mu    sync.Mutex // held while taking a part; taken before Output.mu, and before the lock of the first reader
	views []*view    // of the streams of out
}

// Reader returns the first reader, which does not need the files.
func (o *Output) Reader() *Reader { return o.first }

// NewReader returns another reader, which begins at the start and reads the published files.
func (o *Output) NewReader() *Reader {
	r := &Reader{out: o}
	for _, s := range o.streams {
		r.views = append(r.views, newView(s, o.Policy))
	}
	return r
}

// Take returns what was printed since the last Take of a published output. If the reader's file cannot be read, Take
// returns the part of the first reader. The error is that of ctx.
func (r *Reader) Take(ctx context.Context) ([]Text, error) {
	o, ongoing := r.out, false
	r.mu.Lock()
	defer r.mu.Unlock()
	if r != o.first {
		var err error
		if ongoing, err = r.catchUp(ctx); ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err != nil {
			r = o.first
			r.mu.Lock()
			defer r.mu.Unlock()
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if r == o.first {
		ongoing = !o.complete
	}
	return o.show(r.views, o.Policy.Limits, ongoing, false), nil
}

// catchUp reads what was printed since the last Take, and reports whether more may come. The error is that of ctx, or
// of an unreadable file.
func (r *Reader) catchUp(ctx context.Context) (ongoing bool, err error) {
	o := r.out
	o.mu.Lock()
	ongoing, sizes := !o.complete, o.sizes()
	o.mu.Unlock()
	for i, v := range r.views {
		if err := r.readUpTo(ctx, v, sizes[i]); err != nil {
			return ongoing, err
		}
	}
	return ongoing, nil
}

// maxReaders is how many positions of readers are remembered. Each takes less than 1 KiB, plus unfinished lines and
// lines of a screen: usually nothing, 1 MiB at most.
const maxReaders = 256

// Readers are named readers of several outputs. The last 256 positions used are remembered. It is safe for concurrent
// use.
type Readers struct {
	mu  sync.Mutex
	all []namedReader // in the order of their last use
}

type namedReader struct {
	out  *Output
	name string
	*Reader
}

// Get returns the named reader of an output: the output's own for "", and a new one if it was forgotten.
func (rs *Readers) Get(out *Output, name string) *Reader {
	if name == "" {
		return out.Reader()
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	i := slices.IndexFunc(rs.all, func(r namedReader) bool { return r.out == out && r.name == name })
	if i < 0 {
		i = len(rs.all)
		rs.all = append(rs.all, namedReader{out, name, out.NewReader()})
	}
	r := rs.all[i]
	rs.all = append(slices.Delete(rs.all, i, i+1), r)
	rs.all = slices.Delete(rs.all, 0, max(len(rs.all)-maxReaders, 0))
	return r.Reader
}

// Forget forgets the readers of that name.
func (rs *Readers) Forget(name string) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.all = slices.DeleteFunc(rs.all, func(r namedReader) bool { return r.name == name })
}

// Drop forgets the readers of an output.
func (rs *Readers) Drop(out *Output) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.all = slices.DeleteFunc(rs.all, func(r namedReader) bool { return r.out == out })
}
