package calls_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// descriptors are the open files of this process, as the kernel names them.
func descriptors(t testing.TB) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("there is no /proc")
	}
	var list []string
	for _, e := range entries {
		if target, err := os.Readlink(filepath.Join("/proc/self/fd", e.Name())); err == nil && !strings.HasSuffix(target, "/fd") {
			list = append(list, target)
		}
	}
	return sorted(list)
}

// below are the descriptors of files below dir, and pipes and process handles.
func below(list []string, dir string) []string {
	var some []string
	for _, target := range list {
		if strings.HasPrefix(target, dir) || strings.HasPrefix(target, "pipe:") || strings.Contains(target, "pidfd") {
			some = append(some, target)
		}
	}
	return some
}

// processes are those of this machine that run with the marker in their
// environment.
func processes(t testing.TB, marker string) []string {
	t.Helper()
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	var list []string
	for _, dir := range dirs {
		environ, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err == nil && strings.Contains(string(environ), marker) {
			command, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
			list = append(list, strings.ReplaceAll(string(command), "\x00", " "))
		}
	}
	return list
}

// mixedCall is a call of any kind, and a check of its result while the suite is
// open.
func mixedCall(i int) (tool string, args map[string]any, want string) {
	id := strconv.Itoa(i)
	switch i % 8 {
	case 0:
		return "read", map[string]any{"path": "f" + strconv.Itoa(i%5)}, "content " + strconv.Itoa(i%5) + "\n"
	case 1:
		return "grep", map[string]any{"pattern": "content"}, "f0:1: content 0"
	case 2:
		return "find", map[string]any{"pattern": "f?"}, "f0\nf1\nf2\nf3\nf4"
	case 3:
		return "ls", map[string]any{}, "f0\nf1\nf2\nf3\nf4"
	case 4:
		return "bash", map[string]any{"command": "echo " + id}, id + "\n"
	case 5: // a full output is kept
		return "bash", map[string]any{"command": "for i in $(seq 300); do echo " + id + " $i; done"}, id + " 300\n"
	case 6: // something goes on in the background
		return "bash", map[string]any{"command": "sleep 300 & echo " + id}, id + "\n"
	default: // and in a session of its own
		return "bash", map[string]any{"command": "(setsid sleep 300 >/dev/null 2>&1 &) ; echo " + id}, id + "\n"
	}
}

func concurrentConfig(t *testing.T) (config.Config, string) {
	testkit.StartSignals()
	marker := fmt.Sprintf("SPILLWAY_TEST_MARKER=%d-%s", os.Getpid(), t.Name())
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for i := range 5 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d", i)), fmt.Appendf(nil, "content %d\n", i), 0o644))
	}
	return config.Config{Workspace: dir, MaxBytes: 1024, Bash: config.Bash{Env: []string{marker}}}, marker
}

// leavesNothing checks that what a suite opened and started is gone. A process
// that was killed may take the kernel a moment.
func leavesNothing(t *testing.T, dir, marker string, goroutines, pipes int) {
	t.Helper()
	var open, running []string
	for range 3000 {
		open, running = below(descriptors(t), dir), processes(t, marker)
		if len(open) <= pipes && len(running) == 0 && runtime.NumGoroutine() <= goroutines {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	stacks := make([]byte, 64<<10)
	require.Fail(t, "something is left", "open: %v (%d before)\nrunning: %v\ngoroutines: %d (%d before)\n%s",
		open, pipes, running, runtime.NumGoroutine(), goroutines, stacks[:runtime.Stack(stacks, true)])
}

func TestConcurrentCalls(t *testing.T) {
	testkit.Raced(t)
	need.Shell(t)
	cfg, marker := concurrentConfig(t)
	pipes, goroutines := len(below(descriptors(t), cfg.Workspace)), runtime.NumGoroutine()
	s, err := tools.New(cfg, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	rounds := 4
	if testing.Short() {
		rounds = 2
	}
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			for j := range rounds {
				tool, args, want := mixedCall(i + 13*j)
				data, _ := json.Marshal(args)
				res, err := s.Call(context.Background(), tool, data)
				assert.NoError(t, err)
				assert.False(t, res.IsError, res.Text)
				assert.Contains(t, res.Text, want, "%s %s", tool, data)
			}
		})
	}
	all.Wait()
	require.NotEmpty(t, processes(t, marker), "what is in the background goes on")
	require.NoError(t, s.Close())
	leavesNothing(t, cfg.Workspace, marker, goroutines, pipes)
}

