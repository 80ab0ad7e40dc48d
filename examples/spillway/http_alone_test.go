package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/examples/adapters/mcptools"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
)

// The tests of this file are of the revision of the protocol in which there are no sessions over HTTP.

// aloneText is a request of a method, with more parameters.
func aloneText(method, params string) string {
	if params != "" {
		params += ","
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s"_meta":{"progressToken":"p",`+
		`"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{}}}}`, method, params, sessionless)
}

// alone is such a request that is accepted, to be spoiled. For tools/call, params begin with the name of the tool.
func (s *site) alone(method, params string) *http.Request {
	s.t.Helper()
	r := s.request("POST", aloneText(method, params))
	r.Header.Set("Mcp-Protocol-Version", sessionless)
	r.Header.Set("Mcp-Method", method)
	var named struct{ Name string }
	if json.Unmarshal([]byte("{"+params+"}"), &named) == nil && named.Name != "" {
		r.Header.Set("Mcp-Name", named.Name)
	}
	return r
}

// A request without a session says all of itself, and is answered for itself.
func TestAloneAnswers(t *testing.T) {
	t.Parallel()
	s := startHTTP(t, t.TempDir())
	for _, test := range []struct {
		name, method, params string
		spoil                func(*http.Request)
		status               int
		says                 string
	}{
		{"discover", "server/discover", "", nil, 200, `"2026-07-28"`},
		{"list", "tools/list", "", nil, 200, `"resultType":"complete"`},
		{"call", "tools/call", `"name":"ls","arguments":{}`, nil, 200, `(empty directory)`},
		{"no such method", "tools/remove", "", nil, 404, "-32601"},
		{"no such tool", "tools/call", `"name":"remove"`, nil, 400, "unknown tool"},
		{"a method of sessions", "ping", "", nil, 404, "-32601"},
		{"another method in the header", "tools/list", "", func(r *http.Request) { r.Header.Set("Mcp-Method", "tools/call") }, 400, "-32020"},
		{"another tool in the header", "tools/call", `"name":"ls"`, func(r *http.Request) { r.Header.Set("Mcp-Name", "read") }, 400, "-32020"},
		{"another revision in the header", "tools/list", "", func(r *http.Request) { r.Header.Set("Mcp-Protocol-Version", "2027-01-01") }, 400, "-32020"},
		{"a revision of tomorrow", "tools/list", "", func(r *http.Request) {
			r.Header.Set("Mcp-Protocol-Version", "2027-01-01")
			text := strings.ReplaceAll(aloneText("tools/list", ""), sessionless, "2027-01-01")
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
		}, 400, "-32022"},
		{"a short key", "tools/call", `"name":"ls"`, func(r *http.Request) { r.Header.Set(mcptools.ClientHeader, "short") }, 400, "takes 16 to 128 characters"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := s.alone(test.method, test.params)
			if test.spoil != nil {
				test.spoil(r)
			}
			res, body := s.do(r)
			if res.StatusCode != test.status || !strings.Contains(body, test.says) {
				t.Errorf("%s, %s; want %d, %s", res.Status, body, test.status, test.says)
			}
			if res.Header.Get("Mcp-Session-Id") != "" {
				t.Error("it has begun a session")
			}
		})
	}
}

// Clients may keep the list for an hour, each for itself. What is read of an output they may not keep.
func TestAloneCaching(t *testing.T) {
	t.Parallel()
	s := startHTTP(t, t.TempDir())
	for _, method := range []string{"server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
		if _, body := s.do(s.alone(method, "")); !strings.Contains(body, `"ttlMs":3600000`) || !strings.Contains(body, `"cacheScope":"private"`) {
			t.Errorf("%s: %s", method, body)
		}
	}
	needBash(t)
	session := connect(t, s.transport(), nil)
	res, _ := say(t, session, "bash", map[string]any{"command": "seq 5000"})
	out, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: res.Content[1].(*mcp.ResourceLink).URI})
	if err != nil || out.TTLMs != 0 || out.CacheScope != "private" || len(out.Contents[0].Text) != 23893 {
		t.Errorf("a full output: %v", err)
	}
}

