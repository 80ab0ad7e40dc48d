package docs_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
)

// Every call of the manual can be typed, as docs/README.md says: one with its arguments in
// quotes, several in one block on stdin, and a line "# with OPTION VALUE" as -set.
func TestCallsTyped(t *testing.T) {
	need.Build(t)
	binary := builtProgram(t)
	for _, page := range pages(t) {
		t.Run(filepath.Base(page), func(t *testing.T) {
			checkCalls(t, page, func(t *testing.T, where, dir, head string, calls int) callFunc {
				return typed(t, binary, where, dir, head, calls)
			})
		})
	}
}

// builtProgram is the program, built as for its own tests.
func builtProgram(t *testing.T) string {
	binary, err := testkit.Build(filepath.Join(root, "examples", "spillway"), t.TempDir(), "-ldflags=-s -w")
	require.NoError(t, err)
	return binary
}

// typed makes the calls of a block with the program.
func typed(t *testing.T, binary, where, dir, head string, calls int) callFunc {
	args := []string{"call", "-json", "-workspace", dir, "-set", "Jobs.Settle=1m"}
	for _, o := range with(t, where, head) {
		args = append(args, "-set", o.name+"="+o.value)
	}
	var lines io.Writer
	var results *json.Decoder
	start := func(args ...string) {
		cmd := exec.Command(binary, args...)
		cmd.Stderr = t.Output()
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines, results = in, json.NewDecoder(out)
		t.Cleanup(func() {
			in.Close()
			cmd.Wait() // with 1 if a call failed
		})
	}
	if calls > 1 {
		start(args...)
	}
	return func(tool, arguments string) string {
		if calls == 1 {
			start(append(args, tool, arguments)...)
		} else {
			fmt.Fprintln(lines, tool, arguments)
		}
		var res struct{ Text string }
		require.NoError(t, results.Decode(&res), where)
		return res.Text
	}
}
