package proc

import (
	"errors"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// A shell is kept from its script by a gate until it is marked: it waits for a line from
// descriptor 4. If the host program ends meanwhile, it ends too.
//
// bash meets the gate in the file that BASH_ENV names, which it reads before the script.
// So the script is what bash -c is given, and runs as ever: the last command of a simple
// one takes the place of the shell, which saves a fork, 0.3 ms. Where BASH_ENV does not count,
// the gate stands before what loads the script from a file. Other shells have it before the
// script itself: to load that takes one like dash a process more, 0.7 ms.
//
// To trace the shell up to the end of its exec would keep it from running without any of
// this. But a signal that comes between PTRACE_TRACEME and execve stops it, and its
// tracer, which waits in vfork, could never let it go on: the whole host program hangs.
const (
	fileGate  = "read -r -u 4 _spillway_gate || exit; exec 3<&- 4<&-; unset _spillway_gate BASH_ENV\n"
	bashGate  = `read -r -u 4 _spillway_script || exit; exec 4<&-; `
	plainGate = `read -r _spillway_script <&4 || exit; unset _spillway_script; exec 4<&-; `
	gateFile  = "/proc/self/fd/3"
	// programGate stands in front of a program that starts the shell.
	programGate = `read -r _ <&4 || exit; exec 4<&-; exec "$@"`

	gateDescriptor = 4
)

// shellFor returns the shell that runs the command's script, behind a gate.
func shellFor(c Command) (s *shell, err error) {
	if s, err = newShell(c); err != nil {
		return nil, err
	}
	if program := c.Sandbox.Program(c.Dir); program != nil {
		err = s.startedBy(program, c)
	} else if s.argv[0] != "bash" {
		err = s.plain(plainGate, c.Script)
	} else if len(c.Script) > maxScriptArgument || !readsGate(c.Env) {
		err = s.load(bashGate+s.saving(), c.Script)
	} else {
		s.run(c.Script)
		s.env = []string{"BASH_ENV=" + gateFile}
		s.script, err = scriptFile(fileGate + s.saving())
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// startedBy has the shell started by a program. The gate is in front of both: all that they
// start is marked.
func (s *shell) startedBy(program []string, c Command) (err error) {
	if err = s.plain("", c.Script); err != nil {
		return err
	}
	if s.filter, err = scriptFile(string(c.Sandbox.Filter())); err != nil {
		return err
	}
	s.argv = slices.Concat([]string{"sh", "-c", programGate, "sh"}, program, []string{s.path}, s.argv[1:])
	s.path = "/bin/sh"
	return nil
}

// readsGate reports whether bash reads the file that BASH_ENV names: not in POSIX mode, nor
// with another user's rights; nor if there is a file of somebody else's to be read.
func readsGate(env []string) bool {
	return os.Getuid() == os.Geteuid() && os.Getgid() == os.Getegid() &&
		unix.Access("/proc/self/fd", unix.X_OK) == nil &&
		!slices.ContainsFunc(env, func(v string) bool {
			name, _, _ := strings.Cut(v, "=")
			return name == "BASH_ENV" || name == "POSIXLY_CORRECT" || name == "SHELLOPTS"
		})
}

// errForbidden is the error for a shell that was ended before its script ran.
var errForbidden = errors.New("not permitted to run any more")

// startGated starts a shell with a gate, and opens that when the shell is marked and if it
// is permitted to run still.
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
