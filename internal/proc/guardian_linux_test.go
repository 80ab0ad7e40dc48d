package proc

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"golang.org/x/sys/unix"
)

// TestHostDies has a host program, another run of this test, die without Close: nothing
// that it started lives on.
func TestHostDies(t *testing.T) {
	const variable = "SPILLWAY_TEST_HOST_DIES"
	if dir := os.Getenv(variable); dir != "" {
		dyingHost(t, &bench{t, nil, dir, os.Getenv(variable + "_TOKEN")}, os.Getenv(variable+"_MODE"), os.Getenv(variable+"_DEATH"))
		return
	}
	for i, death := range []string{"killed", "exits", "panics"} {
		for _, mode := range modesOf(i) {
			t.Run(mode.name+"/"+death, func(t *testing.T) {
				t.Parallel() // each has a program of its own
				if mode.name == "cgroup" && cgroupParent() == "" {
					t.Skip("no control groups here")
				}
				parents := []string{cgroupParent(), pidsParent()} // found, and swept, before the host dies
				b := newBench(t, nil)
				cmd := exec.Command(os.Args[0], "-test.run=^TestHostDies$")
				cmd.Env = append(os.Environ(), variable+"="+b.dir, variable+"_TOKEN="+b.token,
					variable+"_MODE="+mode.name, variable+"_DEATH="+death)
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				line, _ := bufio.NewReader(out).ReadString('\n')
				var guardian int
				if _, err := fmt.Sscanf(line, "ready %d\n", &guardian); err != nil {
					t.Errorf("the host says %q", line)
				}
				cmd.Process.Kill()
				cmd.Wait()
				began := time.Now()
				eventually(t, func() error {
					line, _ := os.ReadFile(procPath(guardian, "cmdline"))
					if left := b.tokens(); len(left) > 0 || strings.Contains(string(line), "cgroup.kill") {
						return fmt.Errorf("processes %d are left, the guardian is %q", left, line)
					}
					return nil
				})
				t.Logf("all had ended after %v", time.Since(began))
				eventually(t, func() error {
					for _, parent := range parents {
						groups, _ := filepath.Glob(filepath.Join(parent, cgroupPrefix+itoa(cmd.Process.Pid)+"-*"))
						if parent != "" && len(groups) > 0 {
							return fmt.Errorf("control groups are left: %q", groups)
						}
					}
					return nil
				})
				b.noneLeft(5)
			})
		}
	}
}

// dyingHost runs commands of all kinds, says that it has, and dies.
func dyingHost(t *testing.T, b *bench, mode, death string) {
	for _, m := range modes {
		if m.name == mode {
			b.g = m.group()
		}
	}
	b.run(b.command(`sleep $LONG & echo $! >>$PIDS`))
	b.run(b.command(`env -i setsid sh -c 'echo $$ >>'$PIDS'; >'$READY'; exec sleep '$LONG >/dev/null 2>&1 &
		until [ -e $READY ]; do sleep 0.01; done`))
	b.run(b.command(`( ( (trap '' TERM HUP; echo $BASHPID >>$PIDS; >$READY.2; sleep $LONG; sleep $LONG) & ) & )
		until [ -e $READY.2 ]; do sleep 0.01; done`))
	c := b.command(`unset SPILLWAY_CALL; setsid -f sleep $LONG; echo $$ >>$PIDS; bash -c 'kill -STOP $$; sleep $LONG' & echo $! >>$PIDS; echo; sleep $LONG`)
	var running sync.WaitGroup
	running.Add(1)
	c.Output = writerFunc(func(p []byte) (int, error) { running.Done(); return len(p), nil })
	go b.g.Run(context.Background(), c)
	running.Wait()
	os.Stdout.WriteString(fmt.Sprintf("ready %d\n", b.g.supervisor.guardian.process.Pid))
	switch death {
	case "exits":
		os.Exit(0)
	case "panics":
		panic("dies")
	}
	select {}
}

// TestGuardian checks that a guardian that was killed is replaced, that there is one for
// a group, and that it ends with Close.
func TestGuardian(t *testing.T) {
	t.Parallel()
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		guardian := func() (pid int) {
			eventually(t, func() error {
				g.supervisor.guardian.mu.Lock()
				defer g.supervisor.guardian.mu.Unlock()
				if g.supervisor.guardian.process == nil {
					return fmt.Errorf("no guardian")
				}
				pid = g.supervisor.guardian.process.Pid
				return nil
			})
			return pid
		}
		b.run(b.command("true"))
		first := guardian()
		b.run(b.command("true"))
		if second := guardian(); second != first {
			t.Errorf("guardian %d, then %d", first, second)
		}
		unix.Kill(first, unix.SIGKILL)
		eventually(t, func() error {
			b.run(b.command("true"))
			if guardian() == first {
				return fmt.Errorf("it was not replaced")
			}
			return nil
		})
		last := guardian()
		if env, _ := os.ReadFile(procPath(last, "environ")); strings.Contains(string(env), "READY") {
			t.Errorf("its environment is %q", env)
		}
		g.Close()
		if alive(first) || alive(last) {
			t.Error("it has not ended")
		}
	})
}

