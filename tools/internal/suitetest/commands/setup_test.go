package commands_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// say runs a command, and returns the text of its result.
func say(t *testing.T, s *tools.Suite, command string) string {
	t.Helper()
	return call(t, s, "bash", tools.BashParams{Command: command}).Text
}

// withSetup is a suite with a script as Bash.Setup.
func withSetup(t *testing.T, cfg config.Bash, files map[string]string) *tools.Suite {
	newKeeping(t) // or skip
	return newSuite(t, config.Config{Bash: cfg}, files)
}

// TestSetup gives every command what the script leaves, and runs it once.
func TestSetup(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/permission")
	const script = "echo ran >>runs; echo not shown; export A=1 PATH=$PWD/bin:$PATH; own=2; f() { echo in f $A; }\n" +
		"alias hi='echo hi'; shopt -s expand_aliases; readonly A; cd bin"
	files := map[string]string{"bin/file": ""}
	s := withSetup(t, config.Bash{Setup: script}, files)
	view, err := s.With(tools.View{Tools: []string{"bash", "job"}})
	require.NoError(t, err)
	const want = "in f 1\nhi\nown= bin file\n"
	const command = "f\nhi; echo own=$own $(ls -d bin) $(ls bin); cd bin; export A=3; f() { echo changed; }"
	for range 2 {
		for _, text := range []string{
			say(t, s, command), say(t, view, command),
			call(t, s, "bash", tools.BashParams{Command: command, Background: true}).Text,
		} {
			shown, _, _ := strings.Cut(text, "\n[Job ") // a slow one below may have become a job
			require.Equal(t, want, shown)
		}
		res := call(t, s, "bash", tools.BashParams{Command: command, Background: true, TTY: true})
		require.Contains(t, strings.ReplaceAll(res.Text, "\r", ""), want)
	}
	runs, _, _ := strings.Cut(say(t, s, "cat runs; rm runs"), "\n[Job ")
	require.Equal(t, "ran\n", runs)

	kept := withSetup(t, config.Bash{Setup: script, KeepState: true}, files)
	require.Contains(t, say(t, kept, command), want+"\n[The working directory is now bin/]")
	require.Equal(t, "changed\nhi\n3\nfile\n", say(t, kept, "f\nhi; echo $A; ls"))
}

// TestSetupFiles runs the script again after a change of a file that it depends on.
func TestSetupFiles(t *testing.T) {
	t.Parallel()
	for _, keep := range []bool{false, true} {
		s := withSetup(t, config.Bash{Setup: ". ./env.sh", SetupFiles: []string{"env.sh", "more"}, KeepState: keep},
			map[string]string{"env.sh": "export A=1", "sub/file": ""})
		again := ""
		if keep {
			again = "\n[Bash.Setup ran again, because a file that it depends on has changed: variables, functions and aliases of " +
				"earlier commands are gone]"
		}
		require.Equal(t, "1\n", say(t, s, "echo $A"))
		say(t, s, "cd sub; export A=own B=own")
		call(t, s, "write", tools.WriteParams{Path: "env.sh", Content: "export A=22"})
		require.Equal(t, "22\n"+again, say(t, s, "echo $A $B"))
		require.Equal(t, keep, say(t, s, "basename $PWD") == "sub\n", "the directory stays")
		call(t, s, "write", tools.WriteParams{Path: "env.sh", Content: "export A=3; echo a; echo is wrong; false"})
		text := say(t, s, "echo ${A-none}")
		require.Contains(t, text, "none\n\n[Bash.Setup, which prepares the environment of commands, exited with code 1. "+
			`Commands run without what it sets. It printed last: "a\nis wrong". Correct what it reports, or tell the user; `+
			"it runs again when env.sh or more changes (touch is enough)")
		require.Equal(t, "none\n", say(t, s, "echo ${A-none}"), "it is told once")
		call(t, s, "write", tools.WriteParams{Path: "more", Content: "x"})
		require.Contains(t, say(t, s, "echo ${A-none}"), "exited with code 1", "it ran again")
		call(t, s, "write", tools.WriteParams{Path: "env.sh", Content: "export A=5; exit 0; false"})
		require.Equal(t, "5\n"+again, say(t, s, "echo $A"))
	}
}

