package proc

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/spillway-go/spillway/internal/testkit"
	"golang.org/x/sys/unix"
)

func itoa(n int) string { return strconv.Itoa(n) }

func TestStatParse(t *testing.T) {
	rest := " S 10 11 12 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 3 0 987654321 100 200"
	for _, name := range []string{"(bash)", "(a b)", "(a) R 1 (b)", "())", "(\n)"} {
		var s stat
		if !s.parse([]byte("9 " + name + rest)) {
			t.Errorf("%q is not parsed", name)
		}
		s.pid = 9
		want := stat{ident: ident{9, 987654321}, parent: 10, session: 12, threads: 3, state: 'S', flags: 4194304}
		if s != want {
			t.Errorf("%q: %+v, want %+v", name, s, want)
		}
	}
	for _, bad := range []string{"", "9 (bash)", "9 (bash) S 1 2", "9 bash", strings.Replace("9 (x)"+rest, "10", "x", 1)} {
		if s := new(stat); s.parse([]byte(bad)) {
			t.Errorf("%q is parsed as %+v", bad, s)
		}
	}
}

func TestAlive(t *testing.T) {
	tests := []struct {
		stat         stat
		alive, stays bool
	}{
		{stat{state: 'S', threads: 1}, true, true},
		{stat{state: 'T', threads: 1}, true, true},
		{stat{state: 'R', threads: 1, flags: exiting}, true, false},
		{stat{state: 'R', threads: 2, flags: exiting}, true, true}, // its main thread is about to end
		{stat{state: 'Z', threads: 1}, false, false},
		{stat{state: 'Z', threads: 1, flags: exiting}, false, false},
		{stat{state: 'Z', threads: 2, flags: exiting}, true, true}, // its main thread has ended
		{stat{state: 'X', threads: 0}, false, false},
		{stat{state: 'X', threads: 1}, false, false},
	}
	for _, test := range tests {
		if alive, stays := test.stat.alive(), test.stat.stays(); alive != test.alive || stays != test.stays {
			t.Errorf("%+v: alive %v, stays %v", test.stat, alive, stays)
		}
	}
}

// TestListPids checks that seeking leaves out what is older, and nothing else.
func TestListPids(t *testing.T) {
	testkit.NeedProc(t)
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	pid := cmd.Process.Pid
	all, err := listPids(0)
	if err != nil || !slices.IsSorted(all) || !slices.Contains(all, pid) || !slices.Contains(all, os.Getpid()) {
		t.Fatalf("%v, %v", all, err)
	}
	newer, err := listPids(pid)
	if err != nil || !slices.Contains(newer, pid) {
		t.Errorf("the list from %d on is %v, %v", pid, newer, err)
	}
	if len(newer) > 0 && newer[0] < pid-3 {
		t.Errorf("the list from %d on starts with %d", pid, newer[0])
	}
}

// TestFindVariable checks that the end of a piece is kept as far as the variable may begin there.
func TestFindVariable(t *testing.T) {
	for _, test := range []struct {
		env, value string
		whole      bool
	}{
		{"A=b\x00MARK=1:2\x00C=d", "1:2", true},
		{"MARK=\x00", "", true},
		{"A=b\x00MARK=1:2", "MARK=1:2", false},
		{"A=bcdefgh", "efgh", false},
		{"A=b\x00MARK", "MARK", false},
		{"MA", "MA", false},
		{"", "", false},
	} {
		if value, whole := findVariable([]byte(test.env), []byte("MARK=")); string(value) != test.value || whole != test.whole {
			t.Errorf("%q: %q, %v", test.env, value, whole)
		}
	}
}

func TestAdopts(t *testing.T) {
	if os.Getpid() == 1 {
		t.Skip("orphans become children of process 1 in any case")
	}
	var before int32
	must(t, unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&before)), 0, 0, 0))
	defer unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, uintptr(before), 0, 0, 0)
	for _, set := range []bool{true, false} {
		value := uintptr(0)
		if set {
			value = 1
		}
		must(t, unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, value, 0, 0, 0))
		if adopts() != set {
			t.Errorf("a subreaper %v, adopts %v", set, !set)
		}
	}
}

func TestLastPid(t *testing.T) {
	testkit.NeedProc(t)
	child := sleeper(t)
	if last := lastPid(); last < child.Process.Pid {
		t.Errorf("%d is the newest pid, after %d", last, child.Process.Pid)
	}
}

func TestEnvMarks(t *testing.T) {
	testkit.NeedProc(t)
	const end = 32<<10 - 2 // of the buffer, where A= takes two
	for _, size := range []int{0, 1, end - 40, end - 20, end - 10, end - 1, end, 100 << 10} {
		cmd := exec.Command("sleep", "60")
		cmd.Env = []string{"A=" + strings.Repeat("x", size), callVariable + "outer:123:456", "B=" + strings.Repeat("x", size)}
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		eventually(t, func() error { // in the middle of exec there is no environment yet
			if marks := envMarks(cmd.Process.Pid); !slices.Equal(marks, []uint64{123, 456}) {
				return fmt.Errorf("%v after %d bytes", marks, size)
			}
			return nil
		})
		cmd.Process.Kill()
		cmd.Wait()
	}
}

