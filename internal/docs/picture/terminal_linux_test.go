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
	require.ErrorContains(t, err, `-type "? " was never printed`)
}

func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.svg")
	require.NoError(t, run([]string{"-o", file, "-title", "x", "--", "printf", `\033[31mred\033[0m`}))
	picture, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(picture), ` class="c1">red</tspan>`)
	require.ErrorContains(t, run([]string{"-o", file, "--", "sh", "-c", "echo reason; exit 1"}), "exit status 1\nreason")
	require.ErrorContains(t, run([]string{"--", "true"}), "-o and a command are needed")
}
