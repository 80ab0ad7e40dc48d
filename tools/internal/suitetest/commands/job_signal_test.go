package commands_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// TestBackgroundSignals sends signals under the names and numbers that they have.
func TestBackgroundSignals(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	for want, names := range map[string][]string{
		suitetest.Exited(2): {`"interrupt"`, `"Interrupt"`, `"INT"`, `"int"`, `"SIGINT"`, `"sigint"`, `2`, `"2"`,
			`"ctrl-c"`, `"Ctrl+C"`, `"^C"`},
		suitetest.Exited(15): {`"terminate"`, `"TERMINATE"`, `"TERM"`, `"Term"`, `"SIGTERM"`, `"SigTerm"`, `15`,
			`" 15 "`},
		"ended by signal SIGKILL (sent by this call)": {`"kill"`, `"KILL"`, `"Kill"`, `"SIGKILL"`, `"sigkill"`, `9`, `"9"`},
	} {
		for _, name := range names {
			id := started(t, s, "trap 'exit 2' INT; trap 'exit 15' TERM; read x; echo set; read y")
			job(t, s, tools.JobParams{ID: id, Input: "\n", Until: "set", WaitMs: long})
			args := fmt.Sprintf(`{"id":%d,"signal":%s,"wait_ms":%d}`, id, name, long)
			res, err := s.Call(t.Context(), "job", json.RawMessage(args))
			require.NoError(t, err)
			require.Contains(t, res.Text, fmt.Sprintf("[Job %d %s. ", id, want), name)
		}
	}
	for _, name := range []string{`"HUP"`, `"SIGSEGV"`, `1`, `"19"`, `"SIGSIGKILL"`, `"killall"`} {
		res, err := s.Call(t.Context(), "job", json.RawMessage(`{"id":1,"signal":`+name+`}`))
		require.NoError(t, err)
		require.Equal(t, "invalid_input: signal must be one of interrupt, terminate, kill, but it is "+strings.Trim(name, `"`)+
			". It also takes SIGINT, SIGTERM and SIGKILL for these, with or without SIG, and 2, 15 and 9. No other signal can be sent", res.Text)
	}
}

// TestBackgroundList has a job that runs come before those that have ended, with how many there are.
func TestBackgroundList(t *testing.T) {
	t.Parallel()
	need.Shell(t)
	s := newSuite(t, config.Config{}, nil)
	for i, command := range []string{"exit 4", "exec cat", "exit 0", "exec cat"} {
		id := started(t, s, "read x; "+command)
		if i == 0 {
			require.Regexp(t, `^1: running, .*\n\n\[Still running: 1 of 1 job\]$`, job(t, s, tools.JobParams{}).Text)
		}
		wait := 1
		if strings.HasPrefix(command, "exit") {
			wait = long
		}
		job(t, s, tools.JobParams{ID: id, Input: "\n", WaitMs: wait})
	}
	list := job(t, s, tools.JobParams{})
	require.Regexp(t, `^2: running, .*\n4: running, .*\n1: `+suitetest.Exited(4)+`, .*\n3: `+suitetest.Exited(0)+`, .*\n\n\[Still running: 2 of 4 jobs\]$`, list.Text)
	require.Equal(t, 2, list.Jobs[0].Job)
	require.Equal(t, 1, s.Jobs()[0].State().Job, "a program has them in the order of their start")
	require.Same(t, s.Jobs()[0], s.Jobs()[0], "and can tell them apart")
	for _, id := range []int{2, 4} {
		job(t, s, tools.JobParams{ID: id, Signal: "kill", WaitMs: long})
	}
	require.Regexp(t, `^1: exited .*(\n[234]: .*){3}$`, job(t, s, tools.JobParams{}).Text)
}
