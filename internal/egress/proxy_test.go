package egress_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/egress"
	"github.com/spillway-go/spillway/internal/hosts"
)

// world is a network whose names are a table, and in which every address leads to one server.
type world struct {
	*egress.Network
	names  map[string][]string
	server string // the address that everything is dialled at
	looked atomic.Int64
	mu     sync.Mutex
	dialed []string
}

func newWorld(t *testing.T, server string, allowed, private []string, ask func(context.Context, hosts.Target, config.Call) (egress.Answer, error)) *world {
	t.Helper()
	w := &world{server: server, names: map[string][]string{
		"ok.example": {"192.88.98.1"}, "two.example": {"10.0.0.1", "1.2.3.4"}, "inside.example": {"10.0.0.1"},
		"meta.internal": {"169.254.169.254"}, "self.example": {"127.0.0.1"}, "other.example": {"192.88.98.1"},
	}}
	list := func(entries []string) hosts.List {
		l, _, err := hosts.ParseList(entries)
		require.NoError(t, err)
		return l
	}
	w.Network = egress.New(egress.Options{
		Hosts: list(allowed), Private: list(private), Ask: ask,
		Own: func() ([]netip.Prefix, error) { return nil, nil },
		Resolve: func(_ context.Context, name string) (addrs []netip.Addr, err error) {
			w.looked.Add(1)
			for _, text := range w.names[name] {
				addrs = append(addrs, netip.MustParseAddr(text))
			}
			if addrs == nil {
				return nil, &net.DNSError{Err: "no such host", Name: name}
			}
			return addrs, nil
		},
		Dial: func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
			w.mu.Lock()
			w.dialed = append(w.dialed, to.String())
			w.mu.Unlock()
			return new(net.Dialer).DialContext(ctx, "tcp", w.server)
		},
	})
	return w
}

// serve starts a proxy, and returns its address.
func (w *world) serve(t testing.TB) (*egress.Proxy, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := w.Proxy(context.Background(), func() config.Call { return config.Call{} })
	done := make(chan struct{})
	go func() { defer close(done); _ = p.Serve(l) }()
	t.Cleanup(func() { p.Close(); <-done })
	return p, l.Addr().String()
}

func httpClient(proxy, scheme string) *http.Client {
	return &http.Client{Transport: &http.Transport{
		Proxy:           http.ProxyURL(&url.URL{Scheme: scheme, Host: proxy}),
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
}

// host serves connections, each of which is closed behind that. It returns its address.
func host(t *testing.T, serve func(net.Conn)) string {
	l := testkit.Listen(t)
	testkit.Accept(l, serve)
	return l.Addr().String()
}

func echo(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s %q %v", r.Method, r.Host, r.URL, body, r.Header["Proxy-Authorization"])
	}))
	t.Cleanup(s.Close)
	return s
}

