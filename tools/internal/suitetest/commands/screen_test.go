package commands_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// drawn are commands that draw again what they printed, with what pyte 0.8.0 shows of it.
var drawn = []struct{ name, command, want string }{
	{"three bars", `i=0; while [ $i -lt 100 ]; do [ $i -gt 0 ] && printf '\033[3A'
		for b in 1 2 3; do printf '\033[2Kbar %d: %3d%%\n' $b $i; done; i=$((i+1)); done; echo done`,
		"bar 1:  99%\nbar 2:  99%\nbar 3:  99%\ndone\n"},
	{"docker", `printf 'a: Waiting\nb: Waiting\nc: Waiting\n'; for l in 3 2 1; do for s in Pulling Extracting Done; do
		printf '\033[%dA\033[2K\r%d: %s\r\033[%dB' $l $l $s $l; done; done`, "3: Done\n2: Done\n1: Done\n"},
	{"spinner", `for c in '-' / '|'; do printf '\033[1G\033[0K%s idealTree' "$c"; done; printf '\033[1G\033[0K\nadded 1 package\n'`,
		"\nadded 1 package\n"},
	{"place", `printf 'left\033[1;20Hright\n'`, "left               right\n"},
	{"wide", `printf '安装 left-pad\r完成           \n'`, "完成           \n"},
	{"C1", "printf '\\302\\23331mred\\302\\2330m \\302\\2350;title\\007text\\n'", "red text\n"},
}

// An output appears as a terminal finally shows it, and its file has every byte.
func TestDrawnOutput(t *testing.T) {
	for _, tt := range drawn {
		s := suitetest.New(t, config.Config{}, nil)
		res := suitetest.Call(t, s, "bash", map[string]any{"command": tt.command})
		require.Equal(t, tt.want, res.Text, tt.name)

		s = suitetest.New(t, config.Config{MaxLines: 10}, nil)
		command := "{ " + tt.command + "\n} | tee raw; seq 50"
		res = suitetest.Call(t, s, "bash", map[string]any{"command": command})
		raw, err := os.ReadFile(filepath.Join(s.Workspace(), "raw"))
		require.NoError(t, err)
		full, err := os.ReadFile(filepath.Join(s.Workspace(), res.Details.(tools.BashResult).FullOutputPath))
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(full), string(raw)), tt.name)
		require.Contains(t, res.Text, " of "+strconv.Itoa(strings.Count(tt.want, "\n")+50)+". ", tt.name)
		over := strings.Count(string(raw), "\n") - strings.Count(tt.want, "\n")
		require.Equal(t, over != 0, strings.Contains(res.Text, "the file has "+strconv.Itoa(over)+" more"), res.Text)
	}
}

// What a job draws is shown in the state in which a call finds it, and the number of the line that it waited for is that
// in the file.
func TestDrawnByJob(t *testing.T) {
	s := suitetest.AllTools(t, config.Config{}, nil)
	res := suitetest.Call(t, s, "bash", map[string]any{
		"command":    `for i in 1 2 3; do printf 'a %d\nb %d\n\033[2A' $i $i; done; printf '\n\nready\n'; read -r _; printf '\033[3Aa end\n\n\n'`,
		"background": true, "ready_when": "ready",
	})
	require.True(t, strings.HasPrefix(res.Text, "a 3\nb 3\nready\n"), res.Text)
	require.Contains(t, res.Text, "Line 9 matches")
	res = suitetest.Call(t, s, "job", map[string]any{"id": 1, "input": "\n", "wait_ms": 60000})
	require.Contains(t, res.Text, "a end\n")
	require.NotContains(t, res.Text, "b 3")
	raw, err := os.ReadFile(filepath.Join(s.Workspace(), res.Details.(tools.JobResult).OutputPath))
	require.NoError(t, err)
	require.Equal(t, "ready", strings.Split(string(raw), "\n")[8])
}