// TestDropped has the guardian of a group take its host for dead, as the garbage collector does that finds a group which
// was not closed: no command of another group ends.
func TestDropped(t *testing.T) {
	t.Parallel()
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		p, _ := b.detach(b.command("sleep $LONG"))
		other := NewGroup()
		defer other.Close()
		other.supervisor.noCgroup = g.supervisor.noCgroup
		newBench(t, other).run(b.command("true"))
		guardian := &other.supervisor.guardian
		guardian.mu.Lock()
		guardian.hostPipe.Close()
		pid := guardian.process.Pid
		guardian.mu.Unlock()
		eventually(t, func() error {
			if child, ended := childState(pid); child && !ended {
				return fmt.Errorf("the guardian %d has not ended", pid)
			}
			return nil
		})
		select {
		case <-p.Ended():
			t.Errorf("the command of another group has ended: %+v", p.Wait())
		default:
		}
	})
}

// TestGuardianPassesZombies has a marked process end that nobody reaps: the guardian looks twice, and not until somebody
// does.
func TestGuardianPassesZombies(t *testing.T) {
	testkit.NeedProc(t)
	t.Parallel()
	own := new(supervisor).newMark()
	cmd, id := zombie(t)
	defer cmd.Wait()
	mark(t, id.pid, own)
	const counted = `count() { echo look >&2; grep "$@"; }`
	none, calls := os.DevNull+"/", new(strings.Builder)
	guardian := exec.Command("sh", "-c", counted+guardianScript, "sh", strconv.FormatUint(own/groupMarks, 10), none, "count", "true", none)
	guardian.Stderr = calls
	must(t, guardian.Run())
	looks := strings.Count(calls.String(), "look\n")
	if most := 4 * 3; looks < 2*3 || looks > most { // three in a round
		t.Errorf("grep ran %d times", looks)
	}
}

// TestHostExitsAtOnce has host programs, other runs of this test, exit as soon as their
// first command has. One host in ten leaves a process, on a busy machine, if the command
// does not wait for the guardian: to find that takes all the rounds.
func TestHostExitsAtOnce(t *testing.T) {
	const variable = "SPILLWAY_TEST_HOST_EXITS"
	if dir := os.Getenv(variable); dir != "" {
		b := &bench{t, NewGroup(), dir, os.Getenv(variable + "_TOKEN")}
		b.g.supervisor.noCgroup = true
		b.run(b.command("env -i setsid sleep $LONG >/dev/null 2>&1 & echo $! >>$PIDS"))
		os.Exit(0)
	}
	t.Parallel() // each has a program of its own
	b := newBench(t, nil)
	hosts := testkit.Few(20)
	for range hosts {
		cmd := exec.Command(os.Args[0], "-test.run=^TestHostExitsAtOnce$")
		cmd.Env = append(os.Environ(), variable+"="+b.dir, variable+"_TOKEN="+b.token)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	if n := len(b.pids()); n != hosts {
		t.Errorf("%d commands ran", n)
	}
	eventually(t, func() error {
		if left := b.tokens(); len(left) > 0 {
			return fmt.Errorf("processes %d are left", left)
		}
		return nil
	})
}

// TestHostDiesWhileStarting has host programs die at any moment of the start of commands:
// none of these runs on without its mark.
func TestHostDiesWhileStarting(t *testing.T) {
	const variable = "SPILLWAY_TEST_HOST_STARTS"
	if dir := os.Getenv(variable); dir != "" {
		b := &bench{t, NewGroup(), dir, os.Getenv(variable + "_TOKEN")}
		b.g.supervisor.noCgroup = true
		for range 24 {
			go func() {
				for {
					b.g.Run(context.Background(), b.command("(env -i setsid sleep $LONG >/dev/null 2>&1 &)"))
				}
			}()
		}
		time.Sleep(100 * time.Millisecond)
		unix.Kill(os.Getpid(), unix.SIGKILL)
	}
	t.Parallel() // each round has a program of its own
	for range testkit.Few(10) {
		b := newBench(t, nil)
		cmd := exec.Command(os.Args[0], "-test.run=^TestHostDiesWhileStarting$")
		cmd.Env = append(os.Environ(), variable+"="+b.dir, variable+"_TOKEN="+b.token)
		cmd.Run()
		eventually(t, func() error {
			if left := b.tokens(); len(left) > 0 {
				return fmt.Errorf("processes %d are left", left)
			}
			return nil
		})
	}
}
