//go:build amd64 || arm64

package sandbox_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// A job is confined as any command is, and has its terminal.
func TestJob(t *testing.T) {
	if !slices.Contains(config.ToolNames(), "job") {
		t.Skip("there are no jobs")
	}
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			s := newSuite(t, config.Config{Bash: config.Bash{Sandbox: engine}})
			dir := outside(t)
			call := func(tool, args string) tools.Result {
				res, err := s.Call(t.Context(), tool, json.RawMessage(args))
				require.NoError(t, err)
				return res
			}
			res := call("bash", `{"command": "echo ready; read line; echo >`+dir+`/file || echo refused $line; test -t 1 || echo no terminal", "background": true, "ready_when": "ready"}`)
			require.Contains(t, res.Text, "ready", res.Text)
			res = call("job", `{"id": 1, "input": "text\n", "until": "no terminal"}`)
			require.Contains(t, res.Text, "refused text")
			require.Contains(t, res.Text, "no terminal")
			res = call("bash", `{"command": "test -t 0 && test -t 1 && stty size && (: >/dev/tty) && echo on a terminal; sleep 1000", "background": true, "tty": true, "ready_when": "on a terminal"}`)
			require.Contains(t, res.Text, "on a terminal")
			res = call("job", `{"id": 2, "signal": "kill"}`)
			require.NotContains(t, res.Text, "running")
		})
	}
}
