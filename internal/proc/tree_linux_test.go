package proc

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"golang.org/x/sys/unix"
)

// sleeper starts a child that sleeps, in a session of its own, as whatever is in the session of
// a descendant is taken for one.
func sleeper(t *testing.T) *exec.Cmd {
	t.Helper()
	return sleeperWith(t, &syscall.SysProcAttr{Setsid: true})
}

func sleeperWith(t *testing.T, attr *syscall.SysProcAttr) *exec.Cmd {
	t.Helper()
	defer defaultSignals()() // SIGINT too, which a job of a shell in the background was started to ignore
	cmd := exec.Command("sleep", "300")
	cmd.SysProcAttr = attr
	must(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return cmd
}

// endedBy returns the signal that has ended a sleeper, SIGUSR1 if there was none. The kernel
// settles by what a process ends when it takes the first signal, so that no other one that
// comes at once can hide it.
func endedBy(cmd *exec.Cmd) syscall.Signal {
	cmd.Process.Signal(syscall.SIGUSR1)
	cmd.Wait()
	return cmd.ProcessState.Sys().(syscall.WaitStatus).Signal()
}

// identOf returns the identity of a process.
func identOf(t *testing.T, pid int) ident {
	t.Helper()
	s, ok := readStat(pid)
	if !ok {
		t.Fatalf("no process %d", pid)
	}
	return s.ident
}

// testMark marks the processes of a test. It is another one in each run, as several may go on at
// the same time.
var testMark = new(supervisor).newMark()

// mark marks a process as one of a tree.
func mark(t *testing.T, pid int, mark uint64) {
	t.Helper()
	if err := unix.Prlimit(pid, unix.RLIMIT_RTTIME, &unix.Rlimit{Cur: mark, Max: unix.RLIM_INFINITY}, nil); err != nil {
		t.Skip(err)
	}
}

// groupThatSays returns a control group that does not exist, with the content of cgroup.events.
func groupThatSays(t *testing.T, events string) *cgroup {
	t.Helper()
	f, err := unlinkedFile(events)
	must(t, err)
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	must(t, err)
	return &cgroup{path: filepath.Join(t.TempDir(), "none"), dir: -1, events: fd}
}

// TestOver checks when a tree is given up, and when SIGKILL is next.
func TestOver(t *testing.T) {
	full, empty := groupThatSays(t, "populated 1\n"), groupThatSays(t, "populated 0\n")
	defer full.remove()
	defer empty.remove()
	tests := []struct {
		name          string
		empty         int
		late, killing bool
		noProc        bool
		cgroup        *cgroup
		over, kills   bool
	}{
		{name: "asked"},
		{name: "asked, where none can be looked for", noProc: true},
		{name: "found nothing once", empty: 1},
		{name: "found nothing twice", empty: 2, over: true},
		{name: "found nothing, and the control group is empty", empty: 2, cgroup: empty, over: true},
		{name: "the control group alone is empty", empty: 1, cgroup: empty},
		{name: "found nothing, but there is some in the control group", empty: 2, cgroup: full, kills: true},
		{name: "asked too long", late: true, kills: true},
		{name: "killed", killing: true, kills: true},
		{name: "killed, found nothing once", killing: true, empty: 1, kills: true},
		{name: "killed, found nothing twice", killing: true, empty: 2, kills: true, over: true},
		{name: "killed, found nothing, but there is some in the control group", killing: true, empty: 2, cgroup: full, kills: true, over: true},
		{name: "killed, where none can be looked for", killing: true, noProc: true, kills: true, over: true},
		{name: "killed, too late", killing: true, late: true, kills: true, over: true},
	}
	for _, test := range tests {
		deadline := time.Now().Add(time.Hour)
		if test.late {
			deadline = time.Now().Add(-time.Hour)
		}
		d := &termination{tree: &tree{cgroup: test.cgroup, noProc: test.noProc}, empty: test.empty, killing: test.killing, deadline: deadline, done: make(chan struct{})}
		if over := d.finished(); over != test.over || d.killing != test.kills {
			t.Errorf("%s: over %v, killing %v", test.name, over, d.killing)
		}
		if d.killing != test.killing && (d.empty != 0 || time.Now().After(d.deadline)) {
			t.Errorf("%s: SIGKILL gets no time of its own: %+v", test.name, d)
		}
		select {
		case <-d.done:
			if !test.over {
				t.Errorf("%s: done", test.name)
			}
		default:
			if test.over {
				t.Errorf("%s: not done", test.name)
			}
		}
	}
}

// TestStrike checks which signal those get that were found, and when nothing was.
func TestStrike(t *testing.T) {
	testkit.NeedProc(t)
	for _, test := range []struct {
		name                       string
		signaled, killing, foreign bool
		want                       syscall.Signal
	}{
		{"asked", false, false, false, syscall.SIGTERM},
		{"not asked twice", true, false, false, syscall.SIGUSR1},
		{"killed", true, true, false, syscall.SIGKILL},
		{"killed without being asked", false, true, false, syscall.SIGKILL},
		{"another user's", false, true, true, syscall.SIGUSR1},
	} {
		child := sleeper(t)
		id := identOf(t, child.Process.Pid)
		d := &termination{tree: &tree{known: map[ident]bool{id: true}, foreign: map[ident]bool{id: test.foreign}},
			signaled: map[ident]bool{id: test.signaled}, killing: test.killing, empty: 1}
		d.signalFound(true)
		if got := endedBy(child); got != test.want {
			t.Errorf("%s: ended by %v", test.name, got)
		}
		if found := !test.foreign; found != (d.empty == 0) {
			t.Errorf("%s: found nothing %d times", test.name, d.empty)
		}
	}
	d := &termination{tree: &tree{}, signaled: map[ident]bool{}}
	for i, complete := range []bool{true, true, false, true} {
		d.signalFound(complete)
		if want := []int{1, 2, 0, 1}[i]; d.empty != want {
			t.Errorf("scan %d: found nothing %d times, want %d", i, d.empty, want)
		}
	}
}

// TestStrikeGroup checks that the group of a shell is asked to end, once, where descendants
// cannot be looked for.
func TestStrikeGroup(t *testing.T) {
	for _, test := range []struct {
		name                      string
		noProc, killing, signaled bool
		want                      syscall.Signal
	}{
		{"asked", true, false, false, syscall.SIGTERM},
		{"not asked twice", true, false, true, syscall.SIGUSR1},
		{"killed already", true, true, false, syscall.SIGUSR1},
		{"found by a scan", false, false, false, syscall.SIGUSR1},
	} {
		shell := sleeper(t)
		d := &termination{tree: &tree{pid: shell.Process.Pid, noProc: test.noProc}, killing: test.killing,
			signaled: map[ident]bool{{pid: -shell.Process.Pid}: test.signaled}}
		d.signalFound(true)
		if got := endedBy(shell); got != test.want {
			t.Errorf("%s: ended by %v", test.name, got)
		}
	}
}

// TestSignalGroup checks that a group is left alone when it may be another one, its leader
// having been reaped.
func TestSignalGroup(t *testing.T) {
	for _, test := range []struct {
		name                  string
		reaped, noProc, stays bool // what is known of the shell, and whether it is there
		want                  syscall.Signal
	}{
		{"it runs", false, false, true, syscall.SIGTERM},
		{"it runs, without /proc", false, true, true, syscall.SIGTERM},
		{"somebody else has reaped it", false, false, false, syscall.SIGUSR1},
		{"somebody else has reaped it, without /proc", false, true, false, syscall.SIGUSR1},
		{"it is reaped", true, false, false, syscall.SIGUSR1},
		{"it is reaped, and its pid is a child's again", true, false, true, syscall.SIGUSR1},
		{"it is reaped, without /proc", true, true, false, syscall.SIGTERM},
	} {
		shell := sleeperWith(t, &syscall.SysProcAttr{Setpgid: true})
		member := sleeperWith(t, &syscall.SysProcAttr{Setpgid: true, Pgid: shell.Process.Pid})
		if !test.stays {
			endedBy(shell)
		}
		(&tree{pid: shell.Process.Pid, reaped: test.reaped, noProc: test.noProc}).signalGroup(unix.SIGTERM)
		if got := endedBy(member); got != test.want {
			t.Errorf("%s: ended by %v", test.name, got)
		}
	}
}

// TestInterruptOnly checks that an interrupt is for the shell's group alone as long as the
// shell runs, and then for what it has left.
func TestInterruptOnly(t *testing.T) {
	testkit.NeedProc(t)
	for _, reaped := range []bool{false, true} {
		shell, other := sleeper(t), sleeper(t)
		mark(t, other.Process.Pid, testMark)
		shellEnd, otherEnd := syscall.SIGINT, syscall.SIGUSR1
		if reaped {
			shellEnd, otherEnd = otherEnd, shellEnd
		}
		tree := &tree{pid: shell.Process.Pid, mark: testMark, marked: true, reaped: reaped}
		must(t, tree.interrupt())
		if got := endedBy(shell); got != shellEnd {
			t.Errorf("reaped %v: the shell is ended by %v", reaped, got)
		}
		if got := endedBy(other); got != otherEnd {
			t.Errorf("reaped %v: the other is ended by %v", reaped, got)
		}
	}
}

// TestKillMarked checks that a process with another mark is not killed, nor one with none.
func TestKillMarked(t *testing.T) {
	for _, test := range []struct {
		mark uint64
		want syscall.Signal
	}{{testMark, syscall.SIGKILL}, {testMark + 1, syscall.SIGUSR1}, {unix.RLIM_INFINITY, syscall.SIGUSR1}} {
		child := sleeper(t)
		mark(t, child.Process.Pid, test.mark)
		killMarked(child.Process.Pid, testMark)
		if got := endedBy(child); got != test.want {
			t.Errorf("mark %d: ended by %v", test.mark, got)
		}
	}
}

// TestAwaitIdent checks what is said of a process that is waited for.
func TestAwaitIdent(t *testing.T) {
	testkit.NeedProc(t)
	child := sleeper(t)
	id := identOf(t, child.Process.Pid)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if id.await(canceled) {
		t.Error("one that lives is taken for one that has ended")
	}
	earlier := ident{id.pid, id.start - 1}
	if !earlier.await(canceled) {
		t.Error("one whose pid another process has is taken for one that lives")
	}
	child.Process.Kill()
	if !id.await(t.Context()) {
		t.Error("one that has ended is taken for one that lives")
	}
}

// TestWatch checks that watch returns when the last descendant has ended, or with its context.
func TestWatch(t *testing.T) {
	testkit.NeedProc(t)
	first, last := sleeper(t), sleeper(t)
	owner := &tree{pid: noPid, mark: testMark, marked: true}
	for _, child := range []*exec.Cmd{first, last} {
		mark(t, child.Process.Pid, testMark)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	within(t, func() { owner.watch(canceled) })
	if len(owner.known) != 2 {
		t.Errorf("known %v", owner.known)
	}
	left := make(chan bool)
	go func() {
		owner.watch(t.Context())
		left <- alive(first.Process.Pid) || alive(last.Process.Pid)
	}()
	for _, child := range []*exec.Cmd{first, last} {
		select {
		case <-left:
			t.Fatal("it has returned before all had ended")
		default:
		}
		child.Process.Kill()
		child.Wait()
	}
	within(t, func() {
		if <-left {
			t.Error("it has returned before all had ended")
		}
	})
}

// TestLeaveAlone checks that another user's descendants are not found again.
func TestLeaveAlone(t *testing.T) {
	first, second, own := ident{1, 1}, ident{2, 1}, ident{3, 1}
	owner := &tree{known: map[ident]bool{first: true, second: true, own: true}}
	owner.markForeign(first)
	owner.markForeign(second)
	if found := owner.found(); !slices.Equal(found, []ident{own}) {
		t.Errorf("found %v", found)
	}
}

// TestEndKnows checks when it is said that all processes of a tree have ended.
func TestEndKnows(t *testing.T) {
	testkit.NeedProc(t)
	empty := groupThatSays(t, "populated 0\n")
	defer empty.remove()
	for _, test := range []struct {
		name   string
		marked bool
		cgroup *cgroup
		want   bool
	}{
		{"marked", true, nil, true},
		{"not marked", false, nil, false},
		{"not marked, in a control group", false, empty, true},
	} {
		owner := &tree{supervisor: new(supervisor), pid: noPid, mark: testMark, marked: test.marked, cgroup: test.cgroup}
		if got := owner.end(false); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// TestEndKills checks that end ends what has the mark, and nothing else.
func TestEndKills(t *testing.T) {
	testkit.NeedProc(t)
	for _, gently := range []bool{true, false} {
		own, stranger := sleeper(t), sleeper(t)
		mark(t, own.Process.Pid, testMark)
		mark(t, stranger.Process.Pid, testMark+1)
		owner := &tree{supervisor: new(supervisor), pid: noPid, mark: testMark, marked: true}
		if known := owner.end(gently); !known || alive(own.Process.Pid) {
			t.Errorf("gently %v: known to have ended %v, alive %v", gently, known, alive(own.Process.Pid))
		}
		if got := endedBy(stranger); got != syscall.SIGUSR1 {
			t.Errorf("gently %v: another tree's process is ended by %v", gently, got)
		}
	}
}

// TestSurvivors checks which processes are said to be left, and that no scan is made where the
// control group is empty.
func TestSurvivors(t *testing.T) {
	testkit.NeedProc(t)
	child := sleeper(t)
	mark(t, child.Process.Pid, testMark)
	id := identOf(t, child.Process.Pid)
	full, empty := groupThatSays(t, "populated 1\n"), groupThatSays(t, "populated 0\n")
	defer full.remove()
	defer empty.remove()
	left := []int{id.pid}
	for _, test := range []struct {
		name    string
		cgroup  *cgroup
		foreign map[ident]bool
		want    []int
	}{
		{"no control group", nil, nil, left},
		{"some in the control group", full, nil, left},
		{"an empty control group", empty, nil, nil},
		{"another user's", nil, map[ident]bool{id: true}, nil},
	} {
		owner := &tree{pid: id.pid - 1, reaped: true, mark: testMark, marked: true, cgroup: test.cgroup, foreign: test.foreign}
		if test.cgroup == empty && adopts() {
			continue // what it left may be a zombie by now
		}
		if pids, _ := owner.survivors(time.Hour); !slices.Equal(pids, test.want) {
			t.Errorf("%s: %v, want %v", test.name, pids, test.want)
		}
	}
	owner := &tree{pid: id.pid - 1, reaped: true, mark: testMark, marked: true}
	eventually(t, func() error { // not while other processes come and go
		if _, all := owner.survivors(time.Hour); !all {
			return errors.New("it is never known that these are all")
		}
		return nil
	})
}

// TestEndingIsNoSurvivor ends processes at once before it asks what is left: some have not noticed by then.
func TestEndingIsNoSurvivor(t *testing.T) {
	testkit.NeedProc(t)
	for range 10 {
		busy := exec.Command("bash", "-c", "trap : EXIT; echo; while :; do :; done")
		busy.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		out, err := busy.StdoutPipe()
		must(t, err)
		must(t, busy.Start())
		defer busy.Wait()
		_, err = out.Read(make([]byte, 1)) // it has set its trap
		must(t, err)
		mark(t, busy.Process.Pid, testMark)
		owner := &tree{pid: busy.Process.Pid - 1, reaped: true, mark: testMark, marked: true}
		if pids, _ := owner.survivors(time.Hour); !slices.Equal(pids, []int{busy.Process.Pid}) {
			t.Fatalf("%v are left of one that is busy", pids)
		}
		must(t, busy.Process.Signal(syscall.SIGTERM))
		if pids, _ := owner.survivors(time.Hour); len(pids) > 0 {
			t.Fatalf("%v is ending, and said to be left", pids)
		}
	}
}

// TestShellIsSignalledFirst holds the order in which processes are signalled. A shell that sees a program end by a
// signal before it gets its own prints that.
func TestShellIsSignalledFirst(t *testing.T) {
	for range 20 { // a map has another order each time
		tree := &tree{pid: 50, known: map[ident]bool{}}
		for _, pid := range []int{9, 50, 51, 52, 60} {
			tree.known[ident{pid: pid}] = true
		}
		var pids []int
		for _, id := range tree.found() {
			pids = append(pids, id.pid)
		}
		if want := []int{50, 9, 51, 52, 60}; !slices.Equal(pids, want) {
			t.Fatalf("%v, want %v", pids, want)
		}
	}
}
