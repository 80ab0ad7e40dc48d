//go:build amd64 || arm64

package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/program"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

const identity = "-c user.name=a -c user.email=a@b "

// works are commands that a sandbox must not keep from working.
var works = []struct {
	name, program, command, want string
	onlyBwrap                    bool
	short                        string // the engine under which -short runs it, as it is slow
}{
	{name: "redirections", command: "echo x >/dev/null 2>/dev/full; head -c 2 /dev/zero | wc -c; echo y >/dev/stdout", want: "2\ny"},
	{name: "here document", command: "cat <<E\n" + strings.Repeat("0123456789", 10_000) + "\nE", want: "0123456789"},
	{name: "large script", command: "# " + strings.Repeat("x", 100<<10) + "\necho done", want: "done"},
	{name: "temporary files", program: "mktemp", command: `f=$(mktemp) && echo x >"$f" && cat "$f" && rm "$f"`, want: "x"},
	{name: "process substitution", program: "bash", command: "cat <(echo x)", want: "x"},
	{name: "shared memory", command: "f=/dev/shm/spillway-test-$$; echo x >$f && cat $f && rm $f", want: "x"},
	{name: "exit code", command: "(exit 3); echo $?", want: "3"},
	{name: "git status", program: "git", command: "git status --porcelain", want: "??"},
	{name: "git commit", program: "git", command: "git add src && git " + identity + "commit -qm x && git log --format=%s", want: "x"},
	{name: "git worktree", program: "git", command: "git " + identity + "commit -q --allow-empty -m y; git worktree add -q tree && cd tree && git " + identity + "commit -q --allow-empty -m in-tree && git log -1 --format=%s", want: "in-tree"},
	{name: "make", program: "make", command: "make -sj4 all", want: "built"},
	{name: "python", short: "landlock", program: "python3", command: `python3 -c 'import multiprocessing as m, tempfile, subprocess, threading
if __name__ == "__main__":
    with tempfile.TemporaryFile() as f: f.write(b"x")
    l = m.Lock()
    print(subprocess.check_output(["echo", "child"]).decode())'`, want: "child"},
	{name: "node", short: "landlock", program: "node", command: `node -e 'require("child_process").execFile("echo", ["child"], (e, out) => console.log(e || out))'`, want: "child"},
	{name: "npm", short: "bwrap", program: "npm", command: "npm run --silent hello", want: "hello from npm"},
	{name: "terminal of its own", program: "script", onlyBwrap: true, command: "script -qec 'test -t 0 && echo on a terminal' /dev/null", want: "on a terminal"},
	{name: "server for itself", program: "python3", onlyBwrap: true, command: `python3 -c 'import socket
s = socket.create_server(("127.0.0.1", 0)); c = socket.create_connection(s.getsockname()); print("connected")'`, want: "connected"},
}

func TestWorks(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			ws := t.TempDir()
			git(t, ws, "init", "-q")
			for name, content := range map[string]string{
				"Makefile":     "all: a b c\n\t@echo built\na b c:\n\t@sleep 0; touch $@\n",
				"package.json": `{"name": "x", "scripts": {"hello": "echo hello from npm"}}`,
				"src":          "text",
			} {
				require.NoError(t, os.WriteFile(filepath.Join(ws, name), []byte(content), 0o600))
			}
			s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine), Env: []string{"HOME=" + ws}}})
			for _, w := range works {
				t.Run(w.name, func(t *testing.T) {
					if _, err := exec.LookPath(w.program); w.program != "" && err != nil {
						t.Skip(err)
					}
					if w.onlyBwrap && engine != "bwrap" {
						t.Skip("there is no network and no /dev/pts of its own")
					}
					if testing.Short() && w.short != "" && w.short != engine {
						t.Skip("under the other engine")
					}
					res := run(t, s, w.command)
					require.Zero(t, res.ExitCode, res.Text)
					require.Contains(t, res.Text, w.want)
					require.NotContains(t, res.Text, "Sandboxed")
				})
			}
		})
	}
}

