package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/tools"
)

// carried is the program behind a carrier that keeps its input and output open whatever
// becomes of the client, as docker exec and kubectl exec do.
type carried struct {
	t    *testing.T
	dir  string
	exit chan error

	in      *os.File // the client's ends
	out     *os.File
	severed atomic.Bool   // what comes from the client is dropped
	still   chan struct{} // closed: what comes from the program is not read
}

func carry(t *testing.T, args ...string) *carried {
	t.Helper()
	needBash(t)
	c := &carried{t: t, dir: t.TempDir(), exit: make(chan error, 1), still: make(chan struct{})}
	cmd := exec.Command(spillway(t), append([]string{"mcp", "-workspace", c.dir}, args...)...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	fromServer, toCarrier, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = toCarrier
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toCarrier.Close()
	fromClient, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, toClient, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.in, c.out = in, out
	t.Cleanup(func() {
		cmd.Process.Kill()
		for _, f := range []io.Closer{stdin, fromServer, fromClient, in, out, toClient} {
			f.Close()
		}
	})
	go func() { c.exit <- cmd.Wait() }()
	go func() { // stdin stays open at the end
		buffer := make([]byte, 32<<10)
		for {
			n, err := fromClient.Read(buffer)
			if err != nil {
				return
			}
			if !c.severed.Load() {
				stdin.Write(buffer[:n])
			}
		}
	}()
	go func() {
		buffer := make([]byte, 32<<10)
		for {
			n, err := fromServer.Read(buffer)
			if err != nil {
				return
			}
			select {
			case <-c.still:
				return
			default:
				toClient.Write(buffer[:n])
			}
		}
	}()
	return c
}

// near connects this process.
func (c *carried) near() map[string]tools.Tool {
	c.t.Helper()
	list, _, err := mcptools.Connect(c.t.Context(), &mcp.IOTransport{Reader: c.out, Writer: c.in})
	if err != nil {
		c.t.Fatal(err)
	}
	named := map[string]tools.Tool{}
	for _, tool := range list {
		named[tool.Name()] = tool
	}
	return named
}

// call makes a call that nobody waits for.
func (c *carried) call(tool tools.Tool, args map[string]any) {
	encoded, err := json.Marshal(args)
	if err != nil {
		c.t.Fatal(err)
	}
	go tool.Call(c.t.Context(), encoded)
}

// ends waits for the end of the program and of what it started.
func (c *carried) ends(pids ...int) {
	c.t.Helper()
	select {
	case err := <-c.exit:
		if err != nil {
			c.t.Errorf("the server ended with: %v", err)
		}
	case <-time.After(patience):
		c.t.Fatalf("the server has not ended after %v", patience)
	}
	for _, pid := range pids {
		gone(c.t, pid)
	}
}

func (c *carried) pids() []int {
	return []int{pidIn(c.t, filepath.Join(c.dir, "shell")), pidIn(c.t, filepath.Join(c.dir, "child"))}
}

// A server ends with all that it runs when nothing is heard of its client any more,
// although its input stays open.
func TestCarrierStays(t *testing.T) {
	t.Parallel()
	tests := map[string]func(c *carried, far map[string]tools.Tool) (pids []int){
		"nothing runs": func(*carried, map[string]tools.Tool) []int { return nil },
		"a command runs": func(c *carried, far map[string]tools.Tool) []int {
			c.call(far["bash"], map[string]any{"command": sleeper})
			return c.pids()
		},
		"a job runs": func(c *carried, far map[string]tools.Tool) []int {
			c.call(far["bash"], map[string]any{"command": sleeper, "background": true})
			return c.pids()
		},
		"the output is full": func(c *carried, far map[string]tools.Tool) []int {
			c.call(far["bash"], map[string]any{"command": sleeper})
			close(c.still)
			for i := range 8 { // a pipe holds 64KB
				c.call(far["bash"], map[string]any{"command": fmt.Sprintf("seq 3000; touch full-%d", i)})
			}
			for i := range 8 {
				eventually(c.t, "the end of a command", func() bool {
					_, err := os.Stat(filepath.Join(c.dir, fmt.Sprint("full-", i)))
					return err == nil
				})
			}
			return c.pids()
		},
	}
	for name, begin := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := carry(t)
			pids := begin(c, c.near())
			c.severed.Store(true)
			c.ends(pids...)
		})
	}
}

// A server that allows a longer silence outlives one that would end it otherwise, and what
// it runs meanwhile is there afterwards.
func TestLongerSilence(t *testing.T) {
	t.Parallel()
	c := carry(t, "-silence", "10m")
	far := c.near()
	text := func(tool, args string) string {
		res, err := far[tool].Call(t.Context(), json.RawMessage(args))
		if err != nil || res.IsError {
			t.Fatalf("%s %s: %v, %+v", tool, args, err, res)
		}
		return res.Text
	}
	text("bash", `{"command": "cat", "background": true}`)
	answered := make(chan string)
	go func() { answered <- text("bash", `{"command": "touch running; sleep 4; echo done"}`) }()
	eventually(t, "the command", func() bool { _, err := os.Stat(filepath.Join(c.dir, "running")); return err == nil })
	c.severed.Store(true)
	if got := <-answered; got != "done\n" { // after twice the usual silence
		t.Errorf("the command printed %q", got)
	}
	c.severed.Store(false)
	if got := text("job", `{"id": 1, "input": "still there\n", "until": "there"}`); !strings.HasPrefix(got, "still there\n") {
		t.Errorf("the job printed %q", got)
	}
}

