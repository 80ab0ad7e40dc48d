package egress

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/spillway-go/spillway/internal/hosts"
)

var errHead = errors.New("the beginning of the connection cannot be read")

// head is the first line and the header of a request.
type head struct {
	method, target string
	header         http.Header
}

// readHead reads the head of a request. A line that goes on in the next one, two headers Host, and what names a length
// of more than one kind are errors.
func readHead(r *bufio.Reader) (h head, err error) {
	text, err := peekHead(r, 0)
	if err != nil {
		return h, err
	}
	_, err = r.Discard(len(text))
	if err != nil {
		return h, err
	}
	return parseHead(text)
}

// parseHead parses a whole head, with the empty line that ends it.
func parseHead(text []byte) (h head, err error) {
	if bytes.ContainsAny(text, "\x00") || bytes.Contains(text, []byte("\n ")) || bytes.Contains(text, []byte("\n\t")) ||
		bytes.Count(text, []byte("\r")) != bytes.Count(text, []byte("\r\n")) {
		return h, errHead
	}
	lines := textproto.NewReader(bufio.NewReader(bytes.NewReader(text)))
	first, err := lines.ReadLine()
	if err != nil {
		return h, errHead
	}
	words := strings.Split(first, " ")
	if len(words) != 3 || words[2] != "HTTP/1.1" && words[2] != "HTTP/1.0" {
		return h, errHead
	}
	header, err := lines.ReadMIMEHeader()
	if err != nil || len(header["Host"]) > 1 {
		return h, errHead
	}
	for name := range header {
		if !httpguts.ValidHeaderFieldName(name) {
			return h, errHead // some take "Host :" for a Host
		}
	}
	return head{words[0], words[1], http.Header(header)}, nil
}

// peekHead returns the bytes up to the first empty line, without as many as are skipped.
func peekHead(r *bufio.Reader, skip int) ([]byte, error) {
	for n := skip + 1; ; n++ {
		text, err := r.Peek(max(n, min(r.Buffered(), maxFirst)))
		if i := headEnd(text[min(skip, len(text)):]); i > 0 {
			return text[skip : skip+i], nil
		}
		if err != nil {
			return nil, errHead
		}
		n = len(text)
	}
}

// headEnd returns where the first empty line ends, or 0.
func headEnd(text []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			return 0
		}
		i += n + 1
		if rest := text[i:]; bytes.HasPrefix(rest, []byte("\n")) {
			return i + 1
		} else if bytes.HasPrefix(rest, []byte("\r\n")) {
			return i + 2
		}
	}
}

const connectWord = "CONNECT "

// isConnect waits for as many bytes as tell whether a connection starts with CONNECT.
func isConnect(r *bufio.Reader) bool {
	for n := 1; n <= len(connectWord); n++ {
		if text, err := r.Peek(n); err != nil || text[n-1] != connectWord[n-1] {
			return false
		}
	}
	return true
}

// methods are those of HTTP with which a connection may start.
var methods = []string{"GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "OPTIONS ", "PATCH ", "TRACE ", connectWord,
	"PROPFIND ", "REPORT ", "MKCOL ", "COPY ", "MOVE ", "LOCK ", "UNLOCK ", "PROPPATCH ", "SEARCH "}

// startsRequest waits for as many bytes as tell whether a request of HTTP follows on those that are skipped: one of
// methods, or a first line of another one that names the protocol.
func startsRequest(r *bufio.Reader, skip int) (bool, error) {
	if method, err := startsMethod(r, skip); method || err != nil {
		return method, err
	}
	spaces := false
	for n := skip + 1; ; n++ {
		text, err := r.Peek(n)
		if err == io.EOF {
			return false, nil
		} else if err != nil {
			return false, err
		}
		switch c := text[n-1]; {
		case c == '\n':
			return bytes.Contains(text, []byte("HTTP/1")), nil
		case c == ' ' || c == '\t':
			spaces = true
		case !spaces && !httpguts.IsTokenRune(rune(c)), c < ' ' && c != '\r':
			return false, nil
		}
	}
}

