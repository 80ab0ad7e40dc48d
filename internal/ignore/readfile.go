package ignore

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Sizes in bytes beyond which a file is not read at all.
const (
	// maxFile is git's own bound for a file of patterns, since 2.46.
	maxFile = 100 << 20
	// maxConfig is far above any configuration that git would be fast with.
	maxConfig = 8 << 20
	// maxPointer is git's own bound for a .git that is a file.
	maxPointer = 1 << 20
)

var (
	// ErrNotRegular is the error for an ignore file that is something else
	// than a regular file. git does not follow a .gitignore that is a
	// symbolic link, so that a repository cannot make it read elsewhere.
	ErrNotRegular = errors.New("not a regular file")

	// ErrTooLarge is the error for an ignore file above 100 MiB.
	ErrTooLarge = errors.New("file too large")
)

// ReadFile reads an ignore file, for use with Enter. It does not follow a
// symbolic link at the end of path and does not wait for a pipe. It fails with
// an error that is fs.ErrNotExist, ErrNotRegular or ErrTooLarge, or with that
// of the system. git reads no rules from a file for which it fails, and so can
// the caller: a nil content is that of no file. Only the content of an empty
// file is empty and not nil.
func ReadFile(path string) ([]byte, error) {
	f, err := openNoFollow(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readRegular(f, maxFile)
}

// readOutside reads a file of rules that is not in the work tree. Such a file
// may be a symbolic link. It returns nil if it cannot be read.
func readOutside(path string) []byte {
	content, err := readBounded(path, maxFile)
	if err != nil {
		return nil
	}
	return content
}

// readBounded reads a regular file of at most limit bytes, following links.
func readBounded(path string, limit int64) ([]byte, error) {
	// Asked first, because opening a pipe would wait for its other end.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("ignore: %s: %w", path, ErrNotRegular)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readRegular(f, limit)
}

// readRegular reads f, which must be a regular file of at most limit bytes.
func readRegular(f *os.File, limit int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("ignore: %s: %w", f.Name(), ErrNotRegular)
	}
	size := info.Size()
	if size > limit {
		return nil, fmt.Errorf("ignore: %s: %w", f.Name(), ErrTooLarge)
	}
	// It may grow while it is read; what is beyond its size counts no more.
	content := make([]byte, size)
	n, err := io.ReadFull(f, content)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	return content[:n], nil
}
