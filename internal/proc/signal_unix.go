//go:build unix

package proc

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// exitOf returns the exit code of a process, or -1 and the name of the signal that ended it. For nil, the state of a
// process that something else reaped or that hangs, it returns -1.
func exitOf(state *os.ProcessState) (code int, signal string) {
	if state != nil {
		if status := state.Sys().(syscall.WaitStatus); status.Signaled() {
			return -1, signalName(status.Signal())
		}
	}
	return state.ExitCode(), ""
}

func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return s.String() // "signal 40": a real-time signal
}

// inherited holds the signals that the program ignored when it was started, by nohup or as a
// shell's background job. Go's runtime keeps only these two ignored.
var inherited = func() (ignored []os.Signal) {
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(s) {
			ignored = append(ignored, s)
		}
	}
	return ignored
}()

// defaultSignals gives the inherited signals their default effect in every process that is started before done is
// called. It makes the program handle them, because exec resets handled signals but not ignored ones. The program
// itself still ignores them.
func defaultSignals() (done func()) {
	if len(inherited) == 0 {
		return func() {}
	}
	unread := make(chan os.Signal, 1)
	signal.Notify(unread, inherited...)
	return func() { signal.Stop(unread) }
}
