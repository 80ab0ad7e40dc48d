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

// store keeps each content once, in a file named by its SHA-256. A file is always complete, because it is renamed
// after it is written.
type store struct {
	dir  *os.Root
	max  int64 // limit for all contents, in bytes
	mu   sync.Mutex
	size int64 // of all contents, in bytes
}

func openStore(dir *os.Root, max int64) (*store, error) {
	s := &store{dir: dir, max: max}
	return s, s.sweep(func(string, time.Time) bool { return true })
}

// sweep removes contents that are not wanted, by their hash and last use, and partial files of killed processes.
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

// hashOf returns the hash in the name of a content's file.
func hashOf(name string) (sum string, ok bool) {
	b, err := hex.DecodeString(name)
	return string(b), err == nil && len(b) == sha256.Size
}

var errFull = errors.New("there is no room for it")

// use reports whether a content is kept, and has others know that it is used.
func (s *store) use(sum string) bool {
	now := time.Now()
	return s.dir.Chtimes(hex.EncodeToString([]byte(sum)), now, now) == nil
}

func (s *store) room(n int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size+n <= s.max
}

// put saves a reader's content of the given size, at most limit bytes, and returns its hash. Without room it only
// checks whether the content is there already.
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
	defer s.dir.Remove(temp) // it has been renamed by then, unless something failed
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

// copyTo copies at most limit+1 bytes to a file, if there is one, and returns their number and hash. On a file system
// that can share data, the copy takes no room.
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

// read returns a content. It verifies the hash, because a file in the store may have been changed.
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

func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
