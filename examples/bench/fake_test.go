package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// fake is a suite without a fault, or with one, that is small rather than quick.
type fake struct {
	world *world
	fault string
	id    string // in the environment of its commands
	mu    sync.Mutex
	known map[string][]byte // files as they were read or written last
}

var fakes atomic.Uint64

// serving makes the server of a fake with a fault, for a workspace; "" is none.
func serving(w *world, fault string) (*fake, *mcp.Server) {
	f := &fake{world: w, fault: fault, id: fmt.Sprintf("BENCH_FAKE=%d-%d-", os.Getpid(), fakes.Add(1)), known: map[string][]byte{}}
	server := mcp.NewServer(&mcp.Implementation{Name: "fake", Version: "1"}, nil)
	addFake(server, "read", f.read)
	addFake(server, "bash", f.bash)
	addFake(server, "grep", f.grep)
	addFake(server, "find", f.find)
	addFake(server, "ls", f.list)
	addFake(server, "write", f.write)
	addFake(server, "edit", f.edit)
	addFake(server, "apply_patch", f.patch)
	return f, server
}

// newFake makes a suite of fakes with a fault.
func newFake(fault string) *suite {
	return &suite{Name: "fake", connect: func(w *world) mcp.Transport {
		f, server := serving(w, fault)
		client, transport := mcp.NewInMemoryTransports()
		go func() {
			_ = server.Run(context.Background(), transport) // the client is gone
			for _, left := range []string{"background", "setsid", "nohup", "daemon", "stubborn", "forks", "end-running"} {
				if f.fault == left && strings.Contains(f.last(), mark[left]) {
					return
				}
			}
			if f.last() != "\n" {
				f.kill(f.id)
			}
		}()
		return client
	}}
}

// mark is what the command has that a fault is about.
var mark = map[string]string{"background": "\nsleep", "setsid": "\nsetsid sleep", "nohup": "nohup", "daemon": "(setsid", "stubborn": "trap", "forks": "seq 60", "end-running": "\nsleep"}

func (f *fake) last() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return "\n" + string(f.known["command"])
}

func addFake[In any](server *mcp.Server, name string, do func(context.Context, In) (string, error)) {
	mcp.AddTool(server, &mcp.Tool{Name: name}, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		out, err := do(ctx, in)
		return text(out), nil, err
	})
}

const pageBytes = 30 << 10

func (f *fake) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(f.world.dir, name)
}

// open opens a regular file.
func (f *fake) open(name string) (*os.File, error) {
	info, err := os.Stat(f.path(name))
	if err == nil && !info.Mode().IsRegular() && f.fault != info.Mode().Type().String() {
		err = errors.New("it is no regular file")
	}
	if err != nil {
		return nil, err
	}
	return os.Open(f.path(name))
}

type readArgs struct {
	Path   string `json:"path"`
	Offset int    `json:"offset,omitempty"`
	Limit  int    `json:"limit,omitempty"`
	Column int    `json:"column,omitempty"`
}

