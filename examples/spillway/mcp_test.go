package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// builtin is the names of the tools that a suite has.
func builtin(t *testing.T) (names []string) {
	suite, err := tools.New(config.Config{Workspace: t.TempDir()}, all.Parts()...)
	if err != nil {
		t.Fatal(err)
	}
	defer suite.Close()
	for _, tool := range suite.Tools() {
		names = append(names, tool.Name())
	}
	slices.Sort(names)
	return names
}

// hints are what a client goes by when it decides whether to ask a person first.
type hints struct{ readOnly, idempotent, destructive, openWorld bool }

func hintsOf(tool string) hints {
	switch tool {
	case "write":
		return hints{idempotent: true, destructive: true}
	case "edit":
		return hints{destructive: true}
	case "bash", "job":
		return hints{destructive: true, openWorld: true}
	}
	return hints{readOnly: true, idempotent: true}
}

func TestStdio(t *testing.T) {
	t.Parallel()
	needBash(t)
	dir := workspace(t)
	p := start(t, "-workspace", dir)
	p.initialize()
	if got, want := p.tools(), builtin(t); !slices.Equal(got, want) {
		t.Errorf("tools are %s, want %s", got, want)
	}
	calls := []struct{ tool, args, text string }{
		{"read", `{"path":"notes.txt","limit":"1"}`, "one\n\n[3 more lines in file. Use offset=2 to continue]"},
		{"bash", `{"command":"pwd; ls"}`, "dot.png\nnotes.txt"},
		{"grep", `{"pattern":"TODO"}`, "notes.txt:3: three TODO"},
		{"find", `{"pattern":"*.txt"}`, "notes.txt"},
		{"ls", `{}`, "dot.png\nnotes.txt"},
		{"write", `{"path":"new.txt","content":"one\n"}`, "Created new.txt (1 line, 4B)."},
		{"edit", `{"path":"new.txt","edits":[{"old_string":"one","new_string":"two"}]}`, "Edited new.txt: 1 line added, 1 removed."},
	}
	for i, c := range calls {
		if r := p.call(10+i, c.tool, c.args); r.IsError || !strings.Contains(r.Content[0].Text, c.text) {
			t.Errorf("%s: %+v", c.tool, r)
		}
	}
	if r := p.call(20, "read", `{"path":"missing"}`); !r.IsError || !strings.HasPrefix(r.Content[0].Text, "not_found: ") || r.Meta != nil {
		t.Errorf("a missing file: %+v", r)
	}
	if r := p.call(21, "read", `{"path":"dot.png"}`); len(r.Content) != 2 || r.Content[1].Type != "image" || r.Content[1].MIMEType != "image/png" {
		t.Errorf("a picture: %+v", r)
	}
	if m := p.request(22, "tools/call", callOf("remove", `{}`)); m.Error == nil {
		t.Errorf("an unknown tool: %s", m.Result)
	}
	p.hang()
	p.endsWell()
}

// Details go to the client only if the user of the server asks for them.
func TestDetails(t *testing.T) {
	t.Parallel()
	p := start(t, "-workspace", t.TempDir(), "-details")
	p.initialize()
	if r := p.call(10, "read", `{"path":"missing"}`); r.Meta == nil || r.Meta.Details["error"] != "not_found" {
		t.Errorf("a missing file: %+v", r)
	}
	p.hang()
	p.endsWell()
}

func TestStdioCancel(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
	needBash(t)
	by := func(s os.Signal) func(p *program) error {
		return func(p *program) error { return p.cmd.Process.Signal(s) }
	}
	for _, way := range []struct {
		name string
		end  func(p *program) error
		code int
	}{
		{"eof", func(p *program) error { return p.hang() }, 0},
		{"interrupt", by(os.Interrupt), 130},
		{"hang up", by(syscall.SIGHUP), 129},
		{"terminate", by(syscall.SIGTERM), 143},
	} {
		t.Run(way.name, func(t *testing.T) {
			dir := t.TempDir()
			p := start(t, "-workspace", dir)
			p.initialize()
			p.call(40, "bash", `{"command":"sleep 600 & echo $! > background"}`)
			p.send(41, "tools/call", callOf("bash", fmt.Sprintf(`{"command":%q}`, sleeper)))
			var pids []int
			for _, file := range []string{"background", "shell", "child"} {
				pids = append(pids, pidIn(t, filepath.Join(dir, file)))
			}
			if err := way.end(p); err != nil {
				t.Fatal(err)
			}
			p.endsWith(way.code)
			for _, pid := range pids {
				gone(t, pid)
			}
		})
	}
}