// The state of a command is that of the next, in a sandbox too.
func TestKeepState(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			s := newSuite(t, config.Config{Bash: config.Bash{Sandbox: config.Sandbox(engine), KeepState: true}})
			run(t, s, "mkdir sub && cd sub && export KEPT='a b'")
			require.Equal(t, "sub a b\n", run(t, s, `echo "${PWD##*/} $KEPT"`).Output)
			run(t, s, "# "+strings.Repeat("x", 100<<10)+"\nexport KEPT=large")
			require.Equal(t, "sub large\n", run(t, s, `echo "${PWD##*/} $KEPT"`).Output)
		})
	}
}

// What a command exports reaches nothing that runs before the next one is confined.
func TestKeptVariables(t *testing.T) {
	t.Parallel()
	trace := func(s *tools.Suite) int {
		dir := outside(t)
		run(t, s, "export LD_DEBUG=files LD_DEBUG_OUTPUT="+dir+"/trace")
		run(t, s, "unset LD_DEBUG")
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		return len(left)
	}
	if trace(newSuite(t, config.Config{Bash: config.Bash{KeepState: true}})) == 0 {
		t.Skip("the loader of programs writes no trace")
	}
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			require.Zero(t, trace(newSuite(t, config.Config{Bash: config.Bash{Sandbox: config.Sandbox(engine), KeepState: true}})))
		})
	}
}

// A command that may replace a directory cannot have the next one write or read elsewhere.
func TestReplacedRoot(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			root, ws, secret := outside(t), outside(t), outside(t)
			for _, dir := range []string{root + "/below", ws + "/below"} {
				require.NoError(t, os.Mkdir(dir, 0o700))
			}
			require.NoError(t, os.WriteFile(secret+"/key", []byte("secret"), 0o600))
			s := newSuite(t, config.Config{Workspace: ws, AllowedRoots: []string{root}, WritableRoots: []string{root, root + "/below"}, Bash: config.Bash{
				Sandbox: config.Sandbox(engine), ReadableRoots: []string{ws + "/below"}}})
			run(t, s, "for at in "+root+" .; do rmdir $at/below; ln -s "+secret+" $at/below; done")
			require.NotZero(t, run(t, s, "echo >"+root+"/below/new").ExitCode)
			require.NotZero(t, run(t, s, "echo >"+secret+"/new").ExitCode)
			require.NotZero(t, run(t, s, "cat "+secret+"/key").ExitCode)
			require.NotZero(t, run(t, s, "cat below/key").ExitCode)
		})
	}
}

// A workspace that is made anew is the workspace; a link in its place is not.
func TestRemadeWorkspace(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			dir := outside(t)
			ws := dir + "/workspace"
			require.NoError(t, os.Mkdir(ws, 0o700))
			s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine)}})
			require.NoError(t, os.Rename(ws, dir+"/old"))
			require.NoError(t, os.Mkdir(ws, 0o700))
			require.Zero(t, run(t, s, "echo >file && ls file").ExitCode)
			require.NotZero(t, run(t, s, "echo >"+dir+"/old/file").ExitCode)
			require.NoError(t, os.RemoveAll(ws))
			require.NoError(t, os.Symlink(dir+"/old", ws))
			_, err := s.Bash(t.Context(), tools.BashParams{Command: "echo >file"})
			require.Error(t, err)
			_, err = os.Stat(dir + "/old/file")
			require.ErrorIs(t, err, fs.ErrNotExist)
		})
	}
}

// TestGo builds and tests with the caches of the user, where they are filled.
func TestGo(t *testing.T) {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	cache := strings.TrimSpace(string(out))
	if _, missing := os.Stat(filepath.Join(cache, "README")); err != nil || missing != nil || testing.Short() {
		t.Skip("no filled cache of go")
	}
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			ws := t.TempDir()
			for name, content := range map[string]string{
				"go.mod":    "module example.com/x\n",
				"x.go":      "package x\n\nfunc Two() int { return 2 }\n",
				"x_test.go": "package x\n\nimport \"testing\"\n\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Fatal()\n\t}\n\tt.TempDir()\n}\n",
			} {
				require.NoError(t, os.WriteFile(filepath.Join(ws, name), []byte(content), 0o600))
			}
			s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine), WriteCaches: true}})
			res := run(t, s, "go build ./... && go test ./...")
			require.Zero(t, res.ExitCode, res.Text)
			require.Contains(t, res.Text, "ok")
		})
	}
}

