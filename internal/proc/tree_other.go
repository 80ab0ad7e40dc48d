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

// supervisor is empty, because trees share nothing on these systems.
type supervisor struct{}

func (sup *supervisor) close() {}

// processLimit returns 0, because the number of processes is not limited on these systems.
func (t *tree) processLimit() int { return 0 }

// watchMemory and ranOut return false, because memory is not limited on these systems.
func (t *tree) watchMemory(int64, <-chan struct{}) bool { return false }

func (t *tree) ranOut() bool { return false }

// leader is the shell of a tree. It is reaped as soon as it ends.
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
	if !closedWithin(l.done, reapTime) { // it hangs in the kernel
		return -1, ""
	}
	return exitOf(l.state)
}

// awaitEmpty waits, at most limit, until the tree has no process, and reports whether it has none.
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

// checkDir returns an error if the directory is missing or is no longer OpenDir, because the system's error would name
// the shell. These systems cannot start a process in an open directory, so a directory that is replaced after the
// check goes unnoticed.
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

// CommandLine returns "", because only Linux tells.
func CommandLine(int) string { return "" }
