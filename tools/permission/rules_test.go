package permission_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
)

// answering is a Config.Ask that gives the same answer to every call, and notes what it was asked about.
type answering struct {
	answer config.Answer
	err    error
	mu     sync.Mutex
	calls  []config.Call
}

func (a *answering) ask(_ context.Context, call config.Call) (config.Answer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls = append(a.calls, call)
	return a.answer, a.err
}

// TestRulesOfCommands runs command lines under one rule: what it does not cover does not run.
func TestRulesOfCommands(t *testing.T) {
	t.Parallel()
	s := newSuite(t, allow("bash(echo hi)", "bash(readonly)"), map[string]string{"x/kept": "kept\n", "a.txt": "a\n"})
	for _, command := range []string{
		"echo hi; rm -rf x", "echo hi && rm -rf x", "echo hi | xargs rm -rf x", "echo $(rm -rf x)", "echo `rm -rf x`", "echo hi\nrm -rf x",
		"echo hi > x/kept", "cat <(rm -rf x)", "eval 'rm -rf x'", "sh -c 'rm -rf x'", "env rm -rf x", "x=rm; $x -rf x", "find x -delete",
		"echo hi &\nrm -rf x", "if true; then rm -rf x; fi", "f() { rm -rf x; }; f", "sort -o x/kept a.txt", "cat <<E\n$(rm -rf x)\nE", "(rm -rf x)",
	} {
		res := call(t, s, "bash", tools.BashParams{Command: command})
		require.Equal(t, tools.CodeDenied, res.Code, "%s: %s", command, res.Text)
		require.NotContains(t, res.Text, "\x00")
		kept, err := os.ReadFile(filepath.Join(s.Workspace(), "x", "kept"))
		require.NoError(t, err, command)
		require.Equal(t, "kept\n", string(kept), command)
	}
	for _, command := range []string{"echo hi", "cat a.txt | wc -l", "ls && cat a.txt; echo 'hi'", "cat a.txt > /dev/null 2>&1"} {
		res := call(t, s, "bash", tools.BashParams{Command: command})
		require.False(t, res.IsError, "%s: %s", command, res.Text)
	}
}

// TestRulesOfOtherShells sends what dash reads in another way than bash: there "[[ a || touch ]]" runs two commands, a
// quote in an expansion in double quotes is a character, and so is the dollar sign of $'...'.
func TestRulesOfOtherShells(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("dash"); err != nil {
		t.Skip("no dash here")
	}
	cfg := allow("bash(readonly)", "bash(echo *)")
	cfg.Bash.Shell = "dash"
	s := newSuite(t, cfg, nil)
	for _, command := range []string{"[[ a || touch ]]", `echo "${y:-'}"; touch x; echo "'}"`, `echo $'a\'; touch x #'`} {
		res := call(t, s, "bash", tools.BashParams{Command: command})
		require.Equal(t, tools.CodeDenied, res.Code, "%s: %s", command, res.Text)
	}
	require.False(t, call(t, s, "bash", tools.BashParams{Command: `echo "${y:-a}" | wc -l`}).IsError)
}

func TestRulesDefaults(t *testing.T) {
	t.Parallel()
	s := newSuite(t, allow("bash(true)"), map[string]string{"a.txt": "one\n"})
	for tool, args := range map[string]any{
		"read": tools.ReadParams{Path: "a.txt"}, "grep": tools.GrepParams{Pattern: "one"}, "find": tools.FindParams{Pattern: "*"},
		"ls": nil, "job": nil, "bash": tools.BashParams{Command: "true"},
	} {
		res := call(t, s, tool, args)
		require.False(t, res.IsError, res.Text)
	}
	res := call(t, s, "edit", tools.EditParams{Path: "a.txt", OldString: "one", NewString: "two"})
	require.Equal(t, tools.CodeDenied, res.Code)
	require.Contains(t, res.Text, "a.txt")
	require.Contains(t, res.Text, "nobody can be asked here")
	require.NoError(t, s.Add(greet("see", config.Effects{Reads: true}), greet("act")))
	require.False(t, call(t, s, "see", nil).IsError)
	require.Equal(t, tools.CodeDenied, call(t, s, "act", nil).Code)

	// Without rules, and without anybody to ask, every call is made.
	s = newSuite(t, config.Config{}, nil)
	require.False(t, call(t, s, "write", tools.WriteParams{Path: "a.txt", Content: "x"}).IsError)
}

