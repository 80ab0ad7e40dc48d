package proc

import (
	"testing"
	"time"
)

// A control group in which processes were killed is not used again: the kernel (Linux
// 6.18, for one) kills what is started in it from then on.
func TestCallsAfterKill(t *testing.T) {
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
