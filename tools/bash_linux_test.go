package tools_test

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// TestCwdSwapped runs commands in a directory that is replaced all the time by a link out
// of the workspace: each runs in the directory, or is refused.
func TestCwdSwapped(t *testing.T) {
	ws, outside := t.TempDir(), t.TempDir()
	s := newSuite(t, config.Config{Workspace: ws}, nil)
	sub, aside := filepath.Join(ws, "sub"), filepath.Join(ws, "aside")
	require.NoError(t, os.Mkdir(sub, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(sub, "inside"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(outside, "outside"), nil, 0o600))
	stop := make(chan bool)
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Rename(sub, aside)
			os.Symlink(outside, sub)
			time.Sleep(500 * time.Microsecond)
			os.Remove(sub)
			os.Rename(aside, sub)
			time.Sleep(500 * time.Microsecond)
		}
	})
	ran := 0
	for range 200 {
		res := call(t, s, "bash", map[string]any{"command": "echo *", "cwd": "sub"})
		if strings.HasPrefix(res.Text, "inside") {
			ran++
		} else if !res.IsError {
			t.Errorf("a command ran elsewhere: %q", res.Text)
		}
	}
	close(stop)
	swapping.Wait()
	require.NotZero(t, ran)
}

// TestTimeoutWithoutProc runs this test again where /proc is empty: a result does not say
// that all has ended where that cannot be known.
func TestTimeoutWithoutProc(t *testing.T) {
	const variable = "SPILLWAY_TEST_WITHOUT_PROC"
	if os.Getenv(variable) != "" {
		s := newSuite(t, config.Config{}, nil)
		res := call(t, s, "bash", map[string]any{"command": "echo hi; sleep 100", "timeout_ms": 100})
		require.Contains(t, res.Text, "timeout: the command ran longer than 100ms and was ended, but something that it started may still be running. Give it")
		return
	}
	againWithout(t, "/proc", variable)
}

// TestWithoutDevNull runs this test again where /dev is empty: what is missing is named,
// and not taken for the workspace.
func TestWithoutDevNull(t *testing.T) {
	const variable = "SPILLWAY_TEST_WITHOUT_DEV"
	if os.Getenv(variable) != "" {
		s := newSuite(t, config.Config{}, nil)
		res := call(t, s, "bash", map[string]any{"command": "echo hi"})
		require.Equal(t, "io_error: the command could not be started: open /dev/null: no such file or directory", res.Text)
		return
	}
	againWithout(t, "/dev", variable)
}

// againWithout runs a test in a process of its own in which a directory is empty, and
// the variable is set.
func againWithout(t *testing.T, dir, variable string) {
	flags := "-m"
	if os.Getuid() != 0 {
		flags = "-rm"
	}
	hide := func(args ...string) *exec.Cmd {
		script := "mount -t tmpfs none " + dir + ` && exec "$0" "$@"`
		return exec.Command("unshare", append([]string{flags, "sh", "-c", script}, args...)...)
	}
	if out, err := hide("true").CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, out)
	}
	cmd := hide(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), variable+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

// TestHangingCwd runs commands in a directory whose file system never answers.
func TestHangingCwd(t *testing.T) {
	s := newSuite(t, config.Config{}, map[string]string{"hang/file": ""})
	testkit.Hang(t, filepath.Join(s.Workspace(), "hang"))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := s.Bash(ctx, tools.BashParams{Command: "echo hi", Cwd: "hang"})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	res := call(t, s, "bash", map[string]any{"command": "echo hi", "cwd": "hang", "timeout_ms": 100})
	require.Contains(t, res.Text, "timeout: the directory hang could not be opened within 100ms")
	require.Equal(t, "hi\n", call(t, s, "bash", map[string]any{"command": "echo hi"}).Text)
}

// A program that ignores SIGCHLD is not told how its children end. The text does not let a
// failed command pass for one that succeeded.
func TestExitCodeIsNotKnown(t *testing.T) {
	const variable = "SPILLWAY_TEST_IGNORES_SIGCHLD"
	if os.Getenv(variable) == "" { // in a process of its own, as it cannot be undone
		cmd := exec.Command(os.Args[0], "-test.run=^TestExitCodeIsNotKnown$")
		cmd.Env = append(os.Environ(), variable+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return
	}
	signal.Ignore(syscall.SIGCHLD)
	s := newSuite(t, config.Config{}, nil)
	res := call(t, s, "bash", map[string]any{"command": "echo hi; exit 3"})
	require.Equal(t, "hi\n\nThe exit code is not known: the program that ran the command ignores SIGCHLD, or waits for all of its children", res.Text)
}

// TestTimeoutShowsWhatWasPrinted gives the command more and more time to begin.
func TestTimeoutShowsWhatWasPrinted(t *testing.T) {
	s := newSuite(t, config.Config{}, nil)
	for timeout := 300; ; timeout *= 3 {
		res := call(t, s, "bash", map[string]any{"command": "echo before; sleep 300", "timeout_ms": timeout})
		require.True(t, res.IsError)
		head, printed, _ := strings.Cut(res.Text, "\n\n")
		require.True(t, strings.HasPrefix(head, "timeout: the command ran longer than "), res.Text)
		if printed != "before\n" && timeout < 60_000 {
			continue
		}
		require.Equal(t, "before\n", printed)
		return
	}
}

// TestWithoutShell runs this test again where no shell is found.
func TestWithoutShell(t *testing.T) {
	const variable = "SPILLWAY_TEST_WITHOUT_SHELL"
	if os.Getenv(variable) == "" { // in a process of its own, as a shell is looked up once
		cmd := exec.Command(os.Args[0], "-test.run=^TestWithoutShell$")
		cmd.Env = append(os.Environ(), variable+"=1", "PATH="+t.TempDir())
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return
	}
	s := newSuite(t, config.Config{}, nil)
	res := call(t, s, "bash", map[string]any{"command": "echo hi"})
	require.Equal(t, "io_error: the command could not be started: no shell: exec: \"sh\": executable file not found in $PATH. "+
		"There is neither bash nor sh in the PATH of the program that runs the tools. No command can run here; go on with the other tools", res.Text)
}
