package proc

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// graceTime is how long processes have got to end after SIGTERM: enough to remove a
	// lock file and to flush a buffer, not enough to be waited for.
	graceTime = 150 * time.Millisecond
	// killTime bounds the repeated scans after SIGKILL. A process that still lives after
	// that hangs in the kernel; it ends when that does.
	killTime = 500 * time.Millisecond
)

// end ends every process of the tree: SIGTERM first, for all at once, then SIGKILL until
// two scans find none.
func (t *tree) end() {
	told := make(map[ident]bool)
	gone := t.rounds(graceTime, func() {}, func(id ident) error {
		if told[id] { // a second SIGTERM means "at once" to some programs
			return nil
		}
		told[id] = true
		return id.signal(unix.SIGTERM, unix.SIGCONT) // a stopped one takes it when it goes on
	})
	if gone && (t.cgroup == nil || !t.cgroup.populated()) {
		return
	}
	t.rounds(killTime, t.killAtOnce, func(id ident) error { return id.signal(unix.SIGKILL) })
}

// killAtOnce kills what can be killed in one step, which no fork can get ahead of: the
// control group, and the shell's process group as long as the shell is not reaped. Then
// it sweeps: a process that starts its successor and ends lives for a millisecond, less
// than a scan takes.
func (t *tree) killAtOnce() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cgroup != nil {
		t.cgroup.kill()
	}
	if !t.reaped {
		unix.Kill(-t.pid, unix.SIGKILL)
	}
	pids, _ := listPids(0)
	for _, pid := range pids {
		if t.hasMark(pid) {
			t.killMarked(pid)
		}
	}
}

// killMarked kills a process if it has the mark. The mark is read after the descriptor
// was opened, so that it cannot be that of another process with the same pid.
func (t *tree) killMarked(pid int) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	if t.hasMark(pid) {
		unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
	}
}

// rounds scans for processes and calls strike for each, until two complete scans in
// succession have found none or the time is over. It reports whether none is left. On a
// machine where other processes come and go all the time, the time is used up.
func (t *tree) rounds(limit time.Duration, before func(), strike func(ident) error) bool {
	deadline := time.Now().Add(limit)
	clean := 0
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		before()
		found, complete := t.scan(scanDeep)
		for _, s := range found {
			if err := strike(s.ident); errors.Is(err, unix.EPERM) {
				t.leaveAlone(s.ident)
			}
		}
		switch {
		case len(found) > 0:
			clean = 0
		case !complete:
			clean, pause = 0, time.Millisecond
		case clean == 1:
			return true
		default:
			clean++
		}
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(pause)
	}
}

// leaveAlone notes a descendant that is another user's, of sudo for example.
func (t *tree) leaveAlone(id ident) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.foreign == nil {
		t.foreign = make(map[ident]bool)
	}
	t.foreign[id] = true
}

// watch returns when no descendant is left, or after unwatch. It waits for one process
// after the other, as the tree is gone only when all are; those which they have started
// in the meantime are found by the next scan.
func (t *tree) watch() {
	for {
		found, complete := t.scan(scanAll)
		if len(found) == 0 && complete {
			return
		}
		if len(found) == 0 && !t.pause(rescanPause) {
			return
		}
		for _, s := range found {
			if !t.await1(s.ident) {
				return
			}
		}
	}
}

const (
	// watchPause is how often a process is looked for where it cannot be waited for.
	watchPause = time.Second
	// rescanPause is how long watch waits after a scan that was not complete.
	rescanPause = 20 * time.Millisecond
)

// await1 returns when a process has ended, or false after unwatch.
func (t *tree) await1(id ident) bool {
	fd, err := id.open()
	if errors.Is(err, errGone) {
		return true
	}
	if err == nil {
		f := os.NewFile(uintptr(fd), "pidfd")
		defer f.Close()
		if !t.setWatched(f) {
			return false
		}
		err = awaitReadable(f)
		t.setWatched(nil)
	}
	if err == nil {
		return true
	}
	return t.pause(watchPause)
}

// pause waits, or returns false after unwatch.
func (t *tree) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-t.unwanted:
		return false
	case <-timer.C:
		return true
	}
}

// setWatched sets what unwatch closes; false after unwatch.
func (t *tree) setWatched(f *os.File) bool {
	t.watching.Lock()
	defer t.watching.Unlock()
	t.watched = f
	select {
	case <-t.unwanted:
		return false
	default:
		return true
	}
}

// unwatch ends watch. It must be called once at most.
func (t *tree) unwatch() {
	t.watching.Lock()
	defer t.watching.Unlock()
	close(t.unwanted)
	if t.watched != nil {
		t.watched.Close()
	}
}
