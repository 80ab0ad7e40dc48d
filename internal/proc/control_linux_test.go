package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
)

// heard is output that a test waits for.
type heard struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

// until waits for a text.
func (h *heard) until(t *testing.T, text string) {
	t.Helper()
	eventually(t, func() error {
		if got := h.String(); !strings.Contains(got, text) {
			return fmt.Errorf("%q does not hold %q", got, text)
		}
		return nil
	})
}

// detach starts a detached command.
func (b *bench) detach(c Command) (*Process, *heard) {
	b.t.Helper()
	out := new(heard)
	c.Detached, c.Output = true, out
	p, err := b.g.Start(context.Background(), c)
	if err != nil {
		b.t.Fatal(err)
	}
	return p, out
}

// gone waits until nothing is left of a command.
func gone(t *testing.T, p *Process) Outcome {
	t.Helper()
	select {
	case <-p.Gone():
	case <-time.After(time.Minute):
		t.Fatal("not gone")
	}
	return p.Wait()
}

func TestDetachedControls(t *testing.T) {
	t.Parallel()
	const loop = "; echo ready; while :; do sleep 0.01; done"
	tests := []struct {
		name, script string
		act          func(p *Process)
		reason       Reason
		code         int
		signal       string
	}{
		{"interrupt", "echo ready; exec sleep $LONG", func(p *Process) { p.Interrupt() }, Exited, -1, "SIGINT"},
		{"interrupt heeded", "trap 'exit 7' INT" + loop, func(p *Process) { p.Interrupt() }, Exited, 7, ""},
		{"terminate", "echo ready; exec sleep $LONG", (*Process).Terminate, Exited, -1, "SIGTERM"},
		{"terminate heeded", "trap 'exit 7' TERM" + loop, (*Process).Terminate, Exited, 7, ""},
		{"terminate ignored", "trap '' TERM INT" + loop, (*Process).Terminate, Killed, -1, "SIGKILL"},
		{"kill", "trap '' TERM" + loop, (*Process).Kill, Killed, -1, "SIGKILL"},
		{"a stopped one", "(kill -STOP $BASHPID; sleep $LONG) & echo ready; while :; do sleep 0.01; done", (*Process).Terminate, Exited, -1, "SIGTERM"},
		{"children of its own session", "setsid sleep $LONG & setsid sh -c 'trap \"\" TERM; echo ready; sleep $LONG; sleep $LONG' & wait", (*Process).Kill, Killed, -1, "SIGKILL"},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inTurn(t, i, func(t *testing.T, g *Group) {
				g.terminateTime = time.Minute // for a busy machine
				if test.reason == Killed {
					g.terminateTime = 200 * time.Millisecond
				}
				b := newBench(t, g)
				c := b.command(test.script)
				c.Timeout = time.Hour
				p, out := b.detach(c)
				out.until(t, "ready")
				test.act(p)
				if o := gone(t, p); o.Reason != test.reason || o.ExitCode != test.code || o.Signal != test.signal {
					t.Errorf("outcome %+v", o)
				}
				b.noneLeft(0)
				p.Kill() // what is gone is left alone
				p.Terminate()
				p.Interrupt()
				if pids, left := p.Left(); left || pids != nil {
					t.Errorf("left: %v %v", pids, left)
				}
			})
		})
	}
}

// TestDetachedRemnant has a shell end before what it started: that is heard on, counted,
// bounded and can be ended.
func TestDetachedRemnant(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, script string
		end          func(p *Process)
	}{
		{"by itself", "until [ -e $READY ]; do sleep 0.01; done; echo later; until [ -e $READY.2 ]; do sleep 0.01; done", nil},
		{"terminated", "until [ -e $READY ]; do sleep 0.01; done; echo later; sleep $LONG", (*Process).Terminate},
		{"killed", "trap '' TERM; until [ -e $READY ]; do sleep 0.01; done; echo later; sleep $LONG", (*Process).Kill},
		{"too much output", "until [ -e $READY ]; do sleep 0.01; done; echo later; exec yes", nil},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inTurn(t, i, func(t *testing.T, g *Group) {
				testkit.NeedProc(t)
				b := newBench(t, g)
				c := b.command("(" + test.script + ") & echo $! >>$PIDS; exit 3")
				c.MaxOutput = 1 << 20
				p, out := b.detach(c)
				if o := p.Wait(); o.Reason != Exited || o.ExitCode != 3 {
					t.Errorf("outcome %+v", o)
				}
				if pids, left := p.Left(); !left || !slices.Contains(pids, b.pids()[0]) { // beside it, a sleep
					t.Errorf("left: %v %v, want %v", pids, left, b.pids())
				}
				os.WriteFile(b.path("ready"), nil, 0o600)
				out.until(t, "later")
				if test.end != nil {
					test.end(p)
				}
				os.WriteFile(b.path("ready.2"), nil, 0o600)
				gone(t, p)
				b.noneLeft(1)
				if n := len(out.String()); n > 1<<20 {
					t.Errorf("%d bytes were passed on", n)
				}
			})
		})
	}
}

