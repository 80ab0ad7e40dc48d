package proc

import (
	"os"

	"golang.org/x/sys/unix"
)

// scriptFile returns a file in memory, because there may be no writable temporary directory.
func scriptFile(script string) (*os.File, error) {
	fd, err := unix.MemfdCreate("spillway-script", unix.MFD_CLOEXEC)
	if err != nil {
		return unlinkedFile(script)
	}
	return filled(os.NewFile(uintptr(fd), "script"), script)
}

// stateFile returns a file in memory for the state of a shell, sealed so that it cannot grow beyond size. If the
// system has no such files, it returns an unlinked one without a limit.
func stateFile(size int64) (*os.File, error) {
	fd, err := unix.MemfdCreate("spillway-state", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return unlinkedFile("")
	}
	err = unix.Ftruncate(fd, size)
	if err == nil {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
	}
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), "state"), nil
}