// TestCloseInTheMiddle: calls that run when the suite is closed finish or fail,
// and leave nothing behind either.
func TestCloseInTheMiddle(t *testing.T) {
	testkit.Raced(t)
	cfg, marker := concurrentConfig(t)
	cfg.Spill.Dir = filepath.Join(cfg.Workspace, "deep", "spill") // opened when it is first needed
	pipes, goroutines := len(below(descriptors(t), cfg.Workspace)), runtime.NumGoroutine()
	step := 1
	if testing.Short() {
		step = 3
	}
	for round := 0; round < 8; round += step {
		s, err := tools.New(cfg, all.Parts()...)
		need.Built(t, err)
		require.NoError(t, err)
		var all sync.WaitGroup
		begun := make(chan struct{}, 50)
		for i := range 50 {
			all.Go(func() {
				begun <- struct{}{}
				tool, args, want := mixedCall(i + round)
				data, _ := json.Marshal(args)
				res, err := s.Call(context.Background(), tool, data)
				if !res.IsError {
					assert.Contains(t, res.Text, want)
				}
				code := holds(t, res, err, cfg.MaxBytes)
				assert.Contains(t, []tools.Code{"", tools.CodeDenied, tools.CodeAborted}, code, res.Text)
			})
		}
		for range 5 + 6*round {
			<-begun
		}
		var closes sync.WaitGroup
		for range 3 {
			closes.Go(func() { assert.NoError(t, s.Close()) })
		}
		closes.Wait()
		all.Wait()
		res, err := s.Call(context.Background(), "ls", nil)
		require.Equal(t, tools.CodeDenied, holds(t, res, err, cfg.MaxBytes))
	}
	leavesNothing(t, cfg.Workspace, marker, goroutines, pipes)
}

// TestCanceledCalls: a context that ends is a Go error, with what there was.
func TestCanceledCalls(t *testing.T) {
	need.Shell(t)
	cfg, marker := concurrentConfig(t)
	pipes, goroutines := len(below(descriptors(t), cfg.Workspace)), runtime.NumGoroutine()
	s, err := tools.New(cfg, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	one := func(i int) (whole bool) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		ready := filepath.Join(cfg.Workspace, fmt.Sprintf("ready-%d", i))
		go func() {
			defer cancel()
			for range 6000 {
				if _, err := os.Stat(ready); err == nil {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		}()
		res, err := s.Call(ctx, "bash", fmt.Appendf(nil, `{"command":"echo begun; setsid sleep 300 & touch %s; sleep 300"}`, ready))
		assert.ErrorIs(t, err, context.Canceled)
		assert.True(t, res.IsError)
		assert.True(t, strings.HasPrefix(res.Text, "aborted: "), res.Text)
		if whole = strings.Contains(res.Text, "and the command ended"); whole { // and was waited for: a call returns within a second
			assert.Contains(t, res.Text, "begun\n", "what was captured is returned")
		}
		return whole
	}
	var all sync.WaitGroup
	var whole atomic.Int64
	for i := range 20 {
		all.Go(func() {
			if one(i) {
				whole.Add(1)
			}
		})
	}
	all.Wait()
	for i := 20; i < 100 && whole.Load() == 0; i++ { // none was waited for: the machine is busy
		if one(i) {
			whole.Add(1)
		}
	}
	require.NotZero(t, whole.Load())
	require.Empty(t, processes(t, marker), "every descendant is ended, also in a session of its own")
	require.NoError(t, s.Close())
	leavesNothing(t, cfg.Workspace, marker, goroutines, pipes)
}

// TestManySuites: building and closing leaves nothing, also if it fails.
func TestManySuites(t *testing.T) {
	cfg, marker := concurrentConfig(t)
	pipes, goroutines := len(below(descriptors(t), cfg.Workspace)), runtime.NumGoroutine()
	cfg.Spill.SweepInterval = time.Hour
	for range 10 {
		s, err := tools.New(cfg, all.Parts()...)
		need.Built(t, err)
		require.NoError(t, err)
		call(t, s, "bash", map[string]any{"command": "seq 1000"})
		require.NoError(t, s.Close())
		require.NoError(t, s.Close())
		bad := cfg
		bad.Spill.Dir = strings.Repeat("d/", 400)
		_, err = tools.New(bad, all.Parts()...)
		require.Error(t, err)
	}
	leavesNothing(t, cfg.Workspace, marker, goroutines, pipes)
}
