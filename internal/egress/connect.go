package egress

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/spillway-go/spillway/internal/hosts"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
)

var errFull = bufio.ErrBufferFull

// connect serves the method CONNECT, which is the first and only request of its connection.
func (p *Proxy) connect(in *client) {
	to, err := connectTarget(in.buf)
	if err != nil {
		_ = answer(in, err)
		return
	}
	p.through(in, to, answer)
}

// connectTarget reads the head of a CONNECT. Its Host must be its target.
func connectTarget(r *bufio.Reader) (to hosts.Target, err error) {
	h, err := readHead(r)
	if err != nil {
		return to, err
	}
	if h.header["Transfer-Encoding"] != nil || h.header["Content-Length"] != nil && h.header.Get("Content-Length") != "0" {
		return to, errHead
	}
	if to, err = hosts.ParseTarget(h.target, 0); err != nil {
		return to, &badHost{h.target, err}
	}
	if host := h.header.Get("Host"); host != "" {
		if other, err := hosts.ParseTarget(host, to.Port); err != nil || other != to {
			return to, &Refusal{to, OtherName}
		}
	}
	return to, nil
}

// badHost is the error for what cannot be a host.
type badHost struct {
	text string
	err  error
}

func (e *badHost) Error() string {
	return string(notice.HostUnknown(quote.Quoted(quote.Short(e.text, 80)), e.err.Error()))
}

// status returns the code with which an error is answered, and what it says, on one line in ASCII.
func status(err error) (code int, text string) {
	var refusal *Refusal
	var bad *badHost
	switch {
	case errors.As(err, &refusal):
		return http.StatusForbidden, refusal.Error()
	case errors.As(err, &bad):
		return http.StatusForbidden, ascii(bad.Error())
	case errors.Is(err, errHead):
		return http.StatusBadRequest, err.Error()
	}
	return http.StatusBadGateway, ascii(err.Error())
}

// answer answers a CONNECT. If it fails, the first line says why: it is what programs print.
func answer(out io.Writer, err error) error {
	if err == nil {
		_, err = io.WriteString(out, "HTTP/1.1 200 Connection established\r\n\r\n")
		return err
	}
	code, text := status(err)
	_, err = fmt.Fprintf(out, "HTTP/1.1 %d %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n"+
		"Connection: close\r\n\r\n%s\n", code, text, len(text)+1, text)
	return err
}

func ascii(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c < ' ' || c > '~' {
			b[i] = '?'
		}
	}
	return string(b[:min(len(b), 400)])
}

var _ net.Conn = (*client)(nil)