// A longer silence ends too, and not before its time.
func TestLongerSilenceEnds(t *testing.T) {
	t.Parallel()
	const silence = 4 * time.Second
	c := carry(t, "-silence", silence.String())
	far := c.near()
	c.call(far["bash"], map[string]any{"command": sleeper, "background": true})
	pids := c.pids()
	began := time.Now()
	c.severed.Store(true)
	c.ends(pids...)
	if lasted := time.Since(began); lasted < silence-mcptools.ShortestSilence {
		t.Errorf("the server waited only %v", lasted)
	}
}

// nearVariable makes this program a client, over stdin and stdout, that waits for a command.
const nearVariable = "SPILLWAY_TEST_NEAR"

func waitingNear() int {
	list, _, err := mcptools.Connect(context.Background(), &mcp.StdioTransport{})
	for _, tool := range list {
		if tool.Name() == "bash" {
			_, err = tool.Call(context.Background(), json.RawMessage(fmt.Sprintf(`{"command": %q}`, sleeper)))
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func TestClientKilledBehindCarrier(t *testing.T) {
	t.Parallel()
	c := carry(t)
	client := exec.Command(os.Args[0])
	client.Env = append(os.Environ(), nearVariable+"=1")
	client.Stdin, client.Stdout, client.Stderr = c.out, c.in, os.Stderr
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	defer client.Process.Kill()
	pids := c.pids()
	if err := client.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	client.Wait()
	c.ends(pids...)
}

// A client that closes its end has a command ended that it was waiting for, at once.
func TestPromisedClientHangsUp(t *testing.T) {
	needBash(t)
	t.Parallel()
	dir := t.TempDir()
	p := start(t, "-workspace", dir)
	p.initialize()
	p.request(2, "ping", `{"_meta": {"spillway/silenceMs": 600000}}`)
	p.send(3, "tools/call", callOf("bash", fmt.Sprintf(`{"command": %q}`, sleeper)))
	shell, child := pidIn(t, filepath.Join(dir, "shell")), pidIn(t, filepath.Join(dir, "child"))
	if err := p.hang(); err != nil {
		t.Fatal(err)
	}
	p.endsWell()
	gone(t, shell)
	gone(t, child)
}

// Only a promise starts the watchdog.
func TestPromises(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		`null`: false, `{}`: false, `{"_meta": {}}`: false, `{"_meta": {"progressToken": 1}}`: false,
		`{"_meta": {"spillway/silenceMs": 600000}}`: true, `{"_meta": {"spillway/silenceMs": 600}}`: true,
		`{"_meta": {"spillway/silenceMs": 0}}`: false, `{"_meta": {"spillway/silenceMs": 1}}`: false, `{"_meta": {"spillway/silenceMs": -1500}}`: false,
		`{"_meta": {"spillway/silenceMs": 1e300}}`: false, `{"_meta": {"spillway/silenceMs": "1500"}}`: false,
	}
	for params, want := range tests {
		w := newWatchdog(strings.NewReader(""), 0)
		req := &mcp.ServerRequest[*mcp.PingParams]{Params: new(mcp.PingParams)}
		if err := json.Unmarshal([]byte(params), &req.Params); err != nil {
			t.Fatal(err)
		}
		asked := false
		next := func(context.Context, string, mcp.Request) (mcp.Result, error) { asked = true; return nil, nil }
		w.middleware(next)(t.Context(), "ping", req)
		if w.promised.Load() != want || !asked {
			t.Errorf("%s: promised %v, want %v; passed on: %v", params, !want, want, asked)
		}
	}
}

// Every byte is a sign of life, and also one that comes at the last moment.
func TestWatchdog(t *testing.T) {
	t.Parallel()
	w := newWatchdog(strings.NewReader(strings.Repeat("x", 3)), 0)
	one := make([]byte, 1)
	for range 3 {
		if _, err := w.Read(one); err != nil || !w.heard.Swap(false) {
			t.Fatalf("a byte was not heard (%v)", err)
		}
	}
	if _, err := w.Read(one); err == nil || w.heard.Load() {
		t.Errorf("the end of the input was heard (%v)", err)
	}
	go w.watch(checks * time.Millisecond)
	<-w.gone
}

// Details come to a program that calls Connect, and to nobody else.
func TestDetailsForConnect(t *testing.T) {
	t.Parallel()
	dir := workspace(t)
	list, session, err := mcptools.Connect(t.Context(), &mcp.CommandTransport{Command: exec.Command(spillway(t), "mcp", "-workspace", dir)})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if said := mcptools.Differences(session, list); len(said) > 0 {
		t.Errorf("differences: %q", said)
	}
	for _, tool := range list {
		if tool.Name() == "ls" {
			res, err := tool.Call(t.Context(), nil)
			if details, _ := res.Details.(map[string]any); err != nil || details["totalEntries"] != 2.0 {
				t.Errorf("%+v, %v", res, err)
			}
		}
	}
}
