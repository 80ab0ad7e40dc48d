package checkpoint

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spillway-go/spillway/internal/workspace"
)

// store keeps contents in a directory, each once, in a file named by its SHA-256. A file is complete or not there: it
// is renamed when it is written.
type store struct {
	dir  *os.Root
	max  int64 // bytes of all contents
	mu   sync.Mutex
	size int64 // of what is there
}

// openStore returns the store in a directory.
func openStore(dir *os.Root, max int64) (*store, error) {
	s := &store{dir: dir, max: max}
	return s, s.sweep(func(string, time.Time) bool { return true })
}

// sweep removes the contents that are not wanted, by their hashes and the times of their last use, and what killed
// processes left half written.
func (s *store) sweep(wanted func(sum string, used time.Time) bool) error {
	f, err := s.dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	left := int64(0)
	for err == nil {
		var entries []fs.DirEntry
		entries, err = f.ReadDir(1000)
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				continue
			}
			sum, ok := hashOf(e.Name())
			switch {
			case ok && wanted(sum, info.ModTime()):
				left += info.Size()
			case ok, strings.HasPrefix(e.Name(), tempPrefix) && time.Since(info.ModTime()) > tempAge:
				s.dir.Remove(e.Name())
			}
		}
	}
	s.mu.Lock()
	s.size = left
	s.mu.Unlock()
	if err == io.EOF {
		err = nil
	}
	return err
}

const tempPrefix = "new-"

// hashOf returns the hash that a content is named by.
func hashOf(name string) (sum string, ok bool) {
	b, err := hex.DecodeString(name)
	return string(b), err == nil && len(b) == sha256.Size
}

// errFull is the error for a content that the store has no room for.
var errFull = errors.New("there is no room for it")

// has reports whether a content is kept.
func (s *store) has(sum string) bool {
	_, err := s.dir.Lstat(hex.EncodeToString([]byte(sum)))
	return err == nil
}

// use reports whether a content is kept, and has others know that it is used.
func (s *store) use(sum string) bool {
	now := time.Now()
	return s.dir.Chtimes(hex.EncodeToString([]byte(sum)), now, now) == nil
}

// room reports whether there is room for so many bytes.
func (s *store) room(n int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size+n <= s.max
}

// put keeps what a reader holds, of some size and at most limit bytes, and returns its hash. If there is no room for
// it, it is only looked for.
func (s *store) put(r io.Reader, size, limit int64) (sum string, err error) {
	if !s.room(size) {
		_, sum, err := copyTo(nil, r, limit)
		if err == nil && !s.use(sum) {
			err = errFull
		}
		return sum, err
	}
	temp := tempPrefix + rand.Text()
	f, err := s.dir.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return "", err
	}
	defer s.dir.Remove(temp) // it has another name by then, unless something failed
	n, sum, err := copyTo(f, r, limit)
	err = errors.Join(err, f.Close())
	if err == nil && n > limit {
		err = errFull
	}
	if err != nil {
		return "", err
	}
	if s.use(sum) {
		return sum, nil
	}
	if err := s.dir.Rename(temp, hex.EncodeToString([]byte(sum))); err != nil {
		return "", err
	}
	s.mu.Lock()
	s.size += n
	s.mu.Unlock()
	return sum, nil
}

// copyTo copies what a reader holds, of at most limit bytes and one, to a file unless that is nil, and returns its size
// and hash. What is in a file of the same file system takes no room where that can share it.
func copyTo(to *os.File, r io.Reader, limit int64) (n int64, sum string, err error) {
	h := sha256.New()
	var w io.Writer = h
	if from, ok := r.(*os.File); to != nil && ok && share(to, from) {
		r = to
	} else if to != nil {
		w = io.MultiWriter(to, h)
	}
	n, err = io.Copy(w, io.LimitReader(r, limit+1))
	return n, string(h.Sum(nil)), err
}

// read returns a kept content. A file that does not hold what its name says was changed by somebody.
func (s *store) read(sum string, limit int64) ([]byte, error) {
	f, err := openRegular(s.dir, hex.EncodeToString([]byte(sum)))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit))
	if have := sha256.Sum256(data); err == nil && string(have[:]) != sum {
		err = errors.New("the copy of it was changed")
	}
	return data, err
}

func openRegular(dir *os.Root, name string) (*os.File, error) {
	f, _, err := workspace.OpenRegular(dir.OpenFile, name)
	return f, err
}

// absent reports whether an error says that something is not there.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