// TestSetupFails has scripts that leave nothing. It is said once, to each view, and commands run without it.
func TestSetupFails(t *testing.T) {
	need.Proc(t)
	t.Parallel()
	const left = "left no environment: it replaced the shell (exec), set a trap for EXIT, removed its directory, or exported more than 256KB"
	for script, want := range map[string]string{
		"export A=1; sleep 1000":        "ran longer than 300ms (Bash.Timeout) and was ended",
		"export A=1; yes":               "printed more than 1MB and was ended",
		"export A=1; kill -9 $$":        "was ended by signal SIGKILL",
		"export A=1; set -e; false":     "exited with code 1",
		"export A=1; exec true":         left,
		"export A=1; trap : EXIT":       left,
		"export A=1; exec 147>&-":       left,
		"export A=1; if":                "exited with code 2",
		"export A=1; enable -n builtin": left,
		"export A=$(printf %0300000d)":  left,
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			timeout := time.Minute
			if strings.Contains(script, "sleep") {
				timeout = 300 * time.Millisecond
			}
			s := withSetup(t, config.Bash{Setup: script, Timeout: timeout, MaxCaptureBytes: 1 << 20}, nil)
			view, err := s.With(tools.View{})
			require.NoError(t, err)
			for _, s := range []*tools.Suite{s, view} {
				echo := tools.BashParams{Command: "echo ${A-none}", TimeoutMs: 60_000}
				text := call(t, s, "bash", echo).Text
				require.Contains(t, text, "none\n\n[Bash.Setup, which prepares the environment of commands, "+want+". ")
				require.Contains(t, text, "Tell the user: it is not run again in this session]")
				require.Less(t, len(text), 1100)
				require.Equal(t, "none\n", call(t, s, "bash", echo).Text)
			}
		})
	}
}

// TestSetupHostile has scripts whose state is kept but for what would change how a shell runs a command.
func TestSetupHostile(t *testing.T) {
	need.Part(t, "tools/permission")
	need.Proc(t)
	t.Parallel()
	const done = "\n[Bash.Setup, which prepares the environment of commands, is done. Not kept for the next command"
	for _, tt := range []struct{ script, command, want string }{
		{"export A=1 BASH_ENV=$PWD/x PS4='$(touch hit)' SHELLOPTS; echo touch hit >x", "set -x; echo $A; ls hit", done + ", because they would keep a shell"},
		{"PROMPT_COMMAND='touch hit'; export A=1", "echo $A; ls hit", "1\n"},
		{"export A=1 PROMPT_COMMAND='touch hit'", "echo $A; ls hit", "1\n"},
		{"export A=1; read() { touch hit; }; exec() { touch hit; }; trap() { touch hit; }", "echo $A; ls hit", done + ": the function exec, the function read, the function trap. "},
		{"export A=1; readonly A; readonly -f f; shopt -s extglob; f() { :; }", "A=1; f() { echo mine; }; f; echo $A", "mine\n1\n"},
		{"export A=1; a/b() { :; }; function é { :; }; function 'x@y' { :; }; f() { echo f; }", "f; echo $A", "f\n1\n"},
		{"export A=1; big=$(printf %01000000d)", "echo $A ${big-none}", "1 none\n"},
		{"export A=1; f() { echo f; }; . /dev/stdin <<<\"big() { : $(printf %0300000d); }\"", "echo $A", done + ": the function "},
		{"export A=1; for i in 1 2 3 4 5; do sleep 1000 & done", "echo $A", "1\n"},
		{"export A=1; exit 0; export A=2", "echo $A", "1\n"},
		{"export A=1; set -eu; shopt -s nullglob; umask 777; ulimit -n 20", "echo $A $none; false; : >new; cat new", "1\n"},
		{"export A=1; exec >&- 2>&- <&-", "echo $A; cat", "1\n"},
		{"cd /; export A=1; PWD=/nowhere", "echo $A; [ $PWD = / ] || echo elsewhere", "1\nelsewhere\n"},
	} {
		s := withSetup(t, config.Bash{Setup: tt.script}, nil)
		text := say(t, s, tt.command)
		require.Contains(t, text, tt.want, tt.script)
		require.Contains(t, text, "1", tt.script)
		require.NotContains(t, "\n"+text, "\nhit\n", tt.script)
	}
}

