//go:build unix && !linux

package proc

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tree is a shell and the processes of its group, which is what can be found and ended
// in one step here. A descendant that makes a session or a group of its own (setsid, or
// set -m) is not found: it survives a timeout, and is not among the survivors.
type tree struct {
	process *os.Process
	pid     int // also the id of the session and the group
	done    chan struct{}
	state   *os.ProcessState // set when done is closed
	failure error            // of waiting, likewise

	once     sync.Once
	unwanted chan struct{}
}

const (
	graceTime  = 150 * time.Millisecond // see kill_linux.go
	killTime   = 250 * time.Millisecond
	reapTime   = 100 * time.Millisecond
	pollTime   = 5 * time.Millisecond
	watchPause = time.Second
)

// forest is what the trees of a Group share: nothing.
type forest struct{}

func (f *forest) close() {}

// plant starts a shell in a session of its own. files are its stdin, stdout and stderr.
func (f *forest) plant(s *shell, c Command, files []*os.File, _ func() bool) (*tree, error) {
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
	t := &tree{process: process, pid: process.Pid, done: make(chan struct{}), unwanted: make(chan struct{})}
	go func() {
		t.state, t.failure = process.Wait()
		close(t.done)
	}()
	return t, nil
}

func (t *tree) exited() <-chan struct{} { return t.done }

// reap returns the shell's exit code, or -1 and the name of a signal.
func (t *tree) reap() (code int, signal string) {
	timeout := time.NewTimer(reapTime)
	defer timeout.Stop()
	select {
	case <-t.done:
	case <-timeout.C: // it hangs in the kernel, and is reaped when it does not
		return -1, ""
	}
	if t.failure != nil {
		return -1, ""
	}
	if status, ok := t.state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return -1, signalName(status.Signal())
	}
	return t.state.ExitCode(), ""
}

// survivors returns the processes of the group that are alive, and that there is no need
// to look again: others will not be found.
func (t *tree) survivors(time.Duration) ([]int, bool) { return groupMembers(t.pid), true }

// populated reports whether the group has a process. Its id is not given to another one
// as long as it has.
func (t *tree) populated() bool {
	return !errors.Is(unix.Kill(-t.pid, 0), unix.ESRCH)
}

// terminate asks the process group to end.
func (t *tree) terminate() {
	unix.Kill(-t.pid, unix.SIGTERM)
	unix.Kill(-t.pid, unix.SIGCONT)
}

// interrupt interrupts the process group.
func (t *tree) interrupt() error { return unix.Kill(-t.pid, unix.SIGINT) }

// end ends the process group, without SIGTERM unless gently is set. It never knows whether
// that was all.
func (t *tree) end(gently bool) bool {
	if gently {
		t.terminate()
	}
	if !gently || !t.ended(graceTime) {
		unix.Kill(-t.pid, unix.SIGKILL)
		t.ended(killTime)
	}
	return false
}

// ended waits until the group is empty and reports whether it is.
func (t *tree) ended(limit time.Duration) bool {
	for deadline := time.Now().Add(limit); t.populated(); {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(pollTime)
	}
	return true
}

// watch returns when the group is empty, or after unwatch.
func (t *tree) watch() {
	tick := time.NewTicker(watchPause)
	defer tick.Stop()
	for t.populated() {
		select {
		case <-tick.C:
		case <-t.unwanted:
			return
		}
	}
}

// unwatch ends watch.
func (t *tree) unwatch() { t.once.Do(func() { close(t.unwanted) }) }

func (t *tree) release() {}
