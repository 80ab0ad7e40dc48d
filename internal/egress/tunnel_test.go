package egress_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/egress"
)

// through opens a tunnel to a port of ok.example, and returns its two directions.
func through(t *testing.T, proxy string, port int) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", proxy)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	fmt.Fprintf(c, "CONNECT ok.example:%d HTTP/1.1\r\n\r\n", port)
	r := bufio.NewReader(c)
	line, err := r.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "200 ")
	return c, r
}

// A first request whose Host is another one is not passed on, whatever its method is and whatever servers skip before it.
func TestOtherHostInTunnel(t *testing.T) {
	t.Parallel()
	l := testkit.Listen(t)
	w := newWorld(t, l.Addr().String(), []string{"ok.example"}, nil, nil)
	p, proxy := w.serve(t)
	send := func(begin, name string) string {
		c, r := through(t, proxy, 80)
		out, err := l.Accept()
		require.NoError(t, err)
		defer out.Close()
		fmt.Fprint(c, begin+" / HTTP/1.1\r\nHost: "+name+"\r\n\r\n")
		_ = c.(*net.TCPConn).CloseWrite()
		heard, _ := io.ReadAll(out)
		out.Close()
		_, _ = io.ReadAll(r)
		return string(heard)
	}
	begins := []string{"GET", "\r\nGET", "\nGET", "\r\n\r\nGET", "PURGE", "\r\nPURGE", "get", "QUERY", "M-SEARCH"}
	for i, begin := range begins {
		require.Empty(t, send(begin, "other.example"), "%q", begin)
		require.EqualValues(t, i+1, p.Snapshot()[0].Refused, "it is counted before the client hears of it")
	}
	require.Zero(t, p.Snapshot()[0].Requests)
	for _, begin := range begins {
		require.Equal(t, begin+" / HTTP/1.1\r\nHost: ok.example\r\n\r\n", send(begin, "ok.example"))
	}
}

// A command that ends leaves its connections in the record, even if the host keeps them.
func TestOpenTunnelIsCounted(t *testing.T) {
	t.Parallel()
	l := testkit.Listen(t)
	heard, stay := make(chan int64, 1), make(chan struct{})
	defer close(stay)
	testkit.Accept(l, func(c net.Conn) {
		n, _ := io.Copy(io.Discard, c)
		heard <- n
		<-stay
	})
	w := newWorld(t, l.Addr().String(), []string{"ok.example:22"}, nil, nil)
	p, proxy := w.serve(t)
	c, _ := through(t, proxy, 22)
	require.EqualValues(t, 1, p.Snapshot()[0].Requests)
	const size = 1 << 20
	_, err := io.WriteString(c, strings.Repeat("\x80", size))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return p.Snapshot()[0].Sent >= size-(256<<10) }, 60e9, 1e6, "while it is open")
	c.Close()
	require.EqualValues(t, size, <-heard)
	p.Close()
	require.EqualValues(t, 1, p.Snapshot()[0].Requests)
	require.EqualValues(t, size, p.Snapshot()[0].Sent)
}

// A client that has said all and waits for the answer, as nc -N does, is not one that has gone.
func TestHalfClosedClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t, echo(t).Listener.Addr().String(), []string{"ok.example"}, nil, nil)
	_, proxy := w.serve(t)
	c, err := net.Dial("tcp", proxy)
	require.NoError(t, err)
	defer c.Close()
	fmt.Fprint(c, "CONNECT ok.example:80 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: ok.example\r\nConnection: close\r\n\r\n")
	require.NoError(t, c.(*net.TCPConn).CloseWrite())
	answer, err := io.ReadAll(c)
	require.NoError(t, err)
	require.Contains(t, string(answer), "200 OK")
}

// Names that are refused do not take the places of hosts that are reached, whichever come first.
func TestRefusedNamesHideNoHost(t *testing.T) {
	t.Parallel()
	w := newWorld(t, echo(t).Listener.Addr().String(), []string{"ok.example", "*.ok.example"}, nil, nil)
	p, proxy := w.serve(t)
	try := func(name string) {
		raw(t, proxy, "GET http://"+name+"/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	}
	for i := range 101 {
		try(fmt.Sprintf("h%d.example", i))
	}
	try("ok.example")
	for i := range 100 {
		try(fmt.Sprintf("h%d.ok.example", i)) // has no address
	}
	all := p.Snapshot()
	require.Len(t, all, 201)
	require.Equal(t, "ok.example", all[100].Host)
	require.EqualValues(t, 1, all[100].Requests)
	last := all[200]
	require.Equal(t, []any{"", int64(1), int64(1), int64(0)}, []any{last.Host, last.Refused, last.Failed, last.Requests})
	require.Equal(t, string(egress.NotListed), last.Reason)
}

// A host that was refused, and is allowed then, has one row.
func TestRefusedThenReached(t *testing.T) {
	t.Parallel()
	w := newWorld(t, echo(t).Listener.Addr().String(), []string{"two.example"}, nil, nil)
	addrs := w.names["two.example"]
	w.names["two.example"] = []string{"10.0.0.1"}
	p, proxy := w.serve(t)
	for range 2 {
		get(t, httpClient(proxy, "http"), "http://two.example/")
		w.names["two.example"] = addrs
	}
	require.Len(t, p.Snapshot(), 1)
	require.EqualValues(t, 1, p.Snapshot()[0].Refused)
	require.EqualValues(t, 1, p.Snapshot()[0].Requests)
}

// Settle waits for what was passed on to be counted, and for nothing where nothing is served.
func TestSettle(t *testing.T) {
	t.Parallel()
	host := testkit.Listen(t)
	w := newWorld(t, host.Addr().String(), []string{"ok.example:22"}, nil, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := w.Proxy(t.Context(), nil)
	defer p.Close()
	p.Settle(time.Hour)
	p.Go(l)
	p.Settle(time.Millisecond)
	c, _ := through(t, l.Addr().String(), 22)
	out, err := host.Accept()
	require.NoError(t, err)
	defer out.Close()
	for _, n := range []int{1, 1999} { // the first bytes are counted at once
		_, err = io.WriteString(c, strings.Repeat("\x80", n))
		require.NoError(t, err)
		_, err = io.ReadFull(out, make([]byte, n))
		require.NoError(t, err)
	}
	l.Close() // as when no process is left
	p.Settle(time.Hour)
	require.EqualValues(t, 2000, p.Snapshot()[0].Sent)
	var none *egress.Proxy
	none.Settle(time.Hour)
}
