package commands_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/proc"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
)

const stateLost = "\n\n[The working directory, variables, functions and aliases stay as they were before this command: it replaced the shell (exec), " +
	"set a trap for EXIT, removed its directory, or exported more than 256KB]"

// newKeeping is a suite that keeps the state of bash.
func newKeeping(t *testing.T) *tools.Suite {
	if _, err := exec.LookPath("bash"); err != nil || !proc.KeepsState {
		t.Skip("no bash here that hands on its state")
	}
	return newSuite(t, config.Config{Bash: config.Bash{KeepState: true}}, map[string]string{"a/b/file": "", "a/c/file": ""})
}

// TestBashStateOfSubshells has subshells that end before they have forgotten the trap of their shell, which bash runs in
// them then: the state is that of the shell alone.
func TestBashStateOfSubshells(t *testing.T) {
	t.Parallel()
	s := newKeeping(t)
	rounds := 40
	if testing.Short() {
		rounds = 10
	}
	for range rounds {
		res := call(t, s, "bash", tools.BashParams{Command: "(while :; do :; done) & kill $!; echo bye"})
		require.Equal(t, "bye\n", res.Text)
	}
}

// TestBashState runs commands one after the other.
func TestBashState(t *testing.T) {
	t.Parallel()
	s := newKeeping(t)
	for _, step := range []struct{ command, cwd, want string }{
		{command: "cd a/b; export KEPT=1; own=1; set -f; exit 3", want: "(no output)\n\n[The working directory is now a/b/]\n\n" + exit.WithCode(3)},
		{command: `echo *; echo kept=$KEPT own=$own`, want: "file\nkept=1 own=\n"},
		{command: "echo *", cwd: "a", want: "b c\n\n[The working directory is now a/]"},
		{command: "unset KEPT; cd ..", want: "(no output)\n\n[The working directory is now the workspace]"},
		{command: "echo ${KEPT-unset}; cd a; cd - >/dev/null", want: "unset\n"},
		{command: "basename $OLDPWD; cd /", want: "a\n\n[The working directory is now /]"},
		{command: "pwd", want: "/\n"},

		// A directory that is gone.
		{command: "echo *", cwd: "a/b", want: "file\n\n[The working directory is now a/b/]"},
		{command: "rm -r ../b; export LOST=1", want: "(no output)" + stateLost},
		{command: "echo * $LOST", want: "a\n\n[The working directory a/b can no longer be entered, so this command ran in the workspace. The working directory is now the workspace]"},

		// A command that ends in another way changes nothing.
		{command: "export KEPT=2", want: "(no output)"},
		{command: "export KEPT=3; cd a; kill -KILL $$", want: "(no output)" + stateLost + "\n\n" + exit.BySignal("SIGKILL")},
		{command: "export KEPT=4; cd a; exec true", want: "(no output)" + stateLost},
		{command: "export KEPT=5; cd a; trap 'echo bye' EXIT", want: "bye" + stateLost},
		{command: "big=$(head -c 100000 /dev/zero | tr '\\0' x); export KEPT=6 A=$big B=$big C=$big", want: "(no output)" + stateLost},
		{command: "export KEPT=7; echo garbage >&147", want: "(no output)"},
		{command: "echo $KEPT; export KEPT=8; exec 147>&-", want: "7" + stateLost},
		{command: "echo $KEPT; set -e; export KEPT=9; false; export KEPT=10", want: "7\n\n" + exit.WithCode(1)},

		// Values of any bytes, functions, readonly variables. A trace does not show how they are saved.
		{command: "set -x; export BYTES=$'a\\nb\\xff\\n'", want: "+ export 'BYTES=a\nb\ufffd\n'\n+ BYTES='a\nb\ufffd\n'\n\n" +
			"[Not all of this is valid utf-8: \ufffd marks invalid bytes]"},
		{command: `readonly RO=5; export RO; f() { echo "in f: $1"; }; export -f f`, want: "(no output)"},
		{command: `printf %s "$BYTES" | od -An -tx1; f $RO; RO=6; echo $RO`, want: " 61 0a 62 ff 0a\nin f: 5\n6\n"},

		// What would change how the next shell starts.
		{command: "echo echo sourced >env.sh; export BASH_ENV=$PWD/env.sh; read() { echo mine; }; export -f read",
			want: "(no output)\n\n[Not kept for the next command, because they would keep a shell from starting: BASH_ENV, the function read]"},
		{command: "export SHELLOPTS PS4=x ENV=y BASH_ENV=z", want: "(no output)\n\n[Not kept for the next command, because they would keep a shell from starting: BASH_ENV, ENV, PS4, and 1 more]"},
		{command: "echo ${BASH_ENV-unset}; echo line | { read x; echo $x; }; rm env.sh", want: "unset\nline\n"},
	} {
		got := call(t, s, "bash", map[string]any{"command": step.command, "cwd": step.cwd}).Text
		// Where the script is loaded from a file, a trace has one plus more.
		require.Equal(t, step.want, strings.ReplaceAll(got, "++ ", "+ "), step.command)
	}
}

