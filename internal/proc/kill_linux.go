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
	// graceTime is how long processes have to end after SIGTERM: long enough to remove a lock
	// file and to flush a buffer, too short for a caller to notice.
	graceTime = 150 * time.Millisecond
	// killTime is how long scans for processes go on after SIGKILL. A process that is still
	// alive then hangs in the kernel.
	killTime = 500 * time.Millisecond
)

// termination is a tree whose processes are being ended.
type termination struct {
	*tree
	signaled map[ident]bool // the processes that got SIGTERM
	killing  bool           // the tree is past SIGTERM and gets SIGKILL
	deadline time.Time      // of SIGTERM, then of SIGKILL
	empty    int            // how many complete scans in a row found nothing
	scanned  bool           // the last scan could read /proc
	done     chan struct{}
}

// end ends every process of the tree. If gently is set, it first sends SIGTERM to all of them. Then it sends SIGKILL
// until two complete scans in a row find none or killTime is over. If other processes keep starting and ending, scans
// stay incomplete and use up that time.
//
// end reports whether all processes are known to have ended. That is unknown if the limit that marks them was already
// in use: then a process that shed its environment, session and parent is not found.
//
// Trees of a group that are being ended at the same time share their scans, because the cost of a scan grows with the
// processes on the machine.
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

// endAll ends the trees in sup.terminating, and those added meanwhile.
func (sup *supervisor) endAll() {
	var terminating []*termination
	var s scanner
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		sup.mu.Lock()
		if len(sup.terminating) > 0 {
			terminating = append(terminating, sup.terminating...)
			sup.terminating, pause = nil, time.Millisecond
			s.forget()
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

// round kills what can be killed without a scan, scans for the processes of all trees, and signals those that it
// finds.
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
	// A process that starts its successor and exits lives for about a millisecond, less than a
	// scan takes. This loop kills such processes first.
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

func (e *termination) signalFound(complete bool) {
	found := e.found()
	for _, id := range found {
		var err error
		switch {
		case e.killing:
			err = id.signal(unix.SIGKILL)
		case !e.signaled[id]: // to some programs a second SIGTERM means "at once"
			e.signaled[id] = true
			err = id.signal(unix.SIGTERM, unix.SIGCONT) // a stopped process handles SIGTERM when it continues
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

// finished closes done and returns true if nothing is left to do. Otherwise it switches to
// SIGKILL when the deadline is over.
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

// killAtOnce kills the control group and the shell's process group. Each takes one system call,
// which no fork can outrun.
func (t *tree) killAtOnce() {
	if t.cgroup != nil {
		t.cgroup.kill()
	}
	t.signalGroup(unix.SIGKILL)
}

// signalGroup signals the shell's process group unless the shell is reaped, by this program or
// because the host ignores SIGCHLD or waits for all children: another group may have that id
// then. Without /proc there is no other way, so it signals the group even if tree.reap has
// reaped the shell.
func (t *tree) signalGroup(s unix.Signal) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if child, _ := childState(t.pid); t.reaped && t.noProc || !t.reaped && child {
		unix.Kill(-t.pid, s)
	}
}

// killMarked kills a process if it has the mark. It reads the mark after opening a descriptor, so that both belong to
// the same process.
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

func (t *tree) terminate() { t.signalAll(unix.SIGTERM, unix.SIGCONT) }

// interrupt sends SIGINT to the shell's group or, once the shell is gone, to the processes that it left running.
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

// findsAll reports whether every descendant can be found.
func (t *tree) findsAll() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.noProc
}

func (t *tree) setNoProc(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.noProc = errors.Is(err, errNoProc)
}

// markForeign records a descendant that belongs to another user, such as one of sudo.
func (t *tree) markForeign(id ident) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.foreign == nil {
		t.foreign = make(map[ident]bool)
	}
	t.foreign[id] = true
}

// watch returns when no descendant is left, or ctx ends. It waits for one process after the other, and then scans
// again for those that they started in the meantime.
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
	// watchPause is the pause between looks at a process for which there is no descriptor.
	watchPause = time.Second
	// rescanPause is the pause after an incomplete scan.
	rescanPause = 20 * time.Millisecond
)

// await returns true when the process has ended, or false when ctx ends first. Without a
// descriptor of the process it returns true after watchPause.
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