// The caches of the user are written to only where the configuration lets commands do that.
func TestWriteCaches(t *testing.T) {
	if !installed("go") {
		t.Skip("no go in PATH")
	}
	home := outside(t)
	cache := home + "/go-build"
	require.NoError(t, os.Mkdir(cache, 0o700))
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "GOPATH"} {
		t.Setenv(name, home)
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "npm_config_cache", "CARGO_HOME", "PIP_CACHE_DIR"} {
		t.Setenv(name, "")
	}
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			closed := newSuite(t, config.Config{Bash: config.Bash{Sandbox: config.Sandbox(engine)}})
			require.NotZero(t, run(t, closed, "echo >"+cache+"/new").ExitCode)
			require.Zero(t, run(t, closed, `test "${XDG_CACHE_HOME#$TMPDIR/}" != "$XDG_CACHE_HOME"`).ExitCode)
			opened := newSuite(t, config.Config{Bash: config.Bash{Sandbox: config.Sandbox(engine), WriteCaches: true}})
			require.Zero(t, run(t, opened, "echo >"+cache+"/new").ExitCode)
			require.Zero(t, run(t, opened, `test "$XDG_CACHE_HOME" = `+home).ExitCode)
		})
	}
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			root, secret := outside(t), outside(t)
			require.NoError(t, os.WriteFile(filepath.Join(secret, "key"), []byte("secret"), 0o600))
			socket := filepath.Join(root, "socket")
			serve(t, "unix", socket)
			server := serve(t, "tcp", "127.0.0.1:0")
			host, port, _ := strings.Cut(server, ":")
			connect := "exec 3<>/dev/tcp/" + host + "/" + port + " && head -c 1 <&3"
			service := `python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("` + socket + `"); print(s.recv(1))'`

			closed := newSuite(t, config.Config{Bash: config.Bash{Sandbox: config.Sandbox(engine), ReadableRoots: []string{root}}})
			opened := newSuite(t, config.Config{WritableRoots: []string{root}, Bash: config.Bash{Sandbox: config.Sandbox(engine), Network: true, Services: []string{socket}}})
			for _, c := range []struct {
				command        string
				closed, opened bool
			}{
				{"echo >" + root + "/new", false, true},
				{"echo >" + secret + "/new", false, false},
				{"cat " + secret + "/key", false, true},
				{"ls " + root + " && cat /etc/passwd && ls /usr/bin", true, true},
				{connect, false, true},
				{service, false, true},
				{"echo >file && cat file && echo >$TMPDIR/file", true, true},
			} {
				if strings.HasPrefix(c.command, "python3") && !installed("python3") {
					continue
				}
				require.Equal(t, c.closed, run(t, closed, c.command).ExitCode == 0, c.command)
				require.Equal(t, c.opened, run(t, opened, c.command).ExitCode == 0, c.command)
			}
		})
	}
}

func installed(program string) bool { _, err := exec.LookPath(program); return err == nil }

// The sentence comes with a failure that may be the sandbox's doing, and with no other.
func TestExplained(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			s := newSuite(t, config.Config{Bash: config.Bash{Sandbox: config.Sandbox(engine)}})
			const sentence = "): no network, writing only in the workspace. Use $TMPDIR for temporary files; ask the user for anything else]"
			for command, told := range map[string]bool{
				"echo >/usr/x":                         true,
				"echo >/usr/x; true":                   false,
				"false":                                false,
				"echo 'permission denied' >&2; exit 1": true, // it cannot be told who said so
			} {
				res := run(t, s, command)
				require.Equal(t, told, strings.Contains(res.Text, "[Sandboxed ("+engine+sentence), res.Text)
			}
			res, err := s.Call(t.Context(), "bash", json.RawMessage(`{"command": "true"}`))
			require.NoError(t, err)
			details, err := json.Marshal(res.Details)
			require.NoError(t, err)
			require.Contains(t, string(details), `"sandbox":{"engine":"`+engine+`"`)
			require.Contains(t, s.Tools()[1].Description(), "Commands are sandboxed")
		})
	}
	s := newSuite(t, config.Config{})
	res := run(t, s, "echo 'permission denied'; exit 1")
	require.NotContains(t, res.Text, "Sandboxed")
	require.Nil(t, res.Sandbox)
}

