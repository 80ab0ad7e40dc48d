package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// longest is how many bytes of an answer are taken: more ends the session.
const longest = 300 << 20

// reply is what a call gave.
type reply struct {
	Text   string
	Error  bool
	Took   time.Duration
	Silent bool // there was no answer in time, or the server is gone
}

// session is a suite's server, started for a case.
type session struct {
	client   *mcp.ClientSession
	tools    []*mcp.Tool
	version  string
	patience time.Duration
	process  *process // nil if it was not started here
}

// open connects to a suite's server, and lists its tools.
func (s *suite) open(ctx context.Context, w *world, patience time.Duration) (*session, error) {
	opened := &session{patience: patience}
	var transport mcp.Transport
	switch {
	case s.connect != nil:
		transport = s.connect(w)
	case s.url != "":
		transport = &mcp.StreamableClientTransport{Endpoint: s.url, HTTPClient: &http.Client{Transport: headers(s.headers)}}
	default:
		p, err := startProcess(s.command(w))
		if err != nil {
			return nil, fmt.Errorf("%s does not start: %w", s.Name, err)
		}
		opened.process = p
		transport = &mcp.IOTransport{Reader: p.out, Writer: p.in, MaxLineLength: longest}
	}
	starting, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	var err error
	opened.client, err = mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(starting, transport, nil)
	if err == nil {
		opened.version = opened.client.InitializeResult().ServerInfo.Version
		for tool, failed := range opened.client.Tools(starting, nil) {
			if err = failed; err != nil {
				break
			}
			opened.tools = append(opened.tools, tool)
		}
	}
	if err != nil {
		err = fmt.Errorf("%s is not ready: %w%s", s.Name, err, opened.process.said())
		return nil, errors.Join(err, opened.close())
	}
	return opened, nil
}

// headers are sent with each request, such as an authorization.
type headers http.Header

func (h headers) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	for name, values := range h {
		req.Header[name] = values
	}
	return http.DefaultTransport.RoundTrip(req)
}

// startTime is how long a server may take to start.
const startTime = time.Minute

// call calls a tool. A server that does not answer in time is silent, which is no error of the bench.
func (s *session) call(ctx context.Context, tool string, args map[string]any) reply {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	begin := time.Now()
	type answer struct {
		res *mcp.CallToolResult
		err error
	}
	answers := make(chan answer, 1)
	go func() {
		res, err := s.client.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		answers <- answer{res, err}
	}()
	var a answer
	select {
	case a = <-answers:
	case <-ctx.Done():
		a.err = ctx.Err()
	}
	r := reply{Took: time.Since(begin)}
	var refused interface{ Error() string }
	switch {
	case a.err == nil:
		r.Error = a.res.IsError
		var texts []string
		for _, c := range a.res.Content {
			if text, ok := c.(*mcp.TextContent); ok {
				texts = append(texts, text.Text)
			}
		}
		r.Text = strings.Join(texts, "\n")
	case ctx.Err() != nil || errors.Is(a.err, mcp.ErrConnectionClosed) || errors.Is(a.err, io.EOF):
		r.Silent, r.Error, r.Text = true, true, "(no answer: "+a.err.Error()+")"
	case errors.As(a.err, &refused):
		r.Error, r.Text = true, refused.Error() // a JSON-RPC error, such as of wrong arguments
	}
	return r
}

// close ends the session, for whose server's end the case waits as long as the protocol allows only if it looks at what
// is left.
func (s *session) close(wait ...time.Duration) error {
	if s == nil {
		return nil
	}
	if s.process == nil {
		if s.client != nil {
			return s.client.Close()
		}
		return nil
	}
	return s.process.end(append(wait, hurry, hurry)[:2])
}

// process is a server that was started here.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   io.ReadCloser
	err   lastBytes
	ended chan struct{}
}

func startProcess(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, ended: make(chan struct{})}
	cmd.Stderr = &p.err
	cmd.WaitDelay = time.Second
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	read, write, err := os.Pipe() // Wait would close that of StdoutPipe, with an answer in it
	if err != nil {
		return nil, err
	}
	cmd.Stdout, p.out = write, read
	err = cmd.Start()
	write.Close()
	if err != nil {
		read.Close()
		return nil, err
	}
	go func() {
		_ = cmd.Wait() // how a server ends says nothing about its tools
		close(p.ended)
	}()
	return p, nil
}

// How long a server may take to end after its input is closed, and after SIGTERM. Several end by a signal alone.
const (
	hurry      = 100 * time.Millisecond
	afterInput = 3 * time.Second
	afterTerm  = 5 * time.Second
)

// end ends the server as a client does: it closes its input, then sends SIGTERM, then kills it.
func (p *process) end(times []time.Duration) error {
	p.in.Close()
	defer p.out.Close()
	for i, signal := range []os.Signal{syscall.SIGTERM, os.Kill} {
		select {
		case <-p.ended:
			return nil
		case <-time.After(times[i]):
			_ = p.cmd.Process.Signal(signal) // it may just have ended
		}
	}
	<-p.ended
	return nil
}

// said is the last of what the server wrote to its standard error.
func (p *process) said() string {
	if p == nil {
		return ""
	}
	if text := p.err.String(); text != "" {
		return ": " + text
	}
	return ""
}

// lastBytes keeps the last of what is written.
type lastBytes struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lastBytes) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf.Write(p)
	l.buf.Next(max(l.buf.Len()-2000, 0))
	return len(p), nil
}

func (l *lastBytes) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.TrimSpace(l.buf.String())
}