// TestOverrun has a command outlive its timeout, or not, as it is told. The timeout is over when it starts.
func TestOverrun(t *testing.T) {
	t.Parallel()
	inTurn(t, 0, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		for _, allowed := range []bool{true, false} {
			overran := make(chan struct{})
			c := b.command("until [ -e $READY ]; do sleep 0.01; done; exit 5")
			c.Timeout, c.StartTimeout = time.Nanosecond, time.Minute
			c.Overrun = func(Reason) bool { close(overran); return allowed }
			p, err := g.Start(context.Background(), c)
			must(t, err)
			want := Outcome{Reason: TimedOut, ExitCode: -1}
			if allowed {
				<-overran
				os.WriteFile(b.path("ready"), nil, 0o600)
				want = Outcome{Reason: Exited, ExitCode: 5}
			}
			if o := gone(t, p); o.Reason != want.Reason || o.ExitCode != want.ExitCode {
				t.Errorf("allowed %v: outcome %+v", allowed, o)
			}
			<-overran // it was asked whether the command may go on
			os.Remove(b.path("ready"))
		}
	})
}

func TestInput(t *testing.T) {
	t.Parallel()
	inTurn(t, 1, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		c := b.command("read x; echo got $x; wc -c; echo end")
		if p, _ := b.detach(c); !errors.Is(p.Input("x", false), ErrNoInput) {
			t.Error("input without Input")
		}
		c.Input = true
		p, out := b.detach(c)
		must(t, p.Input("one\n", false))
		out.until(t, "got one\n")
		most := maxInput - len("one\n") // which may count until it is known that all of it was written
		must(t, p.Input(strings.Repeat("x", most), true))
		if err := p.Input("more", false); !errors.Is(err, ErrInputEnded) {
			t.Error(err)
		}
		if o := gone(t, p); o.ExitCode != 0 || out.String() != fmt.Sprintf("got one\n%d\nend\n", most) {
			t.Errorf("%+v %q", o, out)
		}

		c.Script = "echo ready; sleep $LONG" // and reads nothing
		p, out = b.detach(c)
		out.until(t, "ready")
		full := false
		for range 100 {
			if err := p.Input(strings.Repeat("x", 8<<10), false); err != nil {
				full = true
				if !errors.Is(err, ErrInputFull) {
					t.Error(err)
				}
			}
		}
		if !full {
			t.Error("input that nobody reads has no bound")
		}
		p.Kill()
		gone(t, p)
	})
}

// A terminal of the same name, as that of a container, is another one: what it belongs to is not ended.
func TestTerminalElsewhere(t *testing.T) {
	t.Parallel()
	testkit.NeedProc(t)
	need.Program(t, "unshare", "script")
	inTurn(t, 2, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		c := b.command("echo ready; exec sleep $LONG")
		c.Terminal = true
		p, out := b.detach(c)
		out.until(t, "ready")
		name := p.tree.pipeLinks[0]
		number := strings.TrimPrefix(name, "/dev/pts/")
		q, out := b.detach(b.command("exec unshare -rm bash -c '" +
			"mount -t devpts -o newinstance,ptmxmode=0666 none /dev/pts && mount --bind /dev/pts/ptmx /dev/ptmx || { echo none for " + name + "; exit; }; " +
			"for ((i = 0; i < " + number + "; i++)); do exec {f}<>/dev/ptmx; done; " +
			"script -qec \"tty; sleep $LONG\" /dev/null; exit $?'"))
		if out.until(t, name); strings.Contains(out.String(), "none") {
			t.Skip(out.String())
		}
		p.Kill()
		gone(t, p)
		if q.tree.ended() {
			t.Errorf("it was ended: %+v", gone(t, q))
		}
	})
}

