package walk

import (
	"io/fs"
	"os"

	"github.com/spillway-go/spillway/internal/workspace"
)

// slowFile is a file that was opened through os.Root.
type slowFile struct{ *os.File }

func openSlow(root *os.Root, path string) (File, error) {
	info, err := root.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	f, err := workspace.OpenIn(root, path)
	if err != nil {
		return nil, err
	}
	return slowFile{f}, nil
}

func (f slowFile) Size() (int64, error) {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
