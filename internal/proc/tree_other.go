//go:build !linux

package proc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"
)

const (
	killTime   = 250 * time.Millisecond
	reapTime   = 100 * time.Millisecond
	pollTime   = 5 * time.Millisecond
	watchPause = time.Second
)

// forest is what the trees of a Group share: nothing.
type forest struct{}

func (f *forest) close() {}

// leader is the shell of a tree, which is reaped as soon as it ends.
type leader struct {
	process *os.Process
	done    chan struct{}
	state   *os.ProcessState // set when done is closed; nil if waiting failed
}

func newLeader(process *os.Process) *leader {
	l := &leader{process: process, done: make(chan struct{})}
	go func() {
		l.state, _ = process.Wait()
		close(l.done)
	}()
	return l
}

func (l *leader) ended() bool { return closes(l.done, 0) }

// reap returns the shell's exit code, or -1 and the name of a signal.
func (l *leader) reap() (code int, signal string) {
	if !closes(l.done, reapTime) { // it hangs in the kernel, and is reaped when it does not
		return -1, ""
	}
	return exitOf(l.state)
}

// awaitEmpty waits until the tree has no process and reports whether it has none.
func (t *tree) awaitEmpty(limit time.Duration) bool {
	for deadline := time.Now().Add(limit); t.populated(); time.Sleep(pollTime) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

// watch returns when the tree has no process, or ctx ends.
func (t *tree) watch(ctx context.Context) {
	tick := time.NewTicker(watchPause)
	defer tick.Stop()
	for t.populated() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// checkDir tells a directory that is missing, or is not OpenDir any more: the system's
// own error for it would name the shell, or there would be none. A process cannot be
// started in an open directory here, so one that is replaced a moment later is not noticed.
func (c *Command) checkDir() error {
	info, err := os.Stat(c.Dir)
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	if err == nil && c.OpenDir != nil {
		if held, failed := c.OpenDir.Stat(); failed != nil || !os.SameFile(info, held) {
			err = fs.ErrNotExist
		}
	}
	if err != nil {
		return fmt.Errorf("%w %s: %w", ErrDir, c.Dir, err)
	}
	return nil
}

// CommandLine returns "": it is not known here how a process was started.
func CommandLine(int) string { return "" }
