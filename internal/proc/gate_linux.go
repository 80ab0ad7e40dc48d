package proc

import (
	"errors"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/program"
)

// A gate is code that a shell runs before it loads its script. It waits for a line from descriptor 4, which comes once
// the shell is marked. If the host program ends first, the shell exits.
//
// Tracing the shell up to the end of its exec would also keep it from running. But a signal between PTRACE_TRACEME and
// execve stops the shell, and its tracer, which waits in vfork, could never continue it: the whole host program would
// hang.
const (
	gate = `read -r __<&4||exit;exec 4<&-;`
	// programGate precedes a program that starts the shell.
	programGate = gate + `exec "$@"`

	gateDescriptor = 4
)

func shellFor(c Command) (s *shell, err error) {
	if s, err = newShell(c); err != nil {
		return nil, err
	}
	if starter := c.Sandbox.Program(c.Dir); starter != nil {
		err = s.startedBy(starter, c)
	} else {
		err = s.load(gate, c.Script)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// startedBy makes a program start the shell. The gate precedes both, so the program and everything that it starts are
// marked.
func (s *shell) startedBy(starter []string, c Command) (err error) {
	if err = s.load("", c.Script); err != nil {
		return err
	}
	if s.filter, err = scriptFile(string(c.Sandbox.Filter(false))); err != nil {
		return err
	}
	s.argv = slices.Concat([]string{"sh", "-c", programGate, "sh"}, starter, []string{s.path}, s.argv[1:])
	s.path, err = program.Find("sh")
	return err
}

var errForbidden = errors.New("not permitted to run any more")

// startGated starts a shell behind a gate and marks it. Then it opens the gate, or kills the shell if permit returns
// false.
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
