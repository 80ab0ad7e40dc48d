package bench_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// BenchmarkWake measures the time from a line that a job is told to print, through a FIFO that
// it reads, to the return of the call that waits for that line.
func BenchmarkWake(b *testing.B) {
	s, err := tools.New(config.Config{Workspace: b.TempDir()}, all.Parts()...)
	require.NoError(b, err)
	defer s.Close()
	path := filepath.Join(s.Workspace(), "lines")
	require.NoError(b, unix.Mkfifo(path, 0o600))
	lines, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(b, err)
	defer lines.Close()
	started, err := s.Bash(b.Context(), tools.BashParams{Command: "echo ready; exec cat lines", Background: true, ReadyWhen: "ready"})
	require.NoError(b, err)
	var took []time.Duration
	for n := 0; b.Loop(); n++ {
		said := make(chan time.Time, 1)
		time.AfterFunc(5*time.Millisecond, func() { // the call waits by then
			said <- time.Now()
			fmt.Fprintf(lines, "line %d.\n", n)
		})
		res, err := s.Job(b.Context(), tools.JobParams{ID: started.Job, Until: fmt.Sprintf(`line %d\.`, n), WaitMs: 60_000})
		took = append(took, time.Since(<-said))
		require.NoError(b, err)
		require.NotNil(b, res.Match)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "median-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// BenchmarkJobs measures what 32 jobs cost the program that has them, each of
func BenchmarkJobs(b *testing.B) {
	for name, script := range map[string]string{"silent": "sleep 300", "printing": "while sleep 0.01; do echo; done"} {
		b.Run(name, func(b *testing.B) {
			const jobs = 32
			s, err := tools.New(config.Config{Workspace: b.TempDir()}, all.Parts()...)
			require.NoError(b, err)
			defer s.Close()
			before := held()
			for range jobs {
				_, err := s.Bash(b.Context(), tools.BashParams{Command: "echo ready; " + script, Background: true, ReadyWhen: "ready"})
				require.NoError(b, err)
			}
			began, used := time.Now(), processorTime()
			for b.Loop() {
				time.Sleep(time.Second)
			}
			b.ReportMetric(float64((processorTime()-used).Microseconds())/1000/time.Since(began).Seconds(), "cpu-ms/s")
			b.ReportMetric(float64(held()-before)/1024/jobs, "KiB/job")
			var lines int64
			for _, j := range s.Jobs() {
				lines += j.State().Bytes - int64(len("ready\n"))
			}
			b.ReportMetric(float64(lines)/time.Since(began).Seconds(), "lines/s")
		})
	}
}

// held is the memory that is in use, in bytes.
func held() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// processorTime is what this program has used, without its children.
func processorTime() time.Duration {
	var u unix.Rusage
	unix.Getrusage(unix.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
