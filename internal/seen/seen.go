// Package seen remembers which contents of files were shown, to detect later changes.
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
	// maxContent is the largest content that is kept for a later diff. For a larger one only the sum is kept.
	maxContent = 128 << 10
	// maxHeld bounds the size of all entries together. The least recently used are dropped first.
	maxHeld = 8 << 20
	// entrySize is the size of an entry without its path, content and runs: 16,000 entries fill maxHeld.
	entrySize = 512
	runSize   = 16
)

var seed = maphash.MakeSeed()

// Sum identifies a content. The zero value means that there is no file.
type Sum struct {
	size int
	hash uint64 // with a key that no other process knows
}

func SumOf(content []byte) Sum { return Sum{len(content), maphash.Bytes(seed, content)} }

type Version struct {
	Sum     Sum
	Content []byte // nil if it is too large to be kept
	Lines   Lines  // the lines that were shown

	info fs.FileInfo // replaces Sum if only part of the file was read
}

// PartOf returns the version of a file that was read in part.
func PartOf(info fs.FileInfo) Version { return Version{info: info} }

// Is reports whether a file still has that content: by its sum or, if only part of it was read, by its size and
// modification time.
func (v Version) Is(sum Sum, info fs.FileInfo) bool {
	if v.info != nil {
		return info != nil && textfile.Unchanged(v.info, info)
	}
	return v.Sum == sum
}

// Store remembers the last shown version of each file, in bounded memory. Its zero value is empty. It is safe for
// concurrent use.
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
	number  int // grows with each Put
}

func (e entry) size() int {
	return entrySize + len(e.path) + len(e.version.Content) + runSize*len(e.version.Lines.runs)
}

func (v Version) same(old Version) bool {
	if v.info != nil || old.info != nil {
		return v.info != nil && old.info != nil && textfile.Unchanged(old.info, v.info)
	}
	return v.Sum == old.Sum
}

// Put records v as the last shown version of a file. If its content is not new, the lines shown before are added. The
// content must not change afterwards.
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

// Latest returns the last shown version under any of the paths of a file, or nil.
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

// Version returns the version that was read. If that is not the whole file, size and modification time identify it.
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
