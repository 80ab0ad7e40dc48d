package proc

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestWithoutProc runs this test again where an empty file system hides /proc: what is
// in the shell's process group is ended all the same, and it is said that there may be
// more.
func TestWithoutProc(t *testing.T) {
	const variable = "SPILLWAY_TEST_WITHOUT_PROC"
	if dir := os.Getenv(variable); dir != "" {
		withoutProc(t, &bench{t, NewGroup(), dir, os.Getenv(variable + "_TOKEN")})
		return
	}
	t.Parallel() // it has a program of its own
	b := newBench(t, nil)
	flags := "-m"
	if os.Getuid() != 0 {
		flags = "-rm"
	}
	hide := func(args ...string) *exec.Cmd {
		script := `mount -t tmpfs none /proc && exec "$0" "$@"`
		return exec.Command("unshare", append([]string{flags, "sh", "-c", script}, args...)...)
	}
	if out, err := hide("true").CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, out)
	}
	cmd := hide(os.Args[0], "-test.run=^TestWithoutProc$")
	cmd.Env = append(os.Environ(), variable+"="+b.dir, variable+"_TOKEN="+b.token)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	b.noneLeft(5)
}

func withoutProc(t *testing.T, b *bench) {
	c := b.command(`trap '' TERM; sleep $LONG & echo $$ $! >>$PIDS; echo hi; sleep $LONG`)
	untilInTime(func(timeout time.Duration) bool {
		c.Timeout = timeout
		o, out := b.run(c)
		if timeout < patience && out == "" {
			return false
		}
		if o.Reason != TimedOut || !o.Uncertain || out != "hi\n" {
			t.Errorf("outcome %+v, output %q", o, out)
		}
		return true
	})
	c = b.command(`sleep $LONG & echo $! >>$PIDS; sleep $LONG >/dev/null 2>&1 & echo $! >>$PIDS`)
	if o, _ := b.run(c); o.Reason != Exited {
		t.Errorf("outcome %+v", o)
	}
	c = b.command(`sleep $LONG >/dev/null 2>&1 & echo $! >>$PIDS`)
	if o, _ := b.run(c); o.Reason != Exited {
		t.Errorf("outcome %+v", o)
	}
	if o, out := b.run(b.command("echo hi; exit 3")); o.ExitCode != 3 || out != "hi\n" {
		t.Errorf("outcome %+v, output %q", o, out)
	}
	b.g.Close()
}