func get(t *testing.T, c *http.Client, url string) (int, string) {
	t.Helper()
	res, err := c.Get(url)
	require.NoError(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(body)
}

func TestPlainRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t, echo(t).Listener.Addr().String(), []string{"ok.example", "two.example:8080", "inside.example", "meta.internal"}, nil, nil)
	p, addr := w.serve(t)
	c := httpClient(addr, "http")
	code, body := get(t, c, "http://ok.example/a?b")
	require.Equal(t, 200, code)
	require.Equal(t, `GET ok.example /a?b "" []`, body)
	code, body = get(t, c, "http://two.example:8080/")
	require.Equal(t, 200, code)
	require.Equal(t, `GET two.example:8080 / "" []`, body)
	require.Equal(t, []string{"192.88.98.1:80", "1.2.3.4:8080"}, w.dialed, "the private address is left out")

	res, err := c.Post("http://ok.example/", "text/plain", strings.NewReader("hello"))
	require.NoError(t, err)
	text, _ := io.ReadAll(res.Body)
	require.Equal(t, `POST ok.example / "hello" []`, string(text))

	looked := w.looked.Load()
	code, body = get(t, c, "http://evil.example/")
	require.Equal(t, 403, code)
	require.Equal(t, "evil.example was refused (Bash.Hosts). Ask the user to allow it, or go on without\n", body)
	require.Equal(t, looked, w.looked.Load(), "a name that is not on the list is not looked up")
	code, body = get(t, c, "http://inside.example/")
	require.Equal(t, 403, code)
	require.Contains(t, body, "Bash.PrivateHosts")
	code, body = get(t, c, "http://meta.internal/latest/")
	require.Equal(t, 403, code)
	require.Equal(t, "meta.internal was refused: an address that no command may reach. Go on without\n", body)
	code, _ = get(t, c, "http://ok.example:22/")
	require.Equal(t, 403, code)
	w.names["ok.example"] = nil
	code, body = get(t, c, "http://ok.example/")
	require.Equal(t, 502, code)
	require.Contains(t, body, "no such host")

	by := map[string]config.HostUse{}
	for _, h := range p.Snapshot() {
		by[h.Host] = h
	}
	require.Equal(t, config.HostUse{Host: "ok.example", Requests: 2, Sent: 5, Failed: 1, Received: by["ok.example"].Received}, by["ok.example"])
	require.Positive(t, by["ok.example"].Received)
	require.Equal(t, config.HostUse{Host: "evil.example", Refused: 1, Reason: string(egress.NotListed)}, by["evil.example"])
	require.EqualValues(t, 1, by["ok.example:22"].Refused)
}

func TestPrivateHosts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, echo(t).Listener.Addr().String(), []string{"*.internal", "*.internal:8", "169.254.169.254"},
		[]string{"inside.example", "127.0.0.1:*", "*.internal", "169.254.169.254", "metadata.google.internal",
			"host.spillway.internal:7"}, nil)
	w.names["metadata.google.internal"] = []string{"169.254.169.254"}
	_, addr := w.serve(t)
	c := httpClient(addr, "http")
	for target, want := range map[string]int{
		"http://inside.example/": 200, "http://127.0.0.1:99/": 200, "http://[::ffff:127.0.0.1]:99/": 200,
		"http://meta.internal/": 403, "http://169.254.169.254/": 403, "http://metadata.google.internal/": 403,
		"http://127.0.0.2/": 403, "http://host.spillway.internal:7/": 200, "http://host.spillway.internal:8/": 403,
	} {
		code, _ := get(t, c, target)
		require.Equal(t, want, code, target)
	}
}

// raw sends bytes to the proxy and returns all that it answers.
func raw(t *testing.T, proxy, text string) string {
	t.Helper()
	c, err := net.Dial("tcp", proxy)
	require.NoError(t, err)
	defer c.Close()
	_, err = io.WriteString(c, text)
	require.NoError(t, err)
	r := bufio.NewReader(c)
	_, _ = r.Peek(1) // who ends before there is an answer has gone
	_ = c.(*net.TCPConn).CloseWrite()
	answer, _ := io.ReadAll(r)
	return string(answer)
}

