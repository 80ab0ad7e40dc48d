//go:build unix

package proc

import (
	"os"

	"github.com/creack/pty"
	"github.com/spillway-go/spillway/internal/terminal"
	"golang.org/x/sys/unix"
)

// newTerminal returns both ends of a new terminal. Reading ours never blocks a thread.
func newTerminal() (ours *pipe, theirs *os.File, err error) {
	opened, theirs, err := pty.Open()
	if err != nil {
		return nil, nil, err
	}
	defer opened.Close()
	err = pty.Setsize(opened, &pty.Winsize{Cols: 120, Rows: terminal.Rows})
	if err == nil {
		ours, err = reopened(opened)
	}
	if err != nil {
		theirs.Close()
		return nil, nil, err
	}
	return ours, theirs, nil
}

// reopened returns another descriptor of a terminal that works with the runtime's poller, because reads of package
// pty's descriptor block a thread.
func reopened(opened *os.File) (*pipe, error) {
	fd, err := unix.FcntlInt(opened.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return pipeOf(os.NewFile(uintptr(fd), opened.Name())), nil
}