// TestTemporary looks at what a suite leaves: nothing, and what a dead program left is removed.
func TestTemporary(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	left := func() (dirs []string) {
		dirs, _ = filepath.Glob(filepath.Join(temp, "spillway-*"))
		return dirs
	}
	abandoned := filepath.Join(temp, "spillway-tmp-1")
	require.NoError(t, os.Mkdir(abandoned, 0o700))
	for _, engine := range engines {
		s, err := tools.New(config.Config{Workspace: t.TempDir(), Bash: config.Bash{Sandbox: config.Sandbox(engine)}}, all.Parts()...)
		need.Sandbox(t, err)
		run(t, s, "echo x >$TMPDIR/kept")
		require.Equal(t, "x\n", run(t, s, "cat $TMPDIR/kept").Output)
		other, err := tools.New(config.Config{Workspace: t.TempDir(), Bash: config.Bash{Sandbox: config.Sandbox(engine)}}, all.Parts()...)
		need.Built(t, err)
		require.NoError(t, err)
		require.NoError(t, other.Close())
		require.Equal(t, "x\n", run(t, s, "cat $TMPDIR/kept").Output)
		require.NoError(t, s.Close())
	}
	require.Eventually(t, func() bool { return len(left()) == 0 }, time.Minute, time.Millisecond, "%v", left())
}

// Commands see the variables of the sandbox also where the environment is searched for secrets before it is there.
func TestEnvironWithRedact(t *testing.T) {
	need.Part(t, "tools/redaction")
	t.Setenv("DB_PASSWORD", "tr0ub4dor&3-x")
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			for _, redact := range []config.Redact{config.RedactKnown, config.RedactSecrets} {
				s := newSuite(t, config.Config{Redact: redact, Bash: config.Bash{Sandbox: config.Sandbox(engine)}})
				got := run(t, s, "echo $TMPDIR; echo tr0ub4dor'&'3-x").Output
				require.Regexp(t, `^(/tmp|`+temp+`/spillway-tmp-\d+)\n\[redacted\] *\n$`, got, redact)
			}
		})
	}
}

// TestRefusedOptions has errors name what is wrong, and New never builds a suite without the
// sandbox that it was asked for.
func TestRefusedOptions(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/sandbox")
	_, err := tools.New(config.Config{Workspace: t.TempDir(), Bash: config.Bash{Sandbox: "jail"}}, all.Parts()...)
	require.ErrorContains(t, err, `config: Bash.Sandbox is "jail", but must be `)
	_, err = tools.New(config.Config{Workspace: t.TempDir(), WritableRoots: []string{"/nowhere"}, Bash: config.Bash{Sandbox: "landlock"}}, all.Parts()...)
	require.ErrorContains(t, err, "config: WritableRoots is /nowhere, but must be a directory that exists")
}

// TestNoBwrap asks for an engine whose program is not there.
func TestNoBwrap(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/sandbox")
	if !testkit.OwnMounts(t) {
		return
	}
	bin := t.TempDir()
	for _, name := range []string{"sh", "bash", "grep", "rmdir"} {
		copyFile(t, "/bin/"+name, filepath.Join(bin, name), 0o755)
	}
	testkit.Bind(t, bin, "/usr/bin")
	_, err := tools.New(config.Config{Workspace: t.TempDir(), Bash: config.Bash{Sandbox: "bwrap"}}, all.Parts()...)
	require.ErrorContains(t, err, "tools: Bash.Sandbox is bwrap, but no sandbox works here: bwrap: the program bwrap is not in "+program.Where+": install the package bubblewrap")
	_, err = tools.New(config.Config{Workspace: t.TempDir(), ReadOnly: true, Bash: config.Bash{Sandbox: "bwrap"}}, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err, "there is nothing to confine")
}

