package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// raw sends a call over a connection of its own, which is not read, to a session; to none for "".
func raw(t *testing.T, s *site, session, body string) *net.TCPConn {
	t.Helper()
	at, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	dialer := net.Dialer{Control: func(_, _ string, c syscall.RawConn) error {
		var failed error
		err := c.Control(func(fd uintptr) { failed = smallBuffer(fd) })
		if err == nil {
			err = failed
		}
		return err
	}}
	conn, err := dialer.DialContext(t.Context(), "tcp", at.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	header := "Mcp-Session-Id: " + session
	if session == "" {
		header = "Mcp-Protocol-Version: " + sessionless + "\r\nMcp-Method: tools/call\r\nMcp-Name: bash"
	}
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n%s\r\nContent-Type: application/json\r\n"+
		"Accept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", at.Path, at.Host, s.token, header, len(body), body)
	return conn.(*net.TCPConn)
}

// A client that sends calls and reads no answer holds up no other, its session can be ended
// with all that it runs, and so can the server.
func TestHTTPClientReadsNothing(t *testing.T) {
	t.Parallel()
	needBash(t)
	for name, end := range map[string]func(s *site, session string){
		"DELETE": func(s *site, session string) {
			r := s.request("DELETE", "")
			r.Header.Set("Mcp-Session-Id", session)
			if res, body := s.do(r); res.StatusCode != http.StatusNoContent {
				t.Errorf("DELETE: %s, %s", res.Status, body)
			}
		},
		"signal": func(s *site, _ string) { s.ends(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := workspace(t)
			write(t, filepath.Join(dir, "big.txt"), []byte(strings.Repeat(strings.Repeat("x", 799)+"\n", 370)))
			s := startHTTP(t, dir, "-set", "MaxBytes=300KB")
			other := dialPlain(t, s.transport())
			session := second(t, s)
			calls := []string{fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"bash","arguments":{"command":%q},"_meta":{"progressToken":"p"}}}`,
				"( while sleep 0.5; do seq 300; done ) & "+sleeper)}
			const large = 15 // answers: more than a connection holds
			for i := range large {
				params := callOf("bash", fmt.Sprintf(`{"command":"cat big.txt; touch cat-%d"}`, i))
				calls = append(calls, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`, 1+i, params))
			}
			raw(t, s, session, "["+strings.Join(calls, ",")+"]")
			shell, child := pidIn(t, filepath.Join(dir, "shell")), pidIn(t, filepath.Join(dir, "child"))
			eventually(t, "the end of the other commands", func() bool {
				ended, err := filepath.Glob(filepath.Join(dir, "cat-*"))
				return err == nil && len(ended) == large
			})
			if text, failed, err := other.call(t.Context(), "bash", map[string]any{"command": "echo there"}, nil); err != nil || failed || text != "there\n" {
				t.Errorf("another client's call: %q, %v", text, err)
			}
			end(s, session)
			gone(t, shell)
			gone(t, child)
			if s.exit != nil {
				if err := other.close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A client that dies in the middle of a call ends neither that nor the session: what it
// began is finished, and others see it.
func TestHTTPClientDies(t *testing.T) {
	t.Parallel()
	needBash(t)
	dir := workspace(t)
	s := startHTTP(t, dir)
	session := second(t, s)
	params, err := json.Marshal(map[string]any{"name": "bash", "arguments": map[string]any{"command": "touch running; until [ -e go-on ]; do sleep 0.05; done; touch ended"}})
	if err != nil {
		t.Fatal(err)
	}
	conn := raw(t, s, session, fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":%s}`, params))
	there := func(name string) func() bool {
		return func() bool { _, err := os.Stat(filepath.Join(dir, name)); return err == nil }
	}
	eventually(t, "the command", there("running"))
	if err := conn.SetLinger(0); err != nil { // as of a process that was killed
		t.Fatal(err)
	}
	conn.Close()
	client := dialPlain(t, s.transport())
	if text, failed, err := client.call(t.Context(), "bash", map[string]any{"command": "touch go-on; until [ -e ended ]; do sleep 0.05; done; echo ended"}, nil); err != nil || failed || text != "ended\n" {
		t.Errorf("another client's call: %q, %v", text, err)
	}
	r := s.request("POST", `{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	r.Header.Set("Mcp-Session-Id", session)
	if res, body := s.do(r); res.StatusCode != http.StatusOK {
		t.Errorf("the session: %s, %s", res.Status, body)
	}
	if err := client.close(); err != nil {
		t.Error(err)
	}
}

// Two clients that number their calls alike hear each of its own.
func TestHTTPSameNumbers(t *testing.T) {
	t.Parallel()
	needBash(t)
	dir := workspace(t)
	s := startHTTP(t, dir)
	texts := make(chan string, 2)
	for i := range 2 {
		client := dialPlain(t, s.transport())
		t.Cleanup(func() { client.close() })
		go func() {
			lines := make(chan string, 10000)
			text, _, err := client.call(t.Context(), "bash", map[string]any{"command": fmt.Sprintf("echo client %d; touch here%[1]d; until [ -e here%d ] && [ -e heard%[1]d ]; do sleep 0.05; done", i, 1-i)},
				func(line string) {
					lines <- line
					_ = os.WriteFile(filepath.Join(dir, fmt.Sprintf("heard%d", i)), nil, 0o600)
				})
			if err != nil {
				t.Error(err)
			}
			if line := <-lines; line+"\n" != text {
				t.Errorf("a client heard %q of a call that printed %q", line, text)
			}
			texts <- text
		}()
	}
	if a, b := <-texts, <-texts; a == b || !strings.HasPrefix(a, "client ") || !strings.HasPrefix(b, "client ") {
		t.Errorf("the clients have %q and %q", a, b)
	}
}

// A body is too large also where nothing says its length.
func TestHTTPTooLargeInChunks(t *testing.T) {
	t.Parallel()
	s := startHTTP(t, t.TempDir())
	r := s.request("POST", "")
	r.Body, r.ContentLength = io.NopCloser(io.LimitReader(endless{}, maxMessage+1)), -1
	if res, body := s.do(r); res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("%s, %s", res.Status, body)
	}
}
