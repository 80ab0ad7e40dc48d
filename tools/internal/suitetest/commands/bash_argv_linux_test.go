package commands_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestCommandInNoArgument looks for the text of a command in the arguments of every process while the command runs, as
// pgrep -f and pkill -f do: pkill -f would end the call, and a loop with pgrep -f would not end
// (anthropics/claude-code#93607).
func TestCommandInNoArgument(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	testkit.NeedProc(t)
	busybox, noBusybox := exec.LookPath("busybox")
	for i, shell := range []string{"bash", "dash", "ash"} {
		if _, err := exec.LookPath(shell); err != nil && (shell != "ash" || noBusybox != nil) {
			continue
		}
		for j, engine := range []config.Sandbox{config.SandboxOff, config.SandboxLandlock, config.SandboxBwrap} {
			for k, keep := range []bool{false, true} {
				if testing.Short() && (i+j+k)%2 != 0 {
					continue // each shell with each engine, one way or the other
				}
				t.Run(fmt.Sprintf("%s %s %v", shell, engine, keep), func(t *testing.T) {
					t.Parallel()
					dir, path := t.TempDir(), shell
					if shell == "ash" { // in the workspace, as a sandbox has a /tmp of its own
						path = filepath.Join(dir, shell)
						require.NoError(t, os.Symlink(busybox, path))
					}
					s, err := tools.New(config.Config{
						Workspace: dir, Bash: config.Bash{Shell: path, Sandbox: engine, KeepState: keep},
						Jobs: config.Jobs{Settle: time.Millisecond},
					}, all.Parts()...)
					if engine != config.SandboxOff {
						need.Sandbox(t, err)
					}
					require.NoError(t, err)
					defer s.Close()
					for l, how := range []map[string]any{{}, {"background": true}, {"background": true, "tty": true}} {
						for m, padding := range []string{"", fmt.Sprintf("\n#%0200000d", 0)} {
							if testing.Short() && (i+l+m)%2 != 0 {
								continue // each way to run it, with a short command or a long one
							}
							t.Run(fmt.Sprint(how, len(padding)), func(t *testing.T) { inNoArgument(t, s, how, padding) })
						}
					}
				})
			}
		}
	}
}

// inNoArgument runs a command that has a subshell and waits, and fails if a process has the command among its arguments.
func inNoArgument(t *testing.T, s *tools.Suite, how map[string]any, padding string) {
	dir := s.Workspace()
	up, down := filepath.Join(dir, "up"), filepath.Join(dir, "down")
	for _, name := range []string{up, down} {
		require.NoError(t, unix.Mkfifo(name, 0o600))
		defer os.Remove(name)
	}
	marker := fmt.Sprintf("marker-%d", os.Getpid())
	args := map[string]any{"command": "(read x <up2; :) & : " + marker + "; echo $! >up; read x <down; kill $!; echo $x" + padding}
	require.NoError(t, unix.Mkfifo(up+"2", 0o600))
	defer os.Remove(up + "2")
	for name, value := range how {
		args[name] = value
	}
	done := make(chan tools.Result, 1)
	go func() { done <- call(t, s, "bash", args) }()
	started := make(chan error, 1)
	go func() {
		pid, err := os.ReadFile(up)
		if err == nil && len(bytes.TrimSpace(pid)) == 0 {
			err = io.ErrUnexpectedEOF
		}
		started <- err
	}()
	require.NoError(t, <-started)
	own, err := os.Stat(dir)
	require.NoError(t, err)
	processes, err := filepath.Glob("/proc/[0-9]*") // a pattern with the file's name would list each directory
	require.NoError(t, err)
	shells := 0
	for _, process := range processes {
		line, _ := os.ReadFile(filepath.Join(process, "cmdline"))
		if bytes.Contains(line, []byte(marker)) {
			t.Errorf("%s: %.300q", process, line)
		}
		cwd, _ := os.Stat(filepath.Join(process, "cwd"))
		if os.SameFile(cwd, own) && (bytes.Contains(line, []byte("<&3")) || bytes.Contains(line, []byte("-u 3 __"))) {
			shells++
		}
	}
	if shells < 2 {
		t.Errorf("of the shell and its subshell, %d were seen", shells)
	}
	require.NoError(t, os.WriteFile(down, []byte("bye\n"), 0o600))
	if res := <-done; how["background"] == nil {
		require.Equal(t, "bye\n", res.Text)
	}
}
