//go:build unix

package main

import (
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// At a terminal, help is as wide as that, and headings are bold unless NO_COLOR is set.
func TestHelpAtATerminal(t *testing.T) {
	t.Parallel()
	for _, colour := range []string{"", "NO_COLOR=1"} {
		help := exec.Command(spillway(t), "mcp", "-h")
		help.Env = []string{"TERM=xterm", colour}
		terminal, err := pty.StartWithSize(help, &pty.Winsize{Rows: 24, Cols: 100})
		if err != nil {
			t.Fatal(err)
		}
		screen, _ := io.ReadAll(terminal) // ends with an error when the program has
		terminal.Close()
		if err := help.Wait(); err != nil {
			t.Fatal(err)
		}
		longest := 0
		for line := range strings.Lines(string(screen)) {
			longest = max(longest, len([]rune(strings.TrimRight(line, "\r\n"))))
		}
		if longest <= 80 || longest > 100 {
			t.Errorf("the longest line has %d characters:\n%s", longest, screen)
		}
		if bold := strings.Contains(string(screen), "\x1b[1mUSAGE\x1b[0m"); bold != (colour == "") {
			t.Errorf("%s: bold is %v", colour, bold)
		}
	}
}
