//go:build unix

package proc

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// exitOf returns the exit code of a process, or -1 and the name of the signal that ended it;
// or just -1 for nil, where it could not be waited for.
func exitOf(state *os.ProcessState) (code int, signal string) {
	if state != nil {
		if status := state.Sys().(syscall.WaitStatus); status.Signaled() {
			return -1, signalName(status.Signal())
		}
	}
	return state.ExitCode(), ""
}

// signalName returns the name of a signal, such as "SIGSEGV".
func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return s.String() // "signal 40": a real-time signal
}

// inherited are the signals that the program was started to ignore, by nohup or as a
// shell's background job. Of those that have a use here, Go's runtime leaves these two so.
var inherited = func() (ignored []os.Signal) {
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(s) {
			ignored = append(ignored, s)
		}
	}
	return ignored
}()

// defaultSignals keeps a process that is started before the returned function is called from
// ignoring what the program was started to ignore: a signal that the program handles has its
// default effect in the process. To the program it means nothing still.
func defaultSignals() (done func()) {
	if len(inherited) == 0 {
		return func() {}
	}
	unread := make(chan os.Signal, 1)
	signal.Notify(unread, inherited...)
	return func() { signal.Stop(unread) }
}
