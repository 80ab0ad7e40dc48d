//go:build amd64 || arm64

package sandbox_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

var engines = []string{"landlock", "bwrap"}

func TestMain(m *testing.M) {
	if strings.HasSuffix(os.Args[0], setUIDName) {
		fmt.Print(os.Geteuid())
		return
	}
	if about := os.Getenv(waysVariable); about != "" {
		os.Exit(goOut(about))
	}
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(play(role))
	}
	if about := os.Getenv(attemptVariable); about != "" {
		attempt(about)
		return
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // for this program started again, with the race detector
	testkit.Waiting()
	testkit.OwnNamespace()
	makeGitTemplate(filepath.Join(common(), "template"))
	code := m.Run()
	os.RemoveAll(common())
	os.Exit(code)
}

const setUIDName = "/set-uid"

func lockThread() { runtime.LockOSThread() }

// newSuite returns a suite with that engine, or skips the test.
func newSuite(t testing.TB, cfg config.Config) *tools.Suite {
	t.Helper()
	if cfg.Workspace == "" {
		cfg.Workspace = t.TempDir()
	}
	s, err := tools.New(cfg, all.Parts()...)
	need.Sandbox(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func run(t testing.TB, s *tools.Suite, command string) tools.BashResult {
	t.Helper()
	res, err := s.Bash(context.Background(), tools.BashParams{Command: command})
	require.NoError(t, err, res.Text)
	return res
}

// TestEscapes makes every attempt without a sandbox, which shows that it can succeed, and
// then under each engine.
func TestEscapes(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			ws := filepath.Join(outside(t), "workspace")
			require.NoError(t, os.Mkdir(ws, 0o700))
			s := newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine)}})
			git(t, ws, "init", "-q")
			linkProgram(t, filepath.Join(ws, "helper"))
			// Binding the hooks takes a suite that finds them.
			s.Close()
			s = newSuite(t, config.Config{Workspace: ws, Bash: config.Bash{Sandbox: config.Sandbox(engine)}})

			free := aim(t, ws)
			cmd := exec.Command("./helper")
			cmd.Dir, cmd.Env = ws, append(os.Environ(), attemptVariable+"="+free.json(t))
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			unconfined := outcomes(t, string(out))
			late(t, ws, free, true)

			held := aim(t, ws)
			before := listing(t, held.Dir)
			res := run(t, s, attemptVariable+"='"+held.json(t)+"' ./helper")
			confined := outcomes(t, res.Output)
			for _, e := range escapes {
				if unconfined[e.name] != "escaped" && !e.may && !(e.root && os.Geteuid() != 0) {
					t.Errorf("%s: without a sandbox: %s", e.name, unconfined[e.name])
				}
				if confined[e.name] == "escaped" && (e.gap == "" || !strings.Contains(strings.Join(res.Sandbox.NotEnforced, "\n"), e.gap)) {
					t.Errorf("%s: nothing prevents it", e.name)
				}
				t.Logf("%s: %s; in the sandbox: %s", e.name, unconfined[e.name], confined[e.name])
			}
			late(t, ws, held, false)
			require.Equal(t, before, listing(t, held.Dir))
			require.NoError(t, unix.Kill(held.Victim, 0))
		})
	}
}

func (a target) json(t *testing.T) string {
	text, err := json.Marshal(a)
	require.NoError(t, err)
	return string(text)
}

// outcomes reads what attempt printed.
func outcomes(t *testing.T, text string) map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(text) {
		name, outcome, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		found[name] = outcome
	}
	for _, e := range escapes {
		require.Contains(t, found, e.name, text)
	}
	return found
}

// late lets a process that a command left try to write, and reports how that went.
func late(t *testing.T, ws string, a target, wrote bool) {
	require.NoError(t, os.WriteFile(filepath.Join(ws, "ended"), nil, 0o600))
	result := filepath.Join(ws, "late")
	require.Eventually(t, func() bool { _, err := os.Stat(result); return err == nil }, time.Minute, 5*time.Millisecond)
	require.NoError(t, os.Remove(result))
	require.NoError(t, os.Remove(filepath.Join(ws, "ended")))
	_, err := os.Stat(filepath.Join(a.Dir, "later"))
	require.Equal(t, wrote, err == nil, err)
}

