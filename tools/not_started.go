package tools

import (
	"cmp"
	"errors"
	"io/fs"
	"os/exec"
	"syscall"

	"github.com/spillway-go/spillway/internal/proc"
)

// notStarted returns the error for a command that could not be started.
func (s *Suite) notStarted(err error, cwd string) error {
	if !errors.Is(err, proc.ErrDir) {
		return &Error{Code: CodeIOError, Message: "the command could not be started: " + show(err.Error()) + startAdvice(err), Err: err}
	}
	e := failure(err, cmp.Or(cwd, "."))
	if s.ws.Gone() {
		e.Message = goneMessage
	}
	return e
}

// startAdvice says what to do about a command that the system did not start: the model sees
// neither the limits nor the filters that the program runs under.
func startAdvice(err error) string {
	const never = ". No command can run here; go on with the other tools"
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return ". There is neither bash nor sh in the PATH of the program that runs the tools" + never
	case errors.Is(err, syscall.EAGAIN):
		return ". The limit on processes is reached (ulimit -u, or pids.max of the container). End what earlier commands left running, then try again"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return ". The limit on open files is reached (ulimit -n of the program that runs the tools). Try again when other calls have ended"
	case errors.Is(err, syscall.ENOMEM):
		return ". There is no memory left for it. End what earlier commands left running, then try again"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.EDQUOT):
		return ". It is kept in a temporary file, for which there is no room. Remove files that are not needed, or give a shorter command"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOSYS):
		return ". The system does not let the program that runs the tools start others (a seccomp filter or another sandbox)" + never
	}
	return ""
}
