package egress

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/hosts"
)

// hello returns the first bytes of a client of TLS.
func hello(t testing.TB, config *tls.Config) []byte {
	t.Helper()
	client, server := net.Pipe()
	defer server.Close()
	go func() { _ = tls.Client(client, config).Handshake(); client.Close() }()
	head := make([]byte, 5)
	_, err := io.ReadFull(server, head)
	require.NoError(t, err)
	body := make([]byte, binary.BigEndian.Uint16(head[3:]))
	_, err = io.ReadFull(server, body)
	require.NoError(t, err)
	return append(head, body...)
}

// inRecords divides a ClientHello into records of so many bytes.
func inRecords(text []byte, size int) (all []byte) {
	head, body := text[:3], text[5:]
	for len(body) > 0 {
		n := min(size, len(body))
		all = append(all, head...)
		all = binary.BigEndian.AppendUint16(all, uint16(n))
		all = append(all, body[:n]...)
		body = body[n:]
	}
	return all
}

func nameIn(text []byte) (string, error) {
	return innerName(bufio.NewReaderSize(iotest.OneByteReader(bytes.NewReader(text)), maxFirst), func() {})
}

func TestHelloName(t *testing.T) {
	whole := hello(t, &tls.Config{ServerName: "ok.example"})
	for _, size := range []int{len(whole), 1000, 100, 7} {
		name, err := nameIn(append(inRecords(whole, size), "rest"...))
		require.NoError(t, err, size)
		require.Equal(t, "ok.example", name)
	}
	old := hello(t, &tls.Config{ServerName: "ok.example", MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS10})
	name, err := nameIn(old)
	require.NoError(t, err)
	require.Equal(t, "ok.example", name)
	name, err = nameIn(hello(t, &tls.Config{InsecureSkipVerify: true}))
	require.NoError(t, err)
	require.Empty(t, name)
	for _, bad := range [][]byte{
		whole[:1], whole[:5], whole[:len(whole)-1], inRecords(whole, 7)[:300], []byte("\x16\x03\x01\x00\x00"),
		bytes.Repeat([]byte("\x16\x03\x01\x00\x00"), 100), []byte("\x16hello, world"),
		append([]byte("\x16\x03\x01\x40\x00\x01\x00\xff\xff"), make([]byte, 70000)...),
		inRecords(append([]byte("\x16\x03\x01\x00\x00\x01\x00\xff\xff"), make([]byte, 65535)...), 16000),
	} {
		_, err := nameIn(bad)
		require.ErrorIs(t, err, errHead, "%.20q", bad)
	}
}

func TestInnerName(t *testing.T) {
	for text, want := range map[string]string{
		"GET / HTTP/1.1\r\nHost: ok.example\r\n\r\n": "ok.example", "OPTIONS * HTTP/1.1\nhost: a:1\n\n": "a:1",
		"GET / HTTP/1.0\r\n\r\n": "", "SSH-2.0-x\r\n": "", "\x00\x00\x00\x08": "", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n": "", "GETX": "",
		"GET": "!", "GET / HTTP/1.1\r\nHost: a\r\n": "!", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n": "!",
		"GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n": "!", "GET / HTTP/1.1\r\nX: y\r\n Host: a\r\n\r\n": "!",
		"GET / HTTP/1.1\r\nX: y\rHost: a\r\n\r\n": "!", "GET  / HTTP/1.1\r\n\r\n": "!", "GET / HTTP/1.1\r\nHost : a\r\n\r\n": "!",
		"\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n": "a", "PURGE / HTTP/1.1\r\nHost: a\r\n\r\n": "a", "\n": "",
		"get / HTTP/1.1\nhost: a\n\n": "a", "PURGE / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n": "!", "PURGE / HTTP/1.1\r\n": "!",
		"\r\nEHLO a\r\n": "", "PUB a b\x00": "", "EHLO a b": "", "two words HTTP/1.1\r\n": "!", "PURGE http://a/ HTTP/1.1\r\n\r\n": "!",
		"GET / HTTP/1.1\r\nA: " + strings.Repeat("a", maxFirst) + "\r\n\r\n": "!", "CONNECT a:1 HTTP/1.1\r\n\r\n": "!",
	} {
		name, err := nameIn([]byte(text))
		if want == "!" {
			require.ErrorIs(t, err, errHead, "%.80q", text)
			continue
		}
		require.NoError(t, err, "%.80q", text)
		require.Equal(t, want, name, "%.80q", text)
	}
}

