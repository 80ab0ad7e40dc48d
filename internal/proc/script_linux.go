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

// stateFile returns a file in memory for the state of a shell, which nothing makes larger
// than MaxState. Where it is not in memory, what is beyond that is not read.
func stateFile() (*os.File, error) {
	fd, err := unix.MemfdCreate("spillway-state", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return unlinkedFile("")
	}
	err = unix.Ftruncate(fd, MaxState)
	if err == nil {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
	}
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), "state"), nil
}
