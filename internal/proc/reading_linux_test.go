package proc

import (
	"context"
	"os"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// asked starts a command with input and returns it when it waits for some.
func asked(t testing.TB, g *Group, script string, terminal bool) (*Process, Reading) {
	t.Helper()
	p, err := g.Start(context.Background(), Command{
		Script: script, Dir: "/", Env: os.Environ(), Timeout: time.Minute, MaxOutput: 1 << 20, MaxProcesses: 64,
		Detached: true, Input: !terminal, Terminal: terminal,
	})
	require.NoError(t, err)
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		if r, ok := p.Reading(); ok {
			return p, r
		}
		require.Less(t, time.Since(began), time.Minute)
	}
}

// TestReading finds the thread that reads, tells one wait from the next, and finds none once the input has ended.
func TestReading(t *testing.T) {
	t.Parallel()
	testkit.NeedProc(t)
	for _, mode := range modes {
		for _, terminal := range []bool{false, true} {
			t.Run(mode.name+map[bool]string{true: " terminal"}[terminal], func(t *testing.T) {
				g := mode.group()
				defer g.Close()
				p, first := asked(t, g, "(while read x; do :; done); exit 3", terminal)
				again, ok := p.Reading()
				require.True(t, ok)
				require.Equal(t, first, again)
				for range 20 {
					require.NoError(t, p.Input("x\n", false))
					next := first
					for began := time.Now(); next == first; time.Sleep(time.Millisecond) {
						if r, ok := p.Reading(); ok {
							next = r
						}
						require.Less(t, time.Since(began), time.Minute)
					}
					require.Equal(t, first.tid, next.tid)
					require.Greater(t, next.switches, first.switches)
					first = next
				}
				require.NoError(t, p.Input("", true))
				if !terminal {
					_, ok = p.Reading()
					require.False(t, ok)
				}
				require.Equal(t, 3, p.Wait().ExitCode)
				<-p.Gone()
				_, ok = p.Reading()
				require.False(t, ok)
			})
		}
	}
}

// slowOutput takes its time with each write and counts what it has taken.
type slowOutput struct{ taken atomic.Int64 }

func (o *slowOutput) Write(b []byte) (int, error) {
	time.Sleep(5 * time.Millisecond)
	o.taken.Add(int64(len(b)))
	return len(b), nil
}

// TestReadingPassedOn has the thread found only when all that the command printed before has reached its reader.
func TestReadingPassedOn(t *testing.T) {
	t.Parallel()
	testkit.NeedProc(t)
	for _, terminal := range []bool{false, true} {
		g := NewGroup()
		defer g.Close()
		var out slowOutput
		p, err := g.Start(context.Background(), Command{
			Script: "while read -r x; do echo got it; done", Dir: "/", Env: os.Environ(), Timeout: time.Minute,
			MaxOutput: 1 << 20, MaxProcesses: 64, Detached: true, Input: !terminal, Terminal: terminal, Output: &out,
		})
		require.NoError(t, err)
		var last Reading
		for lines := range testkit.Few(50) {
			for began := time.Now(); ; runtime.Gosched() {
				if r, ok := p.Reading(); ok && r != last {
					last = r
					break
				}
				require.Less(t, time.Since(began), time.Minute)
			}
			require.GreaterOrEqual(t, out.taken.Load(), int64(lines*len("got it\n")))
			require.NoError(t, p.Input("x\n", false))
		}
		require.NoError(t, p.Input("", true))
		p.Wait()
	}
}

// TestReadingMany looks at no more threads than it may.
func TestReadingMany(t *testing.T) {
	testkit.NeedProc(t)
	g := NewGroup()
	defer g.Close()
	p, _ := asked(t, g, "cat | cat | cat", false)
	defer func(most int) { maxReading = most }(maxReading)
	maxReading = 3
	_, ok := p.Reading()
	require.False(t, ok)
	maxReading = 4 // with the shell
	_, ok = p.Reading()
	require.True(t, ok)
}

// BenchmarkReading measures a look at a command of two processes.
func BenchmarkReading(b *testing.B) {
	for _, mode := range modes {
		b.Run(mode.name, func(b *testing.B) {
			g := mode.group()
			defer g.Close()
			p, _ := asked(b, g, "cat; exit", false)
			for b.Loop() {
				p.Reading()
			}
		})
	}
}
