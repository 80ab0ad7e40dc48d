package capture

import (
	"slices"
	"sync"
)

// maxReaders is how many positions of readers are remembered. One takes less than 1 KiB, and what an unfinished line
// does: usually nothing, 512 KiB at most.
const maxReaders = 256

// Readers are those of several outputs that have names. It remembers 256 positions, those used last. It is safe for
// concurrent use.
type Readers struct {
	mu  sync.Mutex
	all []namedReader // in the order of their last use
}

type namedReader struct {
	out  *Output
	name string
	*Reader
}

// Get returns the reader of an output that has that name: the output's own for "", and a new one where it was
// forgotten.
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
