package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A control group in which processes were killed is not used again: the kernel (Linux
// 6.18, for one) kills what is started in it from then on.
func TestCallsAfterKill(t *testing.T) {
	t.Parallel()
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		c := b.command(`trap "" TERM; while :; do sleep 1; done`)
		c.Timeout = 200 * time.Millisecond
		if o, _ := b.run(c); o.Reason != TimedOut {
			t.Fatalf("outcome %+v", o)
		}
		for range 3 {
			if o, out := b.run(b.command("echo hi")); out != "hi\n" || o.Reason != Exited || o.Signal != "" {
				t.Fatalf("outcome %+v, output %q", o, out)
			}
		}
	})
}

// TestCallsInAKilledGroup runs this test again, in a control group in which everything
// was killed before: what that program starts in groups of its own would be killed.
func TestCallsInAKilledGroup(t *testing.T) {
	const variable = "SPILLWAY_TEST_KILLED_GROUP"
	if os.Getenv(variable) != "" {
		g := NewGroup()
		defer g.Close()
		b := newBench(t, g)
		for range 3 {
			if o, out := b.run(b.command("echo hi")); out != "hi\n" || o.Signal != "" {
				t.Fatalf("outcome %+v, output %q", o, out)
			}
		}
		return
	}
	t.Parallel() // it has a program of its own
	if cgroupParent() == "" {
		t.Skip("no control groups here")
	}
	outer, err := newCgroup(cgroupParent(), "test")
	if err != nil {
		t.Skip(err)
	}
	defer outer.remove()
	outer.kill()
	// The program moves itself: started there, it would be killed.
	cmd := exec.Command("bash", "-c", `echo $$ >"$1" && exec "$2" -test.run='^TestCallsInAKilledGroup$'`, "bash", filepath.Join(outer.path, "cgroup.procs"), os.Args[0])
	cmd.Env = append(os.Environ(), variable+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
