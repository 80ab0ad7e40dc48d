package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// boundedGroup returns a group whose commands' processes can be bounded, or skips the test.
func boundedGroup(t *testing.T) *Group {
	g := NewGroup()
	t.Cleanup(func() { g.Close() })
	c := g.supervisor.acquireCgroup()
	if c == nil {
		t.Skip("no control groups here")
	}
	defer g.supervisor.releaseCgroup(c)
	if c.pidsDir == "" {
		t.Skip("no control group bounds its processes here")
	}
	return g
}

// crowd starts a command, waits until it has reached its limit of processes, and returns it.
func crowd(t *testing.T, g *Group, c Command) *Process {
	p, err := g.Start(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error {
		if n, err := readNumber(filepath.Join(p.tree.cgroup.pidsDir, "pids.events")); err != nil || n == 0 {
			return fmt.Errorf("refused %d processes: %w", n, err)
		}
		return nil
	})
	return p
}

// A command that has reached its limit says so. The next one begins anew.
func TestMaxProcesses(t *testing.T) {
	t.Parallel()
	g := boundedGroup(t)
	b := newBench(t, g)
	const most = 40
	c := b.command(`for i in {1..100}; do sleep $LONG & echo $! >>$PIDS; done`)
	c.MaxProcesses = most
	p := crowd(t, g, c)
	if n := len(b.pids()); n != most-1 { // beside the shell
		t.Errorf("%d processes were started", n)
	}
	p.cancel()
	if o := p.Wait(); o.ProcessLimit != most || o.Uncertain {
		t.Errorf("outcome %+v", o)
	}
	b.noneLeft(1)
	for _, c.MaxProcesses = range []int{most, 0} {
		c.Script = `for i in {1..30}; do sleep 0 & done; wait; echo done`
		if o, out := b.run(c); o.ProcessLimit != 0 || out != "done\n" {
			t.Errorf("outcome %+v, output %q", o, out)
		}
	}
	c.Script, c.MaxProcesses = `for i in {1..60}; do sleep 0.1 & done; wait; echo done`, 0 // a group that was bounded
	if o, out := b.run(c); o.ProcessLimit != 0 || out != "done\n" {
		t.Errorf("outcome %+v, output %q", o, out)
	}
}

// A command may be bounded to its shell. Its group holds no thread of the host program, which would count and end with it.
func TestMaxProcessesOne(t *testing.T) {
	t.Parallel()
	g := boundedGroup(t)
	b := newBench(t, g)
	for range 3 {
		c := b.command(`echo hi; read -r _`)
		var out bytes.Buffer
		c.MaxProcesses, c.Input, c.Output = 1, true, &out
		p, err := g.Start(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		tasks, err := os.ReadFile(filepath.Join(p.tree.cgroup.pidsDir, "cgroup.threads"))
		if os.IsNotExist(err) { // version 1
			tasks, err = os.ReadFile(filepath.Join(p.tree.cgroup.pidsDir, "tasks"))
		}
		if got := strings.TrimSpace(string(tasks)); err != nil || got != itoa(p.tree.pid) {
			t.Errorf("the group of %d holds %q: %v", p.tree.pid, got, err)
		}
		if most, err := readNumber(filepath.Join(p.tree.cgroup.pidsDir, "pids.max")); err != nil || most != 1 {
			t.Errorf("bounded to %d processes: %v", most, err)
		}
		if err := p.Input("", true); err != nil {
			t.Error(err)
		}
		if o := p.Wait(); o.ProcessLimit != 0 || out.String() != "hi\n" {
			t.Errorf("outcome %+v, output %q", o, out.String())
		}
	}
}

// TestForkBomb runs a fork bomb in a host program that shares a limit of 400 processes with it:
// the host can still start threads and processes, and ends all of the bomb.
func TestForkBomb(t *testing.T) {
	const variable, limit = "SPILLWAY_TEST_FORK_BOMB", 400
	if dir := os.Getenv(variable); dir != "" {
		hostBomb(t, &bench{t, NewGroup(), dir, "0"}, limit)
		return
	}
	t.Parallel() // it has a program of its own
	boundedGroup(t)
	parent := pidsParent()
	if parent == "" {
		t.Skip("no program that is in a group which is bounded can bound others here")
	}
	outer := filepath.Join(parent, "spillway-test-"+itoa(os.Getpid()))
	if err := os.Mkdir(outer, 0o755); err != nil {
		t.Fatal(err)
	}
	defer eventually(t, func() error { return removeCgroup(outer) })
	if err := writeFile(filepath.Join(outer, "pids.max"), itoa(limit)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-c", `echo $$ >"$1" && exec "$2" -test.run='^TestForkBomb$'`, "bash", filepath.Join(outer, "cgroup.procs"), os.Args[0])
	cmd.Env = append(os.Environ(), variable+"="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func hostBomb(t *testing.T, b *bench, limit int) {
	own := ownCgroup("pids")
	if most, err := readNumber(filepath.Join(own, "pids.max")); err != nil || most != limit {
		t.Fatalf("this program may have %d processes: %v", most, err) // no bomb without a limit
	}
	c := b.command(`bomb() { bomb | bomb & }; bomb; sleep 300`)
	c.MaxProcesses = 10 * limit
	var out bytes.Buffer
	c.Output = &out
	p := crowd(t, b.g, c)
	var threads sync.WaitGroup
	hold := make(chan bool)
	for range limit / 10 {
		threads.Go(func() {
			runtime.LockOSThread()
			<-hold
		})
	}
	if out, err := exec.Command("echo", "hi").Output(); err != nil || string(out) != "hi\n" {
		t.Errorf("%v: %q", err, out)
	}
	close(hold)
	threads.Wait()
	p.cancel()
	if o := p.Wait(); o.ProcessLimit == 0 || o.ProcessLimit > limit-limit/4 || o.Uncertain {
		t.Errorf("outcome %+v", o)
	}
	if err := b.g.Close(); err != nil {
		t.Error(err)
	}
	eventually(t, func() error {
		if n, err := readNumber(filepath.Join(own, "pids.current")); err != nil || n > limit/4 {
			return errors.Join(err, fmt.Errorf("%d processes and threads are left", n))
		}
		return nil
	})
}
