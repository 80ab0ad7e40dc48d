package commands_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/internal/program"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/spillway-go/spillway/truncation"
	"github.com/stretchr/testify/require"
)

// TestBashShells keeps the state of each shell that is here, also of a command that the
// shell reads from a file.
func TestBashShells(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	if !proc.KeepsState {
		t.Skip("no shell hands on its state here")
	}
	for _, shell := range []string{"bash", "sh", "dash", "ksh", "mksh", "zsh"} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skip(err)
			}
			s := newSuite(t, config.Config{Bash: config.Bash{Shell: path, KeepState: true}}, map[string]string{"sub/file": ""})
			require.Contains(t, s.Tools()[1].Description(), "Run a command with "+shell+", in the workspace.")
			run := func(command string) string { return call(t, s, "bash", map[string]any{"command": command}).Text }
			require.Equal(t, "(no output)\n\n[The working directory is now sub/]", run("cd sub; export KEPT='a\nb'"))
			long := "echo \"$KEPT\"; export KEPT=later; echo *; (exit 3) #" + strings.Repeat("x", 200_000)
			require.Equal(t, "a\nb\nfile\n\n"+exit.WithCode(3), run(long))
			require.Equal(t, "later\n", run("echo $KEPT"))
		})
	}
}

// TestBashShellRefused gives New what is not a shell.
func TestBashShellRefused(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	ws := t.TempDir()
	file := filepath.Join(ws, "file")
	require.NoError(t, os.WriteFile(file, []byte("exit 7\n"), 0o600))
	noShell, err := exec.LookPath("true")
	require.NoError(t, err)
	for value, want := range map[string]string{
		"no-such-shell": "a program, by path or by its name in " + program.Where,
		file:            "a program, by path or by its name in " + program.Where,
		ws:              "a program, by path or by its name in " + program.Where,
		noShell:         "a shell that runs commands as POSIX describes, such as bash, dash, ksh or zsh",
	} {
		_, err := tools.New(config.Config{Workspace: ws, Bash: config.Bash{Shell: value}}, all.Parts()...)
		var refused *config.OptionError
		require.ErrorAs(t, err, &refused, value)
		require.Equal(t, "Bash.Shell", refused.Option)
		require.Equal(t, want, refused.Want, value)
	}
}

// TestBashFailOnExit compares a command's result with and without the option.
func TestBashFailOnExit(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	lax := newSuite(t, config.Config{}, nil)
	strict := newSuite(t, config.Config{Bash: config.Bash{FailOnExit: true}}, nil)
	for command, end := range map[string]string{
		"echo out":                  "",
		"echo out; exit 3":          exit.WithCode(3),
		"echo out; kill -SEGV $$":   exit.BySignal("SIGSEGV"),
		"echo out; no-such-program": exit.WithCode(127),
		"echo out; false || true":   "",
	} {
		if strings.Contains(end, "signal") && runtime.GOOS == "windows" {
			continue
		}
		args := map[string]any{"command": command}
		want, got := call(t, lax, "bash", args), call(t, strict, "bash", args)
		require.False(t, want.IsError, command)
		require.Equal(t, end != "", got.IsError, command)
		if end == "" {
			require.Equal(t, want.Text, got.Text)
			continue
		}
		require.Equal(t, tools.CodeIOError, got.Code)
		require.True(t, strings.HasSuffix(got.Text, end), got.Text)
		require.Equal(t, fmt.Sprintf("io_error: %s. If that is expected, end the command with || true\n\n", end)+want.Text, got.Text)
	}
}

// TestBashShow asks for each part of the output of one command.
func TestBashShow(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{Bash: config.Bash{MaxLines: 6, Policy: truncation.Policy{First: 2, Last: 1, Threshold: 100}}}, nil)
	show := func(part string) string {
		return call(t, s, "bash", map[string]any{"command": "seq 1000 1999", "show": part}).Text
	}
	require.Contains(t, show(""), "1994\n1995\n1996\n1997\n1998\n1999\n\n[Showing lines 995-1000 of 1000. "+suitetest.FullOutput(""))
	require.Equal(t, show("")[:20], show("tail")[:20])
	require.True(t, strings.HasPrefix(show("head"), "1000\n1001\n1002\n1003\n1004\n"), show("head"))
	require.NotContains(t, show("head"), "\n1999")
	both := show("both")
	require.True(t, strings.HasPrefix(both, "1000\n1001\n["), both)
	require.Contains(t, both, "]\n1999\n")
	require.Contains(t, both, suitetest.FullOutput(""))
	require.Equal(t, "invalid_input: show must be one of tail, head, both, digest, but it is middle", show("middle"))
}

// TestCommandLikeAnOption begins with what a shell takes for an option of its own.
func TestCommandLikeAnOption(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	for _, command := range []string{"-n", "+x", "--help", "-c true"} {
		res := call(t, s, "bash", tools.BashParams{Command: command})
		require.Contains(t, res.Text, "not found", command)
		require.Contains(t, res.Text, exit.WithCode(127), command)
	}
}
