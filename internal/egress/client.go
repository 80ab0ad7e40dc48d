package egress

import (
	"bufio"
	"io"
	"log"
	"net"
	"sync"
)

// silent is the log of a library that must not print.
var silent = log.New(io.Discard, "", 0)

// client is a connection of the command. What was read ahead of it is in buf.
type client struct {
	net.Conn
	buf    *bufio.Reader
	once   sync.Once
	closed func()
}

func (c *client) Read(b []byte) (int, error) { return c.buf.Read(b) }

func (c *client) Close() error {
	err := net.ErrClosed
	c.once.Do(func() {
		err = c.Conn.Close()
		c.closed()
	})
	return err
}

// queue is a listener of the connections that are sent to it.
type queue struct {
	conns chan net.Conn
	done  <-chan struct{}
}

func (q queue) Accept() (net.Conn, error) {
	select {
	case c := <-q.conns:
		return c, nil
	case <-q.done:
		return nil, net.ErrClosed
	}
}

func (q queue) Close() error   { return nil }
func (q queue) Addr() net.Addr { return &net.TCPAddr{} }
