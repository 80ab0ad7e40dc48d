//go:build unix

package rules_test

import (
	"bufio"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/rules"
	"github.com/spillway-go/spillway/internal/testkit"
)

// canary is a directory with programs called ls, which note that they were run. PATH does not lead there.
type canary struct{ dir, ran string }

func newCanary(t *testing.T) *canary {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	c := &canary{dir: t.TempDir()}
	c.ran = filepath.Join(t.TempDir(), "ran")
	for _, dir := range []string{".", "a", "0", "1", "10", "11", "12", "13"} {
		require.NoError(t, os.MkdirAll(filepath.Join(c.dir, dir), 0o755))
		script := "#!/bin/sh\n: >" + c.ran + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(c.dir, dir, "ls"), []byte(script), 0o755))
	}
	return c
}

// sings reports whether bash runs a program of the workspace for a line.
func (c *canary) sings(t *testing.T, line string) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "--norc", "-c", line)
	cmd.Dir = c.dir
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + c.dir, "LC_ALL=C", "prompt=p"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	_ = cmd.Run() // lines may fail
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	err := os.Remove(c.ran)
	return err == nil
}

// TestAssigning runs the lines of testdata/assigning.txt. What is allowed runs no program of the workspace, and what is
// asked about does, so that each question has its reason.
func TestAssigning(t *testing.T) {
	c := newCanary(t)
	require.True(t, c.sings(t, "./ls"))
	require.True(t, c.sings(t, "PATH=a; ls"))
	require.False(t, c.sings(t, "ls"))
	f, err := os.Open("testdata/assigning.txt")
	require.NoError(t, err)
	defer f.Close()
	rows, reasoned := 0, false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		verdict, line, _ := strings.Cut(lines.Text(), ": ")
		reasoned = reasoned || lines.Text() == "## with reason"
		if verdict != "allow" && verdict != "ask" {
			continue
		}
		rows++
		if sang := c.sings(t, line); sang != (verdict == "ask" && !reasoned) {
			t.Errorf("%s: a program of the workspace ran: %v", lines.Text(), sang)
		}
	}
	require.Greater(t, rows, 100)
}

// TestRandomAssigning puts builtins, options and names together at random. A line that is allowed runs no program of the
// workspace.
func TestRandomAssigning(t *testing.T) {
	c := newCanary(t)
	set := rules.New(allowedToAssign(), nil, nil)
	r := rand.New(rand.NewPCG(41, 2))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	runs, harmful := 0, 0
	for range testkit.Some(5_000) {
		line := pick(before) + pick(around) + pick(assigning)
		for range r.IntN(6) {
			line += " " + pick(parts)
		}
		line += pick(behind)
		if set.Judge(bash(line)).Decision != rules.Allowed {
			harmful++
			continue
		}
		runs++
		if c.sings(t, line) {
			t.Errorf("%q is allowed, and runs a program of the workspace", line)
		}
	}
	require.Greater(t, runs, 100)
	require.Greater(t, harmful, 100)
}

var (
	assigning = strings.Fields("read mapfile readarray getopts printf unset wait declare typeset export readonly local let " +
		"set shopt test [ command builtin eval trap exec true alias hash enable jobs compgen cd type")
	around = []string{"", "", "", "builtin ", "command ", "command -p ", "command -- ", "builtin -- ", "eval ", "eval -- ",
		"x=1 ", "exec ", "env "}
	before = []string{"", "", "", "set -- -a PATH; ", "x=PATH; ", "x=--; ", "x='a PATH'; ", "x='y[$(./ls)]'; ", "y=(1); ",
		"true & ", "f() { ls; }; ", "export x; ", "for i in 1 2; do ls; "}
	parts = strings.Split("PATH|PATH|PATH=a|PATH+=a|x|x=a|y|a|--|--|-|-a|-r|-ra|-d|-n|-p|-t|-v|-vx|-vPATH|-x|-i|-u|-C|-c|-f|"+
		"-np|-td|-aPATH|-rd|-oe|-o|-k|+x|a%n|%n|%s|1|0|$x|\"$x\"|$1|\"$@\"|'x[$(./ls)]'|x[PATH=1]|y[x]|$((x))|${x}|"+
		"'y=($(./ls))'|./ls|ls|'PATH=a'|]|-eq|=|posix|keyword|expand_aliases|ls=./ls|EXIT|DEBUG|''|*|${x:=a}|${PATH:=a}|"+
		"${x:-PATH}|{PATH,a}|{x,y}|\\PATH|P''ATH|-s", "|")
	behind = []string{"; ls", "; ls", " <<< a; ls", " <<< 'b a'; ls", "\nls", " && ls", "; ls", " | ls", "; done", "; f",
		"; PATH=$PATH ls", "; true; ls"}
)

// TestNamesThatRunPrograms: whichever builtin or syntax assigns a variable by which a program finds another one, or what it
// is to do, it is asked about.
func TestNamesThatRunPrograms(t *testing.T) {
	set := rules.New(allowedToAssign(), nil, nil)
	forms := strings.Split(`read -r -- N <<< a; ls|mapfile -t N <<< a; ls|getopts -- a N -a; ls|printf -v x -v N a; ls|`+
		`printf a%n N; ls|wait -np N; ls|unset -v -- N; ls|declare N=a; ls|readonly -- N=a; ls|export N=a; ls|N=a; ls|N=a ls|`+
		`N+=a ls|env N=a ls|for N in a; do ls; done|select N in a; do ls; done|: ${N:=a}; ls|: $((N=1)); ls|let N=1; ls|`+
		`exec {N}> out; ls|coproc N { ls; }|N[0]=a; ls|N=(a); ls|eval export N=a; ls|f() { ls; }; export N=a; f`, "|")
	for name := range strings.FieldsSeq(`PATH BASH_ENV ENV LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES GIT_DIR
		GIT_CONFIG_COUNT GIT_SSH_COMMAND GIT_PAGER PAGER EDITOR VISUAL PS4 PROMPT_COMMAND SHELLOPTS BASHOPTS CDPATH HOME
		XDG_CONFIG_HOME SHELL GOFLAGS CC NODE_OPTIONS PYTHONPATH PERL5OPT RUBYOPT RIPGREP_CONFIG_PATH TAR_OPTIONS GREP_OPTIONS
		LESSOPEN MANPAGER BROWSER TMPDIR BASH_FUNC_ls BASH_CMDS BASH_ALIASES EXECIGNORE GLOBIGNORE npm_config_script_shell
		http_proxy`) {
		for _, form := range forms {
			line := strings.ReplaceAll(form, "N", name)
			if got := set.Judge(bash(line)); got.Decision != rules.Asked {
				t.Errorf("%q is judged as %s", line, decisions[got.Decision])
			}
		}
	}
}

// allowedToAssign are rules that allow the builtins that assign, and ls.
func allowedToAssign() []string {
	allowed := []string{"bash(ls *)", "bash(true)", "bash(env *)", "edit(out)"}
	for _, name := range assigning {
		allowed = append(allowed, "bash("+name+" *)")
	}
	return allowed
}
