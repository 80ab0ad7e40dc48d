package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// binary is the program, built once for all tests.
var binary string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	for _, v := range os.Environ() { // options of whoever runs the tests
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "SPILLWAY_") {
			os.Unsetenv(name)
		}
	}
	dir, err := os.MkdirTemp("", "mcp-server")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "mcp-server.exe")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", binary, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
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

func start(t *testing.T, args ...string) *program {
	t.Helper()
	p := &program{t: t, cmd: exec.Command(binary, args...), exit: make(chan error, 1), answers: map[string]message{}}
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

func (p *program) answered(id int) (message, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, ok := p.answers[strconv.Itoa(id)]
	return m, ok
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
	Meta              struct{ Details map[string]any } `json:"_meta"`
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
	if code := p.ends(); code != 0 || p.stderr.Len() > 0 {
		p.t.Errorf("exit code %d, stderr %q; want 0 and nothing", code, p.stderr.String())
	}
}

func TestStdio(t *testing.T) {
	needBash(t)
	dir := workspace(t)
	p := start(t, "-workspace", dir)
	p.initialize()
	if got, want := strings.Join(p.tools(), " "), "bash find grep ls read"; got != want {
		t.Errorf("tools are %s, want %s", got, want)
	}
	calls := []struct{ tool, args, text string }{
		{"read", `{"path":"notes.txt","limit":"1"}`, "one\n\n[3 more lines in file. Use offset=2 to continue]"},
		{"bash", `{"command":"pwd; ls"}`, "dot.png\nnotes.txt"},
		{"grep", `{"pattern":"TODO"}`, "notes.txt:3: three TODO"},
		{"find", `{"pattern":"*.txt"}`, "notes.txt"},
		{"ls", `{}`, "dot.png\nnotes.txt"},
	}
	for i, c := range calls {
		if r := p.call(10+i, c.tool, c.args); r.IsError || !strings.Contains(r.Content[0].Text, c.text) {
			t.Errorf("%s: %+v", c.tool, r)
		}
	}
	if r := p.call(20, "read", `{"path":"missing"}`); !r.IsError || r.Meta.Details["error"] != "not_found" {
		t.Errorf("a missing file: %+v", r)
	}
	if r := p.call(21, "read", `{"path":"dot.png"}`); len(r.Content) != 2 || r.Content[1].Type != "image" || r.Content[1].MIMEType != "image/png" {
		t.Errorf("a picture: %+v", r)
	}
	if m := p.request(22, "tools/call", callOf("write", `{}`)); m.Error == nil {
		t.Errorf("an unknown tool: %s", m.Result)
	}
	p.hang()
	p.endsWell()
}

func TestStdioCancel(t *testing.T) {
	needBash(t)
	dir := t.TempDir()
	p := start(t, "-workspace", dir)
	p.initialize()
	p.send(30, "tools/call", callOf("bash", fmt.Sprintf(`{"command":%q}`, sleeper)))
	shell, child := pidIn(t, filepath.Join(dir, "shell")), pidIn(t, filepath.Join(dir, "child"))
	p.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":30,"reason":"changed my mind"}}`)
	gone(t, shell)
	gone(t, child)
	if r := p.call(31, "ls", `{}`); r.IsError {
		t.Errorf("the next call: %+v", r)
	}
	p.hang()
	p.endsWell()
	if m, ok := p.answered(30); ok && m.Result != nil {
		t.Errorf("the cancelled call has a result: %s", m.Result)
	}
}

// However the program ends, a command that runs and one that was left in the
// background end with it.
func TestStdioLeavesNothingBehind(t *testing.T) {
	needBash(t)
	ways := map[string]func(p *program) error{
		"eof":       func(p *program) error { return p.hang() },
		"interrupt": func(p *program) error { return p.cmd.Process.Signal(os.Interrupt) },
		"terminate": func(p *program) error { return p.cmd.Process.Signal(syscall.SIGTERM) },
	}
	for name, end := range ways {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			p := start(t, "-workspace", dir)
			p.initialize()
			p.call(40, "bash", `{"command":"sleep 600 & echo $! > background"}`)
			p.send(41, "tools/call", callOf("bash", fmt.Sprintf(`{"command":%q}`, sleeper)))
			var pids []int
			for _, file := range []string{"background", "shell", "child"} {
				pids = append(pids, pidIn(t, filepath.Join(dir, file)))
			}
			if err := end(p); err != nil {
				t.Fatal(err)
			}
			p.endsWell()
			for _, pid := range pids {
				gone(t, pid)
			}
		})
	}
}

