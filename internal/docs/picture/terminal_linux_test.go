package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A command finds itself in a terminal of that width.
func TestInTerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	printed, err := inTerminal(exec.Command("sh", "-c", `test -t 0 && test -t 1 && test -t 2 && stty size && echo "$TERM/$NO_COLOR"`), 77)
	require.NoError(t, err, "%s", printed)
	require.Equal(t, "50 77\r\nxterm-256color/\r\n", printed)

	printed, err = inTerminal(exec.Command("sh", "-c", "echo no; exit 3"), 77)
	require.EqualError(t, err, "exit status 3")
	require.Equal(t, "no\r\n", printed)
}

// Lines are typed when the text in front of each was printed.
func TestTyped(t *testing.T) {
	ask := `printf 'one? '; read a; printf 'two? '; read b; echo "$a $b"`
	printed, err := inTerminal(exec.Command("sh", "-c", ask), 77, answer{"? ", "1"}, answer{"? ", "2"})
	require.NoError(t, err)
	require.Equal(t, "one? 1\r\ntwo? 2\r\n1 2\r\n", printed)
	_, err = inTerminal(exec.Command("sh", "-c", "echo no"), 77, answer{"? ", "1"})
	require.ErrorContains(t, err, `"? " was never printed, and "1" not typed`)
}

// A picture is drawn where it is not what its program prints, but for times and random names.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.svg")
	drawn := func(script string) []picture {
		return []picture{{name: "x", title: "x", cols: 40, command: []string{"sh", "-c", script}}}
	}
	first := drawn(`printf '\033[31mred\033[0m in 12ms, bash-bcdfghjk.log'`)
	require.ErrorContains(t, run(dir, first, true), "x.svg is not what x prints: go run ./internal/docs/picture")
	require.NoFileExists(t, file)
	require.NoError(t, run(dir, first, false))
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(before), ` class="c1">red</tspan>`)
	require.Contains(t, string(before), ">in 12ms, bash-k3x9q2mf.log</tspan>")
	require.NoError(t, run(dir, first, true))

	again := drawn(`printf '\033[31mred\033[0m in 1.2s, bash-kjhgfdcb.log'`)
	require.NoError(t, run(dir, again, true))
	require.NoError(t, run(dir, again, false))
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))

	for _, script := range []string{`printf '\033[31mred\033[0m in 12 ms, bash-bcdfghjk.log'`, `printf 'red in 12ms, bash-bcdfghjk.log'`} {
		require.ErrorContains(t, run(dir, drawn(script), true), "is not what x prints", script)
	}
	require.ErrorContains(t, run(dir, drawn("echo reason; exit 1"), true), "exit status 1\nreason")
}
