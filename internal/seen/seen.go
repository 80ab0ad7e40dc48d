// Package seen remembers which content of files somebody was shown, to tell later whether
// they have changed since.
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
	// maxContent is the size up to which a content is kept, to tell what has changed in it. Of
	// a longer one only the sum is.
	maxContent = 128 << 10
	// maxHeld bounds the contents and paths that are kept together, in bytes. Those that were
	// used last stay.
	maxHeld = 8 << 20
	// entrySize is what an entry takes besides: 16,000 of them fill maxHeld.
	entrySize = 512
	// runSize is what a run of lines takes.
	runSize = 16
)

var seed = maphash.MakeSeed()

// Sum tells contents apart. Its zero value is that of no file.
type Sum struct {
	size int
	hash uint64 // by a key that no other process knows
}

// SumOf returns the sum of a content.
func SumOf(content []byte) Sum { return Sum{len(content), maphash.Bytes(seed, content)} }

// Version is a content of a file.
type Version struct {
	Sum     Sum
	Content []byte // nil if it is too long to be kept
	Lines   Lines  // those of it that were shown

	info fs.FileInfo // of a file of which only a part was read: then there is no Sum
}

// PartOf returns the version of a file of which only a part was read.
func PartOf(info fs.FileInfo) Version { return Version{info: info} }

// Is reports whether a file still has that content: by its sum, or, if nobody has read all of
// it, by its size and time.
func (v Version) Is(sum Sum, info fs.FileInfo) bool {
	if v.info != nil {
		return info != nil && textfile.Unchanged(v.info, info)
	}
	return v.Sum == sum
}

// Store remembers versions by the path of their file. Its zero value is empty. It is safe for
// concurrent use, and bounded.
type Store struct {
	mu    sync.Mutex
	files map[string]*list.Element // of entries
	order list.List                // the one that was used last comes first
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

// same reports whether v is of the content that old was of.
func (v Version) same(old Version) bool {
	if v.info != nil || old.info != nil {
		return v.info != nil && old.info != nil && textfile.Unchanged(old.info, v.info)
	}
	return v.Sum == old.Sum
}

// Put remembers the version of a file that was shown last, with the lines that were shown of
// the same one before. It keeps the content, which must not change.
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

// Latest returns the version that was shown last of those at the paths, or nil: a file may
// have been read by a link.
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

// Recorder is a file that is read, of which it makes a version: all of it that is read from
// the beginning on, without a gap. It is not safe for concurrent use.
type Recorder struct {
	file    io.ReaderAt
	info    fs.FileInfo
	next    int64
	hash    maphash.Hash
	content []byte
}

// Record makes a Recorder of a file, with what describes it now.
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
	if new := r.next - at; new >= 0 && new < int64(n) {
		part := p[new:n]
		r.hash.Write(part)
		r.next += int64(len(part))
		if r.content != nil && len(r.content)+len(part) <= maxContent {
			r.content = append(r.content, part...)
		}
	}
	return n, err
}

// Version returns what was read. If that is not all of the file, it is known by size and time.
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
