package textfile

import (
	"io"

	"github.com/spillway-go/spillway/internal/fault"
)

// Unsized returns a file of that name that calls itself empty, as those in /proc do. It may have no end: it may not have
// more than most bytes, which other files are asked about before.
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
