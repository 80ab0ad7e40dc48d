package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
)

// binary is the program, built once for all tests.
var binary string

// spillway returns binary, and skips short tests: they start it only by TestScripts, and with the MCP SDK over stdio.
func spillway(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts the program; .ci/run program runs it")
	}
	return binary
}

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	if dir := os.Getenv(clientVariable); dir != "" {
		return waitingClient(dir)
	}
	if os.Getenv(nearVariable) != "" {
		return waitingNear()
	}
	for _, v := range os.Environ() { // options of whoever runs the tests
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "SPILLWAY_") {
			os.Unsetenv(name)
		}
	}
	if !need.ModulesHere() {
		fmt.Println("skipped: no modules here, with which to build the program")
		return 0
	}
	testkit.InMemory()
	if signal.Ignored(syscall.SIGHUP) { // by nohup: the program would ignore it, too, but not one that is caught here
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	dir, err := os.MkdirTemp("", "spillway")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if binary, err = testkit.Build(".", dir, "-ldflags=-s -w"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if signal.Ignored(os.Interrupt) { // so would be every program that a test starts
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	}
	testkit.Waiting()
	return m.Run()
}

const (
	// patience is how long anything may take before a test gives it up. A command
	// sleeps longer: who waits for its end instead of ending it, fails.
	patience = time.Minute
	// sleeper leaves the pids of a shell and its child in files.
	sleeper = "sleep 600 & echo $! > child; echo $$ > shell; wait"
)

func needBash(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs bash")
	}
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v in vain: %s", patience, what)
		}
	}
}

// pidIn waits for a command to write a pid, whole, to a file.
func pidIn(t *testing.T, path string) (pid int) {
	t.Helper()
	eventually(t, "a pid in "+path, func() bool {
		data, _ := os.ReadFile(path)
		line, ok := strings.CutSuffix(string(data), "\n")
		n, err := strconv.Atoi(line)
		pid = n
		return ok && err == nil
	})
	return pid
}

// gone waits for the end of a process.
func gone(t *testing.T, pid int) {
	t.Helper()
	eventually(t, fmt.Sprintf("the end of process %d", pid), func() bool { return !alive(pid) })
}

func alive(pid int) bool {
	// An orphan that nobody waits for, as in a container, stays as a zombie.
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		_, after, _ := strings.Cut(string(stat), ") ")
		return !strings.HasPrefix(after, "Z") && !strings.HasPrefix(after, "X")
	}
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}

// workspace is a directory with a text file and a picture.
func workspace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "notes.txt"), []byte("one\ntwo\nthree TODO\nfour\n"))
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "dot.png"), picture.Bytes())
	return dir
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// message is a line of the protocol.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// program is the binary as it runs, and what it wrote.
type program struct {
	t     *testing.T
	cmd   *exec.Cmd
	write func(line string)
	hang  func() error // closes its stdin
	exit  chan error   // gets how it ended, once

	stderr bytes.Buffer // to be looked at when it has ended

	mu      sync.Mutex
	answers map[string]message
}

// start starts spillway mcp.
func start(t *testing.T, args ...string) *program {
	t.Helper()
	return startAs(t, exec.Command(spillway(t), append([]string{"mcp"}, args...)...))
}

func startAs(t *testing.T, cmd *exec.Cmd) *program {
	t.Helper()
	p := &program{t: t, cmd: cmd, exit: make(chan error, 1), answers: map[string]message{}}
	p.cmd.Stderr = &p.stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill() })
	p.hang = in.Close
	p.write = func(line string) {
		if _, err := fmt.Fprintln(in, line); err != nil {
			t.Errorf("writing %s: %v", line, err)
		}
	}
	go func() {
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			p.take(lines.Bytes())
		}
		p.exit <- p.cmd.Wait()
	}()
	return p
}

// take checks a line of stdout, which must be a message of the protocol.
func (p *program) take(line []byte) {
	var m message
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil || dec.More() || m.JSONRPC != "2.0" || m.ID == nil && m.Method == "" {
		p.t.Errorf("stdout has a line that is no message: %q (%v)", line, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers[string(m.ID)] = m
}

func (p *program) answered(id int) (message, bool) { return p.answer(strconv.Itoa(id)) }

func (p *program) answer(id string) (message, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, ok := p.answers[id]
	return m, ok
}

func (p *program) forget(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.answers, id)
}

// request sends a request and gives its answer.
func (p *program) request(id int, method, params string) (m message) {
	p.t.Helper()
	p.send(id, method, params)
	eventually(p.t, fmt.Sprintf("the answer to %s %s", method, params), func() (ok bool) {
		m, ok = p.answered(id)
		return ok
	})
	return m
}

func (p *program) send(id int, method, params string) {
	p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
}

// result is the result of a call as it is on the wire.
type result struct {
	Content []struct {
		Type, Text, MIMEType, Data string
	}
	IsError           bool
	StructuredContent json.RawMessage
	Meta              *struct{ Details map[string]any } `json:"_meta"`
}

func (p *program) call(id int, tool, args string) (r result) {
	p.t.Helper()
	m := p.request(id, "tools/call", callOf(tool, args))
	if err := json.Unmarshal(m.Result, &r); err != nil || len(r.Content) == 0 {
		p.t.Fatalf("%s %s: result %s, error %+v", tool, args, m.Result, m.Error)
	}
	if r.StructuredContent != nil {
		p.t.Errorf("%s %s: there is structuredContent: %s", tool, args, r.StructuredContent)
	}
	return r
}

func callOf(tool, args string) string { return fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args) }

func (p *program) initialize() {
	p.t.Helper()
	m := p.request(1, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	var r struct {
		ProtocolVersion string
		ServerInfo      struct{ Name, Version string }
	}
	if err := json.Unmarshal(m.Result, &r); err != nil || r.ProtocolVersion != "2025-06-18" || r.ServerInfo.Name != "spillway" {
		p.t.Fatalf("initialize: %s, %+v", m.Result, m.Error)
	}
	p.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func (p *program) tools() (names []string) {
	p.t.Helper()
	var r struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(p.request(2, "tools/list", `{}`).Result, &r); err != nil {
		p.t.Fatal(err)
	}
	for _, tool := range r.Tools {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	return names
}

// ends waits for the program's end and gives its exit code.
func (p *program) ends() int {
	p.t.Helper()
	select {
	case err := <-p.exit:
		if _, ok := err.(*exec.ExitError); err != nil && !ok {
			p.t.Fatal(err)
		}
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		p.t.Fatalf("the program has not ended after %v", patience)
		return 0
	}
}

func (p *program) endsWell() {
	p.t.Helper()
	p.endsWith(0)
}

// endsWith waits for an end of which nothing is said but the exit code.
func (p *program) endsWith(want int) {
	p.t.Helper()
	if code := p.ends(); code != want || p.stderr.Len() > 0 {
		p.t.Errorf("exit code %d, stderr %q; want %d and nothing", code, p.stderr.String(), want)
	}
}