// A client that closes its connection in the middle of a call, or dies, ends that call and no other.
func TestAloneClientGone(t *testing.T) {
	t.Parallel()
	needBash(t)
	dir := workspace(t)
	s := startHTTP(t, dir)
	waits := make(chan string, 1)
	go func() {
		_, body := s.do(s.alone("tools/call", `"name":"bash","arguments":{"command":"touch waits; until [ -e go-on ]; do sleep 0.05; done; echo done"}`))
		waits <- body
	}()
	eventually(t, "the other call", func() bool { _, err := os.Stat(filepath.Join(dir, "waits")); return err == nil })
	conn := raw(t, s, "", aloneText("tools/call", fmt.Sprintf(`"name":"bash","arguments":{"command":%q}`, sleeper)))
	shell, child := pidIn(t, filepath.Join(dir, "shell")), pidIn(t, filepath.Join(dir, "child"))
	for _, header := range []string{"", "Mcp-Protocol-Version: " + sessionless} { // which end nothing
		r := s.request("DELETE", "")
		if name, value, ok := strings.Cut(header, ": "); ok {
			r.Header.Set(name, value)
		}
		if res, body := s.do(r); res.StatusCode < 400 {
			t.Errorf("DELETE of no session: %s, %s", res.Status, body)
		}
	}
	if !alive(shell) || !alive(child) {
		t.Error("the call has ended with a session that is not there")
	}
	if err := conn.SetLinger(0); err != nil { // as of a process that was killed
		t.Fatal(err)
	}
	conn.Close()
	gone(t, shell)
	gone(t, child)
	write(t, filepath.Join(dir, "go-on"), nil)
	if body := <-waits; !strings.Contains(body, `done\n`) {
		t.Errorf("the other call: %s", body)
	}
}

// A client that does not read what its call prints holds up neither other clients nor the end of the server.
func TestAloneClientReadsNothing(t *testing.T) {
	t.Parallel()
	needBash(t)
	dir := workspace(t)
	s := startHTTP(t, dir)
	raw(t, s, "", aloneText("tools/call", fmt.Sprintf(`"name":"bash","arguments":{"command":%q}`, "( while sleep 0.02; do seq 3000; done ) & "+sleeper)))
	shell, child := pidIn(t, filepath.Join(dir, "shell")), pidIn(t, filepath.Join(dir, "child"))
	if _, text := say(t, connect(t, s.transport(), nil), "bash", map[string]any{"command": "echo there"}); text != "there\n" {
		t.Errorf("another client's call: %q", text)
	}
	s.ends(syscall.SIGTERM)
	gone(t, shell)
	gone(t, child)
}

// There are only so many requests without a session at once; sessions do not count, and an end makes room.
func TestAloneAtOnce(t *testing.T) {
	t.Parallel()
	const token = "0123456789abcdef"
	suite, err := tools.New(config.Config{Workspace: t.TempDir()}, all.Parts()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { suite.Close() })
	begun := make(chan bool)
	hold := tools.Func("hold", "Hold on.", func(ctx context.Context, _ struct{}) (string, error) {
		begun <- true
		<-ctx.Done()
		return "", ctx.Err()
	})
	if err := suite.Add(hold); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(guarded(newServer(suite, nil, 0), token, limits{bodyTime, 2}))
	t.Cleanup(web.Close)
	s := &site{t: t, url: web.URL + path, token: token}
	open := func() (end func()) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			if res, err := http.DefaultClient.Do(s.alone("tools/call", `"name":"hold"`).WithContext(ctx)); err == nil {
				res.Body.Close()
			}
		}()
		<-begun
		return cancel
	}
	end := open()
	defer open()()
	res, body := s.do(s.alone("tools/list", ""))
	if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") != "1" || !strings.Contains(body, "2 requests are served already") {
		t.Errorf("one too many: %s, %s", res.Status, body)
	}
	if res, body := s.do(s.request("POST", hello)); res.StatusCode != 200 {
		t.Errorf("a session: %s, %s", res.Status, body)
	}
	end()
	eventually(t, "room for one more", func() bool {
		res, _ := s.do(s.alone("tools/list", ""))
		return res.StatusCode == 200
	})
}
