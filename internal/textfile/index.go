package textfile

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"
	"unicode/utf8"
)

type mark struct {
	offset int64 // in bytes of the file
	text   int64 // in bytes of the text, as UTF-8
	line   int64 // the start of its line, in bytes of the text
	before int   // newlines before it
	chars  int   // characters before it in its line
}

var lf, crlf = []byte("\n"), []byte("\r\n")

// past returns the mark after a chunk of text that starts at m.
func (m mark) past(chunk []byte, offset int64) mark {
	m.offset = offset
	if n := bytes.Count(chunk, lf); n > 0 {
		start := bytes.LastIndexByte(chunk, '\n') + 1
		m.before += n
		m.line = m.text + int64(start)
		m.chars = utf8.RuneCount(chunk[start:])
	} else {
		m.chars += utf8.RuneCount(chunk)
	}
	m.text += int64(len(chunk))
	return m
}

// maxMarks bounds an index to 80 KiB. In 1 GiB, marks are 512 KiB apart, which takes a tenth of a millisecond to read.
const maxMarks = 2048

// Index has the number of lines of a text, and where some of them are. It is immutable.
type Index struct {
	marks []mark
	gap   int64 // between two marks, in bytes of the file
	end   mark
	lines int
	final bool // the last line ends with a newline
}

// Lines returns the number of lines in the text.
func (x *Index) Lines() int { return x.lines }

// add adds a mark. If there are too many, it drops every second one.
func (x *Index) add(m mark) {
	if n := len(x.marks); n > 0 && m.offset < x.marks[n-1].offset+x.gap {
		return
	}
	if len(x.marks) == maxMarks {
		for i := range maxMarks / 2 {
			x.marks[i] = x.marks[2*i]
		}
		x.marks = x.marks[:maxMarks/2]
		x.gap = max(2*x.gap, 2*chunkSize)
	}
	x.marks = append(x.marks, m)
}

// last returns the last mark at or before a place.
func (x *Index) last(before, chars int) (mark, bool) {
	i, found := slices.BinarySearchFunc(x.marks, 0, func(m mark, _ int) int {
		return cmp.Or(m.before-before, m.chars-chars)
	})
	if !found {
		i--
	}
	if i < 0 {
		return mark{}, false
	}
	return x.marks[i], true
}

const (
	// MinCached is the size below which files are not cached, because counting the lines again is as fast.
	MinCached = 1 << 20
	// maxCached is the number of files in a cache.
	maxCached = 8
	// mtimeStep is more than the resolution of modification times, which is 1 to 10 milliseconds on Linux: within it,
	// a second change may leave the time unchanged.
	mtimeStep = 20 * time.Millisecond
)

// Cache keeps the indexes of large files that have not changed since. Its zero value is empty. It is safe for
// concurrent use.
type Cache struct {
	mu    sync.Mutex
	files []cached // the most recently used first
}

type cached struct {
	path  string
	info  fs.FileInfo
	index *Index
}

// Get returns a file's index, or nil.
func (c *Cache) Get(path string, info fs.FileInfo) *Index {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.files, func(r cached) bool { return r.path == path })
	if i < 0 {
		return nil
	}
	r := c.files[i]
	c.files = slices.Delete(c.files, i, i+1)
	if !Unchanged(r.info, info) {
		return nil
	}
	c.files = slices.Insert(c.files, 0, r)
	return r.index
}

// Put adds the index of a file that matched info before and after it was read.
func (c *Cache) Put(path string, info fs.FileInfo, index *Index) {
	if info.Size() < MinCached || time.Since(info.ModTime()) < mtimeStep {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.files = slices.DeleteFunc(c.files, func(r cached) bool { return r.path == path })
	c.files = slices.Insert(c.files, 0, cached{path, info, index})
	c.files = c.files[:min(len(c.files), maxCached)]
}

// Unchanged reports whether a and b are the same file with the same size and modification
// time.
func Unchanged(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
