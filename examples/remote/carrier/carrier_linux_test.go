package carrier_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/examples/remote/carrier"
	"github.com/spillway-go/spillway/internal/exit"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
)

// patience is how long anything may take before a test gives it up.
const patience = time.Minute

// binary is the program, linked statically, built once for all tests.
var binary string

const (
	stubVariable = "CARRIER_TEST_STUB" // this program is kubectl
	heldVariable = "CARRIER_TEST_HELD" // this program is what runs the command in the pod
	nearVariable = "CARRIER_TEST_NEAR" // this program connects to a site, and waits for a command
)

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	switch {
	case os.Getenv(heldVariable) != "":
		return held(os.Args[1:])
	case os.Getenv(stubVariable) != "":
		return kubectl(os.Args[1:])
	case os.Getenv(nearVariable) != "":
		return near()
	}
	for _, v := range os.Environ() { // options of whoever runs the tests
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "SPILLWAY_") {
			os.Unsetenv(name)
		}
	}
	dir, err := os.MkdirTemp("", "carrier")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "spillway")
	build := exec.Command("go", "build", "-C", "../../spillway", "-buildvcs=false", "-ldflags=-s -w", "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// kubectl starts the command after -- in a session of its own.
func kubectl(args []string) int {
	cmd := exec.Command(os.Args[0], args[slices.Index(args, "--")+1:]...)
	cmd.Env = append(os.Environ(), heldVariable+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if cmd.Run() != nil {
		return 1
	}
	return 0
}

// held runs a command. It closes neither its input nor its output.
func held(args []string) int {
	os.Unsetenv(heldVariable)
	os.Unsetenv(stubVariable)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return 1
	}
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return 1
	}
	go io.Copy(struct{ io.Writer }{in}, os.Stdin)
	buffer := make([]byte, 32<<10)
	for {
		n, err := out.Read(buffer)
		os.Stdout.Write(buffer[:n])
		if err != nil {
			break
		}
	}
	if cmd.Wait() != nil {
		return 1
	}
	return 0
}

func program(goos, goarch string) (string, error) {
	if goos != "linux" {
		return "", fmt.Errorf("no program for %s/%s", goos, goarch)
	}
	return binary, nil
}

// connect connects to a site until the end of the test.
func connect(t testing.TB, s site) map[string]tools.Tool {
	t.Helper()
	s.options.Binary = program
	remote, err := carrier.Connect(t.Context(), s.on, s.options)
	testkit.NoError(t, err)
	t.Cleanup(func() {
		if err := remote.Close(); err != nil {
			t.Errorf("the end of the connection: %v", err)
		}
	})
	if said := mcptools.Differences(remote.Session, remote.Tools); len(said) > 0 {
		t.Errorf("differences: %q", said)
	}
	named := map[string]tools.Tool{}
	for _, tool := range remote.Tools {
		named[tool.Name()] = tool
	}
	return named
}

func call(t testing.TB, tool tools.Tool, args string) string {
	t.Helper()
	res, err := tool.Call(t.Context(), json.RawMessage(args))
	if err != nil || res.IsError {
		t.Fatalf("%s %s: %v, %s", tool.Name(), args, err, res.Text)
	}
	return res.Text
}

// programs are the files in which the program was put, with when.
func programs(t *testing.T, s site) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(s.cache)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		testkit.NoError(t, err)
		list = append(list, fmt.Sprint(e.Name(), " ", info.Sys().(*syscall.Stat_t).Ino, " ", info.Size()))
	}
	return list
}

var sites = map[string]func(testing.TB) site{"ssh": sshHost, "runc": container, "kubectl": stub}

