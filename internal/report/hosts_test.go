package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/egress"
	"github.com/spillway-go/spillway/internal/report"
	"github.com/spillway-go/spillway/tools/record"
)

// read returns the report of a record.
func read(t *testing.T, lines ...record.Line) *report.Report {
	r, err := report.Read("x", func(yield func(record.Line, error) bool) {
		for _, line := range lines {
			if !yield(line, nil) {
				return
			}
		}
	})
	require.NoError(t, err)
	return r
}

// The hosts of a session are an option to copy. What a job did is counted once, and a name that is none is left out.
func TestHosts(t *testing.T) {
	use := func(host string, requests, refused int64) config.HostUse {
		u := config.HostUse{Host: host, Requests: requests, Received: 1024 * requests, Refused: refused}
		if refused > 0 {
			u.Reason = string(egress.NotListed)
		}
		return u
	}
	lines := []record.Line{
		{Kind: "call", Session: "s", ID: "1", Tool: "bash", Network: []config.HostUse{use("a.example", 1, 0), use("b.example:8443", 0, 2)}},
		{Kind: "call", Session: "s", ID: "2", Tool: "bash", Network: []config.HostUse{use("a.example", 2, 0)}}, // becomes a job
		{Kind: "call", Session: "s", ID: "3", Tool: "job", Network: []config.HostUse{use("a.example", 3, 0)}},
		{Kind: "job", Session: "s", ID: "2", Job: 1, Network: []config.HostUse{use("a.example", 4, 0), use("[2001:db8::1]:1", 1, 0)}},
		{Kind: "call", Session: "s", ID: "4", Tool: "bash", Network: []config.HostUse{use("$(evil)", 1, 0), use("", 1, 0), use("a.example", -5, 0)}},
	}
	r := read(t, lines...)
	require.Equal(t, []report.Host{
		{Name: "a.example", Requests: 5, Bytes: 5120, Option: "Bash.Hosts"}, {Name: "b.example:8443", Refused: 2, Option: "Bash.Hosts"},
		{Name: "[2001:db8::1]:1", Requests: 1, Bytes: 1024, Option: "Bash.Hosts"},
	}, r.Hosts)
	var text bytes.Buffer
	require.NoError(t, r.WriteText(&text))
	require.Contains(t, text.String(), "To allow them: -allow-host a.example -allow-host b.example:8443 -allow-host '[2001:db8::1]:1'\n")
}

// The flags to copy name what a proxy can have written and a list can allow, each with the option that allows it.
func TestFlagsToCopy(t *testing.T) {
	refused := func(host string, reason egress.Reason) config.HostUse {
		return config.HostUse{Host: host, Refused: 1, Reason: string(reason)}
	}
	for _, c := range []struct {
		use  config.HostUse
		want string
	}{
		{config.HostUse{Host: "a.example", Requests: 1}, "-allow-host a.example"},
		{config.HostUse{Host: "a.example", Requests: 1, Refused: 1, Reason: string(egress.OtherName)}, "-allow-host a.example"},
		{config.HostUse{Host: "host.spillway.internal:8080", Requests: 1}, "-set Bash.PrivateHosts=host.spillway.internal:8080"},
		{config.HostUse{Host: "127.0.0.1:8080", Requests: 1}, "-set Bash.PrivateHosts=127.0.0.1:8080"},
		{refused("a.example", egress.NotListed), "-allow-host a.example"},
		{refused("[2001:db8::1]:22", egress.NotListed), "-allow-host '[2001:db8::1]:22'"},
		{refused("db.example:5432", egress.IsPrivate), "-set Bash.PrivateHosts=db.example:5432"},
		{refused("[fd00::1]:22", egress.IsPrivate), "-set 'Bash.PrivateHosts=[fd00::1]:22'"},
		{refused("169.254.169.254", egress.NeverReached), ""},
		{refused("a.example", egress.OtherName), ""},
		{refused("a.example", "another reason"), ""},
		{config.HostUse{Host: "a.example", Failed: 1}, ""},
		{config.HostUse{Host: "a.example", Reason: string(egress.NotListed)}, ""},
	} {
		r := read(t, record.Line{Kind: "call", Tool: "bash", Network: []config.HostUse{c.use}})
		require.Len(t, r.Hosts, 1)
		require.Equal(t, c.want, r.Allow, "%+v", c.use)
		var text bytes.Buffer
		require.NoError(t, r.WriteText(&text))
		require.Equal(t, c.want != "", strings.Contains(text.String(), "To allow them: "+c.want))
	}
	for _, host := range []string{"*.com", "*.example.org", "ok.example:*", "ok.example:443", "OK.example", "ok.example.", "[::1]"} {
		r := read(t, record.Line{Kind: "call", Tool: "bash", Network: []config.HostUse{{Host: host, Requests: 1}}})
		require.Empty(t, r.Hosts, host)
		require.Empty(t, r.Allow, host)
	}
	r := read(t, record.Line{Kind: "call", Tool: "bash", Network: []config.HostUse{
		refused("a.example", egress.IsPrivate), refused("b.example", egress.NotListed), refused("c.example", egress.IsPrivate),
	}})
	require.Equal(t, "-allow-host b.example -set Bash.PrivateHosts=a.example,c.example", r.Allow)
}

// A host without a row has no flag.
func TestFlagsToCopyOfShownHosts(t *testing.T) {
	var uses []config.HostUse
	for i := range 300 {
		uses = append(uses, config.HostUse{Host: fmt.Sprintf("h%d.example", i), Requests: 1})
	}
	r := read(t, record.Line{Kind: "call", Tool: "bash", Network: uses})
	require.Equal(t, len(r.Hosts), strings.Count(r.Allow, "-allow-host"), "the page has a row for each")
	var text bytes.Buffer
	require.NoError(t, r.WriteText(&text))
	for i := range 300 {
		name := fmt.Sprintf("h%d.example", i)
		row := strings.Contains(text.String(), "\n"+name+" ")
		require.Equal(t, row, strings.Contains(text.String()+" ", "-allow-host "+name), name)
	}
	require.Contains(t, text.String(), "more hosts")
}