func TestAttacks(t *testing.T) {
	t.Parallel()
	var reached []string
	var mu sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		reached = append(reached, r.Host+" "+r.URL.String())
		mu.Unlock()
	}))
	defer s.Close()
	w := newWorld(t, s.Listener.Addr().String(), []string{"ok.example", "self.example", "*.ok.example", "1.2.3.4"}, nil, nil)
	w.names["a.ok.example"] = []string{"::ffff:127.0.0.1"}
	w.names["b.ok.example"] = []string{"64:ff9b::a00:1"}
	w.names["c.ok.example"] = []string{"fe80::1"}
	_, addr := w.serve(t)
	const end = " HTTP/1.1\r\nHost: ok.example\r\n\r\n"
	for _, text := range []string{
		"GET http://127.0.0.1/" + end, "GET http://2130706433/" + end, "GET http://0x7f.1/" + end, "GET http://127.1/" + end,
		"GET http://0177.0.0.1/" + end, "GET http://[::1]/" + end, "GET http://[::ffff:7f00:1]/" + end, "GET http://[fe80::1%25lo]/" + end,
		"GET http://0/" + end, "GET http://localhost/" + end, "GET http://self.example/" + end, "GET http://a.ok.example/" + end,
		"GET http://b.ok.example/" + end, "GET http://c.ok.example/" + end, "GET http://ok.example@evil.example/" + end,
		"GET http://evil.example#ok.example/" + end, "GET http://evil.example\\.ok.example/" + end, "GET http://ok.example%00.evil.example/" + end,
		"GET http://evil.example%2eok.example/" + end, "GET http:ok.example/" + end, "GET foo:bar" + end, "OPTIONS *" + end, "GET /" + end,
		"GET ftp://ok.example/" + end, "GET https://ok.example/" + end, "GET file:///etc/passwd" + end, "GET //ok.example/" + end,
		"GET http://169.254.169.254/latest" + end, "GET http://ok.example:25/" + end,
		"POST http://ok.example/1 HTTP/1.1\r\nHost: ok.example\r\nContent-Length: 5\r\nTransfer-Encoding: gzip\r\n\r\nhello",
		"POST http://ok.example/2 HTTP/1.1\r\nHost: ok.example\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
		"GET http://ok.example/3 HTTP/1.1\r\nHost: ok.example\r\nHost: evil.example\r\n\r\n",
		"GET http://ok.example/4 HTTP/1.1\r\nHost : ok.example\r\n\r\n", "GET http://ok.example/5\rX HTTP/1.1\r\nHost: a\r\n\r\n",
		"GET http://ok.example/6 HTTP/1.1\r\nHost: ok.example\r\nA: b\rC: d\r\n\r\n",
		"CONNECT evil.example:443" + end, "CONNECT ok.example" + end, "CONNECT ok.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
		"CONNECT ok.example:443 HTTP/1.1\r\nHost: ok.example:80\r\n\r\n", "CONNECT 127.0.0.1:443" + end, "CONNECT ok.example:443 HTTP/1.1\r\nHost: ok.example\r\nHost: ok.example\r\n\r\n",
		"CONNECT ok.example:80 HTTP/1.1\r\nHost: ok.example:80\r\nTransfer-Encoding: chunked\r\n\r\n", "CONNECT [::1]:443" + end,
		"CONNECT ok.example:80 HTTP/1.1\r\nX: a\r\n b\r\n\r\n", "CONNECT http://ok.example:80/ HTTP/1.1\r\n\r\n", "CONNECT ok.example:80 HTTP/2.0\r\n\r\n",
		"CONNECT ok.example:0" + end, "CONNECT ok.example:99999" + end, "CONNECT ok.example:443x" + end, "CONNECT ok.example :443" + end,
		"CONNECT ok.example:80 HTTP/1.1\n\n GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n\x00",
	} {
		answer := raw(t, addr, text)
		require.NotContains(t, answer, "HTTP/1.1 200 OK", "%q", text)
		require.Empty(t, reached, "%q", text)
	}
	answer := raw(t, addr, "GET http://ok.example/x HTTP/1.1\r\nHost: evil.example\r\nConnection: close, X-Secret\r\nX-Secret: 1\r\n\r\n")
	require.Contains(t, answer, "200 OK")
	require.Equal(t, []string{"ok.example /x"}, reached, "the URL counts, not the Host")
	long := raw(t, addr, "GET http://ok.example/ HTTP/1.1\r\nHost: ok.example\r\nA: "+strings.Repeat("a", 1<<20)+"\r\n\r\n")
	require.NotContains(t, long, "200 OK")
}