// TestWritesTo checks that the end which is read does not count.
func TestWritesTo(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	link, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", w.Fd()))
	if err != nil {
		t.Skip(err)
	}
	for file, want := range map[*os.File]bool{r: false, w: true} {
		cmd := exec.Command("sleep", "60")
		cmd.ExtraFiles = []*os.File{file}
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		owner := new(tree)
		if got := writesTo(cmd.Process.Pid, map[string]*tree{link: owner}) == owner; got != want {
			t.Errorf("%v, want %v", got, want)
		}
		cmd.Process.Kill()
		cmd.Wait()
	}
}

// TestIdent checks that a process with another start time is not signalled.
func TestIdent(t *testing.T) {
	testkit.NeedProc(t)
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	s, ok := readStat(cmd.Process.Pid)
	if !ok {
		t.Fatal("no stat")
	}
	other := ident{s.pid, s.start + 1}
	if err := other.signal(9); err != errGone {
		t.Errorf("signal to another process: %v", err)
	}
	if err := s.ident.signal(unix.Signal(1000)); err != unix.EINVAL {
		t.Errorf("a signal that there is not: %v", err)
	}
	if err := s.ident.signal(9); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("not killed")
	}
	if err := s.ident.signal(9); err != errGone {
		t.Errorf("signal to a process that is gone: %v", err)
	}
}

func TestCgroupDir(t *testing.T) {
	const (
		v2     = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n"
		hybrid = "30 23 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
		v1     = "31 23 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
		both   = "32 23 0:28 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,cpu,pids\n"
		bound  = "30 23 0:26 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup rw\n"
	)
	tests := []struct{ name, own, mounts, want, controller string }{
		{"v2", "0::/user.slice/a.scope\n", v1 + v2, "/sys/fs/cgroup/user.slice/a.scope", ""},
		{"root", "0::/\n", v2, "/sys/fs/cgroup", ""},
		{"hybrid", "9:cpu:/x\n0::/\n", v1 + hybrid, "/sys/fs/cgroup/unified", ""},
		{"v1", "9:cpu:/x\n", v1, "", ""},
		{"bind mount", "0::/docker/abc/d\n", bound, "/sys/fs/cgroup/d", ""},
		{"outside of the mount", "0::/other\n", bound, "", ""},
		{"outside of the namespace", "0::/../x\n", v2, "", ""},
		{"read-only", "0::/\n", strings.Replace(v2, "rw,nosuid", "ro,nosuid", 1), "", ""},
		{"nothing", "", "", "", ""},
		{"v1 beside v2", "9:cpu,pids:/x\n0::/y\n", both + v2, "/sys/fs/cgroup/pids/x", "pids"},
		{"v1 of another controller", "9:pids:/x\n", v1, "", "pids"},
		{"none of v1", "0::/\n", both + v2, "", "pids"},
	}
	for _, test := range tests {
		if got := cgroupDir(test.own, test.mounts, test.controller); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A process that this namespace of pids does not show is listed as 0, which would stand for
// the program's own group if it was signalled.
func TestCgroupPids(t *testing.T) {
	dir := t.TempDir()
	for name, list := range map[string]string{"": "7\n0\n", "below": "8\n", "below/that": "", "other": "0\n9\n-1\nx\n"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "cgroup.procs"), []byte(list), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var got []int
	(&cgroup{path: dir}).pids(func(pid int) { got = append(got, pid) })
	if slices.Sort(got); !slices.Equal(got, []int{7, 8, 9}) {
		t.Errorf("%v", got)
	}
	(&cgroup{path: filepath.Join(dir, "gone")}).pids(func(pid int) { t.Errorf("gone: %d", pid) })
}

// A group is removed with those that its processes have made below it.
func TestRemoveNestedCgroups(t *testing.T) {
	parent := cgroupParent()
	if parent == "" {
		t.Skip("no control groups here")
	}
	c, err := newCgroup(parent, "test")
	if err != nil {
		t.Fatal(err)
	}
	for _, below := range []string{"one/two", "three"} {
		if err := os.MkdirAll(filepath.Join(c.path, below), 0o755); err != nil {
			t.Error(err)
		}
	}
	c.remove()
	if _, err := os.Stat(c.path); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", c.path, err)
	}
}

// The groups of a program that lives stay, or that may live in another pid namespace, and whatever else has such a name.
func TestRemoveStale(t *testing.T) {
	dir := t.TempDir()
	const nobody = "2147483647" // more than any pid
	own := "-" + pidNamespace() + "-x-1"
	stay := []string{"1" + own, itoa(os.Getpid()) + own, "x" + own, nobody, nobody + "-1-x-1"}
	for _, name := range append(stay, nobody+own) {
		if err := os.Mkdir(filepath.Join(dir, cgroupPrefix+name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, nobody+"-x-1"), 0o755); err != nil {
		t.Fatal(err)
	}
	removeStale(dir)
	var left []string
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		left = append(left, strings.TrimPrefix(e.Name(), cgroupPrefix))
	}
	want := append(stay, nobody+"-x-1")
	slices.Sort(left)
	slices.Sort(want)
	if err != nil || !slices.Equal(left, want) {
		t.Errorf("%q are left, want %q: %v", left, want, err)
	}
}
