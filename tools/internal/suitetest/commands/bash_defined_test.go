package commands_test

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// TestBashDefined hands on functions and aliases, as nvm and the activate of a virtual environment need it.
func TestBashDefined(t *testing.T) {
	need.Part(t, "tools/permission")
	need.Proc(t)
	t.Parallel()
	s := newKeeping(t)
	const notKept = " A definition is not kept if its name is used to start a shell, if it cannot be parsed, or if all are over 256KB. " +
		"Define it again where it is needed]"
	for _, step := range []struct{ command, want string }{
		{"greet() { echo \"hello $1 ${KEPT-}\"; }; own=1; leave() { echo off; unset -f leave; }", "(no output)"},
		{"export KEPT=1; greet you; echo $own", "hello you 1\n\n"},
		{"leave; bash -c 'greet child' 2>&1", "off\nbash: line 1: greet: command not found\n\n" + exit.WithCode(127)},
		{"leave 2>&1", "bash: line 1: leave: command not found\n\n" + exit.WithCode(127)},
		{"set -e; shopt -s extglob\nmatch() { case $1 in @(a|b)) echo yes; esac; }; greet() { cat <<END\n}\n$1 }\nEND\n}", "(no output)"},
		{"shopt -s extglob; match a; greet again; shopt -o errexit", "yes\n}\nagain }\nerrexit        \toff\n\n" + exit.WithCode(1)},
		{"alias hi='echo \"hi  there\"'\nhi 2>/dev/null || shopt -s expand_aliases", "(no output)"},
		{"hi; unalias hi", "hi  there\n"},
		{"hi 2>&1; unset -f match greet", "bash: line 1: hi: command not found\n"},
		{"declare -F; alias", "(no output)"},
		{"f() { echo exported; }; export -f f; g() { f; }", "(no output)"},
		{"g; bash -c f; export -nf f", "exported\nexported\n"},
		{"g; bash -c f 2>/dev/null", "exported\n\n" + exit.WithCode(127)},
		{"unset -f f g; read() { builtin read \"$@\"; }; alias if=x", "(no output)\n\n[Not kept for the next command: the alias if, the function read." + notKept},
		{"echo $LINENO; declare -F; echo x | { read y; echo $y; }", "1\nx\n"},
		{"a() { :; }; . /dev/stdin <<<\"big() { : $(head -c 300000 /dev/zero | tr '\\0' x); }\"", "(no output)\n\n[Not kept for the next command: the function big." + notKept},
		{"declare -F; unset -f a", "declare -f a\n"},
		{"echo garbage >&148; k() { :; }", "(no output)"},
		{"declare -F", "declare -f k\n"},
	} {
		require.Equal(t, step.want, call(t, s, "bash", map[string]any{"command": step.command}).Text, step.command)
	}
}

// TestBashDefinedJob starts a job with the functions of the commands before it. What it defines does not carry over.
func TestBashDefinedJob(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/permission")
	newKeeping(t) // or skip
	s := newSuite(t, config.Config{Bash: config.Bash{KeepState: true}, Jobs: config.Jobs{Settle: time.Minute}}, nil)
	call(t, s, "bash", map[string]any{"command": "f() { echo in f; }"})
	require.Equal(t, "in f\n", call(t, s, "bash", map[string]any{"command": "f; g() { :; }", "background": true}).Text)
	require.Equal(t, "f\n", call(t, s, "bash", map[string]any{"command": "declare -F | cut -d' ' -f3"}).Text)
}

// TestBashDefinedHost has a function in the host's environment. Commands do not get it.
func TestBashDefinedHost(t *testing.T) {
	need.Part(t, "tools/permission")
	t.Setenv("BASH_FUNC_ls%%", "() { echo of the host; }")
	s := newKeeping(t)
	for range 2 {
		require.Equal(t, "a\n", call(t, s, "bash", map[string]any{"command": "ls; :() { builtin :; }"}).Text)
	}
}

// TestBashDefinedOther says of another shell what carries over.
func TestBashDefinedOther(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	for shell, want := range map[string]string{
		"":   "The working directory, exported variables, functions and aliases carry over",
		"sh": "The working directory and exported variables carry over to the next call; nothing else",
	} {
		s := newSuite(t, config.Config{Bash: config.Bash{KeepState: true, Shell: shell}}, nil)
		for _, tool := range s.Tools() {
			if tool.Name() == "bash" {
				require.Contains(t, tool.Description(), want)
			}
		}
	}
}

