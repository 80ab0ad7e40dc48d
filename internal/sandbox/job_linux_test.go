//go:build amd64 || arm64

package sandbox_test

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// A job is confined as any command is, and has its terminal.
func TestJob(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			// A call ends as soon as the job waits for input, and before that on no machine.
			s := newSuite(t, config.Config{Bash: config.Bash{Sandbox: config.Sandbox(engine)}, Jobs: config.Jobs{Settle: time.Minute}})
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
			path := filepath.Join(s.Workspace(), "held")
			require.NoError(t, unix.Mkfifo(path, 0o600))
			held, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
			require.NoError(t, err)
			defer held.Close()
			res = call("bash", `{"command": "test -t 0 && test -t 1 && stty size && (: >/dev/tty) && exec 3>held && echo on a terminal; sleep 1000", "background": true, "tty": true, "ready_when": "on a terminal"}`)
			require.Contains(t, res.Text, "on a terminal")
			res = call("bash", `{"command": "while read x; do echo got $x; done", "background": true}`)
			require.Contains(t, res.Text, "The job waits for input: use job id=3 input=\"...\\n\". Job 3 is running. ", "behind the end of job 1, which may be told here")
			res = call("job", `{"id": 3, "input": "one\ntwo\n", "wait_ms": 60000}`)
			require.Contains(t, res.Text, "got one\ngot two\n\n[")
			require.Contains(t, res.Text, "The job waits for input. Job 3 is running. ")
			res = call("job", `{"id": 2, "signal": "kill"}`)
			require.Contains(t, res.Text, "Job 2 ended by signal SIGKILL (sent by this call). ", "behind the end of job 1, which may be told here")
			require.NoError(t, held.SetReadDeadline(time.Now().Add(time.Minute)))
			_, err = io.ReadAll(held) // up to the end of the last process that holds the FIFO
			require.NoError(t, err)
		})
	}
}
