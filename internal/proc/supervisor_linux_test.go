package proc

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"golang.org/x/sys/unix"
)

// TestNewMark checks that the marks of a group are those that its guardian looks for, and
// that no other group is likely to have them.
func TestNewMark(t *testing.T) {
	var f, other supervisor
	first := f.newMark()
	if first < minMark/groupMarks*groupMarks || first >= maxMark {
		t.Errorf("mark %d", first)
	}
	if first/groupMarks == other.newMark()/groupMarks {
		t.Error("two groups have the same marks")
	}
	for _, test := range []struct{ last, want uint64 }{
		{7*groupMarks + 5, 7*groupMarks + 6},
		{7*groupMarks - 1, 6 * groupMarks}, // the first again, not the next group's
		{7 * groupMarks, 7*groupMarks + 1},
	} {
		f.lastMark = test.last
		if got := f.newMark(); got != test.want || f.lastMark != got {
			t.Errorf("mark %d after %d, want %d", got, test.last, test.want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	for _, test := range []struct{ env, want []string }{
		{nil, []string{callVariable + "7"}},
		{[]string{"A=b"}, []string{"A=b", callVariable + "7"}},
		{[]string{callVariable + "5", "A=b"}, []string{"A=b", callVariable + "5:7"}},
		{[]string{callVariable, "A=b"}, []string{callVariable, "A=b", callVariable + "7"}}, // of no call
	} {
		if got := (&tree{mark: 7}).environment(test.env); !slices.Equal(got, test.want) {
			t.Errorf("%q becomes %q, want %q", test.env, got, test.want)
		}
	}
}

// TestSpareCgroups checks which control groups are kept for the next calls.
func TestSpareCgroups(t *testing.T) {
	const full, empty = "populated 1\n", "populated 0\n"
	for _, test := range []struct {
		name   string
		spare  int
		events string
		killed bool
		closed bool
		kept   bool
	}{
		{"empty", 0, empty, false, false, true},
		{"one more than enough", spareCgroups, empty, false, false, false},
		{"the last", spareCgroups - 1, empty, false, false, true},
		{"killed", 0, empty, true, false, false},
		{"its last process is ending", 0, full, true, false, true},
		{"its last process is ending, with enough others", spareCgroups, full, false, false, true},
		{"closed", 0, empty, false, true, false},
	} {
		f := supervisor{closed: test.closed}
		for range test.spare {
			f.spare = append(f.spare, groupThatSays(t, empty))
		}
		c := groupThatSays(t, test.events)
		c.spent = test.killed
		f.releaseCgroup(c)
		if kept := slices.Contains(f.spare, c); kept != test.kept {
			t.Errorf("%s: kept %v", test.name, kept)
		}
		for _, c := range f.spare {
			c.remove()
		}
	}
}

// TestSpareCgroupsTaken checks that a group is taken that is empty, and in which nothing was
// killed.
func TestSpareCgroupsTaken(t *testing.T) {
	full, killed, good, last := groupThatSays(t, "populated 1\n"), groupThatSays(t, "populated 0\n"), groupThatSays(t, "populated 0\n"), groupThatSays(t, "populated 0\n")
	killed.spent = true
	f := supervisor{spare: []*cgroup{full, killed, good, last}}
	if got := f.acquireCgroup(); got != good || !slices.Equal(f.spare, []*cgroup{full, killed, last}) {
		t.Errorf("took %p of %p, %d are left", got, []*cgroup{full, killed, good, last}, len(f.spare))
	}
	f.noCgroup = true
	if f.acquireCgroup() != nil {
		t.Error("took one where they do not work")
	}
	for _, c := range []*cgroup{full, killed, good, last} {
		c.remove()
	}
}

// TestCgroupUsed checks that there is a control group where they work.
func TestCgroupUsed(t *testing.T) {
	if cgroupParent() == "" {
		t.Skip("no control groups here")
	}
	c := new(supervisor).acquireCgroup()
	if c == nil {
		t.Fatal("no control group")
	}
	c.remove()
}

// TestCgroupFails checks that a command starts without a control group where it cannot in one.
func TestCgroupFails(t *testing.T) {
	t.Parallel()
	g := NewGroup()
	defer g.Close()
	b := newBench(t, g)
	g.supervisor.spare = []*cgroup{groupThatSays(t, "populated 0\n")}
	if o, out := b.run(b.command("echo hi")); out != "hi\n" || o.ExitCode != 0 {
		t.Errorf("outcome %+v, output %q", o, out)
	}
	if !g.supervisor.noCgroup {
		t.Error("the next command is to try it again")
	}

	other := NewGroup()
	defer other.Close()
	other.supervisor.spare = []*cgroup{groupThatSays(t, "populated 0\n")}
	c := b.command("true")
	c.Shell = b.path("none")
	if _, err := other.start(c, time.Now(), func() bool { return true }); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if other.supervisor.noCgroup {
		t.Error("control groups were given up for a shell that there is not")
	}
}

// TestSetMark checks that a limit which is in use is left alone.
func TestSetMark(t *testing.T) {
	testkit.NeedProc(t)
	for _, test := range []struct {
		limit, want uint64
		marked      bool
	}{{unix.RLIM_INFINITY, testMark, true}, {1 << 40, 1 << 40, false}} {
		child := sleeper(t)
		mark(t, child.Process.Pid, test.limit)
		owner := &tree{mark: testMark}
		owner.setMark(child.Process.Pid)
		if got := markOf(child.Process.Pid); got != test.want || owner.marked != test.marked {
			t.Errorf("limit %d becomes %d, marked %v", test.limit, got, owner.marked)
		}
	}
	owner := &tree{mark: testMark}
	if owner.setMark(noPid); owner.marked {
		t.Error("a process that is not there is taken for marked")
	}
}

// TestPipeLinks checks that the output pipes are known by the names that /proc has for them.
func TestPipeLinks(t *testing.T) {
	t.Parallel()
	testkit.NeedProc(t)
	inTurn(t, 1, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		c := b.command("readlink /proc/$$/fd/1 /proc/$$/fd/2")
		for _, apart := range []bool{false, true} {
			c.Stderr = nil
			if apart {
				c.Stderr = io.Discard
			}
			p, out := b.detach(c)
			gone(t, p)
			var want []string
			for link := range strings.FieldsSeq(out.String()) {
				if !slices.Contains(want, link) {
					want = append(want, link)
				}
			}
			if !slices.Equal(p.tree.pipeLinks, want) || (len(want) == 2) != apart {
				t.Errorf("%q, want %q", p.tree.pipeLinks, want)
			}
		}
	})
}
