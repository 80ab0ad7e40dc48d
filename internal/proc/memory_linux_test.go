package proc

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"golang.org/x/sys/unix"
)

const mega = 1 << 20

// polled starts a command in a group without control groups, whose processes are looked at.
func polled(t *testing.T, c Command) *Process {
	t.Helper()
	testkit.NeedProc(t)
	g := NewGroup()
	t.Cleanup(func() { g.Close() })
	g.supervisor.noCgroup = true
	p, err := g.Start(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// anonymous returns the memory of a process that is not of files, as its status has it.
func anonymous(pid int) int64 { return readMemory(pid, "status", "RssAnon:") }

// What a shell shares with its forks counts once: a limit that is over that, and under the sum of
// what they show, ends nothing.
func TestSharedMemoryCountsOnce(t *testing.T) {
	const forks, size = 8, 4 * mega // of what the shell holds, at least
	b := newBench(t, nil)
	p := polled(t, b.command(fmt.Sprintf(`mkfifo fifo; exec 9<>fifo; x=$(head -c 4M /dev/zero | tr '\0' x)
		for i in {1..%d}; do (read -r _ <&9) & echo $! >>$PIDS; done; wait`, forks)))
	var all int64
	eventually(t, func() error {
		pids := b.pids()
		all = anonymous(p.tree.pid)
		for _, pid := range pids {
			all += anonymous(pid)
		}
		if len(pids) < forks || all < (forks+1)*size {
			return fmt.Errorf("%d forks show %d MB", len(pids), all/mega)
		}
		return nil
	})
	var s scanner
	if held := p.tree.held(&s, all); held < all {
		t.Errorf("they hold %d MB before what they share is looked at, and show %d", held/mega, all/mega)
	}
	if held := p.tree.held(&s, all/4); held > all/4 || held < size {
		t.Errorf("they hold %d MB, and show %d", held/mega, all/mega)
	}
	if held := p.tree.held(&s, size/2); held <= size/2 {
		t.Errorf("they hold %d MB", held/mega)
	}
}

// A process between vfork and exec has its parent's memory. It waits there for a file of which this
// program has a lease.
func TestBorrowedMemoryCountsOnce(t *testing.T) {
	self := uintptr(os.Getpid())
	if _, _, errno := unix.Syscall6(unix.SYS_KCMP, self, self, kcmpVM, 0, 0, 0); errno != 0 {
		t.Skip(errno)
	}
	b := newBench(t, nil)
	file, err := os.Create(b.path("leased"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	file.Chmod(0o700)
	if _, err := unix.FcntlInt(file.Fd(), unix.F_SETLEASE, unix.F_WRLCK); err != nil {
		t.Skip(err)
	}
	c := b.command(os.Args[0])
	c.Env = append(c.Env, helper+"=spawn:"+file.Name())
	p := polled(t, c)
	var s scanner
	var shown int64
	eventually(t, func() error {
		for _, child := range p.tree.holders(&s) {
			if !child.borrows() || anonymous(child.parent) < spawnMemory {
				continue
			}
			if shown = anonymous(child.pid); shown > 0 { // else it was one by which package os tries clone
				return nil
			}
		}
		return fmt.Errorf("none of the processes borrows")
	})
	if held := p.tree.held(&s, shown*3/2); held < spawnMemory || held > shown*3/2 {
		t.Errorf("they hold %d MB, and the child alone shows %d", held/mega, shown/mega)
	}
	if _, err := unix.FcntlInt(file.Fd(), unix.F_SETLEASE, unix.F_UNLCK); err != nil {
		t.Error(err)
	}
}

// Where kcmp fails, as for a process that is gone, the age of a process tells.
func TestBorrowsByAge(t *testing.T) {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
		t.Fatal(err)
	}
	ticks := uint64(now.Nano() / int64(tick))
	for _, tt := range []struct {
		flags, start uint64
		want         bool
	}{
		{forkNoExec, ticks + 1000, true}, {forkNoExec, ticks - 1000, false}, {0, ticks + 1000, false},
	} {
		gone := stat{ident: ident{1 << 30, tt.start}, parent: os.Getpid(), flags: tt.flags}
		if got := gone.borrows(); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// limitedGroup returns a group whose commands' memory a control group limits, or skips the test.
func limitedGroup(t *testing.T) *Group {
	g := NewGroup()
	t.Cleanup(func() { g.Close() })
	c := g.supervisor.acquireCgroup()
	if c == nil {
		t.Skip("no control groups here")
	}
	m := c.limitMemory(64 * mega)
	g.supervisor.releaseCgroup(c)
	if m == (memoryGroup{}) {
		t.Skip("no control group limits memory here")
	}
	return g
}

// A control group also counts files in a tmpfs, up to their end, and so is not used twice.
func TestFilesInMemory(t *testing.T) {
	g := limitedGroup(t)
	b := newBench(t, g)
	shm, err := os.MkdirTemp("/dev/shm", "spillway-test-")
	if err != nil {
		t.Skip(err)
	}
	defer os.RemoveAll(shm)
	c := b.command("head -c 100M /dev/zero >" + shm + "/file; sleep 300")
	c.MaxMemory = 64 * mega
	var groups []string
	run := func() Outcome {
		p, err := g.Start(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, p.tree.memory.dir)
		return p.Wait()
	}
	if o := run(); o.Reason != MemoryLimit || o.ExitCode != -1 || o.Uncertain {
		t.Errorf("outcome %+v", o)
	}
	c.Script = "head -c 40M /dev/zero >" + shm + "/$RANDOM"
	for range 3 {
		if o := run(); o.Reason != Exited || o.ExitCode != 0 {
			t.Errorf("outcome %+v", o)
		}
	}
	g.Close()
	for _, dir := range groups {
		eventually(t, func() error {
			if left := new(cgroup); unix.Access(dir, unix.F_OK) == nil {
				left.dir, left.events = -1, -1
				left.remove() // tries again what could not be removed
				return fmt.Errorf("group %s is left", dir)
			}
			return nil
		})
	}
}

// A process that the kernel kills for another reason than the group's own limit is none of its.
func TestRanOut(t *testing.T) {
	const limit = 64 * mega
	for _, tt := range []struct {
		name  string
		old   bool
		files map[string]string
		want  bool
	}{
		{"2, nothing", false, map[string]string{"memory.events": "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\noom_group_kill 0\n", "memory.events.local": "max 0\noom 0\noom_kill 0\n"}, false},
		{"2, its limit", false, map[string]string{"memory.events": "max 9\noom 1\noom_kill 3\noom_group_kill 1\n", "memory.events.local": "max 9\noom 1\noom_kill 3\n"}, true},
		{"2, a limit above", false, map[string]string{"memory.events": "max 0\noom 0\noom_kill 1\n", "memory.events.local": "max 0\noom 0\noom_kill 1\n"}, false},
		{"2, that of a group below", false, map[string]string{"memory.events": "max 4\noom 1\noom_kill 1\n", "memory.events.local": "max 0\noom 0\noom_kill 0\n"}, false},
		{"2, a process of a group below", false, map[string]string{"memory.events": "oom 1\noom_kill 1\n", "memory.events.local": "oom 1\noom_kill 0\n"}, true},
		{"2, an allocation that failed", false, map[string]string{"memory.events": "oom 1\noom_kill 0\n", "memory.events.local": "oom 1\noom_kill 0\n"}, false},
		{"1, nothing", true, map[string]string{"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n", "memory.max_usage_in_bytes": "67108864\n"}, false},
		{"1, its limit", true, map[string]string{"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n", "memory.max_usage_in_bytes": "67100000\n"}, true},
		{"1, a limit above", true, map[string]string{"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n", "memory.max_usage_in_bytes": "33554432\n"}, false},
		{"gone", false, nil, false},
	} {
		m := memoryGroup{t.TempDir(), limit, tt.old}
		for name, text := range tt.files {
			testkit.WriteFile(t, filepath.Join(m.dir, name), text)
		}
		if got := (&tree{memory: m}).ranOut(); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	if new(tree).ranOut() {
		t.Error("no group has run out")
	}
}

// In version 2 the group itself is limited, swap included, and ends as a whole.
func TestLimitMemory(t *testing.T) {
	c := &cgroup{path: t.TempDir()}
	for _, name := range []string{"memory.max", "memory.swap.max", "memory.oom.group"} {
		testkit.WriteFile(t, filepath.Join(c.path, name), "")
	}
	if m := c.limitMemory(64 * mega); m != (memoryGroup{c.path, 64 * mega, false}) || !c.spent || c.memory != "" {
		t.Errorf("%+v of %+v", m, c)
	}
	for name, want := range map[string]string{"memory.max": "67108864", "memory.swap.max": "0", "memory.oom.group": "1"} {
		if text, err := os.ReadFile(filepath.Join(c.path, name)); err != nil || strings.TrimSpace(string(text)) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}
