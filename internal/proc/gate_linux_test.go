package proc

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"golang.org/x/sys/unix"
)

// TestGates checks that to a script it makes no difference which gate it is behind, and
// that no process gets by.
func TestGates(t *testing.T) {
	testkit.NeedProc(t)
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		os.WriteFile(b.path("startup"), []byte("started=yes\n"), 0o600)
		for _, env := range [][]string{nil, {"POSIXLY_CORRECT=1"}, {"BASH_ENV=" + b.path("startup")}} {
			c := b.command(`echo "$0 $# ${_spillway_gate-none} ${_spillway_script-none} $LINENO" $(ls /proc/self/fd); exit 3`)
			c.Env = append(c.Env, env...)
			if o, out := b.run(c); o.ExitCode != 3 || out != "bash 0 none none 1 0 1 2 3\n" {
				t.Errorf("%v: outcome %+v, output %q", env, o, out)
			}
			c = b.command(`echo "${BASH_ENV-none} ${started-no}"; bash -c 'echo "${BASH_ENV-none}"'`)
			c.Env = append(c.Env, env...)
			_, out := b.run(c)
			if given := strings.HasPrefix(out, b.path("startup")+" yes\n"); given != (len(env) > 0 && strings.HasPrefix(env[0], "BASH_ENV")) || !given && out != "none no\nnone\n" {
				t.Errorf("%v: output %q", env, out)
			}
			for range 5 {
				c := b.command("env -i setsid sleep $LONG >/dev/null 2>&1 &")
				c.Env = append(c.Env, env...)
				b.run(c)
			}
		}
		g.Close()
		b.noneLeft(0)
	})
}

// TestShellFor checks which gate each shell is behind: a shell that does not meet its gate would
// run a script that is not permitted to.
func TestShellFor(t *testing.T) {
	testkit.NeedProc(t)
	if findBash() == "" {
		t.Skip("no bash")
	}
	most := strings.Repeat("x", maxScriptArgument)
	for _, test := range []struct {
		name, shell, script string
		env                 []string
		start               string // of the argument of -c
		file                string // what descriptor 3 starts with
		variable            bool   // whether BASH_ENV names that
	}{
		{"bash", "", "echo", nil, "echo", fileGate, true},
		{"bash, as much as an argument may be", "", most, nil, most, fileGate, true},
		{"bash, more", "", most + "x", nil, bashGate + bashLoader, most + "x", false},
		{"bash, with a file of its own", "", "echo", []string{"BASH_ENV=x"}, bashGate + bashLoader, "echo", false},
		{"another shell", "/bin/sh", "echo", nil, plainGate + "echo", "", false},
		{"another shell, more", "/bin/sh", most, nil, plainGate + plainLoader, most, false},
	} {
		s, err := shellFor(Command{Shell: test.shell, Script: test.script, Env: test.env})
		must(t, err)
		file := ""
		if s.script != nil {
			text, err := io.ReadAll(s.script)
			must(t, err)
			file = string(text)
		}
		s.close()
		if last := s.argv[len(s.argv)-1]; last != test.start || file != test.file || (len(s.env) > 0) != test.variable {
			t.Errorf("%s: %.80q, a file with %.80q, variables %q", test.name, last, file, s.env)
		}
	}
}

// TestLimitInUse checks that an outcome does not say that all has ended where there could
// be no mark, because the program's own limit is inherited.
func TestLimitInUse(t *testing.T) {
	testkit.NeedProc(t)
	var limit unix.Rlimit
	if err := unix.Prlimit(0, unix.RLIMIT_RTTIME, nil, &limit); err != nil || limit.Cur != unix.RLIM_INFINITY {
		t.Skip("the limit is in use", err)
	}
	used := unix.Rlimit{Cur: 1 << 40, Max: limit.Max}
	for _, uncertain := range []bool{false, true} {
		if uncertain {
			if err := unix.Prlimit(0, unix.RLIMIT_RTTIME, &used, nil); err != nil {
				t.Skip(err)
			}
			defer unix.Prlimit(0, unix.RLIMIT_RTTIME, &limit, nil)
		}
		g := NewGroup()
		g.supervisor.noCgroup = true
		b := newBench(t, g)
		c := b.command("echo up; sleep $LONG")
		ctx, cancel := context.WithCancel(t.Context())
		c.Output = writerFunc(func(p []byte) (int, error) {
			cancel()
			return len(p), nil
		})
		o, err := g.Run(ctx, c)
		cancel()
		if err != nil || o.Reason != Canceled || o.Uncertain != uncertain {
			t.Errorf("%+v, %v: expected Uncertain to be %v", o, err, uncertain)
		}
		g.Close()
	}
}

// TestPlainShell checks that a shell which is not bash does with a script what it does with
// it as the argument of -c.
func TestPlainShell(t *testing.T) {
	dash, err := exec.LookPath("dash")
	if err != nil {
		t.Skip(err)
	}
	g := NewGroup()
	defer g.Close()
	b := newBench(t, g)
	for _, script := range []string{
		"", "echo hi", "exit 3", "#!/bin/sh\necho $0 $# $- \"$@\"", "echo $LINENO\n\necho $LINENO; no-such-command",
		"set -u; echo $undefined; echo not reached", "set -e\nfalse\necho not reached", "trap 'echo bye' EXIT; echo hi; exit 5",
		"cat <<'END'\n$x `y` \\\nEND\ncat <<END\n$0\nEND\n", "return 5; echo $?", "cat; read x; echo $?",
		"set | grep -i spillway_[gs]", "kill -KILL $$", "exec 3>&1; echo hi >&3", "echo a \\\n\n", "if ; then", "echo hi\nif ; then", "&& echo hi", "false",
	} {
		c := b.command(script)
		c.Shell = dash
		o, out := b.run(c)
		cmd := exec.Command(dash, "-c", script)
		cmd.Args[0], cmd.Dir, cmd.Env = "dash", c.Dir, c.Env
		want, _ := cmd.CombinedOutput()
		if out != string(want) || o.ExitCode != cmd.ProcessState.ExitCode() {
			t.Errorf("%q: outcome %+v, output %q; as an argument %v, %q", script, o, out, cmd.ProcessState, want)
		}
	}
}
