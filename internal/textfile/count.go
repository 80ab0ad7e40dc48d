package textfile

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// Large is the size from which it is faster to count the lines of a file, on several processors, before reading a
// page.
const Large = 2 * partSize

const (
	partSize = 8 << 20
	// maxCounters bounds the parts that are counted at a time. Nearly all of the time goes into copying the file out of
	// the page cache, which two cores do faster than one.
	maxCounters = 4
	// maxParts bounds the memory for the parts until all are counted: 20 MiB, for 64 GiB. A sparse file may have a size
	// of exabytes.
	maxParts = 8192
)

// Count reads the file to its end and returns its index.
func (f File) Count(ctx context.Context) (*Index, error) {
	f = f.With(nil)
	size := f.end - f.begin
	if !f.info.utf8() || size < Large || size/partSize >= maxParts {
		_, index, err := f.ReadPage(ctx, Span{Line: 1, Column: 1}, full{})
		return index, err
	}
	parts := make([]counted, (size+partSize-1)/partSize)
	var next atomic.Int64
	var counters sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxCounters) {
		counters.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(parts)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				parts[i] = f.countPart(ctx, i)
			}
		})
	}
	counters.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	whole, at := &Index{}, mark{offset: f.begin}
	for _, part := range parts {
		if part.err != nil {
			return nil, part.err
		}
		for _, m := range part.index.marks {
			whole.add(m.after(at))
		}
		if at = part.index.end.after(at); at.offset < part.end {
			break // the file has become shorter
		}
	}
	whole.close(at)
	return whole, nil
}

type counted struct {
	index *Index
	end   int64
	err   error
}

func (f File) countPart(ctx context.Context, i int64) (c counted) {
	start := f.begin + i*partSize
	end := min(start+partSize, f.end)
	part := f
	if part.begin, c.err = f.boundary(start); c.err != nil {
		return c
	}
	if part.end, c.err = f.boundary(end); c.err != nil {
		return c
	}
	c.end = part.end
	_, c.index, c.err = part.ReadPage(ctx, Span{Line: 1, Column: 1}, full{})
	return c
}

// boundary returns the start of the character or CRLF that contains the offset.
func (f File) boundary(at int64) (int64, error) {
	if at == f.begin || at == f.end {
		return at, nil
	}
	var before [3]byte
	n, err := f.r.ReadAt(before[:], at-int64(len(before)))
	if err != nil && err != io.EOF {
		return at, err
	}
	return at - int64((&source{}).unfinished(before[:n])), nil
}

// after converts m, a place in a text of its own, to a place in the text that it begins in at start.
func (m mark) after(start mark) mark {
	if m.before == 0 {
		m.chars += start.chars
		m.line = start.line
	} else {
		m.line += start.text
	}
	m.before += start.before
	m.text += start.text
	return m
}

// maxLast is the size of the end of a file that is searched for its last lines. A smaller file can be counted in that
// time.
const maxLast = 8 << 20

// Last returns the last n lines of a large file as a File, without reading the lines before them. ok is false if that
// is impossible or not worthwhile: count the lines instead.
func (f File) Last(ctx context.Context, n int) (last File, ok bool, err error) {
	if !f.info.utf8() || f.end-f.begin <= maxLast || f.end-f.begin > 1<<62 {
		return f, false, nil
	}
	buf := chunks.Get().(*[]byte)
	defer chunks.Put(buf)
	for at := f.end; f.end-at < maxLast; at -= chunkSize {
		chunk := (*buf)[:chunkSize]
		if _, err := f.r.ReadAt(chunk, at-chunkSize); err != nil {
			return f, false, nil // the file changed: count what is there
		}
		if err := ctx.Err(); err != nil {
			return f, false, err
		}
		if at == f.end && chunk[chunkSize-1] == '\n' {
			chunk = chunk[:chunkSize-1] // ends the last line
		}
		if found := bytes.Count(chunk, lf); found < n {
			n -= found
			continue
		}
		i := len(chunk)
		for ; n > 0; n-- {
			i = bytes.LastIndexByte(chunk[:i], '\n')
		}
		f.begin, f.index = at-chunkSize+int64(i)+1, nil
		return f, true, nil
	}
	return f, false, nil
}
