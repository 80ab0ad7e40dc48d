//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A call on the command line asks at the terminal, on stderr; one that takes something else from there is refused.
func TestAskAtTerminal(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args  []string
		typed string
		want  string
	}{
		"once":      {[]string{"path=new.txt", "content=x"}, "y\n", "Created new.txt"},
		"no":        {[]string{"path=new.txt", "content=x"}, "r not now\n", "denied: the user said no: not now"},
		"end":       {[]string{"path=new.txt", "content=x"}, "\x04", "denied: the user said no"},
		"interrupt": {[]string{"path=new.txt", "content=x"}, "\x03", "aborted"},
		"stdin":     {[]string{"path=new.txt", "content=@-"}, "text\n\x04", "nobody can be asked here"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			args := append([]string{"call", "-workspace", dir, "-deny", "job", "write"}, tt.args...)
			prompt := "n no · r no, and why > "
			if name == "stdin" {
				prompt = ""
			}
			printed, code := atTerminal(t, args, prompt, tt.typed)
			asked := strings.Contains(printed, "and why > ")
			if !strings.Contains(printed, tt.want) || asked == (name == "stdin") {
				t.Errorf("asked %v, exit code %d:\n%s", asked, code, printed)
			}
			_, err := os.Stat(filepath.Join(dir, "new.txt"))
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
