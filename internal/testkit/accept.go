package testkit

import (
	"net"
	"testing"
)

// Listen listens at a free port of the loopback until the test ends.
func Listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	NoError(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

// Accept handles each connection of a listener in a goroutine of its own, and closes it behind that, until the listener
// is closed.
func Accept(l net.Listener, handle func(net.Conn)) {
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			go func() {
				defer c.Close()
				handle(c)
			}()
		}
	}()
}