func TestTunnel(t *testing.T) {
	t.Parallel()
	plain := echo(t)
	secure := httptest.NewUnstartedServer(plain.Config.Handler)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	for _, scheme := range []string{"http", "socks5h"} {
		w := newWorld(t, secure.Listener.Addr().String(), []string{"ok.example", "1.2.3.4"}, nil, nil)
		p, addr := w.serve(t)
		c := httpClient(addr, scheme)
		code, body := get(t, c, "https://ok.example/")
		require.Equal(t, 200, code)
		require.Equal(t, `GET ok.example / "" []`, body)
		code, _ = get(t, c, "https://1.2.3.4/")
		require.Equal(t, 200, code)
		c.CloseIdleConnections()
		_, err := c.Get("https://evil.example/")
		require.Error(t, err)
		if scheme == "http" {
			require.ErrorContains(t, err, "evil.example was refused (Bash.Hosts). Ask the user to allow it, or go on without")
		}
		// Another name inside.
		tr := c.Transport.(*http.Transport)
		tr.TLSClientConfig.ServerName = "other.example"
		_, err = c.Get("https://ok.example/")
		require.Error(t, err)
		_, err = c.Get("https://1.2.3.4/")
		require.Error(t, err)
		tr.TLSClientConfig.ServerName = ""
		require.Eventually(t, func() bool {
			for _, h := range p.Snapshot() {
				if h.Host == "ok.example" && h.Reason == string(egress.OtherName) && h.Requests == 1 && h.Received > 0 && h.Sent > 0 {
					return true
				}
			}
			return false
		}, 60e9, 1e6, "%+v", p.Snapshot())
	}
	w := newWorld(t, plain.Listener.Addr().String(), []string{"ok.example"}, nil, nil)
	_, addr := w.serve(t)
	const connect = "CONNECT ok.example:80 HTTP/1.1\r\nHost: ok.example:80\r\n\r\n"
	get := func(host string) string {
		return raw(t, addr, connect+"GET / HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
	}
	require.Contains(t, get("ok.example"), "200 OK")
	require.Contains(t, get("OK.example:80"), "200 OK")
	for _, bad := range []string{"evil.example", "ok.example:81", "ok.example\r\nHost: evil.example", "ok.example\r\n evil.example"} {
		require.NotContains(t, get(bad), "200 OK")
	}
	require.NotContains(t, raw(t, addr, connect+"GET http://evil.example/ HTTP/1.1\r\nHost: ok.example\r\n\r\n"), "200 OK")
	require.NotContains(t, raw(t, addr, connect+"GET"), "200 OK")
}

// A server that speaks first, and a protocol that is neither TLS nor HTTP.
func TestOtherProtocol(t *testing.T) {
	t.Parallel()
	host := host(t, func(c net.Conn) {
		fmt.Fprint(c, "banner\n")
		line, _ := bufio.NewReader(c).ReadString('\n')
		fmt.Fprintf(c, "got %q", line)
	})
	w := newWorld(t, host, []string{"ok.example:22"}, nil, nil)
	_, addr := w.serve(t)
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer c.Close()
	fmt.Fprint(c, "CONNECT ok.example:22 HTTP/1.0\r\n\r\n")
	r := bufio.NewReader(c)
	for _, want := range []string{"HTTP/1.1 200 Connection established\r\n", "\r\n", "banner\n"} {
		line, err := r.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, want, line)
	}
	fmt.Fprint(c, "PING\n")
	rest, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, `got "PING\n"`, string(rest))
}

