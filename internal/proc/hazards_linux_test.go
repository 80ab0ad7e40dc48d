package proc

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
)

// hazards are scripts that try to leave a process behind. Each writes its pids to $PIDS,
// then creates $READY, then waits.
var hazards = []struct {
	name   string
	pids   int // how many pids are written
	script string
}{
	{"plain", 1, `echo $$ >>$PIDS; >$READY; sleep $LONG`},
	{"exec", 1, `echo $$ >>$PIDS; >$READY; exec sleep $LONG`},
	{"background and wait", 3, `for i in 1 2 3; do sleep $LONG & echo $! >>$PIDS; done; >$READY; wait`},
	{"pipeline", 2, `(echo $BASHPID >>$PIDS; sleep $LONG) | (echo $BASHPID >>$PIDS; >$READY; cat; sleep $LONG)`},
	{"setsid", 1, `setsid bash -c 'echo $$ >>$PIDS; >$READY; sleep $LONG' & sleep $LONG`},
	{"setsid fork", 1, `setsid -f bash -c 'echo $$ >>$PIDS; >$READY; sleep $LONG'; sleep $LONG`},
	{"double fork", 1, `( ( bash -c 'echo $$ >>$PIDS; >$READY; exec sleep $LONG' & ) & ); sleep $LONG`},
	{"job control", 2, `bash -c 'set -m; sleep $LONG & echo $! >>$PIDS; sleep $LONG & echo $! >>$PIDS; >$READY; wait'`},
	{"no environment", 1, `env -i setsid bash -c 'echo $$ >>'$PIDS'; >'$READY'; sleep '$LONG & sleep $LONG`},
	{"no pipe", 1, `bash -c 'echo $$ >>$PIDS; >$READY; exec sleep $LONG' </dev/null >/dev/null 2>&1 & sleep $LONG`},
	{"closed descriptors", 1, `setsid bash -c 'exec 0<&- 1>&- 2>&-; echo $$ >>$PIDS; >$READY; sleep $LONG' & sleep $LONG`},
	{"daemon without a trace", 1, `sleep 0.1; (env -i setsid -f bash -c 'exec 0<&- 1>&- 2>&-
		echo $$ >>'$PIDS'; >'$READY'; sleep '$LONG &); sleep $LONG`},
	// Without the mark in its limits, or its environment, a process is known by its session, ...
	{"session alone", 1, `ulimit -SR 12345; (env -i bash -c 'echo $$ >>'$PIDS'; >'$READY'; exec sleep '$LONG >/dev/null 2>&1 &)
		sleep $LONG`},
	// ... by the output that it holds, ...
	{"output alone", 1, `ulimit -SR 12345; (env -i setsid -f bash -c 'echo $$ >>'$PIDS'; >'$READY'; exec sleep '$LONG &); sleep $LONG`},
	// ... and by its parent, also when that has ended.
	{"parent alone", 1, `ulimit -SR 12345; env -i setsid bash -c 'trap "" TERM; echo $$ >>'$PIDS'; >'$READY'
		while :; do sleep '$LONG'; done' >/dev/null 2>&1 & sleep $LONG`},
	{"stopped", 2, `bash -c 'echo $$ >>$PIDS; kill -STOP $$; sleep $LONG' &
		setsid bash -c 'echo $$ >>$PIDS; >$READY; kill -STOP $$; sleep $LONG' & sleep $LONG`},
	{"stopped shell", 1, `echo $$ >>$PIDS; >$READY; kill -STOP $$; sleep $LONG`},
	{"traps", 2, `trap '' TERM INT HUP; echo $$ >>$PIDS
		setsid bash -c 'trap "" TERM; echo $$ >>$PIDS; >$READY; while :; do sleep $LONG; done' & while :; do sleep $LONG; done`},
	{"forks when told to end", 1, `trap 'env -i setsid -f sleep $LONG' TERM; echo $$ >>$PIDS; >$READY; while :; do sleep 0.01; done`},
	{"spawner", 1, `setsid bash -c 'echo $$ >>$PIDS; >$READY; trap "" TERM
		for ((i = 0; i < 300; i++)); do setsid -f sleep $LONG >/dev/null 2>&1; done; sleep $LONG' & sleep $LONG`},
	{"hopper", 0, `cat >hop <<'END'
[ -e $READY ] || >$READY
trap '' TERM
sleep 0.002
setsid -f bash ./hop $LONG >/dev/null 2>&1
END
		bash ./hop $LONG; sleep $LONG`},
	{"nohup", 1, `nohup bash -c 'echo $$ >>$PIDS; >$READY; sleep $LONG' >/dev/null 2>&1 & disown; sleep $LONG`},
	{"coprocess", 1, `coproc { echo $BASHPID >>$PIDS; >$READY; sleep $LONG; }; sleep $LONG`},
	{"busy", 2, `bash -c 'echo $$ >>$PIDS; while :; do :; done' & echo $$ >>$PIDS; >$READY; while :; do :; done`},
}