// TestSetupAtOnce has several calls wait for one run, one of which gives up.
func TestSetupAtOnce(t *testing.T) {
	t.Parallel()
	s := withSetup(t, config.Bash{Setup: "echo ran >>runs; until [ -e go ]; do sleep 0.01; done; export A=1"}, nil)
	ctx, cancel := context.WithCancel(context.Background())
	var all, gaveUp sync.WaitGroup
	texts := make([]string, 4)
	all.Go(func() { texts[0] = say(t, s, "echo $A") })
	waitForLine(t, s, "runs") // by a call that goes on
	gaveUp.Go(func() {
		_, err := s.Bash(ctx, tools.BashParams{Command: "touch never"})
		require.Equal(t, tools.CodeAborted, tools.CodeOf(err))
	})
	for i := range texts[1:] {
		all.Go(func() { texts[1+i] = say(t, s, "echo $A") })
	}
	_, err := s.Call(context.Background(), "write", []byte(`{"path": "first", "content": ""}`)) // no other tool waits
	require.NoError(t, err)
	cancel()
	gaveUp.Wait()
	call(t, s, "write", tools.WriteParams{Path: "go", Content: ""})
	all.Wait()
	require.Equal(t, []string{"1\n", "1\n", "1\n", "1\n"}, texts)
	require.Equal(t, "ran\n", say(t, s, "cat runs; ls never 2>/dev/null || :"))
}

// TestSetupLeavesNothing has runs that fail, or that nobody waits for any more, and then have no process left.
func TestSetupLeavesNothing(t *testing.T) {
	testkit.Raced(t)
	need.Proc(t)
	t.Parallel()
	const child = "(trap '' TERM HUP; exec sleep 1000) & echo $! >child; "
	for _, script := range []string{
		child + "exit 1", child + "kill -9 $$", child + "exec true", child + "trap : EXIT", child + "set -e; false",
		"setsid sleep 1000 & echo $! >child; exit 1",
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			s := withSetup(t, config.Bash{Setup: script, Timeout: time.Minute}, nil)
			require.Contains(t, say(t, s, "echo on"), "on\n")
			requireGone(t, s, script)
		})
	}
	s := withSetup(t, config.Bash{Setup: "echo ran >>runs; [ ! -e child ] || exit 0; " + child + "wait", Timeout: 10 * time.Minute}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	var gaveUp sync.WaitGroup
	for range 2 {
		gaveUp.Go(func() { _, _ = s.Bash(ctx, tools.BashParams{Command: "touch never"}) })
	}
	waitForLine(t, s, "child")
	cancel()
	gaveUp.Wait()
	requireGone(t, s, "canceled")
	require.Equal(t, "ran\nran\n", say(t, s, "cat runs; ls never 2>/dev/null || :"), "it runs again for the next call")

	kept := withSetup(t, config.Bash{Setup: child + "disown"}, nil)
	require.Equal(t, "alive\n", say(t, kept, "kill -0 $(cat child) && echo alive"), "what a run that did not fail leaves is wanted")
}

// waitForLine waits until a file is there and ends with a newline.
func waitForLine(t *testing.T, s *tools.Suite, name string) {
	t.Helper()
	require.Eventually(t, func() bool {
		data, err := os.ReadFile(filepath.Join(s.Workspace(), name))
		return err == nil && strings.HasSuffix(string(data), "\n")
	}, time.Minute, time.Millisecond, name)
}

// requireGone waits for the end of the process whose id is in the file child.
func requireGone(t *testing.T, s *tools.Suite, msg string) {
	t.Helper()
	pid := strings.TrimSpace(suitetest.ContentOf(t, s, "child"))
	require.Eventually(t, func() bool {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		return err != nil || strings.Contains(string(stat), ") Z ")
	}, 30*time.Second, time.Millisecond, msg)
}