// TestBashDefinedInSh has a shell that cannot hand on functions say which it forgets.
func TestBashDefinedInSh(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/permission")
	dash, err := exec.LookPath("dash")
	if err != nil {
		t.Skip("no dash")
	}
	s := newSuite(t, config.Config{Bash: config.Bash{KeepState: true, Shell: dash}}, map[string]string{"env.sh": "g() { :; }\n"})
	for command, want := range map[string]string{
		"f() { echo f; }; f": "the function f. This shell is not bash",
		"alias ll='ls -l'; . ./env.sh; if :; then h() { :; }; fi": "the alias ll, what ./env.sh defines, the function h. This",
		"(f() { :; }); echo $(alias x=y)":                         "",
	} {
		text := call(t, s, "bash", tools.BashParams{Command: command}).Text
		if want == "" {
			require.NotContains(t, text, "Not kept")
			continue
		}
		require.Contains(t, text, "[Not kept for the next command: "+want)
	}
}

// TestBashDefinedJudged defines what hides a command that the rules allow. They ask then, as nobody has judged what the
// function does in its place.
func TestBashDefinedJudged(t *testing.T) {
	t.Parallel()
	newKeeping(t)
	for _, tt := range []struct {
		define, command string
		asked           bool
	}{
		{"git() { touch HIT; }", "git log", true},
		{"git() { touch HIT; }; export -f git", "git log", true},
		{"git() { touch HIT; }", "cat x | git log", true},
		{"git() { touch HIT; }", "nice ls", false},
		{"nice() { touch HIT; }", "nice ls", true},
		{"git() { touch HIT; }", "echo $(git log)", true},
		{"git() { touch HIT; }", "'git' log", true},
		{"git() { touch HIT; }", "ls", false},
		{"git() { touch HIT; }; unset -f git", "git log", false},
		{"ls() { touch HIT; }", "ls", true},
		{"cd() { touch HIT; }", "cd .", true},
		{"[() { touch HIT; }", "[ -e x ]", true},
		{"export() { touch HIT; }; builtin export -f export", "export A=1", true},
		{"let() { touch HIT; }; builtin export -f let", "let 1", true},
		{"declare() { touch HIT; }; builtin export -f declare", "declare a=1; ls", true},
		{"command_not_found_handle() { touch HIT; }", "ls", true},
		{"shopt -s expand_aliases; alias git='touch HIT;'", "git log", true},
		{"shopt -s expand_aliases; alias nice='nice ' ls='touch HIT;'", "nice ls", true},
		{"shopt -s expand_aliases; alias -- -l='touch HIT;' ls='ls '", "ls -l", true},
		{":", `printf 'git () \n{ \n touch HIT\n}\n' >&148`, true},
		{":", `printf 'PATH=.\0' >/dev/fd/147`, true},
		{":", `printf x 3<&147`, true},
		{":", `printf x >&2`, false},
		{":", `printf x >/dev/fd/2`, false},
	} {
		var asked []string
		s := newSuite(t, config.Config{
			Rules: config.Rules{Allow: []string{"bash(readonly)", "bash(git log *)", "bash(nice *)", "bash(printf *)", "bash(cd *)", "bash(export *)"}},
			Ask: func(_ context.Context, call config.Call) (config.Answer, error) {
				asked = append(asked, call.Why)
				return config.Answer{Decision: config.DecisionOnce}, nil
			},
			Bash: config.Bash{KeepState: true},
		}, map[string]string{"x": ""})
		call(t, s, "bash", tools.BashParams{Command: tt.define})
		asked = nil
		call(t, s, "bash", tools.BashParams{Command: tt.command})
		require.Equal(t, tt.asked, len(asked) > 0, "%s; %s: %s", tt.define, tt.command, strings.Join(asked, ", "))
	}
}

// TestBashDefinedMeanwhile defines a function after a command was judged, and before it runs: nobody has judged it with
// that.
func TestBashDefinedMeanwhile(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/permission")
	newKeeping(t)
	define := "greet() { echo changed; }"
	var s *tools.Suite
	s = newSuite(t, config.Config{
		Guard: func(ctx context.Context, c config.Call) error {
			if !strings.Contains(string(c.Args), "()") && define != "" {
				_, err := s.Bash(context.Background(), tools.BashParams{Command: define})
				return err
			}
			return nil
		},
		Bash: config.Bash{KeepState: true},
	}, nil)
	for _, define = range []string{"greet() { echo changed; }", "greet() { echo again; }", "greet() { :; }; export -f greet"} {
		res := call(t, s, "bash", tools.BashParams{Command: "greet"})
		require.Equal(t, "stale: another command has defined functions or aliases since this call was allowed. Make the call again", res.Text)
	}
	define = "true # ()"
	require.Equal(t, "(no output)", call(t, s, "bash", tools.BashParams{Command: "greet"}).Text)
}
