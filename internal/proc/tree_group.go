//go:build unix && !linux

package proc

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tree is a shell and the processes of its group, which the system finds and signals in one step. A descendant that
// makes its own session or group (setsid, or set -m) is not found: it survives a timeout, and is not among the
// survivors.
type tree struct {
	*leader
	pid int // also the id of the session and the group
}

const graceTime = 150 * time.Millisecond // see kill_linux.go

// start starts a shell in its own session. files are its stdin, stdout and stderr.
func (sup *supervisor) start(s *shell, c Command, files []*os.File, _ func() bool) (*tree, error) {
	if err := c.checkDir(); err != nil {
		return nil, err
	}
	if s.script != nil {
		files = append(files, s.script)
	}
	defer defaultSignals()()
	process, err := os.StartProcess(s.path, s.argv, &os.ProcAttr{
		Dir:   c.Dir,
		Env:   append([]string{}, c.Env...), // nil would mean the program's own
		Files: s.withState(files),
		Sys:   &syscall.SysProcAttr{Setsid: true, Setctty: c.Terminal},
	})
	if err != nil {
		return nil, err
	}
	return &tree{newLeader(process), process.Pid}, nil
}

// survivors returns the live processes of the group. It calls the list complete, because
// looking again would find no others.
func (t *tree) survivors(time.Duration) ([]int, bool) { return groupMembers(t.pid), true }

// findsAll returns false: a descendant may have left the group.
func (t *tree) findsAll() bool { return false }

// populated reports whether the group has a process. While it has, its id is not reused.
func (t *tree) populated() bool {
	return !errors.Is(unix.Kill(-t.pid, 0), unix.ESRCH)
}

func (t *tree) terminate() {
	unix.Kill(-t.pid, unix.SIGTERM)
	unix.Kill(-t.pid, unix.SIGCONT)
}

func (t *tree) interrupt() error { return unix.Kill(-t.pid, unix.SIGINT) }

// end ends the process group, with SIGTERM first if gently is set. It returns false, because
// processes may have left the group.
func (t *tree) end(gently bool) bool {
	if gently {
		t.terminate()
	}
	if !gently || !t.awaitEmpty(graceTime) {
		unix.Kill(-t.pid, unix.SIGKILL)
		t.awaitEmpty(killTime)
	}
	return false
}

func (t *tree) release() {}