func TestSocks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, echo(t).Listener.Addr().String(), []string{"ok.example"}, []string{"127.0.0.1"}, nil)
	_, addr := w.serve(t)
	request := func(command, kind byte, address string) string {
		return "\x05\x01\x00\x05" + string(command) + "\x00" + string(kind) + address + "\x00\x50"
	}
	for text, want := range map[string]string{
		request(1, 3, "\x0aok.example"): "\x00", request(1, 1, "\x7f\x00\x00\x01"): "\x00",
		request(1, 4, strings.Repeat("\x00", 10)+"\xff\xff\x7f\x00\x00\x01"): "\x00",
		request(1, 3, "\x0aev.example"):                                      "\x02",
		request(1, 3, "\x0a2130706433"):                                      "\x02",
		request(1, 3, "\x09localhost"):                                       "\x02",
		request(1, 1, "\xa9\xfe\xa9\xfe"):                                    "\x02",
		request(1, 3, "\x00"):                                                "\x02",
		request(1, 3, "\x0aok\x00example"):                                   "\x02",
		request(2, 3, "\x0aok.example"):                                      "\x07",
		request(3, 3, "\x0aok.example"):                                      "\x07",
		request(1, 2, "\x0aok.example"):                                      "\x08",
		"\x05\x01\x02":                                                       "",
		"\x05\x00":                                                           "",
		"\x04\x01\x00\x50\x7f\x00\x00\x01\x00":                               "",
	} {
		c, err := net.Dial("tcp", addr)
		require.NoError(t, err)
		fmt.Fprint(c, text)
		answer := make([]byte, 12)
		n, _ := io.ReadFull(c, answer)
		answer = answer[:n]
		c.Close()
		got := ""
		if len(answer) >= 4 && answer[0] == 5 && answer[2] == 5 {
			got = string(answer[3:4])
		}
		require.Equal(t, want, got, "%q: %q", text, answer)
	}
	code, body := get(t, httpClient(addr, "socks5h"), "http://ok.example/x")
	require.Equal(t, 200, code)
	require.Contains(t, body, "GET ok.example /x")
}

func TestAsk(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	answers := map[string]egress.Answer{"once.example": egress.Once, "session.example": egress.Session, "no.example": egress.No}
	w := newWorld(t, echo(t).Listener.Addr().String(), nil, nil, func(_ context.Context, to hosts.Target, _ config.Call) (egress.Answer, error) {
		asked.Add(1)
		if to.Name == "fails.example" {
			return egress.Session, errors.New("nobody is there")
		}
		return answers[to.Name], nil
	})
	for name := range answers {
		w.names[name] = []string{"1.2.3.4"}
	}
	_, first := w.serve(t)
	_, second := w.serve(t)
	for _, step := range []struct {
		proxy, name string
		code        int
		asked       int64
	}{
		{first, "once.example", 200, 1}, {first, "once.example", 200, 1}, {second, "once.example", 200, 2},
		{first, "session.example", 200, 3}, {second, "session.example", 200, 3},
		{first, "no.example", 403, 4}, {first, "no.example", 403, 4}, {second, "no.example", 403, 5},
		{first, "fails.example", 403, 6}, {second, "fails.example", 403, 7}, {first, "169.254.169.254", 403, 7},
		{first, "127.0.0.1", 403, 7},
	} {
		code, _ := get(t, httpClient(step.proxy, "http"), "http://"+step.name+"/")
		require.Equal(t, step.code, code, step.name)
		require.Equal(t, step.asked, asked.Load(), step.name)
	}
}

func TestAskOneAtATime(t *testing.T) {
	t.Parallel()
	var asking, most atomic.Int64
	open := make(chan struct{})
	w := newWorld(t, echo(t).Listener.Addr().String(), nil, nil, func(context.Context, hosts.Target, config.Call) (egress.Answer, error) {
		most.Store(max(most.Load(), asking.Add(1)))
		<-open
		asking.Add(-1)
		return egress.Once, nil
	})
	_, first := w.serve(t)
	_, second := w.serve(t)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			code, _ := get(t, httpClient([]string{first, second}[i%2], "http"), "http://ok.example/")
			require.Equal(t, 200, code)
		})
	}
	close(open)
	wg.Wait()
	require.EqualValues(t, 1, most.Load())
}

func TestCloseEndsEverything(t *testing.T) {
	t.Parallel()
	started := make(chan struct{}, 3)
	ask := func(ctx context.Context, _ hosts.Target, _ config.Call) (egress.Answer, error) {
		started <- struct{}{}
		<-ctx.Done()
		return egress.Session, nil
	}
	hang := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		started <- struct{}{}
		<-r.Context().Done()
	}))
	defer hang.Close()
	w := newWorld(t, hang.Listener.Addr().String(), []string{"ok.example"}, nil, ask)
	p, addr := w.serve(t)
	for _, url := range []string{"http://ask.example/", "http://ok.example/"} {
		go func() { _, _ = httpClient(addr, "http").Get(url) }()
		<-started
	}
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	fmt.Fprint(c, "CONNECT ok.example:443 HTTP/1.1\r\n\r\n")
	_, err = bufio.NewReader(c).ReadString('\n')
	require.NoError(t, err)
	p.Close()
	_, err = net.Dial("tcp", addr)
	require.Error(t, err)
	_, err = io.Copy(io.Discard, c)
	_ = err
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.ErrorIs(t, p.Serve(l), net.ErrClosed)
}

