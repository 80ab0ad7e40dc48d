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

// spareCgroups is how many empty control groups are kept for later calls. Making and removing
// one takes longer than starting a process in it.
const spareCgroups = 4

// supervisor starts and ends the trees of a Group. Its zero value is ready to use.
type supervisor struct {
	mu          sync.Mutex
	noCgroup    bool // control groups do not work here, or a test turned them off
	closed      bool
	spare       []*cgroup
	lastMark    uint64
	terminating []*termination // trees that endAll has not seen yet
	ending      bool           // endAll is running
	guardian    guardian
	grace       time.Duration // replaces graceTime in tests
}

// acquireCgroup returns an empty control group, or nil if it cannot make one.
func (sup *supervisor) acquireCgroup() *cgroup {
	sup.mu.Lock()
	defer sup.mu.Unlock()
	if sup.noCgroup {
		return nil
	}
	for i, c := range sup.spare {
		if !c.spent && !c.populated() {
			sup.spare = slices.Delete(sup.spare, i, i+1)
			return c
		}
	}
	if parent := cgroupParent(); parent != "" {
		if c, err := newCgroup(parent, marksOf(sup.lastMark)); err == nil {
			return c
		}
	}
	sup.noCgroup = true
	return nil
}

// releaseCgroup takes back a control group. Its last process may still be ending.
func (sup *supervisor) releaseCgroup(c *cgroup) {
	var kept, extra []*cgroup
	sup.mu.Lock()
	for _, c := range append(sup.spare, c) {
		if !sup.closed && (c.populated() || !c.spent && len(kept) < spareCgroups) {
			kept = append(kept, c)
		} else {
			extra = append(extra, c)
		}
	}
	sup.spare = kept
	sup.mu.Unlock()
	removeCgroups(extra)
}

func (sup *supervisor) close() {
	sup.mu.Lock()
	spare := sup.spare
	sup.spare, sup.closed = nil, true
	sup.mu.Unlock()
	removeCgroups(spare)
	sup.guardian.close()
}

// emptyTime is how long removeCgroups waits for the last processes of the groups to end.
const emptyTime = 500 * time.Millisecond

func removeCgroups(groups []*cgroup) {
	deadline := time.Now().Add(emptyTime)
	for _, c := range groups {
		for c.populated() && time.Now().Before(deadline) {
			time.Sleep(time.Millisecond)
		}
		c.remove()
	}
}

// start starts a shell as the root of a new tree and marks it. The shell has a session of its
// own, so that opening /dev/tty fails instead of asking the user. files are its stdin, stdout
// and stderr. If permit returns false, nothing of the script has run.
func (sup *supervisor) start(s *shell, c Command, files []*os.File, permit func() bool) (*tree, error) {
	dir, err := c.openDir()
	if err != nil {
		return nil, err
	}
	if dir != c.OpenDir {
		defer dir.Close()
	}
	mark := sup.newMark()
	sup.guardian.guard(mark)
	t := &tree{
		supervisor: sup, mark: mark, maxProcesses: c.MaxProcesses, wrapped: s.filter != nil, done: make(chan struct{}),
	}
	for _, pipe := range files[1:] {
		var info unix.Stat_t
		if err := unix.Fstat(int(pipe.Fd()), &info); err != nil {
			return nil, err
		}
		link := fmt.Sprintf("pipe:[%d]", info.Ino)
		if c.Terminal {
			link = pipe.Name()
			t.terminal = inodeAt(unix.AT_FDCWD, link)
		}
		if !slices.Contains(t.pipeLinks, link) {
			t.pipeLinks = append(t.pipeLinks, link)
		}
	}
	env := t.environment(c.Env)
	if s.filter != nil {
		if s.vars, err = scriptFile(c.Sandbox.Variables(env)); err != nil {
			return nil, err
		}
		env = env[len(env)-1:] // only the mark, because the program that starts the shell is not confined
	}
	l := launch{
		path: s.path, argv: s.argv, env: env, files: append(files, s.script, nil, s.filter, s.vars),
		dir: dir, terminal: c.Terminal, sandbox: c.Sandbox,
	}
	if l.rules, err = c.Sandbox.Rules(); err != nil {
		return nil, err
	}
	if l.network, err = c.Sandbox.Network(); err != nil {
		return nil, err
	}
	if t.pid, err = t.startIn(l, s, c.MaxMemory, permit); err != nil {
		if l.network != nil {
			l.network.Close()
		}
		return nil, err
	}
	t.network = l.network
	if t.process, err = os.FindProcess(t.pid); err != nil {
		return nil, err
	}
	go t.await()
	return t, nil
}