// TestSetupClosed closes a suite whose script runs.
func TestSetupClosed(t *testing.T) {
	t.Parallel()
	s := withSetup(t, config.Bash{Setup: "touch begun; sleep 1000"}, nil)
	var err error
	var ended sync.WaitGroup
	ended.Go(func() { _, err = s.Bash(context.Background(), tools.BashParams{Command: "echo x"}) })
	for begun := false; !begun; {
		_, notYet := s.Read(context.Background(), tools.ReadParams{Path: "begun"})
		begun = notYet == nil
	}
	require.NoError(t, s.Close())
	ended.Wait()
	require.Equal(t, tools.CodeAborted, tools.CodeOf(err), "%v", err)
}

// TestSetupSandboxed runs the script as confined as a command.
func TestSetupSandboxed(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/permission")
	newKeeping(t)
	for _, engine := range []config.Sandbox{config.SandboxLandlock, config.SandboxBwrap} {
		t.Run(string(engine), func(t *testing.T) {
			base := t.TempDir()
			ws, outside := filepath.Join(base, "ws"), filepath.Join(base, "outside")
			require.NoError(t, os.Mkdir(ws, 0o700))
			s, err := tools.New(config.Config{Workspace: ws, Bash: config.Bash{
				Sandbox: engine, Setup: "export A=1; touch inside " + outside + " 2>/dev/null; f() { echo f; }; :",
			}}, all.Parts()...)
			need.Sandbox(t, err)
			defer s.Close()
			require.Equal(t, "1\nf\ninside\n", say(t, s, "echo $A; f; ls"))
			require.NoFileExists(t, outside)
		})
	}
}

// TestSetupSecrets masks the credentials that the script has set, in commands and in its own output.
func TestSetupSecrets(t *testing.T) {
	t.Parallel()
	newKeeping(t)
	const token = "h7Gq2kVx9LmT4sWz"
	run := func(redact config.Redact, script, command string) string {
		s := newSuite(t, config.Config{Redact: redact, Bash: config.Bash{Setup: script}}, nil)
		return say(t, s, command)
	}
	const set = "export MY_TOKEN=" + token + " PLAIN=hello-there-plain; "
	require.Contains(t, run(config.RedactOff, set, "echo $MY_TOKEN"), token)
	text := run(config.RedactKnown, set, "echo $MY_TOKEN ${#MY_TOKEN} $PLAIN; printenv MY_TOKEN | base64")
	require.NotContains(t, text, token)
	require.Contains(t, text, " 16 hello-there-plain\n", "the command has it")
	require.NotContains(t, text, "aDdHcTJrVng5TG1UNHNXeg")
	text = run(config.RedactKnown, set+"set -x; : $MY_TOKEN; false", "echo x")
	require.Contains(t, text, "exited with code 1")
	require.NotContains(t, text, token)
}

// TestSetupJudged has rules ask about a command that a function of the script hides.
func TestSetupJudged(t *testing.T) {
	t.Parallel()
	newKeeping(t)
	var asked []string
	s := newSuite(t, config.Config{
		Rules: config.Rules{Allow: []string{"bash(readonly)"}},
		Ask: func(_ context.Context, c config.Call) (config.Answer, error) {
			asked = append(asked, c.Why)
			return config.Answer{Decision: config.DecisionOnce}, nil
		},
		Bash: config.Bash{Setup: "ls() { echo mine; }"},
	}, nil)
	require.Equal(t, "x\n", say(t, s, "echo x"))
	require.Empty(t, asked)
	require.Equal(t, "mine\n", say(t, s, "ls"))
	require.Len(t, asked, 1)
	require.Contains(t, asked[0], "ls may be what Bash.Setup or an earlier command has defined")
}

// TestSetupInSh hands on the variables of a shell that cannot hand on functions, and says so.
func TestSetupInSh(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := withSetup(t, config.Bash{Shell: "sh", Setup: "export A=1; f() { :; }"}, nil)
	text := say(t, s, "echo $A")
	require.True(t, strings.HasPrefix(text, "1\n"), text)
	if !strings.HasSuffix(text, "1\n") { // sh is not bash
		require.Contains(t, text, "is done. Not kept for the next command: the function f. This shell is not bash")
	}
}
