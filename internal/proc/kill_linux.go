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
	// graceTime is how long processes have got to end after SIGTERM: enough to remove a
	// lock file and to flush a buffer, not enough to be waited for.
	graceTime = 150 * time.Millisecond
	// killTime bounds the repeated scans after SIGKILL. A process that still lives after
	// that hangs in the kernel; it ends when that does.
	killTime = 500 * time.Millisecond
)

// demise is a tree that is being ended.
type demise struct {
	*tree
	told     map[ident]bool // what got SIGTERM
	killing  bool           // SIGKILL is next
	deadline time.Time      // of SIGTERM, then of SIGKILL
	clean    int            // how many complete scans in succession have found nothing
	seen     bool           // the last scan was possible
	done     chan struct{}
}

// end ends every process of the tree: SIGTERM first, for all at once, then SIGKILL until
// two complete scans in succession find none or the time is over. On a machine where
// other processes come and go all the time, the time is used up. It reports whether all
// are known to have ended. They are not where the limit that marks them is in use already:
// what got rid of its environment, session and parent is not found then.
//
// The trees of a group that are being ended at the same time are looked for together:
// what a scan costs is that of all processes there are.
//
// Without gently there is no SIGTERM.
func (t *tree) end(gently bool) bool {
	d := &demise{tree: t, told: make(map[ident]bool), done: make(chan struct{})}
	d.deadline = time.Now().Add(cmp.Or(t.forest.grace, graceTime))
	if !gently {
		d.killing, d.deadline = true, time.Now().Add(killTime)
	}
	f := t.forest
	f.mu.Lock()
	f.dying = append(f.dying, d)
	if !f.ending {
		f.ending = true
		go f.endAll()
	}
	f.mu.Unlock()
	<-d.done
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cgroup != nil && !t.cgroup.populated() {
		return true
	}
	return d.seen && t.marked && len(t.known) == 0
}

// endAll ends the trees that are dying, until there are none.
func (f *forest) endAll() {
	var dying []*demise
	var s scanner
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		f.mu.Lock()
		if len(f.dying) > 0 {
			dying = append(dying, f.dying...)
			f.dying, s.strangers, pause = nil, nil, time.Millisecond
		}
		f.ending = len(dying) > 0
		f.mu.Unlock()
		if len(dying) == 0 {
			return
		}
		if complete := s.round(dying); !complete {
			pause = time.Millisecond
		}
		if dying = slices.DeleteFunc(dying, (*demise).over); len(dying) > 0 {
			time.Sleep(pause)
		}
	}
}

// round kills what can be killed at once, looks for the processes of all trees and
// signals those that it finds.
func (s *scanner) round(dying []*demise) (complete bool) {
	pids, err := listAll()
	trees := make([]*tree, len(dying))
	killing := make(map[uint64]bool)
	for i, d := range dying {
		trees[i] = d.tree
		if d.killing {
			d.killAtOnce()
			killing[d.mark] = true
		}
	}
	// A process that starts its successor and ends lives for a millisecond, less than a
	// scan takes. Those are swept before.
	for _, pid := range pids {
		if mark := markOf(pid); killing[mark] {
			killMarked(pid, mark)
		}
	}
	complete = err == nil && s.scan(trees, pids, scanDeep)
	for _, d := range dying {
		d.seen = err == nil
		d.setBlind(err)
		d.strike(complete)
	}
	return complete
}

// strike signals the processes that were found.
func (d *demise) strike(complete bool) {
	found := d.found()
	for _, id := range found {
		var err error
		switch {
		case d.killing:
			err = id.signal(unix.SIGKILL)
		case !d.told[id]: // a second SIGTERM means "at once" to some programs
			d.told[id] = true
			err = id.signal(unix.SIGTERM, unix.SIGCONT) // a stopped one takes it when it goes on
		}
		if errors.Is(err, unix.EPERM) {
			d.leaveAlone(id)
		}
	}
	if d.clean++; len(found) > 0 || !complete {
		d.clean = 0
	}
	group := ident{pid: -d.pid}
	if d.blind && !d.killing && !d.told[group] {
		d.told[group] = true
		d.signalGroup(unix.SIGTERM)
		d.signalGroup(unix.SIGCONT)
	}
}

// over tells end when no more can be done, and reports whether it did. It goes over to
// SIGKILL when that is next.
func (d *demise) over() bool {
	late := time.Now().After(d.deadline)
	gone := d.clean > 1 && (d.cgroup == nil || !d.cgroup.populated())
	switch {
	case gone, d.killing && (late || d.clean > 1 || d.blind):
		close(d.done)
		return true
	case late || d.clean > 1:
		d.killing, d.clean, d.deadline = true, 0, time.Now().Add(killTime)
	}
	return false
}

// killAtOnce kills what can be killed in one step, which no fork can get ahead of: the
// control group, and the shell's process group.
func (t *tree) killAtOnce() {
	if t.cgroup != nil {
		t.cgroup.kill()
	}
	t.signalGroup(unix.SIGKILL)
}

// signalGroup signals the shell's process group, as long as the shell is not reaped: then
// its pid may be that of another group. A host program that ignores SIGCHLD, or waits for
// all children, may have had it reaped. Where descendants cannot be looked for this is all
// that can be done, so that it is done as long as there is such a group.
func (t *tree) signalGroup(s unix.Signal) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if child, _ := childState(t.pid); t.reaped && t.blind || !t.reaped && child {
		unix.Kill(-t.pid, s)
	}
}

// killMarked kills a process if it has the mark. The mark is read after the descriptor
// was opened, so that it cannot be that of another process with the same pid.
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
func (t *tree) terminate() { t.tell(unix.SIGTERM, unix.SIGCONT) }

// interrupt interrupts the group of the shell, or what that has left running.
func (t *tree) interrupt() error {
	t.mu.Lock()
	reaped := t.reaped
	t.mu.Unlock()
	if reaped {
		t.tell(unix.SIGINT)
	} else {
		t.signalGroup(unix.SIGINT)
	}
	return nil
}

// tell sends signals to every process that a scan finds.
func (t *tree) tell(signals ...unix.Signal) {
	_, err := t.scan(scanDeep)
	t.setBlind(err)
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

// setBlind takes over what a scan has said.
func (t *tree) setBlind(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.blind = errors.Is(err, errNoProc)
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

// watch returns when no descendant is left, or ctx ends. It waits for one process
// after the other, as the tree is gone only when all are; those which they have started
// in the meantime are found by the next scan.
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

// hasGroup reports whether there is a process in the group of a shell that is reaped.
func (t *tree) hasGroup() bool { return unix.Kill(-t.pid, 0) == nil }

const (
	// watchPause is how often a process is looked for where it cannot be waited for.
	watchPause = time.Second
	// rescanPause is how long watch waits after a scan that was not complete.
	rescanPause = 20 * time.Millisecond
)

// await returns when a process has ended, or false when ctx has.
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

// pause waits, or returns false when ctx ends.
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
