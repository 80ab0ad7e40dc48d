// Package suitetest provides what the tests of a suite's tools share. The tests are in the packages below it, by family.
package suitetest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/all"
	"github.com/stretchr/testify/require"
)

// AllTools has all tools.
func AllTools(t testing.TB, cfg config.Config, files map[string]string) *tools.Suite {
	cfg.Tools = config.ToolNames()
	return New(t, cfg, files)
}

// Allow is a configuration with rules that allow.
func Allow(rules ...string) config.Config { return config.Config{Rules: config.Rules{Allow: rules}} }

// Greet is a tool that is added.
func Greet(name string, may ...config.Effects) tools.Tool {
	return tools.Func(name, "Greets.", func(context.Context, struct{}) (string, error) { return "hello", nil }, may...)
}

// Main runs the tests of a package, most of which wait for processes.
func Main(m *testing.M) {
	testkit.InMemory()
	testkit.Waiting()
	os.Exit(m.Run())
}

// MainWithSandbox is Main for tests of sandboxes, which have a /dev of their own.
func MainWithSandbox(m *testing.M) {
	testkit.OwnNamespace()
	testkit.Waiting()
	os.Exit(m.Run())
}

// New is a suite on a new directory, with the files given.
func New(t testing.TB, cfg config.Config, files map[string]string) *tools.Suite {
	t.Helper()
	if cfg.Workspace == "" && (cfg.Bash.Sandbox == "" || cfg.Bash.Sandbox == config.SandboxOff) {
		cfg.Workspace = testkit.MemoryDir(t)
	}
	if cfg.Workspace == "" {
		cfg.Workspace = t.TempDir()
	}
	for name, content := range files {
		path := filepath.Join(cfg.Workspace, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	s, err := tools.New(cfg, all.Parts()...)
	need.Built(t, err)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// InTime calls try with longer and longer timeouts, in milliseconds, until it reports that a command got as far as it had
// to before its timeout: how long that takes is up to the machine.
func InTime(t testing.TB, try func(timeoutMs int) bool) {
	t.Helper()
	for timeout := 300; !try(timeout); timeout *= 3 {
		require.Less(t, timeout, 60_000, "the command never gets that far")
	}
}

// Call is Suite.Call with arguments as a Go value. Commands are written for a POSIX shell.
func Call(t testing.TB, s *tools.Suite, tool string, args any) tools.Result {
	t.Helper()
	if tool == "bash" {
		need.Shell(t)
	}
	data, err := json.Marshal(args)
	require.NoError(t, err)
	res, err := s.Call(t.Context(), tool, data)
	require.NoError(t, err)
	return res
}

// Do makes a call by a method of a suite, such as s.Read. An error ends the test.
func Do[P, R any](t testing.TB, method func(context.Context, P) (R, error), params P) R {
	t.Helper()
	res, err := method(t.Context(), params)
	require.NoError(t, err)
	return res
}
