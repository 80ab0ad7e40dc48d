package egress

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReachOf(t *testing.T) {
	own := []netip.Prefix{netip.MustParsePrefix("8.8.4.0/24"), netip.MustParsePrefix("2a00:1450::/64")}
	for text, want := range map[string]reach{
		"8.8.8.8": public, "2606:4700::1111": public, "1.1.1.1": public, "172.15.255.255": public, "172.32.0.1": public,
		"100.63.255.255": public, "::ffff:8.8.8.8": public, "64:ff9b::808:808": public, "2002:808:808::1": public,
		"2001::1":                      never,                                           // Teredo, whose server is 0.0.0.0
		"2001:0:808:808:0:0:f7f7:f7f7": public, "2001:0:808:808:0:0:80ff:fffe": private, // the client's address is inverted
		"127.0.0.1": private, "127.255.255.254": private, "::1": private, "10.1.2.3": private, "172.16.0.1": private,
		"192.168.1.1": private, "100.64.0.1": private, "100.127.255.255": private, "fc00::1": private, "fd12::1": private,
		"198.18.0.1": private, "240.0.0.1": private, "192.0.2.1": private, "2001:db8::1": private, "fec0::1": private,
		"192.0.0.8": private, "8.8.4.4": private, "2a00:1450::5": private, "2a00:1450:0:1::5": public,
		"::ffff:127.0.0.1": private, "::ffff:10.0.0.1": private, "::127.0.0.1": private, "64:ff9b::7f00:1": private,
		"64:ff9b::a00:1": private, "2002:7f00:1::": private, "2002:a00:1::1": private, "2001:0:a00:1::1": private,
		"2606:4700::5efe:7f00:1": private, "2606:4700::200:5efe:a00:1": private,
		"0.0.0.0": never, "0.1.2.3": never, "::": never, "169.254.169.254": never, "169.254.0.1": never, "fe80::1": never,
		"fe80::1%eth0": never, "224.0.0.1": never, "239.255.255.255": never, "ff02::1": never, "255.255.255.255": never,
		"::ffff:169.254.169.254": never, "::169.254.169.254": never, "64:ff9b::a9fe:a9fe": never, "64:ff9b:1::a9fe:a9fe": never,
		"64:ff9b:1:ffff::1": never, "2002:a9fe:a9fe::1": never, "2606:4700::5efe:a9fe:a9fe": never, "fd00:ec2::254": never,
		"100.100.100.200": never, "168.63.129.16": never, "192.0.0.192": never, "fd20:ce::254": never, "::2": never,
		"8.8.8.8%x": never,
	} {
		addr, err := netip.ParseAddr(text)
		if text == "8.8.8.8%x" {
			require.Equal(t, never, reachOf(netip.Addr{}, own))
			continue
		}
		require.NoError(t, err, text)
		require.Equal(t, want, reachOf(addr, own), text)
	}
}

func TestOwnNetworks(t *testing.T) {
	own, err := ownNetworks()
	require.NoError(t, err)
	for _, p := range own {
		require.Positive(t, p.Bits())
		require.Equal(t, p.Masked(), p)
	}
}

// FuzzReachOf holds that no form of an address of IPv4 can be reached more easily than that itself.
func FuzzReachOf(f *testing.F) {
	f.Add([]byte{127, 0, 0, 1})
	f.Add([]byte{169, 254, 169, 254})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) != 4 {
			return
		}
		v4 := [4]byte(b)
		plain := reachOf(netip.AddrFrom4(v4), nil)
		for _, form := range [][16]byte{
			{10: 0xff, 11: 0xff, 12: v4[0], 13: v4[1], 14: v4[2], 15: v4[3]},
			{12: v4[0], 13: v4[1], 14: v4[2], 15: v4[3]},
			{1: 0x64, 2: 0xff, 3: 0x9b, 12: v4[0], 13: v4[1], 14: v4[2], 15: v4[3]},
			{0: 0x20, 1: 0x02, 2: v4[0], 3: v4[1], 4: v4[2], 5: v4[3]},
			{0: 0x20, 1: 0x01, 4: 8, 5: 8, 6: 8, 7: 8, 12: ^v4[0], 13: ^v4[1], 14: ^v4[2], 15: ^v4[3]},
			{0: 0x26, 10: 0x5e, 11: 0xfe, 12: v4[0], 13: v4[1], 14: v4[2], 15: v4[3]},
		} {
			addr := netip.AddrFrom16(form)
			if addr == netip.IPv6Loopback() {
				continue
			}
			require.GreaterOrEqual(t, reachOf(addr, nil), plain, addr.String())
		}
	})
}
