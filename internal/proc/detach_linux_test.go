package proc

import (
	"context"
	"os"
	"sync/atomic"
	"testing"
	"time"
)

// TestDetach has a command go on, once, if that is permitted and its shell runs.
func TestDetach(t *testing.T) {
	t.Parallel()
	inTurn(t, 0, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		p, err := g.Start(context.Background(), b.command("until [ -e $READY ]; do sleep 0.01; done; exit 5"))
		must(t, err)
		if p.Detach(func() bool { return false }) {
			t.Error("it was not permitted")
		}
		if !p.Detach(func() bool { return true }) {
			t.Error("it was permitted")
		}
		if p.Detach(func() bool { t.Error("asked again"); return true }) {
			t.Error("it was detached already")
		}
		os.WriteFile(b.path("ready"), nil, 0o600)
		if o := gone(t, p); o.ExitCode != 5 {
			t.Errorf("outcome %+v", o)
		}
		if p.Detach(func() bool { t.Error("asked at the end"); return true }) {
			t.Error("it has ended")
		}
	})
}

// slow is a reader that takes its time for the first write. The pipe fills up meanwhile.
type slow struct {
	writes atomic.Int64
	takes  time.Duration
}

func (s *slow) Write(b []byte) (int, error) {
	if s.writes.Add(1) == 1 {
		time.Sleep(s.takes)
	}
	return len(b), nil
}

// TestIdleTimeout ends a command that is silent, and not one that waits for its reader.
func TestIdleTimeout(t *testing.T) {
	t.Parallel()
	inTurn(t, 1, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		untilInTime(func(silence time.Duration) bool {
			c := b.command("echo begun; sleep $LONG")
			c.IdleTimeout = silence
			o, out := b.run(c)
			if silence < patience && out == "" {
				return false
			}
			if o.Reason != IdleOut || o.ExitCode != -1 || out != "begun\n" || o.Duration < silence {
				t.Errorf("outcome %+v, output %q", o, out)
			}
			return true
		})
		untilInTime(func(silence time.Duration) bool {
			c, reader := b.command("head -c 1500000 /dev/zero; exit 4"), &slow{takes: 2 * silence}
			c.IdleTimeout, c.Output = silence, reader
			o, _ := b.run(c)
			if silence < patience && reader.writes.Load() == 0 {
				return false
			}
			if o.Reason != Exited || o.ExitCode != 4 {
				t.Errorf("a command whose reader is slow: %+v", o)
			}
			return true
		})
	})
}

// TestSilence: a look that comes late counts as one, and decides nothing.
func TestSilence(t *testing.T) {
	p := newProcess(NewGroup(), Command{MaxOutput: 100, IdleTimeout: 16 * time.Second}, time.Now())
	s := p.newSilence()
	defer s.Stop()
	now := s.last
	look := func(d time.Duration) bool {
		now = now.Add(d)
		return s.over(now)
	}
	for range 14 {
		if look(time.Second) {
			t.Fatal("too early")
		}
	}
	for range 2 {
		if look(time.Hour) {
			t.Error("the host was suspended: what was printed may still be in the pipe")
		}
	}
	if !look(time.Second) {
		t.Error("nothing was printed since")
	}
	p.left.Add(-1)
	if look(time.Second) || s.lasts != 0 {
		t.Error("something was printed")
	}
}
