package proc

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// graceTime is how long processes have to end after SIGTERM: long enough to remove a
	// lock file and to flush a buffer, too short for a caller to notice.
	graceTime = 150 * time.Millisecond
	// killTime bounds the repeated scans after SIGKILL. A process that is still alive then
	// hangs in the kernel, and ends when the kernel lets it go.
	killTime = 500 * time.Millisecond
)

// termination is a tree whose processes are being ended.
type termination struct {
	*tree
	signaled map[ident]bool // the processes that got SIGTERM
	killing  bool           // SIGKILL is next
	deadline time.Time      // of SIGTERM, then of SIGKILL
	empty    int            // how many complete scans in a row have found nothing
	scanned  bool           // the last scan could read /proc
	done     chan struct{}
}

// end ends every process of the tree. It sends SIGTERM to all of them at once, if gently is
// set, and then SIGKILL until two complete scans in a row find none or killTime is over. On a
// machine where other processes come and go all the time, it uses up that time.
//
// end reports whether all processes are known to have ended. That is unknown where the limit
// that marks them was in use already: a process that got rid of its environment, session and
// parent is not found then.
//
// A group's trees that are being ended at the same time share their scans, because the cost
// of a scan depends on the number of all processes.
func (t *tree) end(gently bool) bool {
	e := &termination{tree: t, signaled: make(map[ident]bool), done: make(chan struct{})}
	e.deadline = time.Now().Add(cmp.Or(t.supervisor.grace, graceTime))
	if !gently {
		e.killing, e.deadline = true, time.Now().Add(killTime)
	}
	sup := t.supervisor
	sup.mu.Lock()
	sup.terminating = append(sup.terminating, e)
	if !sup.ending {
		sup.ending = true
		go sup.endAll()
	}
	sup.mu.Unlock()
	<-e.done
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cgroup != nil && !t.cgroup.populated() {
		return true
	}
	return e.scanned && t.marked && len(t.known) == 0
}

// endAll ends the trees in sup.terminating until there are none.
func (sup *supervisor) endAll() {
	var terminating []*termination
	var s scanner
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		sup.mu.Lock()
		if len(sup.terminating) > 0 {
			terminating = append(terminating, sup.terminating...)
			sup.terminating, s.unrelated, pause = nil, nil, time.Millisecond
		}
		sup.ending = len(terminating) > 0
		sup.mu.Unlock()
		if len(terminating) == 0 {
			return
		}
		if complete := s.round(terminating); !complete {
			pause = time.Millisecond
		}
		if terminating = slices.DeleteFunc(terminating, (*termination).finished); len(terminating) > 0 {
			time.Sleep(pause)
		}
	}
}

// round kills what can be killed at once, scans for the processes of all trees, and signals
// those that it finds.
func (s *scanner) round(terminating []*termination) (complete bool) {
	pids, err := listAll()
	trees := make([]*tree, len(terminating))
	killing := make(map[uint64]bool)
	for i, e := range terminating {
		trees[i] = e.tree
		if e.killing {
			e.killAtOnce()
			killing[e.mark] = true
		}
	}
	// A process that starts its successor and exits lives for a millisecond, less than a
	// scan takes. This loop kills such processes before the scan.
	for _, pid := range pids {
		if mark := markOf(pid); killing[mark] {
			killMarked(pid, mark)
		}
	}
	complete = err == nil && s.scan(trees, pids, scanDeep)
	for _, e := range terminating {
		e.scanned = err == nil
		e.setNoProc(err)
		e.signalFound(complete)
	}
	return complete
}

// signalFound signals the processes that were found.
func (e *termination) signalFound(complete bool) {
	found := e.found()
	for _, id := range found {
		var err error
		switch {
		case e.killing:
			err = id.signal(unix.SIGKILL)
		case !e.signaled[id]: // a second SIGTERM means "at once" to some programs
			e.signaled[id] = true
			err = id.signal(unix.SIGTERM, unix.SIGCONT) // a stopped one takes it when it goes on
		}
		if errors.Is(err, unix.EPERM) {
			e.markForeign(id)
		}
	}
	if complete && len(found) == 0 {
		e.empty++
	} else {
		e.empty = 0
	}
	group := ident{pid: -e.pid}
	if e.noProc && !e.killing && !e.signaled[group] {
		e.signaled[group] = true
		e.signalGroup(unix.SIGTERM)
		e.signalGroup(unix.SIGCONT)
	}
}

