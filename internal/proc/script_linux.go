package proc

import (
	"os"

	"golang.org/x/sys/unix"
)

// scriptFile returns a file in memory: a full or read-only /tmp does not matter.
func scriptFile(script string) (*os.File, error) {
	fd, err := unix.MemfdCreate("spillway-script", unix.MFD_CLOEXEC)
	if err != nil {
		return unlinkedFile(script)
	}
	return filled(os.NewFile(uintptr(fd), "script"), script)
}
