package proc

import (
	"bytes"
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
)

// mixedScripts are commands of all kinds. Each process that lives on has $LONG in its
// command line.
var mixedScripts = []string{
	"echo hi",
	"exit 3",
	"kill -SEGV $$",
	"sleep 0.05; echo late",
	"head -c 2000000 /dev/zero",
	"yes",
	"sleep $LONG",
	"sleep $LONG & echo up",
	"sleep 0.2 & echo up",
	"setsid -f sleep $LONG; echo up",
	"setsid -f sleep $LONG >/dev/null 2>&1; sleep $LONG",
	"trap '' TERM; sleep $LONG; sleep $LONG",
	"(sleep 0.15; yes | head -c 1000000; sleep $LONG) & echo up",
	"for i in 1 2 3 4 5; do (sleep $LONG &); done; wait; sleep 0.1",
	"bash -c 'kill -STOP $$; sleep $LONG' & sleep 0.1",
}

// storm runs n commands, 16 at a time, with random timeouts; half of them are canceled.
func storm(t *testing.T, g *Group, n int) {
	b := newBench(t, g)
	slots := make(chan bool, 16)
	var running sync.WaitGroup
	for range n {
		slots <- true
		running.Go(func() {
			defer func() { <-slots }()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if rand.IntN(2) == 0 {
				time.AfterFunc(time.Duration(rand.IntN(300))*time.Millisecond, cancel)
			}
			c := b.command(mixedScripts[rand.IntN(len(mixedScripts))])
			c.Timeout = time.Duration(1+rand.IntN(400)) * time.Millisecond
			c.MaxOutput = 1 << 22
			var out bytes.Buffer
			c.Output = &out
			if _, err := g.Run(ctx, c); err != nil {
				t.Errorf("Run: %v", err)
			}
			if out.Len() > 1<<22 {
				t.Errorf("%d bytes of output", out.Len())
			}
		})
	}
	running.Wait()
	g.Close()
	b.noneLeft(0)
}

func TestStress(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	eachMode(t, func(t *testing.T, g *Group) { storm(t, g, testkit.Few(80)) })
}

// TestSoak runs storms for as long as -soak says.
func TestSoak(t *testing.T) {
	if *soak == 0 {
		t.Skip("needs -soak")
	}
	for began := time.Now(); time.Since(began) < *soak && !t.Failed(); {
		eachMode(t, func(t *testing.T, g *Group) { storm(t, g, 400) })
	}
}