// TestRulesOfSecrets tries to see a file that may not be read, with each tool.
func TestRulesOfSecrets(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	cfg := config.Config{
		Tools: config.ToolNames(), Rules: config.Rules{Allow: []string{"*"}, Deny: []string{"read(**/.env)"}},
	}
	s := newSuite(t, cfg, map[string]string{".env": "PASSWORD=" + secret + "\n", "sub/.env": secret + "\n", "a.txt": "PASSWORD\n"})
	need.Symlink(t, ".env", filepath.Join(s.Workspace(), "link"))
	for _, test := range []struct {
		tool string
		args any
	}{
		{"read", tools.ReadParams{Path: ".env"}},
		{"read", tools.ReadParams{Path: "link"}},
		{"read", tools.ReadParams{Path: "./sub/../sub/.env"}},
		{"read", tools.ReadParams{Path: ".env:1"}},
		{"read", tools.ReadParams{Paths: []string{"a.txt", "sub/.env"}}},
		{"grep", tools.GrepParams{Pattern: "PASSWORD", Path: ".env"}},
		{"edit", tools.EditParams{Path: ".env", OldString: "PASS", NewString: "x"}},
		{"edit", tools.EditParams{Path: "link", OldString: "PASS", NewString: "x"}},
		{"write", tools.WriteParams{Path: "sub/.env", Content: "x"}},
		{"apply_patch", map[string]any{"patch": "*** Begin Patch\n*** Delete File: .env\n*** End Patch"}},
		{"bash", tools.BashParams{Command: "cat .env"}},
		{"bash", tools.BashParams{Command: "cat < sub/.env"}},
		{"bash", tools.BashParams{Command: "cd sub; cat .env"}},
		{"bash", tools.BashParams{Command: "cat .env", Cwd: "sub"}},
		{"bash", tools.BashParams{Command: "cat li''nk"}},
		{"bash", tools.BashParams{Command: "cat .e*"}},
		{"bash", tools.BashParams{Command: "cat $f"}},
		{"bash", tools.BashParams{Command: "cp .env b.txt"}},
	} {
		res := call(t, s, test.tool, test.args)
		require.Equal(t, tools.CodeDenied, res.Code, "%s %v: %s", test.tool, test.args, res.Text)
		require.NotContains(t, res.Text, secret)
	}
	res := call(t, s, "grep", tools.GrepParams{Pattern: "PASSWORD|hunter"})
	require.Equal(t, "a.txt:1: PASSWORD\n\n[Skipped 2 files that rules do not let you read: .env, sub/.env]", res.Text)
	require.False(t, call(t, s, "bash", tools.BashParams{Command: "cat a.txt *.txt; ls"}).IsError)
}

// TestRulesOfLinks names links in rules that deny: what is refused by its own name, and by where it leads.
func TestRulesOfLinks(t *testing.T) {
	t.Parallel()
	cfg := config.Config{Rules: config.Rules{Allow: []string{"*"}, Deny: []string{"read(link)", "edit(dir/target)", "ls(gate)"}}}
	s := newSuite(t, cfg, map[string]string{"a.txt": "a\n", "dir/target": "a\n"})
	for link, to := range map[string]string{"link": "a.txt", "other": "a.txt", "through": "dir/target", "gate": "dir"} {
		need.Symlink(t, to, filepath.Join(s.Workspace(), link))
	}
	for _, test := range []struct {
		tool   string
		args   any
		denied bool
	}{
		{"read", tools.ReadParams{Path: "link"}, true},
		{"read", tools.ReadParams{Path: "other"}, false},
		{"edit", tools.EditParams{Path: "link", OldString: "a", NewString: "b"}, true},
		{"edit", tools.EditParams{Path: "through", OldString: "a", NewString: "b"}, true},
		{"edit", tools.EditParams{Path: "gate/target", OldString: "a", NewString: "b"}, true},
		{"edit", tools.EditParams{Path: "other", OldString: "a", NewString: "b"}, false},
		{"ls", tools.LsParams{Path: "gate"}, true},
		{"ls", tools.LsParams{Path: "dir"}, false},
	} {
		res := call(t, s, test.tool, test.args)
		require.Equal(t, test.denied, res.Code == tools.CodeDenied, "%s %v: %s", test.tool, test.args, res.Text)
	}
	blind := newSuite(t, config.Config{Rules: config.Rules{Allow: []string{"edit"}, Deny: []string{"read"}}}, map[string]string{"a.txt": "a\n"})
	for tool, args := range map[string]any{
		"read": tools.ReadParams{Path: "a.txt"}, "grep": tools.GrepParams{Pattern: "a"},
		"edit": tools.EditParams{Path: "a.txt", OldString: "x", NewString: "y"}, "write": tools.WriteParams{Path: "b.txt", Content: "x"},
	} {
		require.Equal(t, tools.CodeDenied, call(t, blind, tool, args).Code, tool)
	}
}