// outside returns a new directory that is not in /tmp, of which bwrap shows nothing.
func outside(t *testing.T) string {
	dir, err := os.MkdirTemp("/var/tmp", "spillway-test-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// aim makes what attempts aim at.
func aim(t *testing.T, ws string) target {
	dir := outside(t)
	for i := range 9 {
		require.NoError(t, os.WriteFile(fmt.Sprintf("%s/f%d", dir, i+1), []byte("text"), 0o600))
	}
	a := target{Dir: dir, Workspace: ws, Host: os.Getpid(), Unix: dir + "/stream", Datagram: dir + "/datagram", SetUID: dir + setUIDName}
	a.Abstract = "@spillway-test-" + filepath.Base(dir)
	var err error
	a.Held, err = unix.Open(dir+"/f1", unix.O_WRONLY, 0) // inherited by what does not take care
	require.NoError(t, err)
	t.Cleanup(func() { unix.Close(a.Held) })
	victim := exec.Command("sleep", "1000")
	victim.Dir = dir
	require.NoError(t, victim.Start())
	a.Victim = victim.Process.Pid
	t.Cleanup(func() { victim.Process.Kill(); victim.Wait() })
	a.TCP = serve(t, "tcp", "127.0.0.1:0")
	serve(t, "unix", a.Unix)
	serve(t, "unix", a.Abstract)
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { udp.Close() })
	a.UDP = udp.LocalAddr().String()
	go func() {
		b := make([]byte, 1)
		for {
			_, from, err := udp.ReadFrom(b)
			if err != nil {
				return
			}
			udp.WriteTo(b, from)
		}
	}()
	datagrams, err := net.ListenPacket("unixgram", a.Datagram)
	require.NoError(t, err)
	t.Cleanup(func() { datagrams.Close() })
	a.FIFO = dir + "/fifo-that-is-read"
	require.NoError(t, unix.Mkfifo(a.FIFO, 0o600))
	reader, err := os.OpenFile(a.FIFO, os.O_RDONLY|unix.O_NONBLOCK, 0)
	require.NoError(t, err)
	t.Cleanup(func() { reader.Close() })
	a.IPC = share(t)
	if os.Geteuid() == 0 {
		copyFile(t, "/proc/self/exe", a.SetUID, 0o755)
		require.NoError(t, os.Chmod(dir, 0o755))
		require.NoError(t, os.Chown(a.SetUID, 65534, 65534))
		require.NoError(t, os.Chmod(a.SetUID, 0o755|os.ModeSetuid))
	}
	return a
}

// serve answers whoever connects.
func serve(t *testing.T, network, address string) string {
	server, err := net.Listen(network, address)
	require.NoError(t, err)
	t.Cleanup(func() { server.Close() })
	testkit.Accept(server, func(c net.Conn) { c.Write([]byte("x")) })
	return server.Addr().String()
}

// listing is what is in a directory: names and contents, and not what engines may leave
// open to change.
func listing(t *testing.T, dir string) string {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var b strings.Builder
	for _, e := range entries {
		text := ""
		if e.Type().IsRegular() && e.Name() != filepath.Base(setUIDName) {
			content, err := os.ReadFile(filepath.Join(dir, e.Name()))
			require.NoError(t, err)
			text = string(content)
		}
		fmt.Fprintf(&b, "%s %v %q\n", e.Name(), e.Type(), text)
	}
	return b.String()
}

func copyFile(t *testing.T, from, to string, mode os.FileMode) {
	program, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, testkit.WriteProgram(to, program, mode))
}

// linkProgram makes a link to a copy of this program, which is made once.
func linkProgram(t *testing.T, to string) {
	t.Helper()
	program := filepath.Join(common(), "program")
	copyProgram.Do(func() { copyFile(t, "/proc/self/exe", program, 0o755) })
	require.NoError(t, os.Link(program, to))
}

var copyProgram sync.Once

// makeGitTemplate makes what a new repository begins with: what git itself puts there, but none of the fourteen samples of
// hooks, which took longer to write than all else.
func makeGitTemplate(dir string) {
	if os.MkdirAll(filepath.Join(dir, "hooks"), 0o755) == nil && os.Mkdir(filepath.Join(dir, "info"), 0o755) == nil {
		os.WriteFile(filepath.Join(dir, "info", "exclude"), []byte("# what git does not show\n"), 0o644)
		os.WriteFile(filepath.Join(dir, "description"), []byte("a repository\n"), 0o644)
	}
	os.Setenv("GIT_TEMPLATE_DIR", dir)
}

// common is a directory for what several tests use. TestMain removes it.
var common = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("/var/tmp", "spillway-test-")
	if err != nil {
		panic(err)
	}
	return dir
})

// git runs git outside of any sandbox.
var git = testkit.Git
