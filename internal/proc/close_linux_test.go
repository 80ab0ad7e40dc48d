package proc

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestCloseMany checks that Close looks around for all trees together. With a scan for
// each, what it reads would grow with the square of their number.
func TestCloseMany(t *testing.T) {
	const trees = 300
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		slots := make(chan bool, 8)
		var running sync.WaitGroup
		for range trees {
			slots <- true
			running.Go(func() {
				defer func() { <-slots }()
				b.run(b.command("sleep $LONG >/dev/null 2>&1 & echo $! >>$PIDS"))
			})
		}
		running.Wait()
		began, before := time.Now(), reads(t)
		g.Close()
		took, read := time.Since(began), reads(t)-before
		t.Logf("%v and %d reads for %d trees", took, read, trees)
		if read > trees*trees {
			t.Errorf("%d reads for %d trees", read, trees)
		}
		b.noneLeft(trees)
	})
}

// reads returns how often this program has read from a file.
func reads(t *testing.T) (n int) {
	f, err := os.Open("/proc/self/io")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if count, ok := strings.CutPrefix(lines.Text(), "syscr: "); ok {
			fmt.Sscan(count, &n)
		}
	}
	return n
}