// The tools work elsewhere as they do here, and the program is put there once.
func TestSites(t *testing.T) {
	for name, at := range sites {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := at(t)
			remote := connect(t, s)
			call(t, remote["write"], `{"path": "notes.txt", "content": "one\ntwo TODO\n"}`)
			if got := read(t, filepath.Join(s.dir, "notes.txt")); got != "one\ntwo TODO\n" {
				t.Errorf("the file is %q", got)
			}
			if got := call(t, remote["grep"], `{"pattern": "TODO"}`); got != "notes.txt:2: two TODO" {
				t.Errorf("grep: %q", got)
			}
			if got := call(t, remote["bash"], `{"command": "cat notes.txt; exit 3"}`); got != "one\ntwo TODO\n\n"+exit.WithCode(3) {
				t.Errorf("bash: %q", got)
			}
			if res, err := remote["read"].Call(t.Context(), json.RawMessage(`{"path": "/etc/shadow"}`)); err != nil || res.Code != tools.CodePathEscape {
				t.Errorf("%+v, %v", res, err)
			}
			first := programs(t, s)
			if len(first) != 1 {
				t.Fatalf("there are %q", first)
			}
			call(t, connect(t, s)["ls"], `{}`)
			if again := programs(t, s); !slices.Equal(first, again) {
				t.Errorf("the program was put there again: %q, then %q", first, again)
			}
			name, _, _ := strings.Cut(first[0], " ")
			write(t, filepath.Join(s.cache, "other"), "#!/bin/sh\necho not this\n", 0o700)
			testkit.NoError(t, os.Rename(filepath.Join(s.cache, "other"), filepath.Join(s.cache, name)))
			call(t, connect(t, s)["ls"], `{}`)
			if mended := programs(t, s); len(mended) != 1 || strings.Fields(mended[0])[2] != strings.Fields(first[0])[2] {
				t.Errorf("another program in its place was left there: %q", mended)
			}
		})
	}
}

const sleeper = "sleep 600 & echo $! > child; echo $PPID > server; wait"

// near is a client that waits for a command, and prints what that did.
func near() int {
	options := carrier.Options{Binary: program, Program: strings.Split(os.Getenv("NEAR_PROGRAM"), "\n"), Args: strings.Fields(os.Getenv("NEAR_FLAGS"))}
	binary = os.Getenv("NEAR_BINARY")
	remote, err := carrier.Connect(context.Background(), os.Getenv(nearVariable), options)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, tool := range remote.Tools {
		if tool.Name() == "bash" {
			res, err := tool.Call(context.Background(), json.RawMessage(fmt.Sprintf(`{"command": %q}`, cmp.Or(os.Getenv("NEAR_COMMAND"), sleeper))))
			fmt.Println(res.Text, err)
			res, err = tool.Call(context.Background(), json.RawMessage(`{"command": "echo and again"}`))
			fmt.Println(res.Text, err)
		}
	}
	return 1
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v in vain: %s", patience, what)
		}
	}
}

// waiting gives a function that tells whether what a sleeper left pids of is there. A
// container's pids are others than here: a process is known by where it works.
func waiting(t *testing.T, s site) (running func() bool) {
	t.Helper()
	for _, file := range []string{"child", "server"} {
		path := filepath.Join(s.dir, file)
		eventually(t, "a pid in "+path, func() bool {
			data, _ := os.ReadFile(path)
			return strings.HasSuffix(string(data), "\n")
		})
	}
	return func() bool {
		links, err := filepath.Glob("/proc/[0-9]*/cwd")
		testkit.NoError(t, err)
		dir, err := os.Stat(s.dir)
		testkit.NoError(t, err)
		return slices.ContainsFunc(links, func(link string) bool {
			at, err := os.Stat(link) // of a zombie, there is none
			return err == nil && os.SameFile(at, dir)
		})
	}
}

// nearEnv makes this program a client of a site.
func nearEnv(s site) []string {
	return append(os.Environ(), nearVariable+"="+s.on, "NEAR_PROGRAM="+strings.Join(s.options.Program, "\n"), "NEAR_BINARY="+binary)
}

// A client that is stopped for longer than either side usually waits, as by a debugger, goes
// on if the server was told to allow that.
func TestStopped(t *testing.T) {
	t.Parallel()
	s := stub(t)
	client := exec.Command(os.Args[0])
	client.Env = append(nearEnv(s), "NEAR_FLAGS=-silence 10m", "NEAR_COMMAND=touch running; sleep 7; touch ended; echo done")
	var printed bytes.Buffer
	client.Stdout, client.Stderr = &printed, os.Stderr
	testkit.NoError(t, client.Start())
	defer client.Process.Kill()
	there := func(name string) func() bool {
		return func() bool { _, err := os.Stat(filepath.Join(s.dir, name)); return err == nil }
	}
	eventually(t, "the command", there("running"))
	testkit.NoError(t, client.Process.Signal(syscall.SIGSTOP))
	eventually(t, "the end of the command", there("ended"))
	testkit.NoError(t, client.Process.Signal(syscall.SIGCONT))
	client.Wait()
	if want := "done\n <nil>\nand again\n <nil>\n"; printed.String() != want {
		t.Errorf("the client printed %q, want %q", printed.String(), want)
	}
}

