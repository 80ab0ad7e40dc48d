package proc

import (
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
)

// TestCrowdLeavesNothing runs commands, 64 at a time, whose first child gets rid at
// once of its parent, its session and its environment: only what marks it from its birth
// on finds it. The one half is ended by Close, the other by a timeout.
func TestCrowdLeavesNothing(t *testing.T) {
	t.Parallel()
	const calls, atOnce = 128, 64
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		scripts := []string{
			`env -i setsid sleep $LONG >/dev/null 2>&1 &`,
			`(setsid sleep $LONG >/dev/null 2>&1 &)`,
			`env -i setsid sleep $LONG >/dev/null 2>&1 & sleep $LONG`,
			`(setsid sleep $LONG >/dev/null 2>&1 &) ; sleep $LONG`,
		}
		slots := make(chan bool, atOnce)
		var running sync.WaitGroup
		for i := range testkit.Few(calls) {
			slots <- true
			running.Go(func() {
				defer func() { <-slots }()
				c := b.command(scripts[i%len(scripts)])
				if i%len(scripts) >= 2 {
					c.Timeout = time.Duration(1+i%100) * time.Millisecond
				}
				b.run(c)
			})
		}
		running.Wait()
		g.Close()
		b.noneLeft(0)
	})
}
