package egress

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"syscall"
	"time"

	"github.com/spillway-go/spillway/internal/hosts"
)

// What SOCKS 5 (RFC 1928) calls versions, methods, commands and replies.
const (
	socksVersion  = 5
	socksNoAuth   = 0
	socksNoMethod = 0xff
	socksConnect  = 1

	socksDone        = 0
	socksFailed      = 1
	socksRefused     = 2
	socksUnreachable = 4
	socksClosed      = 5
	socksNoCommand   = 7
	socksNoType      = 8
)

var (
	errSocks   = errors.New("not a request of SOCKS 5")
	errCommand = errors.New("a command of SOCKS 5 other than CONNECT")
	errType    = errors.New("a type of address that SOCKS 5 does not have")
)

// socks serves a connection of SOCKS 5, without authentication: only the command can reach the proxy.
func (p *Proxy) socks(in *client) {
	_ = in.SetDeadline(time.Now().Add(headTime))
	to, err := readSocks(in.buf, in)
	_ = in.SetDeadline(time.Time{})
	if err != nil {
		if err != errSocks {
			reply(in, err)
		}
		return
	}
	p.through(in, to, reply)
}

// readSocks reads the target of a request, after it has agreed to use no authentication.
func readSocks(r *bufio.Reader, w io.Writer) (to hosts.Target, err error) {
	var b [256]byte
	read := func(n int) []byte {
		if err == nil {
			if _, err = io.ReadFull(r, b[:n]); err != nil {
				err = errSocks
			}
		}
		return b[:n]
	}
	if head := read(2); err != nil || head[0] != socksVersion {
		return to, errSocks
	}
	if offered := read(int(b[1])); err != nil || !slices.Contains(offered, socksNoAuth) {
		_, _ = w.Write([]byte{socksVersion, socksNoMethod})
		return to, errSocks
	}
	if _, err := w.Write([]byte{socksVersion, socksNoAuth}); err != nil {
		return to, errSocks
	}
	head := read(4)
	if err != nil || head[0] != socksVersion {
		return to, errSocks
	}
	command, kind := head[1], head[3]
	var text string
	switch kind {
	case 1, 4:
		addr, _ := netip.AddrFromSlice(read(map[byte]int{1: 4, 4: 16}[kind]))
		to.Addr = addr.Unmap()
	case 3:
		text = string(read(int(read(1)[0])))
	default:
		return to, errType
	}
	to.Port = binary.BigEndian.Uint16(read(2))
	switch {
	case err != nil:
		return hosts.Target{}, err
	case command != socksConnect:
		return hosts.Target{}, errCommand
	case to.Port == 0:
		return hosts.Target{}, &badHost{text, errors.New("port 0")}
	}
	if kind == 3 {
		if to.Host, err = hosts.Parse(text); err != nil {
			return hosts.Target{}, &badHost{text, err}
		}
	}
	return to, nil
}

// reply answers a request, with the address that no program looks at.
func reply(w io.Writer, err error) error {
	code := byte(socksFailed)
	var refusal *Refusal
	var bad *badHost
	var dns *net.DNSError
	switch {
	case err == nil:
		code = socksDone
	case errors.As(err, &refusal), errors.As(err, &bad):
		code = socksRefused
	case errors.Is(err, errCommand):
		code = socksNoCommand
	case errors.Is(err, errType):
		code = socksNoType
	case errors.As(err, &dns):
		code = socksUnreachable
	case errors.Is(err, syscall.ECONNREFUSED):
		code = socksClosed
	}
	_, err = w.Write([]byte{socksVersion, code, 0, 1, 0, 0, 0, 0, 0, 0})
	return err
}