// FuzzInnerName holds that the reader takes nothing, however the bytes come, that it always finds the same, and that
// what it says of a hello is what a server of TLS will see.
func FuzzInnerName(f *testing.F) {
	f.Add(hello(f, &tls.Config{ServerName: "ok.example"}), 50)
	f.Add([]byte("GET / HTTP/1.1\r\nHost: ok.example\r\n\r\n"), 3)
	f.Add([]byte("\x16\x03\x01\x00\x02\x01\x00"), 1)
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		r := bufio.NewReaderSize(bytes.NewReader(text), maxFirst)
		name, err := innerName(r, func() {})
		left, _ := io.ReadAll(r)
		require.Equal(t, string(text), string(left))
		slowly, serr := nameIn(text)
		require.Equal(t, name, slowly)
		require.Equal(t, err == nil, serr == nil)
		if err != nil {
			require.Empty(t, name)
			return
		}
		if len(text) > 5 && text[0] == 0x16 && len(text) == 5+int(binary.BigEndian.Uint16(text[3:])) && size > 0 && size < 16000 {
			if records := inRecords(text, size); len(records) <= maxFirst && len(text)/size < 100 {
				again, err := nameIn(records)
				require.NoError(t, err)
				require.Equal(t, name, again)
			}
		}
		if name != "" && text[0] != 0x16 {
			require.Contains(t, string(text), name)
			require.NotContains(t, name, "\n")
		}
	})
}

// FuzzConnectTarget holds that what CONNECT leads to stands in its first line, and in its Host if it has one.
func FuzzConnectTarget(f *testing.F) {
	f.Add([]byte("CONNECT ok.example:443 HTTP/1.1\r\nHost: ok.example:443\r\n\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		to, err := connectTarget(bufio.NewReaderSize(bytes.NewReader(text), maxFirst))
		if err != nil {
			return
		}
		line, _, _ := strings.Cut(string(text), "\n")
		words := strings.Split(strings.TrimSuffix(line, "\r"), " ")
		again, err := hosts.ParseTarget(words[1], 0)
		require.NoError(t, err)
		require.Equal(t, again, to)
	})
}

// FuzzReadSocks holds that a target is one that could be in a list, and that the reader stops behind the request.
func FuzzReadSocks(f *testing.F) {
	f.Add([]byte("\x05\x01\x00\x05\x01\x00\x03\x0aok.example\x01\xbbrest"))
	f.Add([]byte("\x05\x01\x00\x05\x01\x00\x01\x7f\x00\x00\x01\x00\x50"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var answered bytes.Buffer
		r := bufio.NewReaderSize(bytes.NewReader(text), maxFirst)
		to, err := readSocks(r, &answered)
		require.LessOrEqual(t, answered.Len(), 2)
		if err != nil {
			require.Zero(t, to)
			return
		}
		require.Equal(t, "\x05\x00", answered.String())
		again, err := hosts.ParseTarget(to.Dialled(), 0)
		require.NoError(t, err)
		require.Equal(t, to, again)
		left, _ := io.ReadAll(r)
		taken := text[:len(text)-len(left)]
		require.Equal(t, to.Port, binary.BigEndian.Uint16(taken[len(taken)-2:]))
	})
}

func TestStatusIsOneLine(t *testing.T) {
	for _, err := range []error{
		&badHost{"a\r\nX: y\x1b[31m" + strings.Repeat("ü", 400), os.ErrInvalid}, &Refusal{hosts.Target{}, NotListed},
		&net.DNSError{Err: "a\nb", Name: "x\r\n"},
	} {
		_, text := status(err)
		require.LessOrEqual(t, len(text), 400)
		require.NotRegexp(t, `[^ -~]`, text)
	}
}
