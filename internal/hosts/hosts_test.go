package hosts_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/hosts"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"example.org": "example.org", "EXAMPLE.org.": "example.org", "a_b.example": "a_b.example", "db": "db",
		"bücher.example": "xn--bcher-kva.example", "BÜCHER.example": "xn--bcher-kva.example",
		"127.0.0.1": "127.0.0.1", "::1": "::1", "[::1]": "::1", "2001:DB8:0::1": "2001:db8::1",
		"::ffff:7f00:1": "127.0.0.1", "[::ffff:127.0.0.1]": "127.0.0.1", "1e1.example": "1e1.example",
		"example。org": "example.org",
		// none of these is a host
		"": "", ".": "", "a..b": "", ".a": "", "a b": "", "a\nb": "", "a/b": "", "a@b": "", "a:b": "", "-a": "", "a-": "",
		"*": "", "%31.1.1.1": "", "a%00": "", "a\x00b": "", "[127.0.0.1]": "", "[::1": "", "::1]": "", "[a]": "",
		"2130706433": "", "0x7f000001": "", "0x7f.1": "", "127.1": "", "127.0.0.1.": "", "0177.0.0.1": "", "127.0.0.01": "",
		"127.0.0.0x1": "", "1.2.3": "", "1.2.3.4.5": "", "256.1.1.1": "", "0x": "", "a.0x7f": "", "a.7": "",
		"１２７.０.０.１": "", "①②⑦.0.0.1": "", "fe80::1%eth0": "", "[fe80::1%25eth0]": "", "::1%lo": "",
		strings.Repeat("a", 64) + ".org": "", strings.Repeat("a.", 127) + "org": "", strings.Repeat("ü", 400): "",
	} {
		host, err := hosts.Parse(text)
		if want == "" {
			require.Error(t, err, "%q", text)
			continue
		}
		require.NoError(t, err, "%q", text)
		require.Equal(t, want, host.String(), "%q", text)
	}
}

func TestParseTarget(t *testing.T) {
	for text, want := range map[string]string{
		"example.org:443": "example.org:443", "example.org": "example.org:80", "[::1]:8080": "[::1]:8080", "::1": "[::1]:80",
		"[::1]": "[::1]:80", "127.0.0.1:1": "127.0.0.1:1",
		"example.org:": "", "example.org:0": "", "example.org:080": "", "example.org:65536": "", "example.org:+1": "",
		"example.org:http": "", "example.org:80:90": "", ":80": "", "[::1]:": "", "[::1]x:80": "",
	} {
		target, err := hosts.ParseTarget(text, 80)
		if want == "" {
			require.Error(t, err, "%q", text)
			continue
		}
		require.NoError(t, err, "%q", text)
		require.Equal(t, want, target.Dialled(), "%q", text)
	}
	_, err := hosts.ParseTarget("example.org", 0)
	require.Error(t, err)
}

func TestList(t *testing.T) {
	list, _, err := hosts.ParseList([]string{
		"Example.org", "*.sub.example", "db.internal:5432", "[2001:db8::1]:443", "192.0.2.7", "all.example:*", "::1",
		"*.deep.example:8443", "*.spillway.internal",
	})
	require.NoError(t, err)
	for target, want := range map[string]bool{
		"example.org:443": true, "EXAMPLE.ORG.:80": true, "example.org:22": false, "www.example.org:443": false,
		"a.sub.example:443": true, "a.b.sub.example:80": true, "sub.example:443": false, "xsub.example:443": false,
		"db.internal:5432": true, "db.internal:443": false, "[2001:db8::1]:443": true, "[2001:db8::1]:80": false,
		"192.0.2.7:80": true, "[::ffff:192.0.2.7]:80": true, "all.example:1": true, "x.all.example:1": false,
		"[::1]:80": true, "a.deep.example:8443": true, "a.deep.example:443": false, "sub.example.evil.example:443": false,
		"host.spillway.internal:80": false, "other.spillway.internal:80": true,
	} {
		to, err := hosts.ParseTarget(target, 0)
		require.NoError(t, err)
		require.Equal(t, want, list.Has(to), target)
	}
	for _, bad := range []string{
		"", "*", "*:443", "*.", "*.*.org", "a.*.org", "*example.org", "*.127.0.0.1", "*.[::1]", "https://example.org/",
		"example.org/", "example.org:0", "example.org:x", "example.org:", "10.0.0.0/8", "127.1", "a b", "[::1%eth0]:80",
	} {
		_, at, err := hosts.ParseList([]string{"ok.example", bad})
		require.Error(t, err, "%q", bad)
		require.Equal(t, bad, at)
	}
	_, _, err = hosts.ParseList(make([]string, hosts.MaxEntries+1))
	require.Error(t, err)
}

// FuzzParseEntry holds that what an entry names is found in its list in whatever case, that it names nothing beside its
// port, and that no name of it could mean something to whoever prints it.
func FuzzParseEntry(f *testing.F) {
	for _, seed := range []string{"example.org", "*.example.org:*", "[::1]:443", "bücher.example", "127.1", "::ffff:1.2.3.4"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := hosts.ParseEntry(text)
		host, herr := hosts.Parse(text)
		if herr == nil {
			require.NoError(t, err)
			for _, port := range []uint16{80, 443} {
				require.True(t, hosts.List{e}.Has(hosts.Target{Host: host, Port: port}))
			}
			require.False(t, hosts.List{e}.Has(hosts.Target{Host: host, Port: 22}))
			again, err := hosts.Parse(host.String())
			require.NoError(t, err)
			require.Equal(t, host, again)
			require.Empty(t, strings.Trim(host.String(), "abcdefghijklmnopqrstuvwxyz0123456789.:-_"))
			require.LessOrEqual(t, len(host.String()), 253)
		}
		if err == nil {
			require.False(t, hosts.List{e}.Has(hosts.Target{Host: hosts.Host{Name: "other.invalid"}, Port: 443}) &&
				!strings.Contains(strings.ToLower(text), "invalid"))
		}
	})
}