// A client that goes takes its question with it.
func TestClientGoes(t *testing.T) {
	t.Parallel()
	asked, ended := make(chan struct{}), make(chan struct{})
	w := newWorld(t, "", nil, nil, func(ctx context.Context, _ hosts.Target, _ config.Call) (egress.Answer, error) {
		close(asked)
		<-ctx.Done()
		close(ended)
		return egress.No, nil
	})
	_, addr := w.serve(t)
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	fmt.Fprint(c, "CONNECT ok.example:443 HTTP/1.1\r\n\r\n")
	<-asked
	c.Close()
	<-ended
}

func TestMany(t *testing.T) {
	t.Parallel()
	w := newWorld(t, echo(t).Listener.Addr().String(), []string{"ok.example"}, nil, nil)
	p, addr := w.serve(t)
	var wg sync.WaitGroup
	var good atomic.Int64
	for i := range 200 {
		scheme := []string{"http", "socks5h"}[i%2]
		wg.Go(func() {
			c := httpClient(addr, scheme)
			defer c.CloseIdleConnections()
			if res, err := c.Get("http://ok.example/"); err == nil && res.StatusCode == 200 {
				res.Body.Close()
				good.Add(1)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 200, good.Load())
	p.Close()
	require.EqualValues(t, 200, p.Snapshot()[0].Requests)
}

func TestLargeBody(t *testing.T) {
	t.Parallel()
	want := bytes.Repeat([]byte("0123456789abcdef"), 1<<18)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			n, _ := io.Copy(io.Discard, r.Body)
			fmt.Fprint(w, n)
			return
		}
		if r.URL.Path == "/length" {
			w.Header().Set("Content-Length", fmt.Sprint(len(want)))
		}
		_, _ = w.Write(want)
	}))
	defer s.Close()
	w := newWorld(t, s.Listener.Addr().String(), []string{"ok.example"}, nil, nil)
	p, addr := w.serve(t)
	for _, scheme := range []string{"http", "socks5h"} {
		c := httpClient(addr, scheme)
		for _, path := range []string{"/length", "/chunked"} {
			code, body := get(t, c, "http://ok.example"+path)
			require.Equal(t, 200, code)
			require.True(t, string(want) == body)
		}
		res, err := c.Head("http://ok.example/length")
		require.NoError(t, err)
		require.EqualValues(t, len(want), res.ContentLength)
		req, _ := http.NewRequest(http.MethodPut, "http://ok.example/", bytes.NewReader(want))
		res, err = c.Do(req)
		require.NoError(t, err)
		text, _ := io.ReadAll(res.Body)
		require.Equal(t, fmt.Sprint(len(want)), string(text))
		c.CloseIdleConnections()
	}
	p.Close()
	h := p.Snapshot()[0]
	require.GreaterOrEqual(t, h.Received, int64(4*len(want)))
	require.GreaterOrEqual(t, h.Sent, int64(2*len(want)))
}

// An answer that its host cuts is cut for the client, and counts as one that failed, however large it is.
func TestCutAnswer(t *testing.T) {
	t.Parallel()
	for _, size := range []int{500_000, 4 << 20} {
		host := host(t, func(c net.Conn) {
			_, _ = http.ReadRequest(bufio.NewReader(c))
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", size)
			_, _ = c.Write(make([]byte, size/2))
		})
		w := newWorld(t, host, []string{"ok.example"}, nil, nil)
		p, addr := w.serve(t)
		res, err := httpClient(addr, "http").Get("http://ok.example/")
		require.NoError(t, err)
		n, err := io.Copy(io.Discard, res.Body)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.LessOrEqual(t, n, int64(size/2))
		p.Close()
		require.Equal(t, []any{int64(1), int64(size / 2)}, []any{p.Snapshot()[0].Failed, p.Snapshot()[0].Received}, size)
	}
}