// TestBashStateSandboxed keeps the state of commands in each sandbox that works here.
func TestBashStateSandboxed(t *testing.T) {
	t.Parallel()
	newKeeping(t)
	for _, engine := range []string{"landlock", "bwrap"} {
		t.Run(engine, func(t *testing.T) {
			s, err := tools.New(config.Config{Workspace: t.TempDir(), Bash: config.Bash{KeepState: true, Sandbox: config.Sandbox(engine)}}, all.Parts()...)
			need.Sandbox(t, err)
			defer s.Close()
			require.Equal(t, "(no output)\n\n[The working directory is now sub/]", call(t, s, "bash", map[string]any{"command": "mkdir sub; cd sub; export KEPT=1"}).Text)
			require.Equal(t, "1 sub\n", call(t, s, "bash", map[string]any{"command": "echo $KEPT ${PWD##*/}"}).Text)
		})
	}
}

// TestBashStateTimeout ends a command that has changed everything.
func TestBashStateTimeout(t *testing.T) {
	s := newKeeping(t)
	require.Equal(t, "(no output)\n\n[The working directory is now a/]", call(t, s, "bash", map[string]any{"command": "cd a; export KEPT=1"}).Text)
	res := call(t, s, "bash", map[string]any{"command": "cd b; export KEPT=2; kill -STOP $$", "timeout_ms": 200})
	require.Equal(t, tools.CodeTimeout, res.Code)
	require.NotContains(t, res.Text, "working directory")
	res = call(t, s, "bash", map[string]any{"command": "echo $KEPT *"})
	require.Equal(t, "1 b c\n", res.Text)
	details, err := json.Marshal(res.Details)
	require.NoError(t, err)
	require.Contains(t, string(details), `"cwd":"a"`)
}

// TestBashStateConcurrent changes the directory and a variable together, in many calls at
// once: they stay together.
func TestBashStateConcurrent(t *testing.T) {
	t.Parallel()
	s := newKeeping(t)
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			call(t, s, "bash", map[string]any{"command": fmt.Sprintf("mkdir d%d; cd d%d; export NOW=d%d", i, i, i), "cwd": "."})
			res := call(t, s, "bash", map[string]any{"command": `[ "$NOW" = "${PWD##*/}" ]`})
			if details := res.Details.(tools.BashResult); details.ExitCode != 0 {
				t.Errorf("the state is of two commands: %s, %s", res.Text, details.Cwd)
			}
		})
	}
	all.Wait()
}

// TestBashStateSecret keeps what a command exports, whatever it is called, and writes it to
// no file.
func TestBashStateSecret(t *testing.T) {
	t.Parallel()
	s := newKeeping(t)
	require.Equal(t, "(no output)", call(t, s, "bash", map[string]any{"command": "export API_TOKEN=hush"}).Text)
	require.Equal(t, "hush\n", call(t, s, "bash", map[string]any{"command": "echo $API_TOKEN"}).Text)
	files, err := filepath.Glob(filepath.Join(s.Workspace(), ".clarvis", "*"))
	require.NoError(t, err)
	require.Empty(t, files)
}
