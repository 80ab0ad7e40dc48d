package proc

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestCloseMany checks that Close looks around for all trees together. With scans for each of
// them, every process would be read more than twice as often as there are trees, instead of
// about ten times.
func TestCloseMany(t *testing.T) {
	trees := 100
	if testing.Short() {
		trees = 40
	}
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		must(t, unix.Mkfifo(b.path("fifo"), 0o600))
		slots := make(chan bool, 8)
		var running sync.WaitGroup
		for range trees {
			slots <- true
			running.Go(func() {
				defer func() { <-slots }()
				b.run(b.command("read <>fifo >/dev/null 2>&1 & echo $! >>$PIDS")) // which takes no program
			})
		}
		running.Wait()
		processes, _ := listPids(0)
		began, before := time.Now(), reads(t)
		g.Close()
		took, read := time.Since(began), reads(t)-before
		t.Logf("%v and %d reads for %d trees of %d processes", took, read, trees, len(processes))
		if read > trees*len(processes) {
			t.Errorf("%d reads for %d trees of %d processes", read, trees, len(processes))
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