// A request whose answer comes while it is on its way does not harm the next one of its connection.
func TestAnswerMeetsRequest(t *testing.T) {
	t.Parallel()
	host := host(t, func(c net.Conn) {
		fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		_, _ = io.Copy(io.Discard, c)
	})
	w := newWorld(t, host, []string{"ok.example"}, nil, nil)
	_, proxy := w.serve(t)
	client := httpClient(proxy, "http")
	for i := range 500 {
		var body io.Reader
		if i%2 == 1 {
			body = strings.NewReader("some")
		}
		res, err := client.Post("http://ok.example/", "text/plain", body)
		require.NoError(t, err)
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		res.Body.Close()
		require.Equal(t, "ok", string(text))
	}
}

// A host that answers before it has read the request is heard, also by a client that waits for that.
func TestEarlyAnswer(t *testing.T) {
	t.Parallel()
	host := host(t, func(c net.Conn) {
		_, _ = bufio.NewReader(c).ReadString('\n')
		fmt.Fprint(c, "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
		<-t.Context().Done()
	})
	w := newWorld(t, host, []string{"ok.example"}, nil, nil)
	_, addr := w.serve(t)
	answer := raw(t, addr, "POST http://ok.example/ HTTP/1.1\r\nHost: ok.example\r\nContent-Length: 100000\r\n\r\nfirst")
	require.Contains(t, answer, "413 ")
	require.True(t, strings.HasSuffix(answer, "\r\n\r\nno"), "%q", answer)
}

// A host that says nobody's protocol, and one that never begins its answer in earnest, are errors.
func TestHostileHosts(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"protocol":  "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
		"interim":   strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 100),
		"header":    "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("a", 1<<20) + "\r\n\r\n",
		"nothing":   "",
		"no HTTP":   "SSH-2.0-x\r\n",
		"two sizes": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
	} {
		host := host(t, func(c net.Conn) {
			_, _ = http.ReadRequest(bufio.NewReader(c))
			_, _ = io.WriteString(c, text)
		})
		w := newWorld(t, host, []string{"ok.example"}, nil, nil)
		_, addr := w.serve(t)
		code, _ := get(t, httpClient(addr, "http"), "http://ok.example/")
		require.Equal(t, 502, code, name)
	}
}

func TestUpgrade(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "websocket" {
			http.Error(w, "no", 400)
			return
		}
		c, buf, _ := http.NewResponseController(w).Hijack()
		defer c.Close()
		fmt.Fprint(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\nfirst")
		_, _ = io.Copy(c, buf)
	}))
	defer s.Close()
	w := newWorld(t, s.Listener.Addr().String(), []string{"ok.example"}, nil, nil)
	_, addr := w.serve(t)
	answer := raw(t, addr, "GET http://ok.example/ HTTP/1.1\r\nHost: ok.example\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x02hi")
	require.Contains(t, answer, "101 Switching Protocols")
	require.Contains(t, answer, "Sec-Websocket-Accept: x")
	require.True(t, strings.HasSuffix(answer, "\r\n\r\nfirst\x81\x02hi"), "%q", answer)
}

// What somebody is told about hosts is bounded, and so is what is remembered.
func TestHostsAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", nil, nil, nil)
	p, addr := w.serve(t)
	c := httpClient(addr, "http")
	for i := range 300 {
		code, _ := get(t, c, fmt.Sprintf("http://h%d.example/", i))
		require.Equal(t, 403, code)
	}
	all := p.Snapshot()
	require.Len(t, all, 101)
	require.Equal(t, config.HostUse{Refused: 200, Reason: string(egress.NotListed)}, all[100])
}