// nohup keeps what it starts from ending with the terminal.
func TestNohup(t *testing.T) {
	t.Parallel()
	needBash(t)
	p := startAs(t, exec.Command("sh", "-c", `trap "" HUP; exec "$0" "$@"`, spillway(t), "mcp", "-workspace", t.TempDir()))
	p.initialize()
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if r := p.call(2, "bash", `{"command":"echo there"}`); r.Content[0].Text != "there\n" {
		t.Errorf("after SIGHUP: %+v", r)
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.endsWith(143)
}

// A client that reads no more is one that hung up: the write that fails must not
// end the program before it has cleaned up.
func TestStdioClientGone(t *testing.T) {
	t.Parallel()
	needBash(t)
	dir := t.TempDir()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command(spillway(t), "mcp", "-workspace", dir)
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
	t.Parallel()
	p := start(t, "-workspace", t.TempDir(), "-read-only")
	p.initialize()
	if got, want := strings.Join(p.tools(), " "), "find grep ls read"; got != want {
		t.Errorf("tools are %s, want %s", got, want)
	}
	p.hang()
	p.endsWell()
}

func TestRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "key.json"), []byte(`{"maxBytes": "64KB", "grep": {"limitt": 3}}`))
	write(t, filepath.Join(dir, "floor.json"), []byte(`{"maxBytes": 10}`))
	write(t, filepath.Join(dir, "short"), []byte("secret\n"))
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
		{"every interface", []string{"-http", ":0"}, "-http :0: other machines could reach"},
		{"an address of others", []string{"-http", "192.0.2.1:8080"}, "Use 127.0.0.1:8080"},
		{"every interface of IPv6", []string{"-http", "[::]:0"}, "other machines"},
		{"no port", []string{"-http", "localhost"}, "missing port"},
		{"a token for nothing", []string{"-token-file", "token"}, "-token-file is for -http"},
		{"a silence shorter than the shortest", []string{"-silence", "1s"}, "-silence 1s: give 1.5s at least"},
		{"a silence over HTTP", []string{"-http", "127.0.0.1:0", "-silence", "10m"}, "-silence is for a client at stdin and stdout"},
		{"no time to answer within", []string{"-answer-within", "soon"}, "give a time, such as 50s, or 0 for no limit"},
		{"a time that is over", []string{"-answer-within", "-1s"}, "give a time, such as 50s, or 0 for no limit"},
		{"no such client", []string{"-print-config", "emacs"}, "-print-config emacs: give one of claude, codex, cursor, gemini, qwen, vscode, zed"},
		{"a client of no address", []string{"-print-config", "zed", "-http", "127.0.0.1:0"}, "give the host and the port"},
		{"no token file", []string{"-http", "127.0.0.1:0", "-token-file", filepath.Join(dir, "missing")}, "missing"},
		{"a short token", []string{"-http", "127.0.0.1:0", "-token-file", filepath.Join(dir, "short")}, "16 characters"},
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

// A token that other users can read keeps none of them out.
func TestTokenOfEverybody(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs file modes")
	}
	file := filepath.Join(t.TempDir(), "token")
	write(t, file, []byte("0123456789abcdef0123456789abcdef\n"))
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	p := start(t, "-http", "127.0.0.1:0", "-token-file", file)
	if code := p.ends(); code != exitUsage || !strings.Contains(p.stderr.String(), file) || !strings.Contains(p.stderr.String(), "chmod 600") {
		t.Errorf("exit code %d, stderr %q", code, p.stderr.String())
	}
}

// Every flag is in the help and in the manual. (That this test calls run has a use of
// its own: the code of the program is part of the test's binary, and a change of
// it is not answered from go test's cache.)
func TestHelp(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/checkpoint")
	var help, stderr bytes.Buffer
	if code := run([]string{"mcp", "-help"}, &help, &stderr); code != 0 {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	manual, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	var inHelp, inManual []string
	for _, m := range regexp.MustCompile(`(?m)^  -(\S+)`).FindAllStringSubmatch(help.String(), -1) {
		inHelp = append(inHelp, m[1])
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `-([a-z-]+)").FindAllSubmatch(manual, -1) {
		inManual = append(inManual, string(m[1]))
	}
	slices.Sort(inHelp)
	slices.Sort(inManual)
	if len(inHelp) == 0 || !slices.Equal(inHelp, inManual) {
		t.Errorf("the help has %v, the manual %v", inHelp, inManual)
	}
}

// The configurations of the manual have flags that are accepted.
func TestManualConfigurations(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?ms)^```jsonc\n(.*?)^```$").FindAllSubmatch(manual, -1) {
		if !json.Valid(m[1]) {
			t.Errorf("not JSON:\n%s", m[1])
		}
	}
	lists := regexp.MustCompile(`"?args"?( =|:) (\[.*?\])`).FindAllSubmatch(manual, -1)
	if len(lists) < 5 {
		t.Errorf("only %d configurations", len(lists))
	}
	for _, m := range lists {
		var args []string
		if err := json.Unmarshal(m[2], &args); err != nil {
			t.Errorf("%s: %v", m[2], err)
		}
		if len(args) == 0 || args[0] != "mcp" {
			t.Errorf("%s: not the command mcp", m[2])
			continue
		}
		flags := flag.NewFlagSet("", flag.ContinueOnError)
		mcpCommand(flags)
		if err := flags.Parse(args[1:]); err != nil || flags.NArg() > 0 {
			t.Errorf("%s: %v", m[2], err)
		}
	}
}

func TestTokenFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const token = "0123456789abcdef"
	for name, text := range map[string]string{"plain": token, "spaces": " \t" + token + "\r\n\n", "empty": "", "blank": "\n", "two": token + "\n" + token, "UTF-16": "\xff\xfe0\x001\x00", "huge": strings.Repeat("a", 1<<20) + "!"} {
		write(t, filepath.Join(dir, name), []byte(text))
	}
	if err := os.Symlink("plain", filepath.Join(dir, "link")); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	for _, name := range []string{"plain", "spaces", "link"} {
		if got, err := findToken(filepath.Join(dir, name)); err != nil && name != "link" || err == nil && got != token {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"empty", "blank", "two", "UTF-16", "huge", "."} {
		if got, err := findToken(filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}
