package egress_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/egress"
	"github.com/spillway-go/spillway/internal/hosts"
)

// BenchmarkDownload compares a large download through the proxy with one that goes straight to the server.
func BenchmarkDownload(b *testing.B) {
	const size = 256 << 20
	chunk := make([]byte, 1<<20)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(size))
		for range size / len(chunk) {
			_, _ = w.Write(chunk)
		}
	}))
	defer s.Close()
	list, _, err := hosts.ParseList([]string{hosts.Loopback + ":*"})
	require.NoError(b, err)
	network := egress.New(egress.Options{Private: list, Own: func() ([]netip.Prefix, error) { return nil, nil }})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	p := network.Proxy(context.Background(), nil)
	p.Go(l)
	defer p.Close()
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	require.NoError(b, err)
	for _, way := range []struct {
		name, url string
		client    *http.Client
	}{
		{"direct", s.URL, &http.Client{Transport: &http.Transport{}}},
		{"http", "http://" + hosts.Loopback + ":" + port, httpClient(l.Addr().String(), "http")},
		{"socks", "http://" + hosts.Loopback + ":" + port, httpClient(l.Addr().String(), "socks5h")},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(size)
			buf := make([]byte, 256<<10)
			for b.Loop() {
				res, err := way.client.Get(way.url)
				require.NoError(b, err)
				n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, res.Body, buf)
				require.NoError(b, err)
				require.EqualValues(b, size, n)
				res.Body.Close()
			}
		})
	}
}
