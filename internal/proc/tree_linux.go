package proc

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// tree is a shell and all its descendants.
//
// Any of these identifies a descendant: the control group of the call, the mark in its resource
// limits, the session, a parent that is a descendant, and, when processes are to be ended, the
// mark in its environment and the output pipe. To escape, a process must shed all of them on
// purpose after its parents have ended. Processes that a daemon starts on request (docker,
// systemd-run, at) are not descendants. A process of another user (sudo) can be ended only with
// a control group. Without /proc only the shell's process group can be ended.
//
// A subreaper would find every descendant, but it would change how the host program's other
// children are reaped. So the program does not become one.
type tree struct {
	supervisor   *supervisor
	process      *os.Process
	pid          int
	mark         uint64
	marked       bool     // mark is in the resource limits
	start        uint64   // the shell's start time, which is before that of any descendant; 0 without /proc
	pipeLinks    []string // the output pipes, or the terminal, as /proc/PID/fd shows them
	terminal     inode    // of the terminal
	cgroup       *cgroup
	maxProcesses int // limit of processes and threads of cgroup; 0 is no limit
	memory       memoryGroup
	network      Network       // nil means the host's
	wrapped      bool          // process is bwrap, which waits for the shell
	done         chan struct{} // closed when the shell has ended, before it is reaped

	mu      sync.Mutex     // guards the fields below, and is held during a scan
	reaped  bool           // the shell is reaped, so its pid may be another process's
	known   map[ident]bool // the descendants found by the last scan; false if one is about to end
	foreign map[ident]bool // descendants that may not be signalled
	noProc  bool           // descendants cannot be found, because there is no /proc
	scanner scanner
}

// await closes done when the shell has ended, but does not reap it: while it is a zombie, no other process gets its
// pid, which is also the id of its session and group. It polls a descriptor of the process, so it blocks no thread.
func (t *tree) await() {
	defer close(t.done)
	fd, err := unix.PidfdOpen(t.pid, unix.PIDFD_NONBLOCK)
	if err == nil {
		f := os.NewFile(uintptr(fd), "pidfd")
		err = awaitReadable(f)
		f.Close()
	}
	for err != nil { // Linux before 5.10
		err = unix.Waitid(unix.P_PID, t.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

func awaitReadable(f *os.File) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	return raw.Read(func(fd uintptr) bool {
		p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(p, 0)
		return n > 0 || err != nil && !errors.Is(err, unix.EINTR)
	})
}

// ended reports whether the shell has ended, even if done is not closed yet. If the shell is no longer a child, the
// host program has reaped it, or the system did because the host ignores SIGCHLD.
func (t *tree) ended() bool {
	child, ended := childState(t.pid)
	return ended || !child
}

// reapTime is how long reap waits for a shell that was killed. If the shell hangs in the kernel
// for longer, for example in a file system, it is reaped in the background.
const reapTime = 100 * time.Millisecond

// reap reaps the shell and returns its exit code, or -1 and the name of a signal.
func (t *tree) reap() (code int, signal string) {
	var state *os.ProcessState
	if closedWithin(t.done, reapTime) || t.ended() {
		state, _ = t.process.Wait() // fails if the host program reaps all children
	} else {
		go func() {
			<-t.done
			t.process.Wait()
		}()
	}
	t.mu.Lock()
	t.reaped = true
	t.mu.Unlock()
	return exitOf(state)
}

func (t *tree) release() {
	if t.network != nil {
		t.network.Close()
	}
	t.mu.Lock() // watchMemory may be looking
	group := t.cgroup
	t.cgroup = nil
	t.mu.Unlock()
	if group != nil {
		t.supervisor.releaseCgroup(group)
	}
}

// quickCall is too short for pids to wrap around. If a call took less and the newest pid is
// larger than the shell's, so are the pids of all descendants.
const quickCall = 250 * time.Millisecond

func depthAfter(lasted time.Duration, shell, newest int) depth {
	if lasted < quickCall && newest >= shell {
		return scanNewer
	}
	return scanAll
}

// survivorScans is how many scans survivors makes at most if they are incomplete.
const survivorScans = 3

// survivors returns the descendants that are alive after the shell has ended, and whether
// that list is complete.
func (t *tree) survivors(lasted time.Duration) (pids []int, all bool) {
	if t.cgroup != nil && !t.cgroup.populated() && !adopts() {
		return nil, true
	}
	how := depthAfter(lasted, t.pid, lastPid())
	for range survivorScans {
		complete, err := t.scan(how)
		if err != nil {
			t.setNoProc(err)
			break
		}
		if found := t.found(); complete || len(found) > 0 {
			all = complete
			break
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	until := time.Now().Add(endWait)
	for id, stays := range t.known {
		switch {
		case stays && !t.foreign[id] && !id.endsBefore(until):
			pids = append(pids, id.pid)
		case !t.foreign[id] && adopts():
			all = false // this program must reap it when it ends
		}
	}
	slices.Sort(pids)
	return pids, all
}

const (
	// endTime is the processor time within which a process ends after it was told to: `kill $!` returns before the
	// process has noticed. A shell that runs a trap then takes less than a millisecond.
	endTime = 5 * time.Millisecond
	// endWait bounds the wait for endTime on a machine that is too busy to grant it.
	endWait = 500 * time.Millisecond
)

// endsBefore reports whether a process ends soon. It waits while the process runs, up to endTime of processor time.
func (id ident) endsBefore(until time.Time) bool {
	began, known := processorTime(id.pid)
	for {
		s, ok := readStat(id.pid)
		if !ok || s.ident != id || !s.stays() {
			return true
		}
		ran, _ := processorTime(id.pid)
		if !known || s.state != 'R' || s.threads > 1 || ran-began >= endTime || time.Now().After(until) {
			return false
		}
		time.Sleep(endTime / 10)
	}
}

// found returns the descendants of the last scan that may be signalled. The shell comes first: if it saw a program end
// by a signal before it gets one itself, it would print that ("Terminated"). The others are sorted by pid, mostly
// parents before children.
func (t *tree) found() (found []ident) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id := range t.known {
		if !t.foreign[id] {
			found = append(found, id)
		}
	}
	slices.SortFunc(found, func(a, b ident) int {
		switch {
		case a.pid == t.pid:
			return -1
		case b.pid == t.pid:
			return 1
		}
		return cmp.Compare(a.pid, b.pid)
	})
	return found
}