// eachHazard runs a test with every script, several at once. Of two tests, a short run has each script with control
// groups in the one, and by scans alone in the other.
func eachHazard(t *testing.T, turn int, f func(b *bench, pids int, script string)) {
	eachMode(t, func(t *testing.T, g *Group) {
		t.Run("all", func(t *testing.T) { // ends when all have
			for i, h := range hazards {
				if scans := (i+turn)%2 == 1; testing.Short() && cgroupParent() != "" && g.supervisor.noCgroup != scans {
					continue
				}
				t.Run(h.name, func(t *testing.T) {
					t.Parallel()
					f(newBench(t, g), h.pids, h.script)
				})
			}
		})
	})
}

// TestCancelLeavesNothing ends every script as soon as its processes are there.
func TestCancelLeavesNothing(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	eachHazard(t, 0, func(b *bench, pids int, script string) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		go func() {
			for ctx.Err() == nil {
				if _, err := os.Stat(b.path("ready")); err == nil && len(b.pids()) >= pids {
					cancel()
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
		o, err := b.g.Run(ctx, b.command(script))
		if err != nil || o.Reason != Canceled || o.ExitCode != -1 || o.Signal != "" || o.Background != nil {
			b.t.Fatalf("Run = %+v, %v", o, err)
		}
		b.noneLeft(pids)
	})
}

// TestTimeoutLeavesNothing ends every script where it happens to be: each call ends what is its own.
func TestTimeoutLeavesNothing(t *testing.T) {
	t.Parallel()
	eachHazard(t, 1, func(b *bench, _ int, script string) {
		c := b.command(script)
		c.Timeout = 250 * time.Millisecond
		o, _ := b.run(c)
		if o.Reason != TimedOut || o.ExitCode != -1 || o.Signal != "" || o.Background != nil {
			b.t.Fatalf("outcome %+v", o)
		}
		if o.Duration < c.Timeout || o.Duration > c.Timeout+patience {
			b.t.Errorf("ended after %v", o.Duration)
		}
		b.noneLeft(0)
	})
}

func TestOutputLimitLeavesNothing(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	tests := []struct{ name, script string }{
		{"yes", `echo $$ >>$PIDS; yes`},
		{"many", `echo $$ >>$PIDS; for i in 1 2 3; do yes $i & echo $! >>$PIDS; done; wait`},
		{"background", `sleep $LONG & echo $! >>$PIDS; yes`},
		{"setsid", `setsid bash -c 'echo $$ >>$PIDS; yes $LONG' & wait`},
		{"trap", `trap '' PIPE TERM; echo $$ >>$PIDS; while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaa; done`},
		{"after exit", `(until [ -s $PIDS ]; do sleep 0.01; done; exec yes $LONG) & echo $! >>$PIDS; sleep 0.1`},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inTurn(t, i, func(t *testing.T, g *Group) {
				b := newBench(t, g)
				c := b.command(test.script)
				c.MaxOutput = 12345
				o, out := b.run(c)
				if o.Reason != OutputLimit || o.ExitCode != -1 || len(out) != 12345 {
					t.Fatalf("outcome %+v with %d bytes", o, len(out))
				}
				b.noneLeft(1)
			})
		})
	}
}

// TestTailIsComplete has a command say why it was slow when it is told to end.
func TestTailIsComplete(t *testing.T) {
	t.Parallel()
	inTurn(t, 0, func(t *testing.T, g *Group) {
		longGrace(g)
		untilInTime(func(timeout time.Duration) bool {
			b := newBench(t, g)
			c := b.command(`trap 'for i in {1..20}; do echo "line $i"; done; echo last; exit' TERM
				echo first; >$READY; while :; do sleep 0.01; done`)
			c.Timeout = timeout
			o, out := b.run(c)
			if timeout < patience && out == "" {
				return false
			}
			if o.Reason != TimedOut || !strings.HasPrefix(out, "first\n") || !strings.HasSuffix(out, "\nlast\n") {
				t.Errorf("outcome %+v, output %q", o, out)
			}
			return true
		})
	})
}