// A client that reads no more is one that hung up: the write that fails must not
// end the program before it has cleaned up.
func TestStdioClientGone(t *testing.T) {
	needBash(t)
	dir := t.TempDir()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command(binary, "-workspace", dir)
	cmd.Stdout, cmd.Stderr = write, &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	write.Close()
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	if line, err := bufio.NewReader(read).ReadString('\n'); err != nil {
		t.Fatal(line, err)
	}
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":`+callOf("bash", `{"command":"sleep 600 & echo $! > background; until [ -e go-on ]; do sleep 0.05; done"}`)+`}`)
	pid := pidIn(t, filepath.Join(dir, "background"))
	read.Close()
	if err := os.WriteFile(filepath.Join(dir, "go-on"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	stuck := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer stuck.Stop()
	if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
		t.Errorf("ended with %v, stderr %q", err, stderr.String())
	}
	gone(t, pid)
}

func TestStdioReadOnly(t *testing.T) {
	p := start(t, "-workspace", t.TempDir(), "-read-only")
	p.initialize()
	if got, want := strings.Join(p.tools(), " "), "find grep ls read"; got != want {
		t.Errorf("tools are %s, want %s", got, want)
	}
	p.hang()
	p.endsWell()
}

func TestStdioBroken(t *testing.T) {
	p := start(t, "-workspace", t.TempDir())
	p.write("this is not JSON")
	if code := p.ends(); code != exitFailure || p.stderr.Len() == 0 {
		t.Errorf("exit code %d, stderr %q; want %d and a reason", code, p.stderr.String(), exitFailure)
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "key.json"), []byte(`{"maxBytes": "64KB", "grep": {"limitt": 3}}`))
	write(t, filepath.Join(dir, "floor.json"), []byte(`{"maxBytes": 10}`))
	tests := []struct {
		name  string
		args  []string
		names string // what stderr must name
	}{
		{"unknown flag", []string{"-nope"}, "-nope"},
		{"argument", []string{"somewhere"}, "somewhere"},
		{"workspace", []string{"-workspace", filepath.Join(dir, "missing")}, "missing"},
		{"no such file", []string{"-config", filepath.Join(dir, "missing.json")}, "missing.json"},
		{"unknown key", []string{"-config", filepath.Join(dir, "key.json")}, "grep.limitt"},
		{"under the floor", []string{"-config", filepath.Join(dir, "floor.json")}, "MaxBytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := start(t, test.args...)
			if code := p.ends(); code != exitUsage || !strings.Contains(p.stderr.String(), test.names) {
				t.Errorf("exit code %d, stderr %q; want %d and %s", code, p.stderr.String(), exitUsage, test.names)
			}
		})
	}
}

func TestConfigure(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spillway.json")
	write(t, file, []byte(`{"workspace": "/file", "readOnly": true, "maxLines": 7, "maxBytes": "2KB"}`))
	t.Setenv("SPILLWAY_MAX_BYTES", "3KB")
	tests := []struct {
		name      string
		args      []string
		workspace string
		readOnly  bool
		outside   bool
		maxLines  int
	}{
		{"environment", nil, "", false, false, 0},
		{"file", []string{"-config", file}, "/file", true, false, 7},
		{"flags", []string{"-config", file, "-workspace", "/flag", "-read-only=false", "-allow-outside-workspace"}, "/flag", false, true, 7},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var stderr bytes.Buffer
			set, err := configure(test.args, &stderr)
			if err != nil || stderr.Len() > 0 {
				t.Fatal(err, stderr.String())
			}
			if cfg := set.config; cfg.Workspace != test.workspace || cfg.ReadOnly != test.readOnly || cfg.AllowOutsideWorkspace != test.outside ||
				cfg.MaxLines != test.maxLines || cfg.MaxBytes != 3<<10 {
				t.Errorf("got %+v", set.config)
			}
		})
	}
}
