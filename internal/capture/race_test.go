package capture

import (
	"testing"
)

// TestSnapshotWhileShared asks how far a command has come while its output is finished:
// the race detector tells if that is not safe.
func TestSnapshotWhileShared(t *testing.T) {
	out := newOutput(t, tail(limits(10, 1024, 0)), true)
	defer out.Close()
	out.Stdout().Write([]byte("out\n"))
	out.Stderr().Write([]byte("err\n"))
	done := make(chan bool)
	go func() {
		defer close(done)
		out.Finish(false)
	}()
	for range 2000 { // more than Finish lasts, as waiting for it would order the two
		if size, _, _ := out.Snapshot(); size != 8 {
			t.Fatal(size)
		}
	}
	<-done
}
