package proc

import (
	"errors"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"golang.org/x/sys/unix"
)

// noPid is larger than any pid can be.
const noPid = 1 << 23

// TestCandidates checks which processes a scan looks at, and when it may have missed one.
func TestCandidates(t *testing.T) {
	testkit.NeedProc(t)
	child := sleeper(t)
	id := identOf(t, child.Process.Pid)
	owner, other := new(tree), new(tree)
	for _, test := range []struct {
		name     string
		pid      int
		how      depth
		owners   owners
		found    bool
		owner    *tree
		complete bool
	}{
		{"the program itself", os.Getpid(), scanDeep, owners{}, false, nil, true},
		{"a newer pid", id.pid, scanAll, owners{marked: true, pid: id.pid - 1}, true, nil, true},
		{"the shell", id.pid, scanAll, owners{marked: true, pid: id.pid}, true, nil, true},
		{"an older pid", id.pid, scanAll, owners{marked: true, pid: id.pid + 1}, false, nil, true},
		{"an older pid, listed from the shell's on", id.pid, scanNewer, owners{marked: true, pid: id.pid + 1}, false, nil, true},
		{"an older pid, closely", id.pid, scanDeep, owners{marked: true, pid: id.pid + 1}, true, nil, true},
		{"an older pid, without marks", id.pid, scanAll, owners{pid: id.pid + 1}, true, nil, true},
		{"an older pid in the control group", id.pid, scanAll, owners{marked: true, pid: id.pid + 1, members: map[int]*tree{id.pid: owner}}, true, owner, true},
		{"known", id.pid, scanAll, owners{known: map[ident]*tree{id: owner}, sessions: map[int]*tree{id.pid: other}}, true, owner, true},
		{"another one was known", id.pid, scanAll, owners{known: map[ident]*tree{{id.pid, id.start + 1}: owner}}, true, nil, true},
		{"in the session", id.pid, scanAll, owners{sessions: map[int]*tree{id.pid: owner}}, true, owner, true},
		{"started with the shell", id.pid, scanDeep, owners{start: id.start}, true, nil, true},
		{"started before", id.pid, scanDeep, owners{start: id.start + 1}, false, nil, true},
		{"ended, an older pid", noPid, scanDeep, owners{marked: true, pid: noPid + 1}, false, nil, true},
		{"ended, the shell", noPid, scanDeep, owners{marked: true, pid: noPid}, false, nil, false},
		{"ended, a newer pid", noPid, scanDeep, owners{marked: true, pid: noPid - 1}, false, nil, false},
		{"ended, an older pid in the control group", noPid, scanDeep, owners{marked: true, pid: noPid + 1, members: map[int]*tree{noPid: owner}}, false, nil, false},
	} {
		all, complete := test.owners.candidates([]int{test.pid}, test.how)
		if complete != test.complete || len(all) > 1 || (len(all) == 1) != test.found {
			t.Errorf("%s: %v, complete %v", test.name, all, complete)
		} else if test.found && (all[0].owner != test.owner || all[0].ident != id) {
			t.Errorf("%s: %+v", test.name, all[0])
		}
	}
	c := owners{}
	if _, complete := c.candidates([]int{noPid, id.pid}, scanDeep); complete {
		t.Error("what has ended is forgotten with the next process")
	}
}

