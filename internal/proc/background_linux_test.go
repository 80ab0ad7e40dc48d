package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"golang.org/x/sys/unix"
)

func TestBackground(t *testing.T) {
	t.Parallel()
	testkit.NeedProc(t)
	tests := []struct {
		name, script string
		pids         int
	}{
		{"one", `sleep $LONG & echo $! >>$PIDS; echo up`, 1},
		{"three", `for i in 1 2 3; do sleep $LONG & echo $! >>$PIDS; done; echo up`, 3},
		{"no pipe", `sleep $LONG >/dev/null 2>&1 & echo $! >>$PIDS; echo up`, 1},
		{"setsid", `setsid bash -c 'echo $$ >>$PIDS; >$READY; exec sleep $LONG' & until [ -e $READY ]; do sleep 0.01; done; echo up`, 1},
		{"daemon", `sleep 0.1; env -i setsid -f bash -c 'exec 0<&- 1>&- 2>&-; echo $$ >>'$PIDS'; >'$READY'; exec sleep '$LONG
			until [ -e $READY ]; do sleep 0.01; done; echo up`, 1},
		{"long call", `sleep 0.4; sleep $LONG >/dev/null 2>&1 & echo $! >>$PIDS; echo up`, 1},
		{"stopped", `sleep $LONG & echo $! >>$PIDS; kill -STOP $!; echo up`, 1},
		{"failing shell", `sleep $LONG & echo $! >>$PIDS; echo up; kill -KILL $$`, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			eachMode(t, func(t *testing.T, g *Group) {
				b := newBench(t, g)
				o, out := b.run(b.command(test.script))
				pids := b.pids()
				slices.Sort(pids)
				if o.Reason != Exited || out != "up\n" || len(pids) != test.pids || !slices.Equal(o.Background, pids) {
					t.Errorf("outcome %+v, output %q, want background %v", o, out, pids)
				}
				for _, pid := range pids {
					if !alive(pid) {
						t.Errorf("%d has ended", pid)
					}
				}
				g.Close()
				b.noneLeft(test.pids)
			})
		})
	}
}

// TestBackgroundWrites has a child write 10 MB after the call: it must not block, nor
// die, nor must anything of it reach the writer.
func TestBackgroundWrites(t *testing.T) {
	t.Parallel()
	testkit.NeedProc(t)
	inTurn(t, 0, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		c := b.command(`(until [ -e go ]; do sleep 0.01; done
			head -c 10000000 /dev/zero; echo $? >result; sleep $LONG) & echo $! >>$PIDS; echo up`)
		var over atomic.Bool
		c.Output = writerFunc(func(p []byte) (int, error) {
			if over.Load() {
				t.Error("written to after Run")
			}
			return len(p), nil
		})
		b.run(c)
		over.Store(true)
		os.WriteFile(b.path("go"), nil, 0o600)
		eventually(t, func() error {
			if text, _ := os.ReadFile(b.path("result")); string(text) != "0\n" {
				return fmt.Errorf("result %q", text)
			}
			return nil
		})
		if !alive(b.pids()[0]) {
			t.Error("the child has ended")
		}
		g.Close()
		b.noneLeft(1)
	})
}

// TestBackgroundIsForgotten checks that a child that ends by itself leaves nothing
// behind, and that one that was started after the call is taken into account.
func TestBackgroundIsForgotten(t *testing.T) {
	t.Parallel()
	testkit.NeedProc(t)
	for name, script := range map[string]string{
		"pipe":      `(until [ -e go ]; do sleep 0.01; done) & echo up`,
		"no pipe":   `(until [ -e go ]; do sleep 0.01; done) >/dev/null 2>&1 & echo up`,
		"successor": `(until [ -e go ]; do sleep 0.01; done; setsid -f sleep 0.2) >/dev/null 2>&1 & echo up`,
	} {
		t.Run(name, func(t *testing.T) {
			eachMode(t, func(t *testing.T, g *Group) {
				b := newBench(t, g)
				if o, _ := b.run(b.command(script)); len(o.Background) == 0 {
					t.Fatalf("outcome %+v", o)
				}
				if len(g.inBackground()) != 1 {
					t.Fatalf("%d background", len(g.inBackground()))
				}
				os.WriteFile(b.path("go"), nil, 0o600)
				eventually(t, func() error {
					if n := len(g.inBackground()); n != 0 {
						return fmt.Errorf("%d background", n)
					}
					return nil
				})
			})
		})
	}
}

// TestBackgroundSuccessor ends a process that a background child starts after the call.
func TestBackgroundSuccessor(t *testing.T) {
	t.Parallel()
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		b.run(b.command(`(until [ -e go ]; do sleep 0.01; done
			setsid -f bash -c 'echo $$ >>$PIDS; exec sleep $LONG >/dev/null 2>&1') & echo up`))
		os.WriteFile(b.path("go"), nil, 0o600)
		eventually(t, func() error {
			if len(b.pids()) == 0 {
				return errors.New("no successor")
			}
			return nil
		})
		g.Close()
		b.noneLeft(1)
	})
}

