package tools

import (
	"testing"

	"github.com/spillway-go/spillway/config"
)

// TestSnapshotWhileShared asks how far a command has come while its output is finished:
// the race detector tells if that is not safe.
func TestSnapshotWhileShared(t *testing.T) {
	s, err := New(config.Config{Workspace: t.TempDir(), Bash: config.Bash{SplitStreams: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	out := s.newOutput("bash", "")
	defer out.close()
	out.stdout.Write([]byte("out\n"))
	out.stderr.Write([]byte("err\n"))
	done := make(chan bool)
	go func() {
		defer close(done)
		s.divide(out, false)
	}()
	for range 2000 { // more than share lasts, as waiting for it would order the two
		if u := out.snapshot(); u.Bytes != 8 {
			t.Fatalf("%+v", u)
		}
	}
	<-done
}
