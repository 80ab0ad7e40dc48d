// Package seen remembers which content of files was shown, to detect later whether they have changed since.
package seen

import (
	"container/list"
	"hash/maphash"
	"io"
	"io/fs"
	"sync"

	"github.com/spillway-go/spillway/internal/textfile"
)

const (
	// maxContent is the size up to which a content is kept, for a diff later. Of a larger one only the sum is kept.
	maxContent = 128 << 10
	// maxHeld bounds the size of all entries together. The least recently used go first.
	maxHeld = 8 << 20
	// entrySize is the size of an entry without its path, content and runs: 16,000 entries fill maxHeld.
	entrySize = 512
	// runSize is the size of a run of lines.
	runSize = 16
)

var seed = maphash.MakeSeed()

// Sum identifies a content. Its zero value stands for no file.
type Sum struct {
	size int
	hash uint64 // with a key that no other process knows
}

// SumOf returns the sum of a content.
func SumOf(content []byte) Sum { return Sum{len(content), maphash.Bytes(seed, content)} }

// Version is a content of a file.
type Version struct {
	Sum     Sum
	Content []byte // nil if it is too large to be kept
	Lines   Lines  // the lines that were shown

	info fs.FileInfo // in place of Sum, if only a part of the file was read
}

// PartOf returns the version of a file of which only a part was read.
func PartOf(info fs.FileInfo) Version { return Version{info: info} }

// Is reports whether a file still has that content: by its sum, or by its size and modification time if only a part
// of it was read.
func (v Version) Is(sum Sum, info fs.FileInfo) bool {
	if v.info != nil {
		return info != nil && textfile.Unchanged(v.info, info)
	}
	return v.Sum == sum
}

// Store remembers the version of each file that was shown last, in bounded memory. Its zero value is empty. It is
// safe for concurrent use.
type Store struct {
	mu    sync.Mutex
	files map[string]*list.Element // of entries
	order list.List                // of entries, the most recently used first
	held  int
	puts  int
}

type entry struct {
	path    string
	version Version
	number  int // higher than those of entries put before
}

func (e entry) size() int {
	return entrySize + len(e.path) + len(e.version.Content) + runSize*len(e.version.Lines.runs)
}

// same reports whether v and old are the same content.
func (v Version) same(old Version) bool {
	if v.info != nil || old.info != nil {
		return v.info != nil && old.info != nil && textfile.Unchanged(old.info, v.info)
	}
	return v.Sum == old.Sum
}

// Put remembers v as the version of a file that was shown last. If that is not new, it adds the lines that were shown
// before. The content must not change afterwards.
func (s *Store) Put(path string, v Version) {
	if len(v.Content) > maxContent {
		v.Content = nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == nil {
		s.files = map[string]*list.Element{}
	}
	if at := s.files[path]; at != nil {
		if old := at.Value.(entry).version; v.same(old) {
			v.Lines = v.Lines.and(old.Lines)
		}
		s.remove(at)
	}
	s.puts++
	e := entry{path, v, s.puts}
	s.files[path] = s.order.PushFront(e)
	s.held += e.size()
	for s.held > maxHeld {
		s.remove(s.order.Back())
	}
}

func (s *Store) remove(at *list.Element) {
	e := s.order.Remove(at).(entry)
	delete(s.files, e.path)
	s.held -= e.size()
}

// Latest returns the version that was shown last under any of the paths of a file, or nil.
func (s *Store) Latest(paths ...string) *Version {
	s.mu.Lock()
	defer s.mu.Unlock()
	var latest *list.Element
	for _, path := range paths {
		if at := s.files[path]; at != nil && (latest == nil || at.Value.(entry).number > latest.Value.(entry).number) {
			latest = at
		}
	}
	if latest == nil {
		return nil
	}
	s.order.MoveToFront(latest)
	v := latest.Value.(entry).version
	return &v
}

// Recorder reads a file and makes a version of what it reads from the beginning on, without a gap. It is not safe for
// concurrent use.
type Recorder struct {
	file    io.ReaderAt
	info    fs.FileInfo
	next    int64
	hash    maphash.Hash
	content []byte
}

// Record returns a Recorder of a file, which info describes.
func Record(file io.ReaderAt, info fs.FileInfo) *Recorder {
	r := &Recorder{file: file, info: info}
	r.hash.SetSeed(seed)
	if size := info.Size(); size <= maxContent {
		r.content = make([]byte, 0, size)
	}
	return r
}

// ReadAt reads the file.
func (r *Recorder) ReadAt(p []byte, at int64) (int, error) {
	n, err := r.file.ReadAt(p, at)
	if known := r.next - at; known >= 0 && known < int64(n) {
		part := p[known:n]
		r.hash.Write(part)
		r.next += int64(len(part))
		if r.content != nil && len(r.content)+len(part) <= maxContent {
			r.content = append(r.content, part...)
		}
	}
	return n, err
}

// Version returns the version that was read. If that is not all of the file, it goes by size and modification time.
func (r *Recorder) Version() Version {
	if r.next != r.info.Size() {
		return PartOf(r.info)
	}
	v := Version{Sum: Sum{int(r.next), r.hash.Sum64()}}
	if len(r.content) == int(r.next) {
		v.Content = r.content
	}
	return v
}
