package proc

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
)

// runApart runs a command with stdout and stderr apart, and returns both.
func (b *bench) runApart(c Command) (o Outcome, out, err string) {
	b.t.Helper()
	var stderr bytes.Buffer
	if c.Stderr == nil {
		c.Stderr = &stderr
	}
	o, out = b.run(c)
	return o, out, stderr.String()
}

func TestStreamsApart(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, script, out, err string }{
		{"both", "echo a; echo b >&2; echo c; echo d >&2", "a\nc\n", "b\nd\n"},
		{"stdout only", "echo a", "a\n", ""},
		{"stderr only", "echo b >&2", "", "b\n"},
		{"neither", ":", "", ""},
		{"stdout closed", "exec >&-; echo b >&2; sleep 0.02; echo d >&2", "", "b\nd\n"},
		{"stderr closed", "exec 2>&-; echo a; sleep 0.02; echo c", "a\nc\n", ""},
		{"joined by the script", "exec 2>&1; echo a; echo b >&2", "a\nb\n", ""},
		{"late", "exec 2> >(sleep 0.03; cat >&2); echo b >&2; echo a", "a\n", "b\n"},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if strings.Contains(test.script, "/proc/") || strings.Contains(test.script, ">(") { // which is /dev/fd, a link to /proc
				testkit.NeedProc(t)
			}
			inTurn(t, i, func(t *testing.T, g *Group) {
				g.waitDelay = patience
				b := newBench(t, g)
				o, out, err := b.runApart(b.command(test.script))
				if o.Reason != Exited || o.ExitCode != 0 || out != test.out || err != test.err {
					t.Errorf("%+v, stdout %q, stderr %q", o, out, err)
				}
			})
		})
	}
}

// TestStreamsApartFull has both streams hold more than a pipe does, so that a reader of
// one at a time would never end.
func TestStreamsApartFull(t *testing.T) {
	t.Parallel()
	inTurn(t, 0, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		o, out, err := b.runApart(b.command(`head -c 5000000 /dev/zero >&2 & head -c 3000000 /dev/zero; wait; head -c 2000000 /dev/zero >&2`))
		if o.Reason != Exited || len(out) != 3000000 || len(err) != 7000000 {
			t.Errorf("%+v, %d and %d bytes", o, len(out), len(err))
		}
	})
}

func TestStreamsApartLimit(t *testing.T) {
	t.Parallel()
	for i, test := range []struct {
		script  string
		limited bool
	}{
		{"printf '%6000s'; printf '%4000s' >&2", false},
		{"printf '%6000s'; printf '%4001s' >&2", true},
		{"printf '%6001s' >&2; printf '%4000s'", true},
		{"echo $$ >>$PIDS; yes; sleep $LONG", true},
		{"echo $$ >>$PIDS; yes >&2; sleep $LONG", true},
		{"setsid sleep $LONG & echo $! $$ >>$PIDS; yes & yes >&2 & sleep $LONG", true},
	} {
		inTurn(t, i, func(t *testing.T, g *Group) {
			b := newBench(t, g)
			c := b.command(test.script)
			c.MaxOutput = 10000
			o, out, err := b.runApart(c)
			if total := len(out) + len(err); (o.Reason == OutputLimit) != test.limited || total != 10000 {
				t.Errorf("%s: %+v, %d and %d bytes", test.script, o, len(out), len(err))
			}
			b.noneLeft(0)
		})
	}
}

// TestStreamsApartBackground has a child that holds stderr alone.
func TestStreamsApartBackground(t *testing.T) {
	t.Parallel()
	testkit.NeedProc(t)
	inTurn(t, 1, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		o, out, _ := b.runApart(b.command(`(until [ -e go ]; do sleep 0.01; done; head -c 3000000 /dev/zero >&2; echo $? >result; sleep $LONG) >&- & echo $! >>$PIDS; echo up`))
		if o.Reason != Exited || out != "up\n" || len(o.Background) == 0 {
			t.Errorf("%+v, %q", o, out)
		}
		os.WriteFile(b.path("go"), nil, 0o600)
		eventually(t, func() error {
			if text, _ := os.ReadFile(b.path("result")); string(text) != "0\n" {
				return fmt.Errorf("result %q", text)
			}
			return nil
		})
		g.Close()
		b.noneLeft(1)
	})
}

// TestStreamsApartStopped ends what no more than the pipe of stderr tells to be the
// command's, and waits for what is printed on being told to end.
func TestStreamsApartStopped(t *testing.T) {
	t.Parallel()
	inTurn(t, 1, func(t *testing.T, g *Group) {
		longGrace(g)
		untilInTime(func(timeout time.Duration) bool {
			b := newBench(t, g)
			c := b.command(`trap 'echo why >&2; exit' TERM; env -i setsid bash -c 'echo $$ >>'$PIDS'; exec sleep '$LONG >&- & echo on; while :; do sleep 0.02; done`)
			c.Timeout = timeout
			o, out, err := b.runApart(c)
			if timeout < patience && (out == "" || len(b.pids()) == 0) {
				return false
			}
			b.noneLeft(1)
			if o.Reason != TimedOut || out != "on\n" || !strings.HasSuffix(err, "why\n") {
				t.Errorf("%+v, stdout %q, stderr %q", o, out, err)
			}
			return true
		})
	})
}

// TestStreamsApartOneWriter writes both streams to one writer that locks, line by line.
func TestStreamsApartOneWriter(t *testing.T) {
	t.Parallel()
	inTurn(t, 1, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		var mu sync.Mutex
		var all strings.Builder
		w := writerFunc(func(p []byte) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			return all.Write(p)
		})
		c := b.command("for i in {1..200}; do echo o; echo e >&2; done")
		c.Output, c.Stderr = w, w
		b.run(c)
		if got := all.String(); strings.Count(got, "o\n") != 200 || strings.Count(got, "e\n") != 200 {
			t.Errorf("%q", got)
		}
	})
}
