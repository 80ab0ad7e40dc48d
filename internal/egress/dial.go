package egress

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"time"

	"github.com/spillway-go/spillway/internal/hosts"
)

const (
	dialTime  = 30 * time.Second // for looking up a name and connecting to it
	firstTime = 5 * time.Second  // for an address that others follow
	maxAddrs  = 8                // addresses of a name that are tried
)

// dial connects to a target that may be reached. A name is looked up once, here, and what is dialled are the addresses
// that were checked: a server of names that answers differently the next time is not asked.
func (n *Network) dial(ctx context.Context, to hosts.Target) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	addrs := []netip.Addr{to.Addr}
	if to.Name == hosts.Loopback {
		addrs = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	} else if to.Name != "" {
		var err error
		if addrs, err = n.options.Resolve(ctx, to.Name); err != nil {
			return nil, err
		}
	}
	addrs, err := n.checked(to, addrs)
	if err != nil {
		return nil, err
	}
	err = errors.New("it has no address")
	for i, addr := range addrs {
		var conn net.Conn
		limit, cancel := ctx, context.CancelFunc(func() {})
		if i < len(addrs)-1 {
			limit, cancel = context.WithTimeout(ctx, firstTime)
		}
		conn, err = n.options.Dial(limit, netip.AddrPortFrom(addr, to.Port))
		cancel()
		if err == nil || ctx.Err() != nil {
			return conn, err
		}
	}
	return nil, err
}

// checked returns the first addresses that may be dialled for a target.
func (n *Network) checked(to hosts.Target, addrs []netip.Addr) (good []netip.Addr, err error) {
	own, err := n.options.Own()
	if err != nil {
		return nil, err
	}
	most := public
	if n.options.Private.Has(to) {
		most = private
	}
	worst := public
	for _, addr := range addrs {
		addr = addr.Unmap()
		r := reachOf(addr, own)
		if r <= most && len(good) < maxAddrs {
			good = append(good, addr)
		}
		worst = max(worst, r)
	}
	switch {
	case len(good) > 0 || len(addrs) == 0:
		return good, nil
	case worst == never:
		return nil, &Refusal{to, NeverReached}
	}
	return nil, &Refusal{to, IsPrivate}
}

// resolve asks the system for the addresses of a name.
func resolve(ctx context.Context, name string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, "ip", name)
}

func dialTCP(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "tcp", to.String())
}
