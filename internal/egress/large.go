package egress

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"time"
)

// takeOver returns the connection behind an answer that was not begun. Its handler must close it.
func takeOver(w http.ResponseWriter) (*client, error) {
	c, ahead, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, err
	}
	in, ok := c.(*client)
	if !ok {
		c.Close()
		return nil, net.ErrClosed
	}
	_ = c.SetDeadline(time.Time{})
	first, _ := ahead.Reader.Peek(ahead.Reader.Buffered())
	second, _ := in.buf.Peek(in.buf.Buffered())
	read := slices.Concat(first, second)
	in.buf = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(read), in.Conn), max(maxFirst, len(read)))
	_, _ = in.buf.Peek(len(read))
	return in, nil
}

// writeHead begins an answer.
func writeHead(w io.Writer, res *http.Response) error {
	if _, err := fmt.Fprintf(w, "HTTP/1.1 %d %s\r\n", res.StatusCode, http.StatusText(res.StatusCode)); err != nil {
		return err
	}
	if err := res.Header.Write(w); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\r\n")
	return err
}

// large passes on a large body whose length is known. The kernel copies it, by splice, which takes half the time; so
// the connection of the client ends with it. Whoever reads a body that is cut sees that it is short.
func large(w http.ResponseWriter, res *http.Response, x *exchange) error {
	in, err := takeOver(w)
	if err != nil {
		return err
	}
	defer in.Close()
	res.Header.Set("Connection", "close")
	head := bufio.NewWriter(in.Conn)
	err = writeHead(head, res)
	left := res.ContentLength
	n, _ := io.CopyN(head, x.buf, min(left, int64(x.buf.Buffered())))
	left -= n
	x.count.received.Add(n)
	if err == nil {
		err = head.Flush()
	}
	for left > 0 && err == nil {
		n, err = io.CopyN(in.Conn, x.out, min(left, piece))
		left -= n
		x.count.received.Add(n)
	}
	if err != nil {
		return errCut
	}
	return nil
}

var errSwitched = errors.New("the host changed the protocol, which nobody asked for")

// switched passes on an answer that changes the protocol, and then whatever both say.
func (p *Proxy) switched(w http.ResponseWriter, res *http.Response, x *exchange) error {
	if x.upgrade == "" || res.Request.Body != nil {
		return errSwitched
	}
	<-x.wrote
	to := upgradeOf(res.Header)
	removeHops(res.Header)
	res.Header.Set("Connection", "Upgrade")
	res.Header.Set("Upgrade", to)
	in, err := takeOver(w)
	if err != nil {
		return err
	}
	defer in.Close()
	head := bufio.NewWriter(in.Conn)
	_ = writeHead(head, res)
	n, _ := io.CopyN(head, x.buf, int64(x.buf.Buffered()))
	x.count.received.Add(n)
	if head.Flush() == nil {
		p.tunnel(in, x.out, x.to, x.count)
	}
	return nil
}
