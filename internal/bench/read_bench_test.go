package bench_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// large is a log of 1 GiB in a directory of its own, and the number of its lines.
func large(b *testing.B) (dir, file string, lines int) {
	if testing.Short() {
		b.Skip("writes 1 GiB")
	}
	dir = b.TempDir()
	file = filepath.Join(dir, "large.log")
	f, err := os.Create(file)
	require.NoError(b, err)
	w := bufio.NewWriterSize(f, 1<<20)
	for size := 0; size < 1<<30; lines++ {
		n, err := fmt.Fprintf(w, "2026-01-02T03:04:05Z info request %d served in 12ms, 200 OK, cache miss, user 4711\n", lines)
		require.NoError(b, err)
		size += n
	}
	require.NoError(b, w.Flush())
	require.NoError(b, f.Close())
	return dir, file, lines
}

// BenchmarkRead reads of a file of 1 GiB what agents do: its beginning, its end, and a page
// deep inside, for the first time and again.
func BenchmarkRead(b *testing.B) {
	dir, file, lines := large(b)
	tail, wc, sed := peer(b, "tail"), peer(b, "wc"), peer(b, "sed")
	s := suite(b, dir, nil)
	deep := lines - 1000
	page := func() { call(b, s, "read", tools.ReadParams{Path: "large.log", Offset: deep}) }
	clock := time.Now().Add(-time.Hour)
	forget := func() { // the count, which is good for as long as the file does not change
		clock = clock.Add(time.Second)
		require.NoError(b, os.Chtimes(file, clock, clock))
	}
	last := func() { forget(); call(b, s, "read", tools.ReadParams{Path: "large.log", Offset: -1000}) }
	print := strconv.Itoa(deep) + "," + strconv.Itoa(deep+400) + "p;" + strconv.Itoa(deep+400) + "q"
	b.Run("last-1000/tail", func(b *testing.B) {
		compare(b, last, func() { run(b, dir, tail, "-n", "1000", "large.log") })
	})
	first := func() { forget(); call(b, s, "read", tools.ReadParams{Path: "large.log", Limit: 2000}) }
	b.Run("first/wc", func(b *testing.B) {
		compare(b, first, func() { run(b, dir, wc, "-l", "large.log") })
	})
	b.Run("deep/wc", func(b *testing.B) {
		compare(b, func() { forget(); page() }, func() { run(b, dir, wc, "-l", "large.log") })
	})
	b.Run("deep/sed", func(b *testing.B) {
		compare(b, func() { forget(); page() }, func() { run(b, dir, sed, "-n", print, "large.log") })
	})
	b.Run("deep-again/sed", func(b *testing.B) {
		compare(b, page, func() { run(b, dir, sed, "-n", print, "large.log") })
	})
}

// BenchmarkReadLine goes deep into a line of 300 MB.
func BenchmarkReadLine(b *testing.B) {
	if testing.Short() {
		b.Skip("writes 300 MB")
	}
	cut, dir := peer(b, "cut"), b.TempDir()
	line := bytes.Repeat([]byte(`{"key": "value", "n": 123456}, `), 10_000_000)
	require.NoError(b, os.WriteFile(filepath.Join(dir, "line.json"), line, 0o600))
	line = nil
	s := suite(b, dir, nil)
	time.Sleep(50 * time.Millisecond) // a count is not remembered of a file that was just written
	compare(b,
		func() { call(b, s, "read", tools.ReadParams{Path: "line.json", Offset: 1, Column: 299_000_001}) },
		func() { run(b, dir, cut, "-c", "299000001-299030000", "line.json") })
}

// BenchmarkReadMemory reports what the heap of a call on 1 GiB grows by at most.
func BenchmarkReadMemory(b *testing.B) {
	dir, _, lines := large(b)
	s := suite(b, dir, nil)
	for b.Loop() {
		var peak, before runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		most := uint64(0)
		done := make(chan struct{})
		go func() {
			defer close(done)
			call(b, s, "read", tools.ReadParams{Path: "large.log", Offset: lines - 1000})
			call(b, s, "read", tools.ReadParams{Path: "large.log", Offset: -1000})
		}()
		for running := true; running; {
			select {
			case <-done:
				running = false
			case <-time.After(time.Millisecond):
			}
			runtime.ReadMemStats(&peak)
			most = max(most, peak.HeapAlloc)
		}
		b.ReportMetric(float64(int64(most)-int64(before.HeapAlloc))/(1<<20), "MiB")
	}
	b.ReportMetric(0, "ns/op")
}
