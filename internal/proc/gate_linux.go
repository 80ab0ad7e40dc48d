package proc

import (
	"errors"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/program"
)

// A gate is code that a shell runs before its script. It waits for a line from descriptor 4,
// which comes once the shell is marked. If the host program ends first, the shell exits.
//
// For bash, the gate is in the file that BASH_ENV names, which bash reads before the script.
// The script is still the argument of bash -c, and bash runs the last command of a simple
// script in its own process, which saves a fork (0.3 ms). Where bash ignores BASH_ENV, the gate
// precedes the code that loads the script from a file. For other shells the gate precedes the
// script itself: loading the script would cost a shell like dash one more process (0.7 ms).
//
// Tracing the shell up to the end of its exec would also keep it from running. But a signal
// between PTRACE_TRACEME and execve stops the shell, and its tracer, which waits in vfork,
// could never continue it: the whole host program would hang.
const (
	fileGate  = "read -r -u 4 _spillway_gate || exit; exec 3<&- 4<&-; unset _spillway_gate BASH_ENV\n"
	bashGate  = `read -r -u 4 _spillway_script || exit; exec 4<&-; `
	plainGate = `read -r _spillway_script <&4 || exit; unset _spillway_script; exec 4<&-; `
	gateFile  = "/proc/self/fd/3"
	// programGate precedes a program that starts the shell.
	programGate = `read -r _ <&4 || exit; exec 4<&-; exec "$@"`

	gateDescriptor = 4
)

// shellFor returns the shell that runs the command's script, behind a gate.
func shellFor(c Command) (s *shell, err error) {
	if s, err = newShell(c); err != nil {
		return nil, err
	}
	if starter := c.Sandbox.Program(c.Dir); starter != nil {
		err = s.startedBy(starter, c)
	} else if s.argv[0] != "bash" {
		err = s.plain(plainGate, c.Script)
	} else if len(c.Script) > maxScriptArgument || !readsGate(c.Env) {
		err = s.load(bashGate+s.saveCommand(), c.Script)
	} else {
		s.run(c.Script)
		s.env = []string{"BASH_ENV=" + gateFile}
		s.script, err = scriptFile(fileGate + s.saveCommand())
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// startedBy makes a program start the shell. The gate precedes both, so the program and all
// that it starts are marked.
func (s *shell) startedBy(starter []string, c Command) (err error) {
	if err = s.plain("", c.Script); err != nil {
		return err
	}
	if s.filter, err = scriptFile(string(c.Sandbox.Filter())); err != nil {
		return err
	}
	s.argv = slices.Concat([]string{"sh", "-c", programGate, "sh"}, starter, []string{s.path}, s.argv[1:])
	s.path, err = program.Find("sh")
	return err
}

// readsGate reports whether bash would read the gate from the file that BASH_ENV names. It does
// not in POSIX mode, with another user's rights, or if the caller has set BASH_ENV.
func readsGate(env []string) bool {
	return os.Getuid() == os.Geteuid() && os.Getgid() == os.Getegid() &&
		unix.Access("/proc/self/fd", unix.X_OK) == nil &&
		!slices.ContainsFunc(env, func(v string) bool {
			name, _, _ := strings.Cut(v, "=")
			return name == "BASH_ENV" || name == "POSIXLY_CORRECT" || name == "SHELLOPTS"
		})
}

// errForbidden is the error for a shell that was killed before its script ran.
var errForbidden = errors.New("not permitted to run any more")

// startGated starts a shell behind a gate and marks it. Then it opens the gate, or kills the
// shell if permit returns false.
func (l launch) startGated(s *shell, mark func(pid int), permit func() bool) (pid int, err error) {
	in, gate, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer gate.Close()
	l.files = s.withState(slices.Clone(l.files))
	l.files[gateDescriptor] = in
	pid, err = l.start()
	in.Close()
	if err != nil {
		return 0, err
	}
	mark(pid)
	if permit() {
		gate.WriteString("\n")
		return pid, nil
	}
	unix.Kill(pid, unix.SIGKILL)
	ignoringEINTR(func() (int, error) { return unix.Wait4(pid, nil, 0, nil) })
	return 0, errForbidden
}