// A bwrap that confines nothing does not pass for a sandbox.
func TestProbe(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/sandbox")
	need.Shell(t)
	bwrap, err := program.Find("bwrap")
	if need.Sandbox(t, err); !testkit.OwnMounts(t) {
		return
	}
	fake := filepath.Join(t.TempDir(), "bwrap")
	temporary := t.TempDir() // of its own: /tmp may have what another probe writes
	script := "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done; shift; TMPDIR=" + temporary + " exec \"$@\"\n"
	require.NoError(t, testkit.WriteProgram(fake, []byte(script), 0o755))
	testkit.Bind(t, fake, bwrap)
	_, err = tools.New(config.Config{Workspace: t.TempDir(), Bash: config.Bash{Sandbox: "bwrap"}}, all.Parts()...)
	require.ErrorContains(t, err, "bwrap: system calls are not filtered")
}

// What a command leaves ends with the suite, and what is too long is ended.
func TestCloseEndsBackground(t *testing.T) {
	testkit.Raced(t)
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			s := newSuite(t, config.Config{Bash: config.Bash{Sandbox: config.Sandbox(engine)}})
			res := run(t, s, "setsid sleep 1000 >/dev/null 2>&1 & echo $!")
			require.NotEmpty(t, res.BackgroundPids)
			late, err := s.Bash(context.Background(), tools.BashParams{Command: "setsid sleep 1000 & sleep 1000", TimeoutMs: 300})
			var failed *tools.Error
			require.ErrorAs(t, err, &failed)
			require.Equal(t, tools.CodeTimeout, failed.Code, late.Text)
			require.NotContains(t, failed.Message, "may still be running")
			require.NoError(t, s.Close())
			for _, pid := range res.BackgroundPids {
				require.Eventually(t, func() bool { return errors.Is(unix.Kill(pid, 0), unix.ESRCH) }, time.Minute, time.Millisecond)
			}
		})
	}
}

// TestHostKilled kills a program that has a command in a sandbox.
func TestHostKilled(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			ws := t.TempDir()
			newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine)}}) // or skip
			host := exec.Command(os.Args[0])
			host.Dir, host.Env = ws, append(os.Environ(), roleVariable+"=host", "SPILLWAY_BASH_SANDBOX="+engine, "TMPDIR="+t.TempDir()) // which it leaves behind
			out, err := host.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, host.Start())
			var pids []int
			require.NoError(t, json.NewDecoder(out).Decode(&pids))
			require.NotEmpty(t, pids)
			for _, pid := range pids {
				require.NoError(t, unix.Kill(pid, 0))
			}
			host.Process.Kill()
			host.Wait()
			for _, pid := range pids {
				require.Eventually(t, func() bool { return !alive(pid) }, time.Minute, time.Millisecond)
			}
		})
	}
}

// alive reports whether a process has not ended. Nobody may reap it here.
func alive(pid int) bool {
	var stat unix.Stat_t
	err := unix.Stat(filepath.Join("/proc", tostring(pid), "exe"), &stat)
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}

// TestClosedTemporary has Close remove directories that their owner may not enter.
func TestClosedTemporary(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	s := newSuite(t, config.Config{Bash: config.Bash{Sandbox: "landlock"}})
	run(t, s, "mkdir -p $TMPDIR/a/b/c && chmod 0 $TMPDIR/a/b $TMPDIR/a; ln -s / $TMPDIR/link")
	require.NoError(t, s.Close())
	require.Eventually(t, func() bool { left, _ := os.ReadDir(temp); return len(left) == 0 }, time.Minute, time.Millisecond)
}

// The name of a directory in the description of bash is no option, whatever it looks like.
func TestDescriptionWithBraces(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "{No.Option}")
			require.NoError(t, os.Mkdir(root, 0o700))
			cfg := config.Config{WritableRoots: []string{root}}
			cfg.Bash.Sandbox = config.Sandbox(engine)
			s := newSuite(t, cfg)
			require.Contains(t, s.Tools()[1].Description(), "{No.Option}")
		})
	}
}
