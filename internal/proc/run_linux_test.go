package proc

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"golang.org/x/sys/unix"
)

func TestExits(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	tests := []struct {
		name, script, output string
		code                 int
		signal               string
	}{
		{"nothing", "", "", 0, ""},
		{"output", "echo hi", "hi\n", 0, ""},
		{"code", "exit 3", "", 3, ""},
		{"last command", "true; false", "", 1, ""},
		{"not found", "no-such-command 2>/dev/null", "", 127, ""},
		{"signal", "kill -SEGV $$", "", -1, "SIGSEGV"},
		{"terminated", "kill $$", "", -1, "SIGTERM"},
		{"signal of a child", "{ bash -c 'kill -KILL $$'; } 2>/dev/null; echo $?", "137\n", 0, ""},
		{"real-time signal", "kill -40 $$", "", -1, "signal 40"},
		{"closed output", "exec >&- 2>&-; sleep 0.1; exit 4", "", 4, ""},
		{"no input", "cat; echo $?", "0\n", 0, ""},
		{"no terminal", "(: </dev/tty) 2>/dev/null || echo none", "none\n", 0, ""},
		{"own session", `read -r _ _ _ _ group session _ </proc/self/stat; [ $group = $$ ] && [ $session = $$ ] && echo own`, "own\n", 0, ""},
		{"name", `echo "$0 $# $-"`, "bash 0 hBc\n", 0, ""},
		{"directory", `[ "$PWD" -ef . ] && [ -e marker ] && echo here`, "here\n", 0, ""},
		{"input", "readlink /proc/self/fd/0", "/dev/null\n", 0, ""},
		{"mixed output", `for ((i = 0; i < 2000; i++)); do echo o$i; echo e$i >&2; done`, mixed(2000), 0, ""},
		{"late output", `echo a > >(sleep 0.02; cat; echo b)`, "a\nb\n", 0, ""},
		{"blocking output", `head -c 3000000 /dev/zero | tr '\0' x | tail -c 2999999 | wc -c; printf '%2000000s' | tr ' ' x`,
			"2999999\n" + strings.Repeat("x", 2000000), 0, ""},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if strings.Contains(test.script, "/proc/") || strings.Contains(test.script, ">(") { // which is /dev/fd, a link to /proc
				testkit.NeedProc(t)
			}
			inTurn(t, i, func(t *testing.T, g *Group) {
				g.waitDelay = patience
				b := newBench(t, g)
				os.WriteFile(b.path("marker"), nil, 0o600)
				o, out := b.run(b.command(test.script))
				if o.Reason != Exited || o.ExitCode != test.code || o.Signal != test.signal || o.Background != nil {
					t.Errorf("outcome %+v", o)
				}
				if out != test.output {
					t.Errorf("output %.200q, want %.200q", out, test.output)
				}
				if o.Duration <= 0 || o.Duration > time.Minute {
					t.Errorf("duration %v", o.Duration)
				}
			})
		})
	}
}

// TestDescriptors checks that a script has its three descriptors (and the one that it lists
// them with), and none that the host program has open, close-on-exec or not.
func TestDescriptors(t *testing.T) {
	t.Parallel()
	testkit.NeedProc(t)
	for _, high := range []int{3, 77} {
		if fd, err := unix.FcntlInt(0, unix.F_DUPFD, high); err == nil { // without close-on-exec
			defer unix.Close(fd)
		}
	}
	inTurn(t, 1, func(t *testing.T, g *Group) {
		const script = "cd /proc/self/fd; echo *"
		b := newBench(t, g)
		for _, s := range []string{script, script + "\n#" + strings.Repeat("x", largeScript)} {
			if _, out := b.run(b.command(s)); out != "0 1 2 3\n" {
				t.Errorf("descriptors %q", out)
			}
		}
	})
}

func mixed(n int) string {
	var s strings.Builder
	for i := range n {
		s.WriteString("o" + itoa(i) + "\ne" + itoa(i) + "\n")
	}
	return s.String()
}

// largeScript is the size of a script that is too large for an argument.
const largeScript = 128 << 10