func TestRulesAskAboutReading(t *testing.T) {
	t.Parallel()
	a := &answering{answer: config.Answer{Decision: config.DecisionSession}}
	s := newSuite(t, config.Config{Rules: config.Rules{Ask: []string{"read(secret/**)"}}, Ask: a.ask},
		map[string]string{"secret/a": "needle\n", "b": "needle\n"})
	res := call(t, s, "grep", tools.GrepParams{Pattern: "needle"})
	require.Contains(t, res.Text, "Skipped 1 file that rules do not let you read: secret/a. Use path=secret/a to have the user asked")
	require.Empty(t, a.calls)
	require.Contains(t, call(t, s, "grep", tools.GrepParams{Pattern: "needle", Path: "secret/a"}).Text, "needle")
	require.Len(t, a.calls, 1)
}

// TestAsk gives each answer, and looks at what was asked.
func TestAsk(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		answer config.Answer
		err    error
		text   string // that the model reads; "" if the call is made
		again  int    // questions after a second call of the same kind
	}{
		{"no", config.Answer{}, nil, "denied: the user said no. Do not try it another way; ask what to do instead", 2},
		{"a reason", config.Answer{Reason: " use the \x1b[1m test \n"}, nil, `denied: the user said no: `, 2},
		{"once", config.Answer{Decision: config.DecisionOnce}, nil, "", 2},
		{"session", config.Answer{Decision: config.DecisionSession}, nil, "", 1},
		{"an error", config.Answer{Decision: config.DecisionOnce}, errors.New("nobody is here"), "denied: nobody is here", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := &answering{answer: test.answer, err: test.err}
			s := newSuite(t, config.Config{Ask: a.ask}, nil)
			for _, content := range []string{"one\n", "two\n"} {
				ctx := tools.WithCallID(t.Context(), "id-7")
				_, err := s.Write(ctx, tools.WriteParams{Path: "a.txt", Content: content})
				if test.text == "" {
					require.NoError(t, err)
				} else {
					require.Equal(t, tools.CodeDenied, tools.CodeOf(err))
					require.True(t, strings.HasPrefix(err.Error(), test.text), err.Error())
					require.NotContains(t, err.Error(), "\x1b")
				}
			}
			require.Len(t, a.calls, test.again)
			asked := a.calls[0]
			require.Equal(t, "id-7", asked.ID)
			require.Equal(t, []string{"edit(a.txt)"}, asked.Session)
			require.Contains(t, asked.Why, "a.txt")
			require.Len(t, asked.Paths, 1)
			require.Equal(t, config.UseCreate, asked.Paths[0].Use)
		})
	}
}