// TestClaims checks what processes are known by, of two trees that are looked for together.
func TestClaims(t *testing.T) {
	first := &tree{pid: 30, start: 7, mark: 1, marked: true, pipeLinks: []string{"pipe:[1]"}}
	second := &tree{pid: 20, start: 9, mark: 2, marked: true, reaped: true, known: map[ident]bool{{40, 8}: true}}
	want := owners{
		members: map[int]*tree{}, marks: map[uint64]*tree{1: first, 2: second}, sessions: map[int]*tree{30: first},
		known: map[ident]*tree{{40, 8}: second}, pipes: map[string]*tree{"pipe:[1]": first},
		marked: true, start: 7, pid: 20,
	}
	for _, trees := range [][]*tree{{first, second}, {second, first}} {
		if got := ownersOf(trees); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	second.marked, want.marked = false, false
	for _, trees := range [][]*tree{{first, second}, {second, first}} {
		if got := ownersOf(trees); got.marked {
			t.Error("taken for marked")
		}
	}
}

func TestSpread(t *testing.T) {
	one, two := new(tree), new(tree)
	process := func(pid, parent, session int, owner *tree) candidate {
		return candidate{stat{ident: ident{pid: pid}, parent: parent, session: session}, owner}
	}
	all := []candidate{
		process(9, 8, 9, nil), // a grandchild comes before its parents
		process(8, 7, 8, nil),
		process(7, 1, 7, one),
		process(10, 1, 9, nil), // in a descendant's session
		process(20, 1, 20, two),
		process(21, 20, 7, nil), // a child of one, in the session of the other
		process(30, 1, 30, nil),
	}
	inheritOwners(all)
	for i, want := range []*tree{one, one, one, one, two, two, nil} {
		if all[i].owner != want {
			t.Errorf("process %d is not whose it was to be", all[i].pid)
		}
	}
}

// TestLook checks which processes are looked into, and that another call's child is not taken
// for one that writes to the output.
func TestLook(t *testing.T) {
	testkit.NeedProc(t)
	owner, other := new(tree), new(tree)
	r, w, err := os.Pipe()
	must(t, err)
	defer r.Close()
	defer w.Close()
	link, err := os.Readlink(procPath(os.Getpid(), "fd/"+itoa(int(w.Fd()))))
	must(t, err)
	cmd := exec.Command("sleep", "300")
	cmd.Env, cmd.Stdout = []string{callVariable + "123"}, w
	must(t, cmd.Start())
	defer cmd.Wait()
	defer cmd.Process.Kill()
	byMark := owners{marks: map[uint64]*tree{123: owner}}
	byPipe := owners{pipes: map[string]*tree{link: owner}}
	alive := stat{ident: identOf(t, cmd.Process.Pid), parent: 1, state: 'S', threads: 1}
	eventually(t, func() error {
		if len(envMarks(alive.pid)) == 0 {
			return errors.New("no environment yet")
		}
		return nil
	})
	ended, child := alive, alive
	ended.state, child.parent = 'Z', os.Getpid()
	for _, test := range []struct {
		name    string
		owners  owners
		process candidate
		looked  uint8 // how often before
		pipes   bool
		want    *tree
		looks   uint8 // how often in vain by now
	}{
		{"a mark", byMark, candidate{alive, nil}, 0, false, owner, 0},
		{"a mark of a child", byMark, candidate{child, nil}, 0, true, owner, 0},
		{"a mark, looked at once", byMark, candidate{alive, nil}, 1, false, owner, 1},
		{"a mark, looked at twice", byMark, candidate{alive, nil}, 2, false, nil, 2},
		{"another's already", byMark, candidate{alive, other}, 0, true, other, 0},
		{"ended", byMark, candidate{ended, nil}, 0, true, nil, 0},
		{"no mark", owners{}, candidate{alive, nil}, 0, true, nil, 1},
		{"the pipe", byPipe, candidate{alive, nil}, 0, true, owner, 0},
		{"the pipe does not count", byPipe, candidate{alive, nil}, 0, false, nil, 1},
		{"the pipe of a child", byPipe, candidate{child, nil}, 0, true, nil, 1},
		{"a mark before the pipe", owners{marks: byMark.marks, pipes: map[string]*tree{link: other}}, candidate{alive, nil}, 0, true, owner, 0},
	} {
		s := scanner{unrelated: map[ident]uint8{alive.ident: test.looked}}
		all := []candidate{test.process}
		s.search(&test.owners, all, test.pipes)
		if all[0].owner != test.want || s.unrelated[alive.ident] != test.looks {
			t.Errorf("%s: found %v, looked at in vain %d times", test.name, all[0].owner != nil, s.unrelated[alive.ident])
		}
	}
}

// zombie returns the pid of a child that has ended, and is not reaped.
func zombie(t *testing.T) (cmd *exec.Cmd, id ident) {
	t.Helper()
	cmd = sleeper(t)
	id = identOf(t, cmd.Process.Pid)
	must(t, cmd.Process.Kill())
	eventually(t, func() error {
		if _, ended := childState(id.pid); !ended {
			return errors.New("still alive")
		}
		return nil
	})
	return cmd, id
}

// TestReap reaps a shell whose end nobody has noticed, as on a machine that is too busy for that.
func TestReap(t *testing.T) {
	testkit.NeedProc(t)
	t.Parallel()
	cmd, id := zombie(t)
	shell := &tree{pid: id.pid, process: cmd.Process, done: make(chan struct{})}
	if code, signal := shell.reap(); signal != "SIGKILL" {
		t.Errorf("code %d, signal %q", code, signal)
	}
}

// TestScanReaps checks that of the children that have ended those are reaped which a command
// has left, and no other one; and that a scan is not complete that finds a new one.
func TestScanReaps(t *testing.T) {
	testkit.NeedProc(t)
	for _, test := range []struct {
		name             string
		shell, known     bool
		how              depth
		reaped, complete bool
	}{
		{"somebody else's", false, false, scanDeep, false, false},
		{"a command's", false, true, scanDeep, true, false},
		{"the shell", true, true, scanDeep, false, false},
		{"the shell, after a call", true, true, scanAll, false, true},
		{"somebody else's, after a call", false, false, scanAll, false, false},
	} {
		_, id := zombie(t)
		owner := &tree{pid: noPid, mark: testMark, start: id.start}
		if test.shell {
			owner.pid = id.pid
		}
		if test.known {
			owner.known = map[ident]bool{id: true}
		}
		complete := owner.scanner.scan([]*tree{owner}, []int{id.pid}, test.how)
		child, _ := childState(id.pid)
		if complete != test.complete || child == test.reaped || len(owner.known) > 0 {
			t.Errorf("%s: complete %v, still there %v, alive %v", test.name, complete, child, owner.known)
		}
		if complete := owner.scanner.scan([]*tree{owner}, []int{id.pid}, test.how); !complete {
			t.Errorf("%s: not complete when nothing is new", test.name)
		}
	}
}

// TestScanKnows checks that the descendants that are alive are known after a scan.
func TestScanKnows(t *testing.T) {
	testkit.NeedProc(t)
	own, stranger := sleeper(t), sleeper(t)
	mark(t, own.Process.Pid, testMark)
	owner := &tree{pid: own.Process.Pid, mark: testMark, marked: true}
	for _, how := range []depth{scanNewer, scanAll, scanDeep} {
		owner.known, owner.start = map[ident]bool{{noPid, 1}: true}, 0
		owner.scanner.scan([]*tree{owner}, []int{own.Process.Pid, stranger.Process.Pid}, how)
		if want := map[ident]bool{identOf(t, own.Process.Pid): true}; !reflect.DeepEqual(owner.known, want) {
			t.Errorf("known %v, want %v", owner.known, want)
		}
	}
}

// TestScanRemembers checks for how long a pid counts as that of a process that started before the shell, and that it
// never hides a marked process.
func TestScanRemembers(t *testing.T) {
	testkit.NeedProc(t)
	for name, test := range map[string]struct {
		later func(owner *tree, pid int)
		found bool
	}{
		"soon":                     {func(owner *tree, _ int) { owner.scanner.then = time.Now().Add(time.Hour) }, false}, // on any machine
		"when pids may wrap":       {func(owner *tree, _ int) { owner.scanner.then = owner.scanner.then.Add(-quickCall) }, true},
		"for another tree":         {func(owner *tree, _ int) { owner.scanner.forget() }, true},
		"with the mark":            {func(_ *tree, pid int) { mark(t, pid, testMark) }, true},
		"without marks in general": {func(owner *tree, _ int) { owner.marked, owner.scanner.then = false, time.Now().Add(time.Hour) }, false},
	} {
		id := identOf(t, sleeper(t).Process.Pid)
		owner := &tree{pid: id.pid, mark: testMark, marked: true, start: id.start + 1}
		if owner.scanner.scan([]*tree{owner}, []int{id.pid}, scanDeep); len(owner.known) > 0 {
			t.Fatalf("%s: found before", name)
		}
		owner.start-- // as if another process had the pid
		test.later(owner, id.pid)
		owner.scanner.scan([]*tree{owner}, []int{id.pid}, scanDeep)
		if owner.known[id] != test.found {
			t.Errorf("%s: found %v", name, owner.known)
		}
	}
}

// TestScanLooks checks when a scan looks into processes: at the environment where there is no
// mark in the limits, and always before processes are ended; at pipes and the terminal only then.
func TestScanLooks(t *testing.T) {
	testkit.NeedProc(t)
	if adopts() {
		t.Skip("the writer would be a child, as that of another call may be")
	}
	r, w, err := os.Pipe()
	must(t, err)
	defer r.Close()
	defer w.Close()
	ours, theirs, err := newTerminal()
	must(t, err)
	defer ours.Close()
	defer theirs.Close()
	start := func(env string, files ...*os.File) int {
		cmd := exec.Command("sh", "-c", "setsid sleep 300 >/dev/null 2>&1 & echo $!")
		cmd.Env, cmd.ExtraFiles = []string{"PATH=" + os.Getenv("PATH"), env}, files
		out, err := cmd.Output()
		must(t, err)
		pid, err := strconv.Atoi(strings.TrimSpace(string(out)))
		must(t, err)
		t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
		eventually(t, func() error { // its session is its own by then
			if line := CommandLine(pid); line != "sleep 300" {
				return errors.New(line)
			}
			return nil
		})
		return pid
	}
	marked, writers := start(callVariable+strconv.FormatUint(testMark, 10)), map[*os.File]int{w: start("A=b", w), theirs: start("A=b", theirs)}
	for _, test := range []struct {
		how         depth
		marked      bool
		mark, write bool // what is found
	}{
		{scanNewer, true, false, false},
		{scanAll, true, false, false},
		{scanAll, false, true, false},
		{scanDeep, true, true, true},
		{scanDeep, false, true, true},
	} {
		for file, writer := range writers {
			link, err := os.Readlink(procPath(os.Getpid(), "fd/"+itoa(int(file.Fd()))))
			must(t, err)
			owner := &tree{pid: 1, mark: testMark, marked: test.marked, reaped: true, pipeLinks: []string{link}, terminal: inodeAt(unix.AT_FDCWD, link)}
			owner.scanner.scan([]*tree{owner}, []int{marked, writer}, test.how)
			if mark, write := owner.known[identOf(t, marked)], owner.known[identOf(t, writer)]; mark != test.mark || write != test.write {
				t.Errorf("%+v: found by the mark %v, by %s %v", test, mark, link, write)
			}
		}
	}
}

// TestLearnStart checks that the start of a shell is known when it is marked.
func TestLearnStart(t *testing.T) {
	testkit.NeedProc(t)
	child := sleeper(t)
	id := identOf(t, child.Process.Pid)
	for pid, want := range map[int]uint64{id.pid: id.start, noPid: 0} {
		owner := &tree{pid: pid, mark: testMark}
		if owner.setMark(pid); owner.start != want {
			t.Errorf("start %d, want %d", owner.start, want)
		}
	}
}

// TestDepthAfter checks that only a quick call is taken for one whose processes all have pids
// larger than the shell's, and only while the pids have not begun again.
func TestDepthAfter(t *testing.T) {
	for _, test := range []struct {
		lasted        time.Duration
		shell, newest int
		want          depth
	}{
		{0, 100, 101, scanNewer},
		{0, 100, 100, scanNewer},
		{0, 100, 99, scanAll},
		{0, 100, 0, scanAll}, // not known
		{quickCall - 1, 100, 101, scanNewer},
		{quickCall, 100, 101, scanAll},
		{time.Hour, 100, 101, scanAll},
	} {
		if got := depthAfter(test.lasted, test.shell, test.newest); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
