package tools

import (
	"io"

	"github.com/spillway-go/spillway/truncation"
)

// unsized is a file that calls itself empty, as those in /proc do. It may have no end:
// it may not have more than max bytes, which other files are asked about before.
type unsized struct {
	io.Reader
	io.ReaderAt
	name string
	max  int64
	read int64 // by Read
}

func (u *unsized) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	if u.read += int64(n); u.read > u.max {
		return 0, u.tooLarge()
	}
	return n, err
}

func (u *unsized) ReadAt(p []byte, offset int64) (int, error) {
	n, err := u.ReaderAt.ReadAt(p, offset)
	if offset+int64(n) > u.max {
		return 0, u.tooLarge()
	}
	return n, err
}

func (u *unsized) tooLarge() error {
	return errorf(CodeTooLarge, "%s does not say how long it is, and did not end within %s. Look for what you need in another file",
		show(u.name), truncation.FormatSize(u.max))
}
