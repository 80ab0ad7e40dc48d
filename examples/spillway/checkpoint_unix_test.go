//go:build unix

package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The user is asked with the diff. What an MCP server has seen is there
// for another process, and its models have no tool for it.
func TestRewindAtTerminal(t *testing.T) {
	t.Parallel()
	needBash(t)
	for name, tt := range map[string]struct {
		typed, want string
		code        int
		undone      bool
	}{
		"yes":       {"y\n", "Put back 1 file, as of ", 0, true},
		"no":        {"n\n", "spillway: nothing was put back", 0, false},
		"end":       {"\x04", "spillway: nothing was put back", 0, false},
		"interrupt": {"\x03", "n no > ", 130, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir, kept := t.TempDir(), t.TempDir()
			file := filepath.Join(dir, "a.txt")
			write(t, file, []byte("one\n"))
			args := []string{"-workspace", dir, "-set", "Checkpoint.Dir=" + kept}
			server := exec.Command(spillway(t), append([]string{"mcp", "-checkpoint"}, args...)...)
			session := connect(t, &mcp.CommandTransport{Command: server}, nil)
			_, text := say(t, session, "bash", map[string]any{"command": `printf 'two\033[2J\n' >a.txt`})
			if !strings.Contains(text, "[Changed 1 file: a.txt (+1 -1)]") {
				t.Fatal(text)
			}
			list, err := session.ListTools(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, tool := range list.Tools {
				if strings.Contains(tool.Name, "rewind") || strings.Contains(tool.Name, "checkpoint") {
					t.Error(tool.Name)
				}
			}
			out, err := exec.Command(spillway(t), append([]string{"rewind"}, args...)...).Output()
			id := regexp.MustCompile(`(?m)^([b-z2-9]{8}) `).FindString(string(out))
			if err != nil || id == "" {
				t.Fatalf("%v: %s", err, out)
			}
			printed, code := atTerminal(t, append([]string{"rewind", strings.TrimSpace(id)}, args...), "y yes · n no > ", tt.typed)
			if code != tt.code || !strings.Contains(printed, tt.want) || !strings.Contains(printed, `+"two\033[2J"`) ||
				!strings.Contains(printed, "  ? Undo all that has changed since ") || strings.Contains(printed, "\x1b") {
				t.Errorf("exit code %d: %q", code, printed)
			}
			is, err := os.ReadFile(file)
			if undone := string(is) == "one\n"; err != nil || undone != tt.undone {
				t.Errorf("%v: %q", err, is)
			}
		})
	}
}

// atTerminal runs the program at a terminal, and types when a prompt is there. A shell stays until all is read: the end
// of the process whose session it is takes away what was printed.
func atTerminal(t *testing.T, args []string, prompt, typed string) (printed string, code int) {
	const script = `trap : INT; "$0" "$@"; printf '\nexit code %d\n' $?; read -r _`
	cmd := exec.Command("sh", append([]string{"-c", script, spillway(t)}, args...)...)
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer terminal.Close()
	chunk, asked := make([]byte, 1024), false
	for {
		if !asked && strings.Contains(printed, prompt) {
			asked = true
			_, _ = io.WriteString(terminal, typed)
		}
		n, err := terminal.Read(chunk)
		printed += string(chunk[:n])
		if text, end, ended := strings.Cut(printed, "\r\nexit code "); ended && strings.HasSuffix(end, "\n") {
			printed = text
			code, err = strconv.Atoi(strings.TrimSpace(end))
			if err == nil {
				return printed, code
			}
		}
		if err != nil {
			t.Fatalf("%v: %q", err, printed)
		}
	}
}
