package proc

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"golang.org/x/sys/unix"
)

// TestCloseMany checks that Close looks around for all trees together. With scans for each of
// them, every process would be read more than twice as often as there are trees, instead of
// about ten times. A busy machine takes more rounds, and its processes come and go: it has five tries.
func TestCloseMany(t *testing.T) {
	testkit.Raced(t)
	trees := 100
	if testing.Short() {
		trees = 40
	}
	eachMode(t, func(t *testing.T, g *Group) {
		for try := 1; ; try++ {
			read, processes := closeMany(t, g, trees)
			t.Logf("%d reads for %d trees of %d processes", read, trees, processes)
			if read <= trees*processes {
				return
			}
			if try == 5 {
				t.Fatalf("%d reads for %d trees of %d processes", read, trees, processes)
			}
			noCgroup := g.supervisor.noCgroup
			g = NewGroup()
			g.supervisor.noCgroup = noCgroup
		}
	})
}

// closeMany closes a group of trees, and returns how often this program read from a file meanwhile, and how many
// processes there were.
func closeMany(t *testing.T, g *Group, trees int) (read, processes int) {
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
	all, _ := listPids(0)
	before := reads(t)
	g.Close()
	read = reads(t) - before
	b.noneLeft(trees)
	return read, len(all)
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
