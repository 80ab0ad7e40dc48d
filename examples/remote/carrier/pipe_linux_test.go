package carrier

import (
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
)

// A side from which nothing is heard is given up, and its carrier with it. Until something
// is demanded, it may be silent.
func TestSilence(t *testing.T) {
	p, err := start([]string{"sh", "-c", "printf ab; exec sleep 600"})
	testkit.NoError(t, err)
	defer p.hangUp()
	if _, err := io.ReadFull(p, make([]byte, 2)); err != nil {
		t.Fatal(err)
	}
	failed := make(chan error)
	go func() {
		_, err := p.Read(make([]byte, 1))
		failed <- err
	}()
	p.setReadTimeout(time.Millisecond) // also of a read that has begun
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "nothing was heard for 1ms") {
		t.Errorf("the read ended with %v", err)
	}
	<-p.ended
}

func TestLastWords(t *testing.T) {
	p, err := start([]string{"sh", "-c", "head -c 5000 /dev/zero | tr '\\0' x >&2; printf 'the\\377 end\\n' >&2"})
	testkit.NoError(t, err)
	defer p.hangUp()
	said := p.stderr()
	if !strings.HasSuffix(said, "xxthe? end") || len(said) > maxStderr+10 {
		t.Errorf("%d bytes, which end in %q", len(said), said[max(0, len(said)-20):])
	}
}

// What a carrier leaves behind on this side holds no read.
func TestKillWithHeirs(t *testing.T) {
	p, err := start([]string{"sh", "-c", "sleep 600 & echo $!; wait"})
	testkit.NoError(t, err)
	var pid int
	if _, err := fmt.Fscanln(p, &pid); err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(pid, syscall.SIGKILL)
	p.kill()
	if _, err := p.Read(make([]byte, 1)); err == nil {
		t.Error("a byte was read")
	}
	p.stderr()
}
