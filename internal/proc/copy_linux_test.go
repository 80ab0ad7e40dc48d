package proc

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// testCopier returns a copier of a pipe that holds text, and the end to write to.
func testCopier(t *testing.T, text string, limit int64) (*copier, *strings.Builder, *os.File) {
	from, to, err := newPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { from.Close(); to.Close() })
	if _, err := to.WriteString(text); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	var left atomic.Int64
	left.Store(limit)
	return &copier{from: from, to: &out, left: &left}, &out, to
}

// When the deadline is over, what is in the pipe is passed on, and nothing is waited for.
func TestCopyBehindTheDeadline(t *testing.T) {
	for _, test := range []struct {
		name  string
		limit int64
		close bool // by the last writer
		want  string
		ended Reason
	}{
		{"all of it", 100, false, "output", Exited},
		{"as much as is allowed", 6, false, "output", Exited},
		{"more than that", 5, false, "outpu", OutputLimit},
		{"nothing is allowed", 0, false, "", OutputLimit},
		{"no writer is left", 100, true, "output", Exited},
	} {
		c, out, to := testCopier(t, "output", test.limit)
		if test.close {
			to.Close()
		}
		c.from.SetReadDeadline(time.Now())
		if got := c.run(); got != test.ended || out.String() != test.want {
			t.Errorf("%s: %v, %q", test.name, got, out)
		}
	}
}

// What the pipe holds may be more than one read takes.
func TestCopyOfSeveralReads(t *testing.T) {
	c, out, _ := testCopier(t, "output", 100)
	if got := c.copyRest(make([]byte, 4)); got != Exited || out.String() != "output" {
		t.Errorf("%v, %q", got, out)
	}
}

// A writer that never pauses does not go on for longer than the pipe holds something.
func TestCopyOfABusyWriter(t *testing.T) {
	c, out, to := testCopier(t, "", 100*pipeSize)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for block := make([]byte, 64<<10); ; {
			if _, err := to.Write(block); err != nil {
				return
			}
		}
	}()
	c.from.SetReadDeadline(time.Now())
	if got := c.copyRest(make([]byte, bufferSize)); got != Exited || out.Len() > pipeSize {
		t.Errorf("%v, %d bytes", got, out.Len())
	}
	c.from.Close()
	<-stopped
}

// The copying ends with the pipe, at the limit, or with a panic of the writer.
func TestCopyEnds(t *testing.T) {
	c, out, to := testCopier(t, "late", 100)
	to.Close()
	if got := c.run(); got != Exited || !c.ended || out.String() != "late" {
		t.Errorf("%v, %q", got, out)
	}
	c, _, _ = testCopier(t, "late", 1)
	if got := c.run(); got != OutputLimit || c.ended {
		t.Errorf("too much: %v", got)
	}
	c, _, _ = testCopier(t, "late", 100)
	c.to = writerFunc(func([]byte) (int, error) { panic("broken") })
	if got := c.run(); got != Canceled {
		t.Errorf("a panic: %v", got)
	}
}
