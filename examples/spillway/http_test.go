package main

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// site is a server that serves HTTP.
type site struct {
	t          *testing.T
	cmd        *exec.Cmd
	url, token string
	exit       chan error
}

// startHTTP starts a server and takes its address and token from what it prints.
func startHTTP(t *testing.T, dir string, args ...string) *site {
	t.Helper()
	s := &site{t: t, exit: make(chan error, 1)}
	s.cmd = exec.Command(spillway(t), append([]string{"mcp", "-workspace", dir, "-http", "127.0.0.1:0"}, args...)...)
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stderr)
	s.url = s.printed(lines, `^spillway: serving (http://127\.0\.0\.1:\d+/mcp)\n$`)
	if os.Getenv(tokenVariable) == "" {
		s.token = s.printed(lines, `^spillway: clients need the header: Authorization: Bearer ([A-Z2-7]{26,})\n$`)
	}
	go func() {
		if rest, _ := io.ReadAll(lines); len(rest) > 0 {
			t.Errorf("printed more: %s", rest)
		}
		s.exit <- s.cmd.Wait()
	}()
	t.Cleanup(func() { s.ends(syscall.SIGTERM) })
	return s
}

func (s *site) printed(lines *bufio.Reader, form string) string {
	s.t.Helper()
	line, err := lines.ReadString('\n')
	m := regexp.MustCompile(form).FindStringSubmatch(line)
	if err != nil || m == nil {
		s.cmd.Process.Kill()
		s.t.Fatalf("printed %q, %v; want %s", line, err, form)
	}
	return m[1]
}

// ends ends the server by a signal, which its exit code tells.
func (s *site) ends(by os.Signal) {
	s.t.Helper()
	if s.exit == nil {
		return
	}
	if err := s.cmd.Process.Signal(by); err != nil {
		s.t.Error(err)
	}
	select {
	case <-s.exit:
		if got, want := s.cmd.ProcessState.ExitCode(), 128+int(by.(syscall.Signal)); got != want {
			s.t.Errorf("the server ended with %v, want exit code %d", s.cmd.ProcessState, want)
		}
	case <-time.After(patience):
		s.cmd.Process.Kill()
		s.t.Errorf("the server has not ended after %v", patience)
	}
	s.exit = nil
}

// transport is that of a new client, which has a key of its own.
func (s *site) transport() mcp.Transport {
	return &mcp.StreamableClientTransport{Endpoint: s.url, HTTPClient: &http.Client{Transport: bearer{s.token, rand.Text()}}}
}

// inSession is a transport to a server that is asked for the last revision of the protocol with sessions.
type inSession struct{ mcp.Transport }

