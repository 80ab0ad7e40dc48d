package proc

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// spareCgroups is how many empty control groups are kept for the next calls: to make
// and remove one takes longer than to start a process in it.
const spareCgroups = 4

// forest is what the trees of a Group share. Its zero value is ready.
type forest struct {
	mu       sync.Mutex
	noCgroup bool // control groups do not work here; or not wanted, in a test
	closed   bool
	spare    []*cgroup
}

// cgroup returns an empty control group, or nil if there are none here.
func (f *forest) cgroup() *cgroup {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.noCgroup {
		return nil
	}
	for i, c := range f.spare {
		if !c.killed && !c.populated() {
			f.spare = slices.Delete(f.spare, i, i+1)
			return c
		}
	}
	parent := cgroupParent()
	if parent == "" {
		f.noCgroup = true
		return nil
	}
	c, err := newCgroup(parent)
	if err != nil {
		f.noCgroup = true
		return nil
	}
	return c
}

// giveBack takes a control group that is no longer needed. The last process of it may
// still be ending.
func (f *forest) giveBack(c *cgroup) {
	f.mu.Lock()
	f.spare = append(f.spare, c)
	var extra []*cgroup
	if f.closed {
		extra, f.spare = f.spare, nil
	}
	for i := 0; i < len(f.spare); {
		if !f.spare[i].killed && len(f.spare) <= spareCgroups || f.spare[i].populated() {
			i++
			continue
		}
		extra = append(extra, f.spare[i])
		f.spare = slices.Delete(f.spare, i, i+1)
	}
	f.mu.Unlock()
	removeAll(extra)
}

func (f *forest) close() {
	f.mu.Lock()
	spare := f.spare
	f.spare, f.closed = nil, true
	f.mu.Unlock()
	removeAll(spare)
}

// emptyTime is how long a control group's last process is waited for.
const emptyTime = 500 * time.Millisecond

func removeAll(groups []*cgroup) {
	deadline := time.Now().Add(emptyTime)
	for _, c := range groups {
		for c.populated() && time.Now().Before(deadline) {
			time.Sleep(time.Millisecond)
		}
		c.remove()
	}
}

// plant starts a shell as the root of a new tree, with its own session (so that
// /dev/tty fails at once instead of asking the user), and marks it. files are its stdin,
// stdout and stderr.
func (f *forest) plant(s *shell, c Command, files []*os.File) (*tree, error) {
	t := &tree{forest: f, mark: newMark(), done: make(chan struct{}), unwanted: make(chan struct{})}
	for _, pipe := range files[1:] {
		var info unix.Stat_t
		if err := unix.Fstat(int(pipe.Fd()), &info); err != nil {
			return nil, err
		}
		if link := fmt.Sprintf("pipe:[%d]", info.Ino); !slices.Contains(t.pipeLinks, link) {
			t.pipeLinks = append(t.pipeLinks, link)
		}
	}
	if s.script != nil {
		files = append(files, s.script)
	}
	attr := &os.ProcAttr{Dir: c.Dir, Env: t.environment(c.Env), Files: files}
	process, err := t.startIn(f.cgroup(), s, attr)
	if err != nil {
		return nil, err
	}
	t.process, t.pid = process, process.Pid
	t.markAll()
	go t.await()
	return t, nil
}

// startIn starts the shell in a control group, or without one where that fails.
func (t *tree) startIn(c *cgroup, s *shell, attr *os.ProcAttr) (*os.Process, error) {
	attr.Sys = &syscall.SysProcAttr{Setsid: true}
	if c != nil {
		attr.Sys.UseCgroupFD, attr.Sys.CgroupFD = true, c.dir
		process, err := os.StartProcess(s.path, s.argv, attr)
		if err == nil {
			t.cgroup = c
			return process, nil
		}
		t.forest.giveBack(c)
		attr.Sys = &syscall.SysProcAttr{Setsid: true}
	}
	process, err := os.StartProcess(s.path, s.argv, attr)
	if err == nil && c != nil { // it was the control group that failed
		t.forest.mu.Lock()
		t.forest.noCgroup = true
		t.forest.mu.Unlock()
	}
	return process, err
}

// callVariable is the environment variable that marks the processes of a call.
const callVariable = "SPILLWAY_CALL="

// environment returns env with the mark of the call. Inside of another call the marks
// of both are in the variable, as the outer one's processes include the inner one's.
func (t *tree) environment(env []string) []string {
	own := fmt.Sprintf("%016x", t.mark)
	t.envMark = []byte(own)
	value := callVariable + own
	marked := make([]string, 0, len(env)+1)
	for _, v := range env {
		if len(v) > len(callVariable) && v[:len(callVariable)] == callVariable {
			value = v + ":" + own
			continue
		}
		marked = append(marked, v)
	}
	return append(marked, value)
}

// markBit makes every mark a number that no one sets as a limit, but unlimited in effect.
const markBit = 1 << 62

func newMark() uint64 { return markBit | rand.Uint64()>>2 }

// markAll marks the shell, and with it all that it will start, with a resource limit:
// that of the CPU time of real-time tasks (RLIMIT_RTTIME), set to 150 000 years. A limit
// is inherited by every child and survives exec, setsid, double forks, env -i and closed
// descriptors; that of any process of the user is read in 1 µs, a twentieth of what its
// environment costs. Only a process that sets just this limit is not found by it. It is
// left alone if it is in use already, by an outer call for example.
//
// The shell runs already. It takes a millisecond to start a first child, but on a busy
// machine that may be sooner than this: unless there is a control group to find them by,
// such children are looked for and marked, too.
func (t *tree) markAll() {
	t.marked = t.setMark(t.pid)
	if !t.marked || t.cgroup != nil || lastPid() == t.pid {
		return
	}
	for range 3 {
		missed := false
		found, _ := t.scan(scanEarly)
		for _, s := range found {
			if !t.hasMark(s.pid) {
				missed = t.setMark(s.pid)
			}
		}
		if !missed {
			return
		}
	}
}

// setMark marks a process and reports whether it is marked.
func (t *tree) setMark(pid int) bool {
	var limit unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_RTTIME, nil, &limit) != nil || limit.Cur != unix.RLIM_INFINITY {
		return false
	}
	limit.Cur = t.mark
	return unix.Prlimit(pid, unix.RLIMIT_RTTIME, &limit, nil) == nil
}

// hasMark reports whether a process carries the mark of the call's limit.
func (t *tree) hasMark(pid int) bool {
	var limit unix.Rlimit
	return t.marked && unix.Prlimit(pid, unix.RLIMIT_RTTIME, nil, &limit) == nil && limit.Cur == t.mark
}
