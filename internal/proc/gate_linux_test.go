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
	t.Parallel()
	testkit.NeedProc(t)
	eachMode(t, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		os.WriteFile(b.path("startup"), []byte("started=yes\n"), 0o600)
		for _, env := range [][]string{nil, {"POSIXLY_CORRECT=1"}, {"SHELLOPTS=posix:errexit"}, {"BASH_ENV=" + b.path("startup")}} {
			c := b.command(`echo "$0 $# ${__-none} ${___-none} $LINENO" $(ls /proc/self/fd); exit 3`)
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
			for range testkit.Few(5) {
				c := b.command("env -i setsid sleep $LONG >/dev/null 2>&1 &")
				c.Env = append(c.Env, env...)
				b.run(c)
			}
		}
		g.Close()
		b.noneLeft(0)
	})
}

// TestShellFor checks that each shell is behind its gate: one that does not meet it would run a script that is not
// permitted to. No argument has the script.
func TestShellFor(t *testing.T) {
	testkit.NeedProc(t)
	if findBash() == "" {
		t.Skip("no bash")
	}
	short := strings.Repeat("x", maxLines)
	for _, test := range []struct {
		name, shell, script string
		keep                bool
		loader              string
	}{
		{"bash", "", "echo", false, bashLoader},
		{"bash, more", "", strings.Repeat("x", 1<<20), false, bashLoader},
		{"bash, with a state", "", "echo", true, bashPrelude + bashLoader},
		{"another shell", "/bin/sh", "echo", false, lineLoader},
		{"another shell, as much as it reads in lines", "/bin/sh", short, false, lineLoader},
		{"another shell, more", "/bin/sh", short + "x", false, plainLoader},
	} {
		s, err := shellFor(Command{Shell: test.shell, Script: test.script, KeepState: test.keep, Sandbox: Unconfined{}})
		must(t, err)
		file, err := io.ReadAll(s.script)
		must(t, err)
		s.close()
		if last := s.argv[len(s.argv)-1]; last != gate+test.loader || !strings.HasSuffix(string(file), test.script) {
			t.Errorf("%s: %.80q, a file with %.80q", test.name, last, file)
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
	t.Parallel()
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
		"set | grep ^__", "echo 'Á\u0308\x81\x88\xff'", "\n\n  \\\n echo a \\\\ b\\ c\t\n\n", "kill -KILL $$", "exec 3>&1; echo hi >&3", "echo a \\\n\n", "if ; then", "echo hi\nif ; then", "&& echo hi", "false",
	} {
		c := b.command(script)
		c.Shell = dash
		cmd := exec.Command(dash, "-c", script)
		cmd.Args[0], cmd.Dir, cmd.Env = "dash", c.Dir, c.Env
		want, _ := cmd.CombinedOutput()
		for size, text := range map[string]string{"small": script, "large": script + "\n#" + strings.Repeat("x", maxLines)} {
			c.Script = text
			o, out := b.run(c)
			if code := cmd.ProcessState.ExitCode(); o.ExitCode != code && (size == "small" || script != "false") {
				t.Errorf("%s, %q: outcome %+v, as an argument %v", size, script, o, cmd.ProcessState)
			}
			// dash names the command eval in its messages.
			if out = strings.ReplaceAll(out, ": eval:", ":"); out != string(want) {
				t.Errorf("%s, %q: output %q, as an argument %q", size, script, out, want)
			}
		}
	}
}