// bearer sends a token with every request, and a key if it is not "".
type bearer struct{ token, key string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	if b.key != "" {
		r.Header.Set(mcptools.ClientHeader, b.key)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// overHTTP runs a test in sessions and without them, with a server of its own.
func overHTTP(t *testing.T, test func(t *testing.T, s *site, dir string, client func() mcp.Transport)) {
	for name, kind := range map[string]func(mcp.Transport) mcp.Transport{
		"sessions": func(to mcp.Transport) mcp.Transport { return inSession{to} },
		"alone":    func(to mcp.Transport) mcp.Transport { return to },
	} {
		t.Run(name, func(t *testing.T) {
			dir := workspace(t)
			s := startHTTP(t, dir)
			test(t, s, dir, func() mcp.Transport { return kind(s.transport()) })
		})
	}
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// request is one that is accepted, to be spoiled.
func (s *site) request(method, body string) *http.Request {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	return r
}

func (s *site) do(r *http.Request) (res *http.Response, body string) {
	s.t.Helper()
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res, string(data)
}

// second starts one more session, by hand, and gives its id.
func second(t *testing.T, s *site) string {
	t.Helper()
	res, body := s.do(s.request("POST", hello))
	id := res.Header.Get("Mcp-Session-Id")
	r := s.request("POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	r.Header.Set("Mcp-Session-Id", id)
	if res, _ := s.do(r); id == "" || res.StatusCode != http.StatusAccepted {
		t.Fatalf("no session %q: %s, %s", id, res.Status, body)
	}
	return id
}

func TestHTTPRefuses(t *testing.T) {
	t.Parallel()
	s := startHTTP(t, t.TempDir())
	tests := []struct {
		name   string
		method string
		spoil  func(r *http.Request)
		status int
		alone  int // without sessions, if it differs
	}{
		{"nothing wrong", "POST", func(r *http.Request) {}, 200, 0},
		{"nothing wrong, GET", "GET", func(r *http.Request) {}, 400, 405},
		{"nothing wrong, DELETE", "DELETE", func(r *http.Request) {}, 400, 405},
		{"own origin", "POST", func(r *http.Request) { r.Header.Set("Origin", "http://"+r.URL.Host) }, 200, 0},
		{"localhost as host", "POST", func(r *http.Request) { r.Host = "localhost:" + r.URL.Port() }, 200, 0},
		{"no token", "POST", func(r *http.Request) { r.Header.Del("Authorization") }, 401, 0},
		{"no token, GET", "GET", func(r *http.Request) { r.Header.Del("Authorization") }, 401, 0},
		{"no token, DELETE", "DELETE", func(r *http.Request) { r.Header.Del("Authorization") }, 401, 0},
		{"wrong token", "POST", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+s.token+"A") }, 401, 0},
		{"the beginning of the token", "POST", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+s.token[:20]) }, 401, 0},
		{"an empty token", "POST", func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }, 401, 0},
		{"a password", "POST", func(r *http.Request) { r.SetBasicAuth("user", s.token) }, 401, 0},
		{"the token in the address", "POST", func(r *http.Request) {
			r.Header.Del("Authorization")
			r.URL.RawQuery = "access_token=" + s.token
		}, 401, 0},
		{"another origin", "POST", func(r *http.Request) { r.Header.Set("Origin", "https://example.com") }, 403, 0},
		{"another origin, GET", "GET", func(r *http.Request) { r.Header.Set("Origin", "https://example.com") }, 403, 0},
		{"another port's page", "POST", func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }, 403, 0},
		{"a file's page", "POST", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403, 0},
		{"another site's page", "POST", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403, 0},
		{"another site's page, GET", "GET", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403, 0},
		{"another host", "POST", func(r *http.Request) { r.Host = "example.com" }, 403, 0},
		{"another host, same origin", "POST", func(r *http.Request) {
			r.Host = "example.com"
			r.Header.Set("Origin", "http://example.com")
			r.Header.Set("Sec-Fetch-Site", "same-origin")
		}, 403, 0},
		{"a host that begins like this machine", "POST", func(r *http.Request) { r.Host = "localhost.example.com" }, 403, 0},
		{"a host that begins like this address", "POST", func(r *http.Request) { r.Host = "127.0.0.1.example.com" }, 403, 0},
		{"this address as host, without a port", "POST", func(r *http.Request) { r.Host = "127.0.0.1" }, 200, 0},
		{"this address in IPv6 as host", "POST", func(r *http.Request) { r.Host = "[::1]:" + r.URL.Port() }, 200, 0},
		{"every address as host", "POST", func(r *http.Request) { r.Host = "0.0.0.0:" + r.URL.Port() }, 403, 0},
		{"a page whose name leads here", "POST", func(r *http.Request) {
			r.Host = "example.com:" + r.URL.Port()
			r.Header.Set("Origin", "http://"+r.Host)
			r.Header.Del("Authorization") // which it does not know
		}, 403, 0},
		{"a preflight", "OPTIONS", func(r *http.Request) {
			r.Header.Del("Authorization")
			r.Header.Set("Origin", "https://example.com")
			r.Header.Set("Access-Control-Request-Method", "POST")
		}, 403, 0},
		{"another path", "POST", func(r *http.Request) { r.URL.Path = "/" }, 404, 0},
		{"another session", "POST", func(r *http.Request) { r.Header.Set("Mcp-Session-Id", "mine") }, 404, 200},
		{"a form", "POST", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := s.request(test.method, hello)
			test.spoil(r)
			s.answers(r, test.status)
		})
		t.Run(test.name+", alone", func(t *testing.T) {
			r := s.alone("tools/list", "")
			r.Method = test.method
			test.spoil(r)
			s.answers(r, cmp.Or(test.alone, test.status))
		})
	}
}

// answers checks how a request that may be refused is answered.
func (s *site) answers(r *http.Request, status int) {
	s.t.Helper()
	res, body := s.do(r)
	if res.StatusCode != status {
		s.t.Errorf("status %s, %s; want %d", res.Status, body, status)
	}
	if asks := res.Header.Get("WWW-Authenticate") == `Bearer realm="spillway"`; asks != (status == 401) {
		s.t.Errorf("status %s, WWW-Authenticate %q", res.Status, res.Header.Get("WWW-Authenticate"))
	}
	if served := strings.Contains(body, "serverInfo"); served != (status == 200) {
		s.t.Errorf("status %s: %s", res.Status, body)
	}
}

