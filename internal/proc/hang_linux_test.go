package proc

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
)

// TestHangingDirectory starts commands where starting never ends: the call ends with its
// context, its timeout or its group all the same, and the group with Close.
func TestHangingDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testkit.Hang(t, dir)
	for _, test := range []struct {
		end  string
		want Reason
	}{{"context", Canceled}, {"timeout", TimedOut}, {"close", Canceled}} {
		t.Run(test.end, func(t *testing.T) {
			g := NewGroup()
			b := newBench(t, g)
			c := b.command("echo $$ >>$PIDS")
			c.Dir = dir
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			switch test.end {
			case "context":
				time.AfterFunc(100*time.Millisecond, cancel)
			case "timeout":
				c.Timeout = 100 * time.Millisecond
			case "close":
				time.AfterFunc(100*time.Millisecond, func() { g.Close() })
			}
			within(t, func() {
				if o, err := g.Run(ctx, c); err != nil || o.Reason != test.want || o.ExitCode != -1 {
					t.Errorf("Run = %+v, %v", o, err)
				}
			})
			if test.end != "close" { // others run meanwhile
				within(t, func() {
					if o, out := b.run(b.command("echo hi")); out != "hi\n" {
						t.Errorf("outcome %+v, output %q", o, out)
					}
				})
			}
			within(t, func() { g.Close() })
			if len(b.pids()) > 0 {
				t.Error("the command ran")
			}
		})
	}
}

// within fails unless f returns.
func within(t *testing.T, f func()) {
	t.Helper()
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("it hangs")
	}
}

// TestHangingTrial checks that the trial of control groups has an end.
func TestHangingTrial(t *testing.T) {
	t.Parallel()
	parent := cgroupParent()
	if parent == "" {
		t.Skip("no control groups here")
	}
	shell := filepath.Join(t.TempDir(), "sh")
	if err := os.WriteFile(shell, []byte("#!/bin/sh\nexec sleep 300\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	within(t, func() {
		if survives(parent, shell) {
			t.Error("a shell that hangs was taken for one that lives")
		}
		if !survives(parent, "/bin/sh") {
			t.Error("no shell lives")
		}
	})
}