func TestClose(t *testing.T) {
	t.Parallel()
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		b.run(b.command("sleep $LONG & echo $! >>$PIDS"))
		var running, closing sync.WaitGroup
		started := make(chan bool)
		c := b.command("echo $$ >>$PIDS; echo; sleep $LONG")
		c.Output = writerFunc(func(p []byte) (int, error) { close(started); return len(p), nil })
		running.Go(func() {
			if o, _ := b.run(c); o.Reason != Canceled {
				t.Errorf("outcome %+v", o)
			}
		})
		<-started
		for range 4 {
			closing.Go(func() {
				if err := g.Close(); err != nil {
					t.Error(err)
				}
				b.noneLeft(2)
			})
		}
		closing.Wait()
		running.Wait()
		if _, err := g.Run(context.Background(), b.command("true")); !errors.Is(err, ErrClosed) {
			t.Errorf("Run after Close: %v", err)
		}
	})
}

func TestCanceledBefore(t *testing.T) {
	t.Parallel()
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		o, err := g.Run(ctx, b.command("echo $$ >>$PIDS"))
		if err != nil || o.Reason != Canceled || len(b.pids()) > 0 {
			t.Errorf("%+v, %v", o, err)
		}
	})
}

// TestNested runs a call inside of a process that another call has marked.
func TestNested(t *testing.T) {
	t.Parallel()
	testkit.NeedProc(t)
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		c := b.command("setsid -f sleep $LONG >/dev/null 2>&1; echo $SPILLWAY_CALL; ulimit -R 12345; setsid -f sleep $LONG >/dev/null 2>&1; ulimit -R")
		c.Env = append(c.Env, callVariable+"outer")
		o, out := b.run(c)
		if !strings.HasPrefix(out, "outer:") || !strings.HasSuffix(out, "\n12345\n") || len(o.Background) == 0 {
			t.Errorf("outcome %+v, output %q", o, out)
		}
		g.Close()
		b.noneLeft(0)
	})
}

// TestControlGroupAlone leaves a process that only the control group tells from others.
func TestControlGroupAlone(t *testing.T) {
	t.Parallel()
	testkit.NeedProc(t)
	inModes(t, modes[:1], func(t *testing.T, g *Group) {
		b := newBench(t, g)
		o, _ := b.run(b.command(`ulimit -SR 12345; (env -i setsid -f bash -c 'echo $$ >>'$PIDS'; >'$READY'; exec sleep '$LONG >/dev/null 2>&1 &)
			until [ -e $READY ]; do sleep 0.01; done`))
		if !slices.Equal(o.Background, b.pids()) {
			t.Errorf("outcome %+v", o)
		}
		g.Close()
		b.noneLeft(1)
	})
}

// TestAdoption checks that no zombie is left where orphans become children of the host
// program, as in a container. That program is another run of this test.
func TestAdoption(t *testing.T) {
	const variable = "SPILLWAY_TEST_ADOPTION"
	testkit.NeedProc(t) // without it, nobody finds what left its session
	if os.Getenv(variable) == "" {
		t.Parallel() // it has a program of its own
		cmd := exec.Command(os.Args[0], "-test.run=^TestAdoption$", "-test.v", sameLength())
		cmd.Env = append(os.Environ(), variable+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		t.Skip(err)
	}
	if !adopts() {
		t.Error("adopts is false")
	}
	for i, script := range []string{
		"sleep $LONG & echo up",
		"sleep 0.2 & echo up",
		"setsid -f true; sleep 0.1",
		"(((sleep $LONG &) &) &); sleep $LONG",
		"trap '' TERM; setsid -f sleep $LONG >/dev/null 2>&1; sleep $LONG; sleep $LONG",
	} {
		inTurn(t, i, func(t *testing.T, g *Group) {
			b := newBench(t, g)
			c := b.command(script)
			c.Timeout = 300 * time.Millisecond
			b.run(c)
			eventually(t, func() error { // or until Close
				if strings.Contains(script, "LONG & echo") || zombies() == 0 {
					return nil
				}
				return errors.New("zombies")
			})
		})
	}
}

// TestProcessOne runs as process 1, whose children all orphans become: those that end at
// any moment, also after the last look at their call, are reaped. What "true &" leaves ends
// together with the shell: the scan after one call in ten or less finds it about to end,
// which counts only where nothing else of the call lives on.
func TestProcessOne(t *testing.T) {
	const variable = "SPILLWAY_TEST_PROCESS_ONE"
	if os.Getenv(variable) == "" {
		t.Parallel() // it has a program of its own
		flags := "-pf"
		if os.Getuid() != 0 {
			flags = "-rpf"
		}
		args := []string{flags, "--mount-proc", os.Args[0], "-test.run=^TestProcessOne$", "-test.v", sameLength()}
		if out, err := exec.Command("unshare", flags, "--mount-proc", "true").CombinedOutput(); err != nil {
			t.Skipf("%v: %s", err, out)
		}
		cmd := exec.Command("unshare", args...)
		cmd.Env = append(os.Environ(), variable+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		var running sync.WaitGroup
		for range 4 {
			running.Go(func() {
				for range testkit.Few(10) {
					b.run(b.command("true &"))
				}
				for range 2 {
					b.run(b.command("(sleep 0.002 &) ; (true &) ; true & echo hi"))
				}
			})
		}
		running.Wait()
		eventually(t, func() error {
			if n := zombies(); n > 0 {
				return fmt.Errorf("%d zombies", n)
			}
			return nil
		})
	})
}
