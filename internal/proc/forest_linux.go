package proc

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	lastMark uint64
	dying    []*demise // trees that endAll has not seen yet
	ending   bool      // endAll runs
	guardian guardian
	grace    time.Duration // instead of graceTime, in a test
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
	if parent := cgroupParent(); parent != "" {
		if c, err := newCgroup(parent); err == nil {
			return c
		}
	}
	f.noCgroup = true
	return nil
}

// giveBack takes a control group that is no longer needed. The last process of it may
// still be ending.
func (f *forest) giveBack(c *cgroup) {
	var kept, extra []*cgroup
	f.mu.Lock()
	for _, c := range append(f.spare, c) {
		if !f.closed && (c.populated() || !c.killed && len(kept) < spareCgroups) {
			kept = append(kept, c)
		} else {
			extra = append(extra, c)
		}
	}
	f.spare = kept
	f.mu.Unlock()
	removeAll(extra)
}

func (f *forest) close() {
	f.mu.Lock()
	spare := f.spare
	f.spare, f.closed = nil, true
	f.mu.Unlock()
	removeAll(spare)
	f.guardian.close()
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
// /dev/tty fails at once instead of asking the user), and marked. files are its stdin,
// stdout and stderr. Nothing of the script has run if permit returns false.
func (f *forest) plant(s *shell, c Command, files []*os.File, permit func() bool) (*tree, error) {
	dir, err := c.openDir()
	if err != nil {
		return nil, err
	}
	if dir != c.OpenDir {
		defer dir.Close()
	}
	mark := f.newMark()
	f.guardian.guard(mark)
	t := &tree{forest: f, mark: mark, done: make(chan struct{})}
	for _, pipe := range files[1:] {
		var info unix.Stat_t
		if err := unix.Fstat(int(pipe.Fd()), &info); err != nil {
			return nil, err
		}
		link := fmt.Sprintf("pipe:[%d]", info.Ino)
		if c.Terminal {
			link = pipe.Name()
		}
		if !slices.Contains(t.pipeLinks, link) {
			t.pipeLinks = append(t.pipeLinks, link)
		}
	}
	env := append(t.environment(c.Env), s.env...)
	if s.filter != nil {
		if s.vars, err = scriptFile(c.Sandbox.Variables(env)); err != nil {
			return nil, err
		}
		env = env[len(env)-1:] // the mark alone: what starts the shell is not confined
	}
	l := launch{path: s.path, argv: s.argv, env: env, files: append(files, s.script, nil, s.filter, s.vars), dir: dir, terminal: c.Terminal, sandbox: c.Sandbox}
	if l.rules, err = c.Sandbox.Rules(); err != nil {
		return nil, err
	}
	t.pid, err = t.startIn(l, s, permit)
	if err != nil {
		return nil, err
	}
	if t.process, err = os.FindProcess(t.pid); err != nil {
		return nil, err
	}
	go t.await()
	return t, nil
}

// startIn starts the shell in a control group, or without one where that fails.
func (t *tree) startIn(l launch, s *shell, permit func() bool) (pid int, err error) {
	f := t.forest
	if l.cgroup = f.cgroup(); l.cgroup == nil {
		return l.startGated(s, t.setMark, permit)
	}
	if pid, err = l.startGated(s, t.setMark, permit); err == nil {
		t.cgroup = l.cgroup
		return pid, nil
	}
	f.giveBack(l.cgroup)
	if errors.Is(err, errForbidden) {
		return 0, err
	}
	l.cgroup = nil
	if pid, err = l.startGated(s, t.setMark, permit); err == nil { // it was the control group that failed
		f.mu.Lock()
		f.noCgroup = true
		f.mu.Unlock()
	}
	return pid, err
}

// callVariable is the environment variable that marks the processes of a call.
const callVariable = "SPILLWAY_CALL="

// environment returns env with the mark of the call. Inside of another call the marks
// of both are in the variable, as the outer one's processes include the inner one's.
func (t *tree) environment(env []string) []string {
	own := strconv.FormatUint(t.mark, 10)
	value := callVariable + own
	marked := make([]string, 0, len(env)+1)
	for _, v := range env {
		if strings.HasPrefix(v, callVariable) && v != callVariable {
			value = v + ":" + own
		} else {
			marked = append(marked, v)
		}
	}
	return append(marked, value)
}

const (
	// The first mark of a group is a random number between these, and the others follow it.
	// So all are numbers of 19 digits that no one sets as a limit, but unlimited in effect.
	minMark = 5_000_000_000_000_000_000
	maxMark = 9_000_000_000_000_000_000
	// groupMarks is how many marks a group has: those that differ in the last digits alone.
	groupMarks = 10_000_000
)

func (f *forest) newMark() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lastMark == 0 {
		f.lastMark = minMark + rand.Uint64N(maxMark-minMark)
	}
	first := f.lastMark / groupMarks * groupMarks
	f.lastMark = first + (f.lastMark+1)%groupMarks
	return f.lastMark
}

// setMark marks the shell, and with it all that it will start, with a resource limit:
// that of the CPU time of real-time tasks (RLIMIT_RTTIME), set to 150 000 years. A limit
// is inherited by every child and survives exec, setsid, double forks, env -i and closed
// descriptors; that of any process of the user is read in 1 µs, a twentieth of what its
// environment costs. Only a process that sets just this limit is not found by it. It is
// left alone if it is in use already, by an outer call for example.
func (t *tree) setMark(pid int) {
	var limit unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_RTTIME, nil, &limit) != nil || limit.Cur != unix.RLIM_INFINITY {
		return
	}
	limit.Cur = t.mark
	t.marked = unix.Prlimit(pid, unix.RLIMIT_RTTIME, &limit, nil) == nil
}
