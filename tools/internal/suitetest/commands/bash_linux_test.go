package commands_test

import (
	"context"
	"errors"
	"io/fs"
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
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/program"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
)

// TestCwdSwapped runs commands in a directory that is replaced all the time by a link out
// of the workspace: each runs in the directory, or is refused.
func TestCwdSwapped(t *testing.T) {
	t.Parallel()
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
	for n := 0; n < 200 || ran == 0 && n < 10_000; n++ { // on a busy machine it may be swapped at each look for a while
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
		res := call(t, s, "bash", map[string]any{"command": "echo hi; sleep 100", "timeout_ms": 1000})
		require.Contains(t, res.Text, "timeout: the command ran longer than 1s and was ended, but something that it started may still be running. Give it")
		return
	}
	againWithout(t, "/proc", variable)
}

// TestWithoutDevNull runs this test again where /dev is empty: what is missing is named,
// and not taken for the workspace.
func TestWithoutDevNull(t *testing.T) {
	t.Parallel()
	const variable = "SPILLWAY_TEST_WITHOUT_DEV"
	if os.Getenv(variable) != "" {
		s := newSuite(t, config.Config{}, nil)
		res := call(t, s, "bash", map[string]any{"command": "echo hi"})
		require.Equal(t, "io_error: the command could not be started: open /dev/null: no such file or directory", res.Text)
		return
	}
	againWithout(t, "/dev", variable)
}

// TestCwdThatMayNotBeEntered runs this test again as a user without rights, if there are any to drop.
func TestCwdThatMayNotBeEntered(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	testkit.NeedProc(t) // it starts itself by that
	const nobody = 65534
	if os.Geteuid() == 0 {
		temp, err := os.MkdirTemp("", "spillway-nobody-")
		require.NoError(t, err)
		defer os.RemoveAll(temp)
		require.NoError(t, os.Chmod(temp, 0o777))
		cmd := exec.Command("/proc/self/exe", "-test.v", "-test.run=^"+t.Name()+"$")
		cmd.Env, cmd.Dir = append(os.Environ(), "TMPDIR="+temp, "HOME="+temp), temp
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		out, err := cmd.CombinedOutput()
		if errors.Is(err, fs.ErrPermission) {
			t.Skip(err)
		}
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), "--- PASS: "+t.Name()+"/off")
		return
	}
	for _, engine := range []string{"off", "landlock", "bwrap"} {
		t.Run(engine, func(t *testing.T) {
			ws := t.TempDir()
			closed := filepath.Join(ws, "closed")
			require.NoError(t, os.MkdirAll(filepath.Join(closed, "below"), 0o700))
			require.NoError(t, os.Symlink("closed", filepath.Join(ws, "link")))
			s, err := tools.New(config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine), KeepState: true}}, all.Parts()...)
			need.Sandbox(t, err)
			defer s.Close()
			defer os.Chmod(closed, 0o700)
			for _, mode := range []fs.FileMode{0, 0o600, 0o400} {
				require.NoError(t, os.Chmod(closed, 0o700))
				require.Equal(t, "closed", call(t, s, "bash", map[string]any{"command": "cd closed"}).Details.(tools.BashResult).Cwd)
				require.NoError(t, os.Chmod(closed, mode))
				require.Contains(t, call(t, s, "bash", map[string]any{"command": "pwd"}).Text, "The working directory closed can no longer be entered")
				for _, background := range []bool{false, true} {
					for _, cwd := range []string{"closed", "link", closed + "/."} {
						res := call(t, s, "bash", map[string]any{"command": "pwd", "cwd": cwd, "background": background})
						require.Equal(t, "permission_denied: the directory "+cwd+" cannot be entered. Use another directory, or check its mode and owner with ls -ld", res.Text)
					}
					res := call(t, s, "bash", map[string]any{"command": "pwd", "cwd": "closed/below", "background": background})
					require.Equal(t, tools.CodePermissionDenied, res.Code, res.Text)
				}
				require.NoError(t, os.Chmod(closed, 0o100))
				require.Contains(t, call(t, s, "bash", map[string]any{"command": "pwd", "cwd": "closed"}).Text, "/closed\n", "it need not be readable")
			}
		})
	}
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
// It is alone: what another test starts may keep the mount in use.
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
	require.Equal(t, "hi\n\nThe exit code is unknown: the program that ran the command ignores SIGCHLD, or waits for all its children", res.Text)
}

// TestTimeoutShowsWhatWasPrinted gives the command more and more time to begin.
func TestTimeoutShowsWhatWasPrinted(t *testing.T) {
	t.Parallel()
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

// TestWithoutShell runs a command where the system has no shell. One that is in PATH, but not among
// the system's own programs, is not taken.
func TestWithoutShell(t *testing.T) {
	if !testkit.OwnMounts(t) {
		return
	}
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "sh"), []byte("#!"), 0o755))
	t.Setenv("PATH", bin)
	for _, dir := range filepath.SplitList(program.Path()) {
		if real, _ := filepath.EvalSymlinks(dir); real == dir {
			testkit.Bind(t, t.TempDir(), dir)
		}
	}
	s := newSuite(t, config.Config{}, nil)
	res := call(t, s, "bash", map[string]any{"command": "echo hi"})
	require.Equal(t, "io_error: the command could not be started: no shell: the program sh is not in "+program.Where+". "+
		"bash is not there either. The user can set Bash.Shell to the path of another shell. No command can run here; continue with the other tools", res.Text)
}
