package egress

import (
	"net"
	"net/netip"
)

// reach says who can be behind an address.
type reach int

const (
	public  reach = iota // somebody on the internet
	private              // this host, or one near it: only for names of Options.Private
	never                // what gives out credentials, or is no address of one host
)

// prefixes returns the networks of these texts.
func prefixes(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

var (
	// nevers has link-local addresses, on which clouds serve the credentials of a machine, the addresses outside of
	// these on which some do so, and those of no host or of many.
	nevers = prefixes("0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "255.255.255.255/32",
		"::/128", "fe80::/10", "ff00::/8",
		"100.100.100.200/32", // Alibaba Cloud
		"168.63.129.16/32",   // Azure
		"192.0.0.192/32",     // Oracle Cloud
		"fd00:ec2::/32",      // Amazon
		"fd20:ce::254/128",   // Google
		"64:ff9b:1::/48",     // a local translation to IPv4, which may put the address anywhere (RFC 8215)
	)
	// privates has what the registry of special addresses (RFC 6890) does not call global.
	privates = prefixes("10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
		"192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"::1/128", "100::/64", "2001:2::/48", "2001:10::/28", "2001:20::/28", "2001:db8::/32", "3fff::/20", "5f00::/16",
		"fc00::/7", "fec0::/10")

	compatible = netip.MustParsePrefix("::/96")
	nat64      = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour  = netip.MustParsePrefix("2002::/16")
	teredo     = netip.MustParsePrefix("2001::/32")
)

// reachOf returns who can be behind an address. own has the networks of this host's interfaces.
func reachOf(addr netip.Addr, own []netip.Prefix) reach {
	if addr.Zone() != "" || !addr.IsValid() {
		return never
	}
	addr = addr.Unmap()
	most := public
	switch {
	case within(addr, nevers):
		return never
	case within(addr, privates), within(addr, own):
		most = private
	}
	for _, inner := range embedded(addr) {
		most = max(most, reachOf(inner, own))
	}
	return most
}

func within(addr netip.Addr, list []netip.Prefix) bool {
	for _, p := range list {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// embedded returns the addresses of IPv4 that a gateway may make of one of IPv6.
func embedded(addr netip.Addr) (inner []netip.Addr) {
	if !addr.Is6() {
		return nil
	}
	b := addr.As16()
	v4 := func(at int, mask byte) {
		inner = append(inner, netip.AddrFrom4([4]byte{b[at] ^ mask, b[at+1] ^ mask, b[at+2] ^ mask, b[at+3] ^ mask}))
	}
	switch {
	case compatible.Contains(addr) && addr != netip.IPv6Loopback(), nat64.Contains(addr):
		v4(12, 0)
	case sixToFour.Contains(addr):
		v4(2, 0)
	case teredo.Contains(addr):
		v4(4, 0)
		v4(12, 0xff)
	}
	if b[8]&^0x02 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe { // ISATAP
		v4(12, 0)
	}
	return inner
}

// ownNetworks returns the networks of this host's interfaces: who is in one of them is near, whatever its address.
func ownNetworks() (list []netip.Prefix, err error) {
	addrs, err := net.InterfaceAddrs()
	for _, a := range addrs {
		if ipnet, ok := a.(*net.IPNet); ok {
			if addr, ok := netip.AddrFromSlice(ipnet.IP); ok {
				ones, bits := ipnet.Mask.Size()
				addr = addr.Unmap()
				if ones -= bits - addr.BitLen(); ones > 0 {
					list = append(list, netip.PrefixFrom(addr, ones).Masked())
				}
			}
		}
	}
	return list, err
}