// emptyLines returns how many bytes of empty lines come first: servers skip them (RFC 9112, 2.2).
func emptyLines(r *bufio.Reader) (int, error) {
	for n := 1; ; n++ {
		text, err := r.Peek(n)
		if err == io.EOF {
			return n - 1, nil
		} else if err != nil {
			return 0, err
		}
		if c := text[n-1]; c != '\r' && c != '\n' {
			return n - 1, nil
		}
	}
}

// startsMethod waits for as many bytes as tell whether one of methods follows on those that are skipped.
func startsMethod(r *bufio.Reader, skip int) (bool, error) {
	for n := skip + 1; ; n++ {
		text, err := r.Peek(n)
		if err == io.EOF && n == skip+1 {
			return false, nil
		} else if err != nil {
			return false, err
		}
		text = text[skip:]
		begun := false
		for _, method := range methods {
			if method == string(text) {
				return true, nil
			}
			begun = begun || strings.HasPrefix(method, string(text))
		}
		if !begun {
			return false, nil
		}
	}
}

// innerName returns the name that the first bytes of a connection say is behind it: that of a ClientHello of TLS, or
// the Host of a request. It is "" if they say none, as in other protocols. It reads ahead, but takes nothing; started
// is called after the first byte. The error is errHead if they start as one of the two and do not go on so.
func innerName(r *bufio.Reader, started func()) (name string, err error) {
	first, err := r.Peek(1)
	if err != nil {
		return "", err
	}
	started()
	if first[0] == 0x16 {
		return helloName(r)
	}
	skip, err := emptyLines(r)
	if err != nil {
		return "", errHead
	}
	if request, err := startsRequest(r, skip); err != nil {
		return "", errHead
	} else if !request {
		return "", nil
	}
	text, err := peekHead(r, skip)
	if err != nil {
		return "", err
	}
	h, err := parseHead(text)
	if err != nil || !strings.HasPrefix(h.target, "/") && h.target != "*" {
		return "", errHead
	}
	return h.header.Get("Host"), nil
}

var errHello = errors.New("the hello was read")

// helloName returns the name that a ClientHello asks for. It may come in many records.
func helloName(r *bufio.Reader) (name string, err error) {
	read := false
	// The standard library's own parser reads it: no second one, whose reading may differ, decides.
	server := tls.Server(&listening{from: r}, &tls.Config{
		MinVersion: tls.VersionTLS10,
		GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			name, read = hello.ServerName, true
			return nil, errHello
		},
	})
	_ = server.Handshake()
	if !read {
		return "", errHead
	}
	return name, nil
}

// listening is a connection of which what is read stays in a buffer, and to which nothing is written.
type listening struct {
	from *bufio.Reader
	at   int
}

func (l *listening) Read(b []byte) (int, error) {
	text, err := l.from.Peek(min(max(l.at+1, l.from.Buffered()), maxFirst))
	if l.at >= len(text) {
		if err == nil {
			err = io.ErrUnexpectedEOF // maxFirst bytes are no hello
		}
		return 0, err
	}
	n := copy(b, text[l.at:])
	l.at += n
	return n, nil
}

func (l *listening) Write([]byte) (int, error)        { return 0, net.ErrClosed }
func (l *listening) Close() error                     { return nil }
func (l *listening) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (l *listening) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (l *listening) SetDeadline(time.Time) error      { return nil }
func (l *listening) SetReadDeadline(time.Time) error  { return nil }
func (l *listening) SetWriteDeadline(time.Time) error { return nil }

// agrees says whether a connection to a target may have that name inside, with or without a port. To an address, any
// name leads that may be reached itself.
func (n *Network) agrees(name string, to hosts.Target) bool {
	if name == "" {
		return true
	}
	inner, err := hosts.ParseTarget(name, to.Port)
	if err != nil || inner.Port != to.Port {
		return false
	}
	if to.Addr.IsValid() && inner.Name != "" {
		return n.options.Hosts.Has(inner) || n.options.Private.Has(inner)
	}
	return inner.Host == to.Host
}