func TestHTTPTooLarge(t *testing.T) {
	t.Parallel()
	s := startHTTP(t, t.TempDir())
	for name, request := range map[string]func(body string) *http.Request{
		"sessions": func(body string) *http.Request { return s.request("POST", body) },
		"alone": func(body string) *http.Request {
			r := s.alone("tools/list", "")
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
			return r
		},
	} {
		res, body := s.do(request(`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", maxMessage) + `"}`))
		if res.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s, a large body: %s, %s", name, res.Status, body)
		}
		r := request(hello)
		r.Header.Set("X-Much", strings.Repeat("x", 2*headerBytes))
		if res, _ := s.do(r); res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("%s, large headers: %s", name, res.Status)
		}
	}
}

// The token that a person chose is not printed, and commands do not have it.
func TestHTTPToken(t *testing.T) {
	needBash(t)
	const token = "0123456789abcdef0123456789abcdef"
	file := filepath.Join(t.TempDir(), "token")
	write(t, file, []byte(token+"\n"))
	t.Setenv(tokenVariable, strings.ToUpper(token))
	for name, args := range map[string][]string{"file": {"-token-file", file}, "environment": {"-read-only=false"}} {
		t.Run(name, func(t *testing.T) {
			s := startHTTP(t, t.TempDir(), args...)
			s.token = token
			if name == "environment" {
				s.token = strings.ToUpper(token)
			}
			_, text := say(t, connect(t, s.transport(), nil), "bash", map[string]any{"command": "env"})
			if strings.Contains(strings.ToLower(text), token) {
				t.Errorf("a command has the token: %s", text)
			}
		})
	}
}

// Clients share the suite: one that ends leaves its background processes to the others.
func TestHTTPTwoClients(t *testing.T) {
	t.Parallel()
	needBash(t)
	overHTTP(t, twoClients)
}

func twoClients(t *testing.T, s *site, dir string, client func() mcp.Transport) {
	pid := 0
	first, other := connect(t, client(), nil), connect(t, client(), nil)
	if first.ID() == other.ID() && first.ID() != "" {
		t.Error("two clients have one session")
	}
	calls := make(chan string, 2)
	for i, session := range []*mcp.ClientSession{first, other} { // each waits for the other
		go func() {
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{
				"command": fmt.Sprintf("touch here%d; until [ -e here%d ]; do sleep 0.05; done; echo met", i, 1-i)}})
			if err != nil {
				t.Error(err)
				calls <- ""
				return
			}
			calls <- res.Content[0].(*mcp.TextContent).Text
		}()
	}
	for range 2 {
		if text := <-calls; text != "met\n" {
			t.Errorf("a call gave %q", text)
		}
	}
	say(t, first, "bash", map[string]any{"command": "sleep 600 & echo $! > background"})
	pid = pidIn(t, filepath.Join(dir, "background"))
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if _, text := say(t, other, "bash", map[string]any{"command": "kill -0 $(cat background) && echo there"}); text != "there\n" {
		t.Errorf("after the end of the other client: %q", text)
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	s.ends(syscall.SIGTERM)
	gone(t, pid)
}