// finished closes done and returns true if nothing more can be done. It switches to SIGKILL
// when it is time for that.
func (e *termination) finished() bool {
	late := time.Now().After(e.deadline)
	gone := e.empty > 1 && (e.cgroup == nil || !e.cgroup.populated())
	switch {
	case gone, e.killing && (late || e.empty > 1 || e.noProc):
		close(e.done)
		return true
	case late || e.empty > 1:
		e.killing, e.empty, e.deadline = true, 0, time.Now().Add(killTime)
	}
	return false
}

// killAtOnce kills the control group and the shell's process group. Each dies in one step,
// which no fork can outrun.
func (t *tree) killAtOnce() {
	if t.cgroup != nil {
		t.cgroup.kill()
	}
	t.signalGroup(unix.SIGKILL)
}

// signalGroup signals the shell's process group unless the shell is reaped: its pid may then
// be that of another group. A host program that ignores SIGCHLD, or waits for all children,
// may have caused it to be reaped. Without /proc this signal is the only means, so it is sent
// as long as there is such a group.
func (t *tree) signalGroup(s unix.Signal) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if child, _ := childState(t.pid); t.reaped && t.noProc || !t.reaped && child {
		unix.Kill(-t.pid, s)
	}
}

// killMarked kills a process if it has the mark. It reads the mark after opening the
// descriptor, so the mark cannot be that of another process with the same pid.
func killMarked(pid int, mark uint64) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	if markOf(pid) == mark {
		unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
	}
}

// terminate asks every process to end.
func (t *tree) terminate() { t.signalAll(unix.SIGTERM, unix.SIGCONT) }

// interrupt interrupts the shell's group or, once the shell is gone, what it left running.
func (t *tree) interrupt() error {
	t.mu.Lock()
	reaped := t.reaped
	t.mu.Unlock()
	if reaped {
		t.signalAll(unix.SIGINT)
	} else {
		t.signalGroup(unix.SIGINT)
	}
	return nil
}

// signalAll sends signals to every process that a scan finds.
func (t *tree) signalAll(signals ...unix.Signal) {
	_, err := t.scan(scanDeep)
	t.setNoProc(err)
	if err != nil {
		for _, s := range signals {
			t.signalGroup(s)
		}
		return
	}
	for _, id := range t.found() {
		id.signal(signals...)
	}
}

// setNoProc records whether the error of a scan says that /proc is missing.
func (t *tree) setNoProc(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.noProc = errors.Is(err, errNoProc)
}

// markForeign records a descendant that belongs to another user, for example one of sudo.
func (t *tree) markForeign(id ident) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.foreign == nil {
		t.foreign = make(map[ident]bool)
	}
	t.foreign[id] = true
}

// watch returns when no descendant is left, or ctx ends. It waits for one process after the
// other, because the tree is gone only when all are. The next scan finds what they have
// started in the meantime.
func (t *tree) watch(ctx context.Context) {
	for {
		complete, err := t.scan(scanAll)
		if err != nil && (!t.hasGroup() || !pause(ctx, watchPause)) {
			return
		}
		found := t.found()
		if len(found) == 0 && complete {
			return
		}
		if len(found) == 0 && !pause(ctx, rescanPause) {
			return
		}
		for _, id := range found {
			if !id.await(ctx) {
				return
			}
		}
	}
}

// hasGroup reports whether the group of a reaped shell still has a process.
func (t *tree) hasGroup() bool { return unix.Kill(-t.pid, 0) == nil }

const (
	// watchPause is how often watch looks for a process that it cannot wait for.
	watchPause = time.Second
	// rescanPause is how long watch waits after a scan that was not complete.
	rescanPause = 20 * time.Millisecond
)

// await returns true when the process has ended, or false when ctx has.
func (id ident) await(ctx context.Context) bool {
	fd, err := id.open()
	if errors.Is(err, errGone) {
		return true
	}
	if err == nil {
		f := os.NewFile(uintptr(fd), "pidfd")
		defer f.Close()
		defer context.AfterFunc(ctx, func() { f.Close() })()
		err = awaitReadable(f)
	}
	return err == nil || pause(ctx, watchPause)
}

// pause waits for d and returns true, or returns false when ctx ends.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
