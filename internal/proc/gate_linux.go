package proc

import (
	"os"

	"golang.org/x/sys/unix"
)

// Where a process may not be traced (by Yama, by a filter of system calls, or because the
// host program is being traced itself), the shell is kept from its script by a gate: it
// waits for a line from descriptor 4. If the host program ends meanwhile, it ends too.
const (
	bashGate  = `read -r -u 4 _spillway_script || exit; exec 4<&-; `
	plainGate = `read -r _spillway_script <&4 || exit; unset _spillway_script; exec 4<&-; `
)

// startGated starts a shell for script with a gate, and lets it in when it is marked.
func (l launch) startGated(script string) (pid int, err error) {
	s, err := loadingShell(script, bashGate, plainGate)
	if err != nil {
		return 0, err
	}
	defer s.close()
	in, gate, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer gate.Close()
	l.path, l.argv, l.traced = s.path, s.argv, false
	l.files = append(l.files[:3:3], s.script, in)
	pid, err = l.start()
	in.Close()
	if err != nil {
		return 0, err
	}
	l.mark(pid)
	if l.permit() {
		gate.WriteString("\n")
		return pid, nil
	}
	unix.Kill(pid, unix.SIGKILL)
	ignoringEINTR(func() (int, error) { return unix.Wait4(pid, nil, 0, nil) })
	return 0, errForbidden
}
