package tools

import (
	"io"

	"github.com/spillway-go/spillway/internal/fault"
)

// unsized is a file that calls itself empty, as those in /proc do. It may have no end:
// it may not have more than most bytes, which other files are asked about before.
type unsized struct {
	io.ReaderAt
	name string
	most int64
}

func (u *unsized) ReadAt(p []byte, offset int64) (int, error) {
	n, err := u.ReaderAt.ReadAt(p, offset)
	if offset+int64(n) > u.most {
		return 0, endless(u.name, u.most)
	}
	return n, err
}

func endless(name string, most int64) error { return failure(fault.Endless(name, most), "") }
