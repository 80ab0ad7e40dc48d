//go:build amd64 || arm64

package sandbox_test

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const patience = time.Second

// walk prints what comes of the way.
func (w way) walk(o outer) {
	led := make(chan error, 1)
	go func() { led <- w.lead(o) }()
	err := errors.New("no end")
	select {
	case err = <-led:
	case <-time.After(5 * patience):
	}
	outcome := "out"
	if err != nil {
		outcome = strings.ReplaceAll(err.Error(), "\n", " ")
	}
	fmt.Printf("%s\t%s\n", w.name, outcome)
}

func (w way) lead(o outer) error {
	if w.shell == "" {
		return w.try(o)
	}
	cmd := exec.Command("bash", "-c", w.shell)
	cmd.Env = append(os.Environ(), "PORT="+tostring(o.TCP), "UDP="+tostring(o.UDP), "HOST="+tostring(o.Host), "ADDRESS="+o.Address)
	out, err := cmd.CombinedOutput()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("%w: %s", err, lines[len(lines)-1])
	}
	return nil
}

// reach gets an answer.
func reach(network, address string, port int) error {
	if address == "" {
		return errors.New("no address")
	}
	return answered(net.DialTimeout(network, net.JoinHostPort(address, tostring(port)), patience))
}

func answered(c net.Conn, err error) error {
	if err != nil {
		return err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(patience))
	c.Write([]byte("x"))
	_, err = c.Read(make([]byte, 1))
	return err
}

func reachUnix(path string) error {
	c, err := net.DialTimeout("unix", path, patience)
	if err == nil {
		c.Close()
	}
	return err
}

func gram(name string) error {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	return first(err, unix.Sendto(fd, []byte("x"), 0, &unix.SockaddrUnix{Name: name}))
}

// connect4 gets an answer from 127.0.0.1 by a protocol that package net does not know.
func connect4(o outer, kind, protocol, port int) error {
	fd, err := unix.Socket(unix.AF_INET, kind, protocol)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return converse(fd, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}})
}

func connect6(o outer, address string) error {
	fd, err := unix.Socket(unix.AF_INET6, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return converse(fd, &unix.SockaddrInet6{Port: o.TCP, Addr: netip.MustParseAddr(address).As16()})
}

func converse(fd int, to unix.Sockaddr) error {
	timeout := unix.NsecToTimeval(int64(patience))
	unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &timeout)
	unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &timeout)
	if err := unix.Connect(fd, to); err != nil {
		return err
	}
	unix.Write(fd, []byte("x"))
	n, err := unix.Read(fd, make([]byte, 1))
	if n == 0 && err == nil {
		err = errors.New("no answer")
	}
	return err
}

func dialWith(o outer, set func(fd int) error) error {
	address := o.Address
	if address == "" {
		address = "127.0.0.1"
	}
	var failed error
	d := net.Dialer{Timeout: patience, Control: func(_, _ string, c syscall.RawConn) error {
		return first(c.Control(func(fd uintptr) { failed = set(int(fd)) }), failed)
	}}
	return answered(d.Dial("tcp", net.JoinHostPort(address, tostring(o.TCP))))
}
