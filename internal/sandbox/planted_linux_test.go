//go:build amd64 || arm64

package sandbox_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// TestPlanted has a directory of the workspace in front of the PATH of the host program, as a
// virtual environment is. What a command has put there never runs, neither for a suite nor when
// its program dies.
func TestPlanted(t *testing.T) {
	testkit.Raced(t)
	for _, engine := range append([]string{"off"}, engines...) {
		t.Run(engine, func(t *testing.T) {
			ws := filepath.Join(outside(t), "workspace")
			bin, ran := filepath.Join(ws, "bin"), filepath.Join(ws, "ran")
			require.NoError(t, os.MkdirAll(bin, 0o700))
			t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
			cfg := config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine), KeepState: true}}
			s := newSuite(t, cfg)
			run(t, s, `mkdir planted; for name in bwrap sh bash grep rmdir kill env rm cat; do
				printf '#!/bin/sh\necho %s >>`+ran+`\nexit 1\n' $name >planted/$name
			done
			chmod +x planted/*; rmdir bin; mv planted bin`)
			require.NoError(t, s.Close())

			s, err := tools.New(cfg, all.Parts()...)
			need.Built(t, err)
			require.NoError(t, err)
			require.Equal(t, "a\n", run(t, s, "cd bin; echo a").Output)
			require.Equal(t, bin+"\n", run(t, s, "pwd").Output) // it was saved
			require.NoError(t, s.Close())
			cfg.Bash.Shell = "sh"
			s, err = tools.New(cfg, all.Parts()...)
			need.Built(t, err)
			require.NoError(t, err)
			require.Equal(t, "b\n", run(t, s, "echo b").Output)
			require.NoError(t, s.Close())

			host := exec.Command(os.Args[0])
			host.Dir, host.Env = ws, append(os.Environ(), roleVariable+"=host", "SPILLWAY_BASH_SANDBOX="+engine, "TMPDIR="+t.TempDir())
			out, err := host.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, host.Start())
			var pids []int
			require.NoError(t, json.NewDecoder(out).Decode(&pids))
			pids = append(pids, children(t, host.Process.Pid)...) // the guardian is one
			host.Process.Kill()
			host.Wait()
			for _, pid := range pids {
				require.Eventually(t, func() bool { return !alive(pid) }, time.Minute, time.Millisecond)
			}
			text, err := os.ReadFile(ran)
			require.ErrorIs(t, err, os.ErrNotExist, string(text))
		})
	}
}

// TestReplaceable refuses a sandbox whose commands could replace what starts them.
func TestReplaceable(t *testing.T) {
	t.Parallel()
	sh, err := filepath.EvalSymlinks("/bin/sh")
	require.NoError(t, err)
	for _, engine := range engines {
		newSuite(t, config.Config{Bash: config.Bash{Sandbox: config.Sandbox(engine)}}) // or skip
		for _, root := range []string{"/", filepath.Dir(sh)} {
			_, err := tools.New(config.Config{Workspace: t.TempDir(), WritableRoots: []string{root}, Bash: config.Bash{Sandbox: config.Sandbox(engine)}}, all.Parts()...)
			require.ErrorContains(t, err, ": the program sh is ", root)
			require.ErrorContains(t, err, ", which sandboxed commands could replace: they may write to "+root)
		}
	}
}

// children returns the processes that a process has started.
func children(t *testing.T, pid int) (pids []int) {
	threads, err := filepath.Glob(filepath.Join("/proc", tostring(pid), "task/*/children"))
	require.NoError(t, err)
	for _, thread := range threads {
		list, err := os.ReadFile(thread)
		require.NoError(t, err)
		for _, field := range strings.Fields(string(list)) {
			child, err := strconv.Atoi(field)
			require.NoError(t, err)
			pids = append(pids, child)
		}
	}
	require.NotEmpty(t, pids)
	return pids
}

// TestShellOfWorkspace names a shell that commands may change: New runs it, too, in the sandbox.
func TestShellOfWorkspace(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		dir := outside(t)
		ws, out := filepath.Join(dir, "workspace"), filepath.Join(dir, "out")
		require.NoError(t, os.Mkdir(ws, 0o700))
		shell := filepath.Join(ws, "shell")
		require.NoError(t, testkit.WriteProgram(shell, []byte("#!/bin/sh\n(echo x >"+out+") 2>/dev/null\nexec /bin/sh \"$@\"\n"), 0o700))
		s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine), Shell: shell}})
		require.Equal(t, "a\n", run(t, s, "echo a").Output)
		_, err := os.Stat(out)
		require.ErrorIs(t, err, os.ErrNotExist)
	}
}
