package adaptertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/tools"
)

// Sleeper are the arguments of a bash command that does not end by itself, and
// that has another process below it. Both write their ids to the workspace.
const Sleeper = `{"command": "echo $$ > outer.pid; sh -c 'echo $$ > inner.pid; sleep 1000; true'; true"}`

// Cancel runs a call of Sleeper, ends its context when the command is running,
// and checks that the call ends in the error of the context and that the
// command's processes are gone.
func Cancel(t *testing.T, suite *tools.Suite, call func(context.Context) error) {
	t.Helper()
	CancelIn(t, suite.Workspace(), call)
}

// CancelIn is [Cancel] for a workspace.
func CancelIn(t *testing.T, dir string, call func(context.Context) error) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- call(ctx) }()
	var pids []int
	for _, name := range []string{"outer.pid", "inner.pid"} {
		pid := 0
		wait(t, "the command has started", func() bool {
			select {
			case err := <-ended:
				t.Fatalf("the call ended before its context did: %v", err)
			default:
			}
			text, _ := os.ReadFile(filepath.Join(dir, name))
			pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
			return strings.HasSuffix(string(text), "\n")
		})
		pids = append(pids, pid)
	}
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the call ended in %v, not in the error of its context", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the call did not end with its context")
	}
	for _, pid := range pids {
		wait(t, fmt.Sprintf("process %d has gone", pid), func() bool { return !runs(pid) })
	}
}

// wait gives up after a minute, which no machine needs.
func wait(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("a minute, and still not: %s", what)
		}
	}
}
