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

// supervisor holds nothing here: the trees of a Group share nothing.
type supervisor struct{}

func (sup *supervisor) close() {}

// crowded returns 0, because the number of processes is not limited here.
func (t *tree) crowded() int { return 0 }

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

func (l *leader) ended() bool { return closedWithin(l.done, 0) }

// reap returns the shell's exit code, or -1 and the name of a signal.
func (l *leader) reap() (code int, signal string) {
	if !closedWithin(l.done, reapTime) { // stuck in the kernel; reaped when it is released
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

// checkDir returns an error if the directory is missing or is no longer OpenDir. The system's
// own error would name the shell, or there would be none. A process cannot be started in an
// open directory here, so checkDir cannot notice one that is replaced a moment later.
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

// CommandLine returns "", because how a process was started is unknown here.
func CommandLine(int) string { return "" }
