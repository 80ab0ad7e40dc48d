package proc

import (
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// tree is a shell and all its descendants.
//
// A descendant is found by any of: the control group of the call, the mark in its
// resource limits, the session, a parent that was found, and, when processes are to be
// ended, the mark in its environment and the output pipe. To go unnoticed, a process must
// get rid of all of these on purpose when its parents have ended already. What is not a
// descendant is not touched: what a daemon was asked to start (docker, systemd-run, at).
// A process of another user (sudo) is not ended, unless there is a control group. Without
// /proc only the shell's process group can be ended.
//
// The program is not made a subreaper, which would find all: that would change how
// the host program's other children are reaped.
type tree struct {
	forest    *forest
	process   *os.Process
	pid       int
	mark      uint64
	marked    bool     // mark is in the resource limits
	pipeLinks []string // the output pipes as /proc/PID/fd shows them
	cgroup    *cgroup
	done      chan struct{} // closed when the shell has ended; it is not reaped then

	mu      sync.Mutex     // guards what follows, and is held during a scan
	start   uint64         // the shell's start time; no descendant started before
	reaped  bool           // the shell is reaped: its pid may be another process's
	known   map[ident]bool // the descendants of the last scan; true if they stay alive
	foreign map[ident]bool // descendants that may not be signalled
	blind   bool           // descendants cannot be looked for
	scanner scanner
}

// await closes done when the shell has ended, but does not reap it: as long as it is a
// zombie its pid, which is also that of its session and group, is no other process's.
// The descriptor of a process is waited for by the runtime's poller, without a thread.
func (t *tree) await() {
	defer close(t.done)
	t.mu.Lock()
	t.learnStart() // now, while the shell starts
	t.mu.Unlock()
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

// awaitReadable waits until the process of a descriptor has ended. It fails when f is closed.
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

// ended reports whether the shell has ended, even if done is not closed yet. One that is no
// child any more was reaped by the host program, or because that ignores SIGCHLD.
func (t *tree) ended() bool {
	child, ended := childState(t.pid)
	return ended || !child
}

// reapTime is how long the shell is waited for after it was killed. One that is longer
// in the kernel (a file system that hangs) is reaped in the background.
const reapTime = 100 * time.Millisecond

// reap reaps the shell and returns its exit code, or -1 and the name of a signal.
func (t *tree) reap() (code int, signal string) {
	if !closes(t.done, reapTime) {
		go func() {
			<-t.done
			t.process.Wait()
		}()
		t.forget()
		return -1, ""
	}
	state, _ := t.process.Wait() // fails if the host program reaps children that are not its own
	t.forget()
	return exitOf(state)
}

func (t *tree) forget() {
	t.mu.Lock()
	t.reaped = true
	t.mu.Unlock()
}

// release frees what the tree holds.
func (t *tree) release() {
	if t.cgroup != nil {
		t.forest.giveBack(t.cgroup)
		t.cgroup = nil
	}
}

// quickCall is a duration in which the system does not use up all of its pids. If the
// newest pid is larger than the shell's then, all its descendants' pids are, too.
const quickCall = 250 * time.Millisecond

// depthAfter returns how closely to look after a call, of which shell is the pid of the shell
// and newest the newest pid of the system.
func depthAfter(lasted time.Duration, shell, newest int) depth {
	if lasted < quickCall && newest >= shell {
		return scanNewer
	}
	return scanAll
}

// surviveScans bounds the repetition of a scan that is not complete.
const surviveScans = 3

// survivors returns the descendants that are alive after the shell has ended, and whether
// these are all.
func (t *tree) survivors(lasted time.Duration) (pids []int, all bool) {
	t.mu.Lock()
	t.learnStart()
	t.mu.Unlock()
	if t.cgroup != nil && !t.cgroup.populated() && !adopts() {
		return nil, true
	}
	how := depthAfter(lasted, t.pid, lastPid())
	for range surviveScans {
		complete, err := t.scan(how)
		if err != nil {
			t.setBlind(err)
			break
		}
		if found := t.found(); complete || len(found) > 0 {
			all = complete
			break
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, stays := range t.known {
		if stays && !t.foreign[id] {
			pids = append(pids, id.pid)
		}
		if !stays && adopts() {
			all = false // it is about to end, and must be reaped then
		}
	}
	slices.Sort(pids)
	return pids, all
}

// found returns the descendants of the last scan that may be signalled.
func (t *tree) found() (found []ident) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id := range t.known {
		if !t.foreign[id] {
			found = append(found, id)
		}
	}
	return found
}
