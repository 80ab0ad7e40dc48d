package workspace

import (
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

const (
	OpenFlags = 0
	holdFlags = os.O_RDONLY
)

// mayEnter returns nil, because Windows checks a directory when it starts the process.
func mayEnter(*os.File) error { return nil }

// OpenRoot opens a directory with os.OpenRoot or the method of an [os.Root]. It opens an absolute path from its parent
// if it can, because a directory that os.OpenRoot opens cannot be renamed or removed while it is open.
func OpenRoot(open func(name string) (*os.Root, error), name string) (*os.Root, error) {
	if !filepath.IsAbs(name) {
		return open(name)
	}
	if parent, err := open(filepath.Dir(name)); err == nil {
		defer parent.Close()
		if dir, err := parent.OpenRoot(filepath.Base(name)); err == nil {
			return dir, nil
		}
	}
	return open(name) // the root of a volume, or a directory whose parent may not be read
}

// SeveralNames reports whether a file has several hard links.
func SeveralNames(dir *os.Root, name string, _ fs.FileInfo) (bool, error) {
	f, _, err := OpenRegular(dir.OpenFile, name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var info windows.ByHandleFileInformation
	err = windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info)
	return info.NumberOfLinks > 1, err
}

// Owned returns true, because a mode does not name the owner here.
func Owned(fs.FileInfo) bool { return true }
