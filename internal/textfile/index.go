package textfile

import (
	"bytes"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"
	"unicode/utf8"
)

// mark is a place in a text, between two characters.
type mark struct {
	offset int64 // in bytes of the file
	text   int64 // in bytes of the text, as UTF-8
	line   int64 // where the line starts that the place is in, in bytes of the text
	before int   // newlines before it
	chars  int   // characters between the line's start and it
}

var lf, crlf = []byte("\n"), []byte("\r\n")

// past returns the mark behind a chunk of text that starts at m.
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

// compare orders places by line and column.
func (m mark) compare(before, chars int) int {
	if m.before != before {
		return m.before - before
	}
	return m.chars - chars
}

// maxMarks bounds an index to 80 KiB. With as many marks, those of 1 GiB are 512
// KiB apart, which takes a tenth of a millisecond to read.
const maxMarks = 2048

// Index says how many lines a text has, and where some of them are. It is immutable.
type Index struct {
	marks []mark
	gap   int64 // between two marks, in bytes of the file
	end   mark
	lines int
	final bool // the last line is ended by a newline
}

// Lines returns the number of lines in the text.
func (x *Index) Lines() int { return x.lines }

// add remembers a mark, and forgets every second one when there are too many.
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

// last returns the last mark that is not behind a place.
func (x *Index) last(before, chars int) (mark, bool) {
	i, found := slices.BinarySearchFunc(x.marks, 0, func(m mark, _ int) int { return m.compare(before, chars) })
	if !found {
		i--
	}
	if i < 0 {
		return mark{}, false
	}
	return x.marks[i], true
}

// minRemembered is the size of a file below which counting its lines again is as
// good as remembering their number.
const minRemembered = 1 << 20

// maxRemembered is the number of files that a cache knows.
const maxRemembered = 8

// racy is the time after a change in which another one may not show in a file's
// modification time: the clock of Linux moves every 1 to 10 milliseconds.
const racy = 20 * time.Millisecond

// Cache remembers the indexes of large files while these do not change. Its zero value is
// empty. It is safe for concurrent use.
type Cache struct {
	mu    sync.Mutex
	files []remembered // the one that was used last comes first
}

type remembered struct {
	path  string
	info  fs.FileInfo
	index *Index
}

// Get returns a file's index, or nil.
func (c *Cache) Get(path string, info fs.FileInfo) *Index {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.files, func(r remembered) bool { return r.path == path })
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

// Put remembers the index of a file that matched info before and after it was read.
func (c *Cache) Put(path string, info fs.FileInfo, index *Index) {
	if info.Size() < minRemembered || time.Since(info.ModTime()) < racy {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.files = slices.DeleteFunc(c.files, func(r remembered) bool { return r.path == path })
	c.files = slices.Insert(c.files, 0, remembered{path, info, index})
	c.files = c.files[:min(len(c.files), maxRemembered)]
}

// Unchanged reports whether a and b are the same file with the same size and modification
// time.
func Unchanged(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