func (f *fake) read(_ context.Context, in readArgs) (string, error) {
	file, err := f.open(in.Path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() < 1<<20 {
		data, err := os.ReadFile(f.path(in.Path))
		if err != nil {
			return "", err
		}
		f.mu.Lock()
		f.known[f.path(in.Path)] = data
		f.mu.Unlock()
		if f.fault != "encodings" {
			data, _ = decode(data)
		}
		return f.page(bytes.NewReader(data), in), nil
	}
	return f.page(file, in), nil
}

// page shows lines from an offset on, and of a line that is longer than a page a part.
func (f *fake) page(in io.Reader, a readArgs) string {
	lines, out := bufio.NewReaderSize(in, 1<<16), strings.Builder{}
	limit := a.Limit
	if limit == 0 {
		limit = 2000
	}
	for n := 1; ; n++ {
		line, err := lines.ReadString('\n')
		if line == "" && err != nil {
			return out.String()
		}
		if n < max(a.Offset, 1) {
			continue
		}
		full := out.Len()+len(line) > pageBytes || n >= max(a.Offset, 1)+limit
		switch {
		case len(line) > pageBytes && out.Len() == 0:
			return piece(line, n, max(a.Column, 1), f.fault)
		case full && f.fault == "silent" || f.fault == "unbounded" && full && n < 0:
			return out.String()
		case full && f.fault != "unbounded":
			if f.fault == "skips" {
				n++
			}
			return out.String() + fmt.Sprintf("\n[There is more. Use offset=%d]", n)
		case f.fault == "short" && n == 3 && line == "three\n":
			return out.String()
		case f.fault == "trims":
			line = strings.TrimRight(line, " \n") + "\n"
		}
		out.WriteString(line)
	}
}

func piece(line string, n, column int, fault string) string {
	end := min(column-1+pageBytes, len(line))
	for end < len(line) && !utf8.RuneStart(line[end]) {
		end--
	}
	if fault == "long" {
		return line[:pageBytes] + "\n[The line is cut]"
	}
	if end == len(line) {
		return line[column-1:] + fmt.Sprintf("\n[Use offset=%d]", n+1)
	}
	return line[column-1:end] + fmt.Sprintf("\n[Use offset=%d column=%d]", n, end+1)
}

type bashArgs struct {
	Command string `json:"command"`
	Timeout int    `json:"timeout_ms,omitempty"`
}

// bash shows the end of an output, and names the file that has all of it.
func (f *fake) bash(ctx context.Context, in bashArgs) (string, error) {
	f.mu.Lock()
	f.known["command"] = []byte(in.Command)
	f.mu.Unlock()
	out, err := os.CreateTemp(f.world.temp(), "output")
	if err != nil {
		return "", err
	}
	defer out.Close()
	id := f.id + strconv.FormatUint(fakes.Add(1), 10)
	cmd := exec.Command("bash", "-c", in.Command)
	cmd.Dir, cmd.Stdout, cmd.Stderr = f.world.dir, out, out
	cmd.Env = append(f.world.environment(), id)
	if f.fault == "stdin" {
		cmd.Stdin, _, _ = os.Pipe()
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended, timeout := make(chan error, 1), make(<-chan time.Time)
	go func() { ended <- cmd.Wait() }()
	if in.Timeout > 0 && f.fault != "forever" {
		timeout = time.After(time.Duration(in.Timeout) * time.Millisecond)
	}
	said := ""
	select {
	case err := <-ended:
		if err != nil {
			said = "\n[" + err.Error() + "]"
		}
	case <-timeout:
		said = "\n[It took too long]"
		f.end(cmd, id, "timeout")
	case <-ctx.Done():
		f.end(cmd, id, "cancel")
		return "", ctx.Err()
	}
	if f.fault == "mute" && strings.Contains(said, "too long") {
		return said, nil
	}
	return f.output(out, said)
}

// end ends a command, with what it started.
func (f *fake) end(cmd *exec.Cmd, id, why string) {
	if f.fault == why+"-alone" && !strings.Contains(f.last(), "setsid") {
		_ = cmd.Process.Kill()
		return
	}
	if f.fault == why+"-group" && strings.Contains(f.last(), "setsid") {
		_ = cmd.Process.Kill()
		return
	}
	f.kill(id)
}

// kill kills the processes that have something in their environment, until there is none.
func (f *fake) kill(id string) {
	for range 100 {
		list, _ := filepath.Glob("/proc/[0-9]*/environ")
		any := false
		for _, name := range list {
			data, err := os.ReadFile(name)
			pid, _ := strconv.Atoi(path.Base(path.Dir(name)))
			if err == nil && bytes.Contains(data, []byte(id)) && pid != os.Getpid() {
				any = true
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		if !any {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func (f *fake) output(out *os.File, said string) (string, error) {
	info, err := out.Stat()
	if err != nil {
		return "", err
	}
	size := info.Size()
	from := max(size-pageBytes, 0)
	if f.fault == "unbounded" {
		from = 0
	}
	data := make([]byte, size-from)
	if _, err := out.ReadAt(data, from); err != nil && err != io.EOF {
		return "", err
	}
	for f.fault != "splits" && from > 0 && len(data) > 0 && !utf8.RuneStart(data[0]) {
		data = data[1:]
	}
	text := strings.ToValidUTF8(string(data), "�")
	if f.fault == "invalid" && !utf8.Valid(data) {
		return "", errors.New("the output is no text")
	}
	if from > 0 && f.fault != "lost" {
		text += "\n[This is the end. All of it is in " + out.Name() + "]"
	}
	if from > 0 && f.fault == "nothing" {
		text = strings.ReplaceAll(text, "/", "")
	}
	return text + said, nil
}
