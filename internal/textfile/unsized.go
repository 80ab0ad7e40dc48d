package textfile

import (
	"io"

	"github.com/spillway-go/spillway/internal/fault"
)

// Unsized returns a file that calls itself empty, as files in /proc do, as one that fails after most bytes: it may
// have no end, and its size cannot be checked before.
func Unsized(file io.ReaderAt, name string, most int64) io.ReaderAt {
	return &unsized{file, name, most}
}

type unsized struct {
	io.ReaderAt
	name string
	most int64
}

func (u *unsized) ReadAt(p []byte, offset int64) (int, error) {
	n, err := u.ReaderAt.ReadAt(p, offset)
	if offset+int64(n) > u.most {
		return 0, fault.Endless(u.name, u.most)
	}
	return n, err
}
