//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// A call on the command line asks at the terminal, on stderr; one that takes something else from there is refused.
func TestAskAtTerminal(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args  []string
		typed string // when asked
		want  string
	}{
		"once":      {[]string{"path=new.txt", "content=x"}, "y\n", "Created new.txt"},
		"no":        {[]string{"path=new.txt", "content=x"}, "r not now\n", "denied: the user said no: not now"},
		"end":       {[]string{"path=new.txt", "content=x"}, "\x04", "denied: the user said no"},
		"interrupt": {[]string{"path=new.txt", "content=x"}, "\x03", "aborted"},
		"stdin":     {[]string{"path=new.txt", "content=@-"}, "", "nobody can be asked here"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			cmd := exec.Command(spillway(t), append([]string{"call", "-workspace", dir, "-deny", "job", "write"}, tt.args...)...)
			cmd.Env = append(os.Environ(), "NO_COLOR=1")
			terminal, err := pty.Start(cmd)
			if err != nil {
				t.Fatal(err)
			}
			defer terminal.Close()
			if tt.typed == "" {
				io.WriteString(terminal, "text\n\x04")
			}
			var printed strings.Builder
			chunk, asked := make([]byte, 1024), false
			for {
				n, err := terminal.Read(chunk)
				printed.Write(chunk[:n])
				if !asked && strings.Contains(printed.String(), "n no · r no, and why > ") {
					asked = true
					io.WriteString(terminal, tt.typed)
				}
				if err != nil {
					break
				}
			}
			code := 0
			if err := cmd.Wait(); err != nil {
				code = cmd.ProcessState.ExitCode()
			}
			if !strings.Contains(printed.String(), tt.want) || asked != (tt.typed != "") {
				t.Errorf("asked %v, exit code %d:\n%s", asked, code, printed.String())
			}
			_, err = os.Stat(filepath.Join(dir, "new.txt"))
			if made := err == nil; made != (name == "once") || code == 0 != made {
				t.Errorf("made %v, exit code %d", made, code)
			}
		})
	}
}

// What comes from a pipe is no answer.
func TestAskWithoutTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, args := range [][]string{{"write", "path=new.txt", "content=x"}, {}} {
		cmd := exec.Command(spillway(t), append([]string{"call", "-workspace", dir, "-allow", "read"}, args...)...)
		cmd.Stdin = strings.NewReader("write {\"path\": \"new.txt\", \"content\": \"x\"}\ny\n")
		if len(args) > 0 {
			cmd.Stdin = strings.NewReader("y\ny\n")
		}
		out, err := cmd.Output()
		if err == nil || !strings.Contains(string(out), "nobody can be asked here. The user can allow it by starting this program with -allow '") {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}