// A client that is killed leaves nothing behind, and nor does a carrier that is.
func TestKilled(t *testing.T) {
	for name, at := range sites {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := at(t)
			client := exec.Command(os.Args[0])
			client.Env = nearEnv(s)
			client.Stderr = os.Stderr
			testkit.NoError(t, client.Start())
			defer client.Process.Kill()
			running := waiting(t, s)
			if !running() {
				t.Fatal("the command is not found")
			}
			testkit.NoError(t, client.Process.Kill())
			client.Wait()
			eventually(t, "the end of the command", func() bool { return !running() })
		})
	}
}

// A connection that cannot be made says why, in the words of whoever refused.
func TestConnectFails(t *testing.T) {
	t.Parallel()
	sh := func(script string) []string { return []string{"sh", "-c", script} }
	tests := map[string]struct {
		on      string
		options carrier.Options
		why     string
	}{
		"a carrier that is missing":    {"docker://web/app", carrier.Options{Program: []string{"/no/such/docker"}}, "/no/such/docker"},
		"a carrier that fails":         {"docker://web/app", carrier.Options{Program: sh("echo no such container: web >&2; exit 1")}, "no such container: web"},
		"a command that is no server":  {"echo hello", carrier.Options{}, "hello"},
		"a shell that talks":           {"docker://web/app", carrier.Options{Program: sh("yes hello")}, "prints too much"},
		"a system that is not known":   {"docker://web/app", carrier.Options{Program: sh("echo spillway-carrier: system Plan9 x86_64; cat")}, `the system "Plan9 x86_64"`},
		"a machine that is not known":  {"docker://web/app", carrier.Options{Program: sh("echo spillway-carrier: system Linux vax; cat")}, `the system "Linux vax"`},
		"a system without a program":   {"docker://web/app", carrier.Options{Program: sh("echo spillway-carrier: system Darwin arm64; cat")}, "no program for darwin/arm64"},
		"a far side that cannot write": {"docker://web/app", carrier.Options{Program: []string{"env", "HOME=/dev/null", "XDG_CACHE_HOME=/dev/null", "TMPDIR=/dev/null", "sh", "-c", `shift 3; exec "$@"`, "sh"}}, "no directory can be written to"},
		"a workspace that is missing":  {"docker://web/no/such/dir", carrier.Options{Program: []string{"env", "HOME=" + t.TempDir(), "sh", "-c", `shift 3; exec "$@"`, "sh"}}, "/no/such/dir"},
		"a flag that is not known":     {"docker://web/", carrier.Options{Args: []string{"-no-such-flag"}, Program: []string{"env", "HOME=" + t.TempDir(), "sh", "-c", `shift 3; exec "$@"`, "sh"}}, "-no-such-flag"},
		"an argument with a line":      {"docker://web/", carrier.Options{Args: []string{"a\nb"}, Program: sh("cat")}, "line break"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.options.Binary = program
			remote, err := carrier.Connect(t.Context(), test.on, test.options)
			if err == nil {
				remote.Close()
			}
			if err == nil || !strings.Contains(err.Error(), test.why) {
				t.Errorf("%v; want %q in it", err, test.why)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := carrier.Connect(ctx, "docker://web/", carrier.Options{Program: sh("exec sleep 600")}); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("a context that ended: %v", err)
	}
}

// Any command that starts a server is a carrier.
func TestCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	remote := connect(t, site{on: fmt.Sprintf("%s mcp -workspace %s", binary, dir)})
	if got := call(t, remote["bash"], `{"command": "pwd -P"}`); strings.TrimSpace(got) != dir {
		t.Errorf("the command ran in %q, not in %q", got, dir)
	}
}
