package proc

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"
)

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// BenchmarkEcho compares a call with os/exec, taking turns so that the load of the machine
// is the same for both. An iteration is one command of each. The second ratio is to
// os/exec with Setsid: a new session is a new group of the scheduler (autogroup), which on
// a machine whose processors are all busy has to wait for its first turn. There this, and
// not the rest of a call, is what the first ratio shows.
//
// Rare are calls with a quarter of a second between them, as those of an agent: the kernel waits where one has just
// passed through.
func BenchmarkEcho(b *testing.B) {
	for _, mode := range modes {
		benchmarkEcho(b, mode.name, mode.group, 0)
	}
	benchmarkEcho(b, "rare", NewGroup, 250*time.Millisecond)
}

func benchmarkEcho(b *testing.B, name string, group func() *Group, pause time.Duration) {
	b.Run(name, func(b *testing.B) {
		g := group()
		defer g.Close()
		var own, peer, session []time.Duration
		for b.Loop() {
			time.Sleep(pause)
			began := time.Now()
			var out bytes.Buffer
			_, err := g.Run(context.Background(), Command{
				Script: "echo hi", Dir: "/", Env: os.Environ(),
				Timeout: time.Minute, MaxOutput: 1 << 20, Output: &out,
			})
			if err != nil || out.String() != "hi\n" {
				b.Fatal(err, out.String())
			}
			own = append(own, time.Since(began))
			peer = append(peer, echo(b, nil))
			session = append(session, echo(b, &syscall.SysProcAttr{Setsid: true}))
		}
		report(b, median(own), median(peer))
		b.ReportMetric(float64(median(own))/float64(median(session)), "ratio-to-setsid")
	})
}

func echo(b *testing.B, attr *syscall.SysProcAttr) time.Duration {
	began := time.Now()
	cmd := exec.Command("bash", "-c", "echo hi")
	cmd.Dir, cmd.Env, cmd.SysProcAttr = "/", os.Environ(), attr
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "hi\n" {
		b.Fatal(err, string(out))
	}
	return time.Since(began)
}

// BenchmarkThroughput compares 1 GiB of output with the same command whose output goes
// nowhere, and with one whose output is read by cat: what a pipe costs at least.
func BenchmarkThroughput(b *testing.B) {
	for _, script := range []string{"yes | head -c 1G", "head -c 1G /dev/zero", "seq 20000000"} {
		b.Run(script, func(b *testing.B) {
			g := NewGroup()
			defer g.Close()
			var own, null, cat []time.Duration
			for b.Loop() {
				began := time.Now()
				var n counter
				_, err := g.Run(context.Background(), Command{
					Script: script, Dir: "/", Env: os.Environ(),
					Timeout: time.Minute, MaxOutput: 1 << 40, Output: &n,
				})
				if err != nil {
					b.Fatal(err)
				}
				own = append(own, time.Since(began))
				b.SetBytes(int64(n))
				null = append(null, timed(b, script+" >/dev/null"))
				cat = append(cat, timed(b, "("+script+") | cat >/dev/null"))
			}
			report(b, median(own), median(null))
			b.ReportMetric(float64(median(own))/float64(median(cat)), "ratio-to-cat")
		})
	}
}

func timed(b *testing.B, script string) time.Duration {
	began := time.Now()
	if err := exec.Command("bash", "-c", script).Run(); err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}

type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

func report(b *testing.B, own, peer time.Duration) {
	b.ReportMetric(float64(own.Microseconds()), "own-µs")
	b.ReportMetric(float64(peer.Microseconds()), "peer-µs")
	b.ReportMetric(float64(own)/float64(peer), "ratio")
}