// TestLikeAnArgument checks that a script, of any size, does what it does as the argument of bash -c.
func TestLikeAnArgument(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	bash := findBash()
	if bash == "" {
		t.Skip("no bash")
	}
	like := strings.NewReplacer("bash: eval:", "bash: -c:", "line 1: ` ", "line 1: `")
	comment := "\n" + strings.Repeat("# "+strings.Repeat("x", 1021)+"\n", largeScript>>10)
	scripts := []string{
		"echo hi",
		"exit 3",
		"#!/bin/sh\necho $0 $# $- \"$@\"",
		"echo $LINENO\n\necho $LINENO; no-such-command",
		"set -u; echo $undefined; echo not reached",
		"set -e\nfalse\necho not reached",
		"trap 'echo bye' EXIT; echo hi; exit 5",
		"cat <<'END'\n$x `y` \\\nEND\ncat <<END\n$0\nEND\ncat <<<\"a  b\"",
		"return 5; echo $?",
		"set -- a b; shift; echo $1 $#",
		"f() { local x=1; echo $x; return 2; }; f; echo $?",
		"cat; read x; echo $?",
		"compgen -v | grep __",
		"kill -TERM $$",
		"printf '%s' '\x01\x7f\x80\xff\u00e9\r' | od -c",
		"exec 3>&1; echo hi >&3",
		"echo a \\\n\n",
		"alias x=y; shopt -s expand_aliases\nalias hi='echo hi'\nhi",
		"false",
		"ls / >/dev/null; no-such-command; cd /none",
		"if ; then",
		"echo a; if ; then",
		"echo a\nif ; then",
		"unclosed='",
		"echo ${-} $# ${1-none} $? ${BASH_SOURCE-none} ${#FUNCNAME[@]} $SHLVL $BASH_SUBSHELL",
		"f() { caller; no-such-command; }; f",
		"exec sh -c 'echo $0; exit 4'",
		"-x; +y",
		"set -o posix; . ./none; echo not reached",
		"PATH",
		"!",
		"set -o pipefail; false | true",
		"trap 'echo $LINENO' ERR\nfalse\n",
		"coproc cat; echo x >&${COPROC[1]}; read y <&${COPROC[0]}; echo $y",
	}
	g := NewGroup()
	defer g.Close()
	for _, script := range scripts {
		t.Run(script, func(t *testing.T) {
			b := newBench(t, g)
			c := b.command(script)
			cmd := exec.Command(bash, append(bashOptions, "-c", noOption(script))...)
			cmd.Args[0], cmd.Dir, cmd.Env = "bash", c.Dir, c.Env
			want, _ := cmd.CombinedOutput()
			signal := cmd.ProcessState.Sys().(syscall.WaitStatus).Signal()
			argument := Outcome{ExitCode: cmd.ProcessState.ExitCode(), Signal: unix.SignalName(signal)}
			for size, text := range map[string]string{"small": script, "large": script + comment} {
				c.Script = text
				o, out := b.run(c)
				if o.ExitCode != argument.ExitCode && (size == "small" || script != "false") || o.Signal != argument.Signal {
					t.Errorf("%s: %+v, as an argument %+v", size, o, argument)
				}
				// A syntax error names eval instead of -c, and shows line 1 behind a space.
				if out = like.Replace(out); out != string(want) {
					t.Errorf("%s: %q, as an argument %q", size, out, want)
				}
			}
		})
	}
}

func TestLargeScriptEdges(t *testing.T) {
	t.Parallel()
	t.Run("syntax error", func(t *testing.T) {
		g := NewGroup()
		defer g.Close()
		b := newBench(t, g)
		o, out := b.run(b.command("echo hi\n" + strings.Repeat("# x\n", largeScript) + "if ; then"))
		if o.ExitCode != 2 || !strings.HasPrefix(out, "hi\n") || !strings.Contains(out, "syntax error") {
			t.Errorf("outcome %+v, output %.300q", o, out)
		}
	})
	t.Run("every size", func(t *testing.T) {
		g := NewGroup()
		defer g.Close()
		b := newBench(t, g)
		sizes := []int{largeScript - 1, largeScript, largeScript + 1, 1 << 20, 8 << 20}
		if testing.Short() {
			sizes = sizes[:4] // bash takes its time
		}
		for _, size := range sizes {
			const tail = "\nexit 7"
			o, out := b.run(b.command("#" + strings.Repeat("x", size-1-len(tail)) + tail))
			if o.ExitCode != 7 || out != "" {
				t.Errorf("%d bytes: outcome %+v, output %.200q", size, o, out)
			}
		}
	})
	t.Run("file", func(t *testing.T) {
		f, err := unlinkedFile("abc")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		text := make([]byte, 8)
		if n, _ := f.Read(text); string(text[:n]) != "abc" {
			t.Errorf("%q", text[:n])
		}
	})
}

func TestCannotStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	os.WriteFile(file, nil, 0o600)
	good := Command{Script: "true", Dir: dir, Timeout: time.Minute, MaxOutput: 1}
	tests := []struct {
		name   string
		change func(*Command)
		want   error
		text   string
	}{
		{"missing directory", func(c *Command) { c.Dir += "/none" }, fs.ErrNotExist, dir + "/none"},
		{"not a directory", func(c *Command) { c.Dir = file }, syscall.ENOTDIR, file},
		{"relative directory", func(c *Command) { c.Dir = "x" }, fs.ErrInvalid, `"x"`},
		{"no directory", func(c *Command) { c.Dir = "" }, fs.ErrInvalid, "working directory"},
		{"no timeout", func(c *Command) { c.Timeout = 0 }, fs.ErrInvalid, "timeout"},
		{"no output limit", func(c *Command) { c.MaxOutput = 0 }, fs.ErrInvalid, "limit"},
		{"NUL", func(c *Command) { c.Script = "a\x00b" }, fs.ErrInvalid, "NUL"},
		{"huge environment", func(c *Command) { c.Env = []string{"X=" + strings.Repeat("x", 1<<20)} }, syscall.E2BIG, ""},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inTurn(t, i, func(t *testing.T, g *Group) {
				c := good
				test.change(&c)
				o, err := g.Run(context.Background(), c)
				if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
					t.Errorf("error %v, outcome %+v", err, o)
				}
				if g.supervisor.noCgroup && t.Name() == "cgroup" {
					t.Error("control groups were given up")
				}
			})
		})
	}
}

var soak = flag.Duration("soak", 0, "how long TestSoak runs")

// TestStartupFiles checks that bash reads none, even if it takes itself to be run by sshd
// at its first level, as it does with this environment.
func TestStartupFiles(t *testing.T) {
	t.Parallel()
	inTurn(t, 0, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		for _, name := range []string{".bashrc", ".bash_profile", ".profile", ".bash_login"} {
			os.WriteFile(b.path(name), []byte("echo "+name+"\n"), 0o600)
		}
		for _, variable := range []string{"SSH_CLIENT=::1 1 22", "SSH2_CLIENT=::1 1 22"} {
			c := b.command(`echo "$0 $# $- $LINENO"; nonsense; exit 3`)
			c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.dir, "LC_ALL=C", variable}
			const want = "bash 0 hBc 1\nbash: line 1: nonsense: command not found\n"
			if o, out := b.run(c); out != want || o.ExitCode != 3 {
				t.Errorf("with %s: outcome %+v, output %q", variable, o, out)
			}
		}
	})
}

// The state of the shell is saved by bash and by sh, also where the script has lost its PATH.
func TestKeepState(t *testing.T) {
	t.Parallel()
	inTurn(t, 1, func(t *testing.T, g *Group) {
		b := newBench(t, g)
		for _, shell := range []string{"", "/bin/sh"} {
			for _, script := range []string{"cd /; export A=1", "cd /; export A=1 PATH=/nowhere", "cd /; A=1; export A; false"} {
				c := b.command(script)
				c.Shell, c.KeepState = shell, true
				o, out := b.run(c)
				if o.State == nil || o.State.Dir != "/" || !slices.Contains(o.State.Env, "A=1") || out != "" {
					t.Errorf("%s in %q: %+v, output %q", script, shell, o.State, out)
				}
			}
		}
	})
}
