//go:build amd64 || arm64

// Package sandbox_test has the tests of Bash.Hosts: commands in a sandbox whose way out is a proxy of the suite.
package sandbox_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
)

func TestMain(m *testing.M) { suitetest.MainWithSandbox(m) }

var engines = []config.Sandbox{config.SandboxLandlock, config.SandboxBwrap}

// onEngines runs a test with each engine.
func onEngines(t *testing.T, test func(*testing.T, config.Sandbox)) {
	for _, engine := range engines {
		t.Run(string(engine), func(t *testing.T) { test(t, engine) })
	}
}

// newSuite returns a suite in a sandbox, or skips the test where there is none.
func newSuite(t testing.TB, engine config.Sandbox, cfg config.Config) *tools.Suite {
	t.Helper()
	if cfg.Workspace == "" {
		cfg.Workspace = t.TempDir()
	}
	cfg.Bash.Sandbox = engine
	s, err := tools.New(cfg, all.Parts()...)
	need.Sandbox(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func run(t testing.TB, s *tools.Suite, command string) tools.BashResult {
	t.Helper()
	res, err := s.Bash(context.Background(), tools.BashParams{Command: command, TimeoutMs: 120_000})
	require.NoError(t, err, res.Text)
	return res
}

// serve serves on the loopback of this host. It returns the host and the port by which a command can reach it.
func serve(t testing.TB, handler http.Handler) string {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	require.NoError(t, err)
	return "host.spillway.internal:" + port
}

func hello(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "hello from %s\n", r.Host) }

// network returns the hosts of a result, by name.
func network(t testing.TB, res tools.BashResult) map[string]config.HostUse {
	t.Helper()
	data, err := json.Marshal(res)
	require.NoError(t, err)
	var details struct{ Network []config.HostUse }
	require.NoError(t, json.Unmarshal(data, &details))
	by := map[string]config.HostUse{}
	for _, use := range details.Network {
		by[use.Host] = use
	}
	return by
}