// TestAskShowsWhatIsDone checks that the preview of a call that is asked about is what happens.
func TestAskShowsWhatIsDone(t *testing.T) {
	t.Parallel()
	var shown string
	s := newSuite(t, config.Config{Ask: func(ctx context.Context, call config.Call) (config.Answer, error) {
		var err error
		shown, err = call.Preview(ctx)
		return config.Answer{Decision: config.DecisionOnce}, err
	}}, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	res := call(t, s, "edit", tools.EditParams{Path: "a.txt", OldString: "two", NewString: "2"})
	require.False(t, res.IsError, res.Text)
	require.Contains(t, shown, "--- a/a.txt\n+++ b/a.txt\n")
	require.Contains(t, shown, "-two\n+2\n")
}

// TestAskOneAtATime makes many calls at once: no two are asked about at a time, and an answer for the session holds for
// those that wait.
func TestAskOneAtATime(t *testing.T) {
	t.Parallel()
	var now, most, asked atomic.Int32
	s := newSuite(t, config.Config{Ask: func(context.Context, config.Call) (config.Answer, error) {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		asked.Add(1)
		time.Sleep(time.Millisecond)
		return config.Answer{Decision: config.DecisionSession}, nil
	}}, nil)
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			_, err := s.Write(context.Background(), tools.WriteParams{Path: "a.txt", Content: "x"})
			if err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	require.EqualValues(t, 1, most.Load())
	require.EqualValues(t, 1, asked.Load())
}

func TestAskEnds(t *testing.T) {
	t.Parallel()
	blocked := make(chan struct{})
	s := newSuite(t, config.Config{Ask: func(ctx context.Context, call config.Call) (config.Answer, error) {
		close(blocked)
		<-ctx.Done()
		return config.Answer{}, ctx.Err()
	}}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	write := func(ctx context.Context, done chan error) {
		_, err := s.Write(ctx, tools.WriteParams{Path: "a.txt", Content: "x"})
		done <- err
	}
	go write(ctx, first)
	<-blocked
	waiting, stop := context.WithCancel(t.Context())
	go write(waiting, second)
	stop()
	require.Equal(t, tools.CodeAborted, tools.CodeOf(<-second))
	cancel()
	require.Equal(t, tools.CodeAborted, tools.CodeOf(<-first))

	s = newSuite(t, config.Config{Ask: func(context.Context, config.Call) (config.Answer, error) { panic("asking") }}, nil)
	res := call(t, s, "write", tools.WriteParams{Path: "a.txt", Content: "x"})
	require.Equal(t, tools.CodeInternal, res.Code)
	require.NoFileExists(t, filepath.Join(s.Workspace(), "a.txt"))
}

// TestRulesOfJobs checks that what goes to a job is asked about, and waiting for it is not.
func TestRulesOfJobs(t *testing.T) {
	t.Parallel()
	s := newSuite(t, allow("bash"), nil)
	id := started(t, s, "read x; echo over")
	require.False(t, call(t, s, "job", tools.JobParams{ID: id, WaitMs: 1}).IsError)
	for _, p := range []tools.JobParams{{ID: id, Input: "x\n"}, {ID: id, Signal: "kill"}} {
		require.Equal(t, tools.CodeDenied, call(t, s, "job", p).Code)
	}
	s = newSuite(t, allow("bash", "job"), nil)
	id = started(t, s, "read x; echo over")
	require.Contains(t, job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "over", WaitMs: long}).Text, "over")
}

func TestRulesRefused(t *testing.T) {
	for _, rule := range []string{"", "edit(", "edit()", "bash(git 'log)", "edit([a)", "job(1)", "bash(a", "bash(a) b", "edit(a\nb)"} {
		_, err := tools.New(config.Config{Workspace: t.TempDir(), Rules: config.Rules{Ask: []string{rule}}}, all.Parts()...)
		var refused *config.OptionError
		require.ErrorAs(t, err, &refused, rule)
		require.Equal(t, "Rules.Ask", refused.Option)
	}
	file := filepath.Join(t.TempDir(), "spillway.json")
	require.NoError(t, os.WriteFile(file, []byte("{\n  \"rules\": {\"deny\": [\"bash(git push *)\", \"edit(\"]}\n}\n"), 0o600))
	cfg, err := config.Load(file)
	require.NoError(t, err)
	_, err = tools.New(cfg, all.Parts()...)
	require.ErrorContains(t, err, file+":2: Rules.Deny is \"edit(\"")
	t.Setenv("SPILLWAY_RULES_ALLOW", "bash(git log --format=%h,%s *),edit(src/**)")
	cfg, err = config.FromEnv(config.Config{})
	require.NoError(t, err)
	require.Equal(t, []string{"bash(git log --format=%h,%s *)", "edit(src/**)"}, cfg.Rules.Allow)
}

// TestRulesOfGitElsewhere starts git in a directory of the workspace that is a repository of its own, whose
// configuration names a program.
func TestRulesOfGitElsewhere(t *testing.T) {
	t.Parallel()
	s := newSuite(t, allow("bash(readonly)", "bash(git status)", "bash(git log *)"), map[string]string{
		"sub/HEAD": "ref: refs/heads/main\n", "sub/config": "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = \"touch ran; false\"\n",
		"sub/objects/x": "", "sub/refs/x": "",
	})
	for _, p := range []tools.BashParams{
		{Command: "git status", Cwd: "sub"}, {Command: "cd sub && git status"}, {Command: "git -C sub status"}, {Command: "git --git-dir=sub status"},
		{Command: "(cd sub; git log)"}, {Command: "git log -1", Cwd: "sub"}, {Command: "env -C sub git status"}, {Command: "pushd sub; git status"},
	} {
		res := call(t, s, "bash", p)
		require.Equal(t, tools.CodeDenied, res.Code, "%v: %s", p, res.Text)
		require.NoFileExists(t, filepath.Join(s.Workspace(), "sub", "ran"))
	}
}