func TestTerminal(t *testing.T) {
	t.Parallel()
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		c := b.command("[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && stty size && : </dev/tty && read -p 'name? ' x && echo hello $x; cat; echo end")
		c.Terminal = true
		p, out := b.detach(c)
		out.until(t, "40 120\r\nname? ")
		must(t, p.Input("you\n", false))
		out.until(t, "hello you\r\n")
		must(t, p.Input("", true))
		out.until(t, "end\r\n")
		if o := gone(t, p); o.Reason != Exited || o.ExitCode != 0 {
			t.Errorf("outcome %+v", o)
		}

		c.Script = "echo ready; exec sleep $LONG"
		p, out = b.detach(c)
		out.until(t, "ready")
		must(t, p.Interrupt())
		if o := gone(t, p); o.Signal != "SIGINT" {
			t.Errorf("outcome %+v", o)
		}
		c.Script = "setsid sh -c 'exec >/dev/null 2>&1 </dev/null; echo $$ >>$PIDS; sleep $LONG' & echo $$ >>$PIDS; echo ready; cat"
		p, out = b.detach(c)
		out.until(t, "ready")
		eventually(t, func() error {
			if len(b.pids()) < 2 {
				return fmt.Errorf("%v", b.pids())
			}
			return nil
		})
		p.Kill()
		gone(t, p)
		b.noneLeft(2)
	})
}

// TestDefaultSignals runs this test again in a program that is started to ignore signals, as
// by nohup: what it starts does not.
func TestDefaultSignals(t *testing.T) {
	const variable = "SPILLWAY_TEST_IGNORING"
	if os.Getenv(variable) != "" {
		if len(inherited) == 0 {
			t.Fatal("nothing is ignored")
		}
		defaultSignals()() // starts a goroutine that stays
		eachMode(t, func(t *testing.T, g *Group) {
			b := newBench(t, g)
			for _, script := range []string{"kill -INT $$; echo ignored", "kill -HUP $$; echo ignored"} {
				if o, out := b.run(b.command(script)); out != "" || o.Signal == "" {
					t.Errorf("%s: %+v %q", script, o, out)
				}
			}
			p, out := b.detach(b.command("echo ready; sleep $LONG; sleep $LONG"))
			out.until(t, "ready")
			p.Interrupt()
			if o := gone(t, p); o.Signal != "SIGINT" {
				t.Errorf("outcome %+v", o)
			}
		})
		self, _ := os.FindProcess(os.Getpid())
		for _, s := range inherited { // the program goes on to ignore them
			must(t, self.Signal(s))
		}
		return
	}
	t.Parallel() // it has a program of its own
	cmd := exec.Command("sh", "-c", `trap "" INT HUP; exec "$0" -test.run='^TestDefaultSignals$' -test.v`, os.Args[0])
	cmd.Env = append(os.Environ(), variable+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A command that ended in time has, although its host was stopped, or had no processor, until
// after the timeout.
func TestHostIsStopped(t *testing.T) {
	testkit.NeedProc(t)
	const variable = "SPILLWAY_TEST_STOPPED"
	if os.Getenv(variable) == "" {
		for round := range 4 {
			t.Run(itoa(round), func(t *testing.T) {
				t.Parallel() // each has a program of its own
				cmd := exec.Command(os.Args[0], "-test.run=^TestHostIsStopped$")
				cmd.Env = append(os.Environ(), variable+"=1")
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			})
		}
		return
	}
	g := NewGroup()
	defer g.Close()
	b := newBench(t, g)
	// On a busy machine the signal takes a while, in which the program may go on to its end.
	c := b.command(`(sleep 1.3; kill -CONT $PPID) >/dev/null 2>&1 & kill -STOP $PPID; until read -r _ _ state _ </proc/$PPID/stat && [ "$state" = T ]; do :; done; exit 3`)
	c.Timeout = time.Second
	if o, _ := b.run(c); o.Reason != Exited || o.ExitCode != 3 {
		t.Errorf("outcome %+v", o)
	}
}

// What is closed already counts, however long ago the time was up.
func TestCloses(t *testing.T) {
	c := make(chan struct{})
	if closedWithin(c, time.Millisecond) {
		t.Error("an open channel is closed")
	}
	close(c)
	for range 1000 {
		if !closedWithin(c, 0) {
			t.Fatal("a closed channel is open")
		}
	}
}