// startIn starts the shell in a control group, or without one if that fails.
func (t *tree) startIn(l launch, s *shell, maxMemory int64, permit func() bool) (pid int, err error) {
	sup := t.supervisor
	if l.cgroup = sup.acquireCgroup(); l.cgroup == nil {
		return l.startGated(s, t.setMark, permit)
	}
	var memory memoryGroup
	if maxMemory > 0 {
		memory = l.cgroup.limitMemory(maxMemory)
	}
	mark := func(pid int) {
		t.setMark(pid)
		t.maxProcesses = l.cgroup.setPidsMax(t.maxProcesses)
		if memory.old && !l.cgroup.entered {
			memory = memoryGroup{} // a version 2 limit applies to the group in which the shell was started
		}
	}
	if pid, err = l.startGated(s, mark, permit); err == nil {
		t.cgroup, t.memory = l.cgroup, memory
		return pid, nil
	}
	sup.releaseCgroup(l.cgroup)
	if errors.Is(err, errForbidden) {
		return 0, err
	}
	l.cgroup = nil
	if pid, err = l.startGated(s, t.setMark, permit); err == nil { // the control group was at fault
		sup.mu.Lock()
		sup.noCgroup = true
		sup.mu.Unlock()
	}
	return pid, err
}

// callVariable is the environment variable that marks the processes of a call.
const callVariable = "SPILLWAY_CALL="

// environment returns env with the mark of the call. Inside another call the variable holds
// both marks, because the outer call's processes include those of the inner one.
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
	// The first mark of a Group is a random number between these. All marks have 19 digits: a
	// limit that nobody else sets, and too large to limit anything.
	minMark = 5_000_000_000_000_000_000
	maxMark = 9_000_000_000_000_000_000
	// groupMarks is how many marks a Group has. They differ only in their last 7 digits.
	groupMarks = 10_000_000
)

// marksOf returns the digits that all marks of a Group begin with, by one of them.
func marksOf(mark uint64) string { return strconv.FormatUint(mark/groupMarks, 10) }

func (sup *supervisor) newMark() uint64 {
	sup.mu.Lock()
	defer sup.mu.Unlock()
	if sup.lastMark == 0 {
		sup.lastMark = minMark + rand.Uint64N(maxMark-minMark)
	}
	first := sup.lastMark / groupMarks * groupMarks
	sup.lastMark = first + (sup.lastMark+1)%groupMarks
	return sup.lastMark
}

// setMark marks the shell, and with it everything that the shell will start, by a resource limit: RLIMIT_RTTIME, the
// CPU time of real-time tasks, set to 150,000 years or more. Children inherit it, and it survives exec, setsid, double
// forks, env -i and closed descriptors. Reading it takes 1 µs, a twentieth of what reading the environment takes. Only
// a process that sets this very limit sheds the mark. If the limit is already in use, for example by an outer call,
// setMark leaves it alone.
//
// setMark also notes when the shell was started, while its pid is certainly its own.
func (t *tree) setMark(pid int) {
	if s, ok := readStat(pid); ok {
		t.start = s.start
	}
	var limit unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_RTTIME, nil, &limit) != nil || limit.Cur != unix.RLIM_INFINITY {
		return
	}
	limit.Cur = t.mark
	t.marked = unix.Prlimit(pid, unix.RLIMIT_RTTIME, &limit, nil) == nil
}
