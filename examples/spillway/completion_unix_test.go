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

// What Tab makes of a line, in bash at a terminal: with the characters that divide words as they
// are, and with those taken out that other completions take out.
func TestCompletionInBash(t *testing.T) {
	needBash(t)
	tests := []struct{ typed, want string }{
		{"spillway cal", "spillway call "},
		{"spillway call gre", "spillway call grep "},
		{"spillway call --js", "spillway call --json "},
		{"spillway call -set Grep.L", "spillway call -set Grep.Limit="},
		{"spillway call -set Grep.Limit=", "spillway call -set Grep.Limit="},
		{"spillway call -set Bash.Strategy=head_t", "spillway call -set Bash.Strategy=head_tail_lines "},
		{"spillway mcp -sandbox=land", "spillway mcp -sandbox=landlock "},
		{"spillway call grep pat", "spillway call grep pat"}, // pattern=, path=
		{"spillway call grep output_m", "spillway call grep output_mode="},
		{"spillway call grep output_mode=", "spillway call grep output_mode="},
		{"spillway call grep output_mode=c", "spillway call grep output_mode=co"},
		{"spillway call grep output_mode=cou", "spillway call grep output_mode=count "},
		{"spillway call grep pattern=a:b output_mode=cou", "spillway call grep pattern=a:b output_mode=count "},
		{"spillway call grep pattern=a=b: ignore_case=t", "spillway call grep pattern=a=b: ignore_case=true "},
		{"spillway call grep path=dra", "spillway call grep path=draft.txt"},
		{"spillway call write content=@dra", "spillway call write content=@draft.txt"},
		{"spillway call @dra", "spillway call @draft.txt"},
		{"spillway call write content=@a", `spillway call write content=@a\ b`},
		{"spillway call ls path=missing/x", "spillway call ls path=missing/x"},
		{"spillway -x 2>dra", "spillway -x 2>draft.txt"},
		{"true; spillway cal", "true; spillway call "},
	}
	for name, out := range map[string]string{"as it is": "", "without = and :": "=:", "without @": "@"} {
		t.Run(name, func(t *testing.T) {
			setup := "COMP_WORDBREAKS=${COMP_WORDBREAKS//[" + out + "]}"
			if out == "" {
				setup = ""
			}
			t.Parallel()
			home := t.TempDir()
			write(t, filepath.Join(home, "draft.txt"), nil)
			write(t, filepath.Join(home, "a b"), nil)
			lines := filepath.Join(home, "lines")
			write(t, filepath.Join(home, "rc"), []byte(setup+`
eval "$(spillway completion bash)"
bind -x '"\C-xl": printf "%s\n" "$READLINE_LINE" >> lines; READLINE_LINE='
`))
			bash := exec.Command("bash", "--rcfile", "rc", "-i")
			bash.Dir = home
			bash.Env = []string{"HOME=" + home, "TERM=dumb", "LC_ALL=C", "PATH=" + filepath.Dir(spillway(t)) + ":" + os.Getenv("PATH")}
			terminal, err := pty.Start(bash)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				terminal.Close()
				bash.Process.Kill()
				bash.Wait()
			})
			var screen strings.Builder
			shown := make(chan bool)
			go func() {
				io.Copy(&screen, terminal) // ends with an error when bash has
				close(shown)
			}()
			var want strings.Builder
			for _, test := range tests {
				io.WriteString(terminal, test.typed+"\t\x18l")
				want.WriteString(test.want + "\n")
			}
			io.WriteString(terminal, "exit\n")
			bash.Wait()
			<-shown
			got, err := os.ReadFile(lines)
			if err != nil || string(got) != want.String() {
				t.Errorf("lines after Tab:\n%s\nwant:\n%s\n%v, the screen:\n%s", got, want.String(), err, screen.String())
			}
		})
	}
}
