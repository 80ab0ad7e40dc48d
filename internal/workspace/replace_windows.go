package workspace

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// mayWrite goes by the attribute of files that may only be read.
func mayWrite(_ *os.Root, _ string, info fs.FileInfo) error {
	if info.Mode()&0o200 == 0 {
		return fs.ErrPermission
	}
	return nil
}

// severalNames reports whether a file has hard links.
func severalNames(dir *os.Root, name string, _ fs.FileInfo) (bool, error) {
	f, _, err := OpenRegular(dir.OpenFile, name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var info windows.ByHandleFileInformation
	err = windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info)
	return info.NumberOfLinks > 1, err
}

// copyOwner does nothing: the owner of a file is who made it.
func copyOwner(*os.File, fs.FileInfo) error { return nil }

// syncDir does nothing: directories cannot be synced.
func syncDir(*os.Root) {}