// A session that is deleted ends its calls, at once, and those of no other.
func TestHTTPDelete(t *testing.T) {
	t.Parallel()
	needBash(t)
	dir := workspace(t)
	s := startHTTP(t, dir)
	other := connect(t, s.transport(), nil)
	waits := make(chan string, 1)
	go func() {
		res, err := other.CallTool(t.Context(), &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{"command": "until [ -e go-on ]; do sleep 0.05; done; echo done"}})
		if err != nil {
			t.Error(err)
			res = &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{}}}
		}
		waits <- res.Content[0].(*mcp.TextContent).Text
	}()
	id := second(t, s)
	in := func(method, body string) *http.Request {
		r := s.request(method, body)
		r.Header.Set("Mcp-Session-Id", id)
		return r
	}
	ended := make(chan bool)
	go func() {
		defer close(ended)
		res, err := http.DefaultClient.Do(in("POST", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":`+callOf("bash", fmt.Sprintf(`{"command":%q}`, sleeper))+`}`))
		if err != nil {
			t.Error(err)
			return
		}
		defer res.Body.Close()
		_, _ = io.ReadAll(res.Body) // until the session has ended
	}()
	shell, child := pidIn(t, filepath.Join(dir, "shell")), pidIn(t, filepath.Join(dir, "child"))
	if res, body := s.do(in("DELETE", "")); res.StatusCode != http.StatusNoContent {
		t.Errorf("DELETE: %s, %s", res.Status, body)
	}
	gone(t, shell)
	gone(t, child)
	<-ended
	if res, _ := s.do(in("POST", `{"jsonrpc":"2.0","id":3,"method":"ping"}`)); res.StatusCode != http.StatusNotFound {
		t.Errorf("the deleted session: %s", res.Status)
	}
	write(t, filepath.Join(dir, "go-on"), nil)
	if text := <-waits; text != "done\n" {
		t.Errorf("the other session's call: %q", text)
	}
}

// On a signal a call that runs is answered, the stream that a client holds open ends,
// and no process is left.
func TestHTTPSignals(t *testing.T) {
	t.Parallel()
	needBash(t)
	for _, by := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(by.String(), func(t *testing.T) {
			dir := workspace(t)
			s := startHTTP(t, dir)
			session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), s.transport(), nil)
			if err != nil {
				t.Fatal(err)
			}
			say(t, session, "bash", map[string]any{"command": "sleep 600 & echo $! > background"})
			answer := make(chan *mcp.CallToolResult, 1)
			go func() {
				res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{"command": "echo begun; " + sleeper}})
				if err != nil {
					t.Error(err)
				}
				answer <- res
			}()
			stream := s.request("GET", "")
			stream.Header.Set("Mcp-Session-Id", second(t, s))
			open, err := http.DefaultClient.Do(stream)
			if err != nil || open.StatusCode != http.StatusOK {
				t.Fatal(open, err)
			}
			defer open.Body.Close()
			var pids []int
			for _, file := range []string{"background", "shell", "child"} {
				pids = append(pids, pidIn(t, filepath.Join(dir, file)))
			}
			s.ends(by)
			if _, err := io.ReadAll(open.Body); err != nil {
				t.Errorf("the stream was cut: %v", err)
			}
			for _, pid := range pids {
				gone(t, pid)
			}
			if res := <-answer; res != nil && (!res.IsError || !strings.Contains(res.Content[0].(*mcp.TextContent).Text, "begun")) {
				t.Errorf("the call that ran: %+v", res.Content[0])
			}
			session.Close() // of a server that is gone: an error
		})
	}
}

// A client without a token that sends half of a request does not hold the connection
// open. One with a token may take as long as it likes when its request is there.
func TestHTTPSlowBody(t *testing.T) {
	const token = "0123456789abcdef"
	suite, err := tools.New(config.Config{Workspace: t.TempDir()}, all.Parts()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { suite.Close() })
	web := httptest.NewServer(guarded(newServer(suite, nil, 0), token, limits{50 * time.Millisecond, maxAlone}))
	t.Cleanup(web.Close) // when the session has ended
	for _, with := range []string{"", "Authorization: Bearer " + token + "\r\n"} {
		conn, err := net.Dial("tcp", web.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(patience))
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: 100\r\n\r\n{", path, with)
		if answer, err := io.ReadAll(conn); err != nil || with != "" && !strings.HasPrefix(string(answer), "HTTP/1.1 408 ") {
			t.Errorf("with %q: answered %q, %v", with, answer, err)
		}
	}
	s := &site{t: t, url: web.URL + path, token: token}
	session := connect(t, inSession{s.transport()}, nil) // which has a stream open
	needBash(t)
	if _, text := say(t, session, "bash", map[string]any{"command": "sleep 0.2; echo done"}); text != "done\n" {
		t.Errorf("a call that takes longer than a body may: %q", text)
	}
}

// Clients that begin sessions and end none push out the one that was not used for
// the longest time, and no session in use.
func TestHTTPManySessions(t *testing.T) {
	t.Parallel()
	s := startHTTP(t, t.TempDir())
	ping := func(id string) int {
		r := s.request("POST", `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		r.Header.Set("Mcp-Session-Id", id)
		res, _ := s.do(r)
		return res.StatusCode
	}
	unused, used, streaming := second(t, s), second(t, s), second(t, s)
	stream := s.request("GET", "")
	stream.Header.Set("Mcp-Session-Id", streaming)
	open, err := http.DefaultClient.Do(stream)
	if err != nil || open.StatusCode != http.StatusOK {
		t.Fatal(open, err)
	}
	defer open.Body.Close()
	for range maxSessions - 3 {
		s.do(s.request("POST", hello))
	}
	if got := ping(used); got != http.StatusOK {
		t.Fatalf("a session in use: %d", got)
	}
	s.do(s.request("POST", hello)) // one too many
	eventually(t, "the end of the session without use", func() bool { return ping(unused) == http.StatusNotFound })
	for name, id := range map[string]string{"in use": used, "with a stream": streaming} {
		if got := ping(id); got != http.StatusOK {
			t.Errorf("the session %s: %d", name, got)
		}
	}
}
