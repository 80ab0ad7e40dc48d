package report_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/report"
	"github.com/spillway-go/spillway/tools/record"
)

// The hosts of a session are an option to copy. What a job did is counted once, and a name that is none is left out.
func TestHosts(t *testing.T) {
	use := func(host string, requests, refused int64) config.HostUse {
		return config.HostUse{Host: host, Requests: requests, Received: 1024 * requests, Refused: refused}
	}
	lines := []record.Line{
		{Kind: "call", Session: "s", ID: "1", Tool: "bash", Network: []config.HostUse{use("a.example", 1, 0), use("b.example:8443", 0, 2)}},
		{Kind: "call", Session: "s", ID: "2", Tool: "bash", Network: []config.HostUse{use("a.example", 2, 0)}}, // becomes a job
		{Kind: "call", Session: "s", ID: "3", Tool: "job", Network: []config.HostUse{use("a.example", 3, 0)}},
		{Kind: "job", Session: "s", ID: "2", Job: 1, Network: []config.HostUse{use("a.example", 4, 0), use("[2001:db8::1]:1", 1, 0)}},
		{Kind: "call", Session: "s", ID: "4", Tool: "bash", Network: []config.HostUse{use("$(evil)", 1, 0), use("", 1, 0), use("a.example", -5, 0)}},
	}
	r, err := report.Read("x", func(yield func(record.Line, error) bool) {
		for _, line := range lines {
			if !yield(line, nil) {
				return
			}
		}
	})
	require.NoError(t, err)
	require.Equal(t, []report.Host{
		{Name: "a.example", Requests: 5, Bytes: 5120}, {Name: "b.example:8443", Refused: 2}, {Name: "[2001:db8::1]:1", Requests: 1, Bytes: 1024},
	}, r.Hosts)
	var text bytes.Buffer
	require.NoError(t, r.WriteText(&text))
	require.Contains(t, text.String(), "To allow them all: -allow-host a.example -allow-host b.example:8443 -allow-host '[2001:db8::1]:1'\n")
}
