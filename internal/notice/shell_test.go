package notice

import (
	"os/exec"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// testShells are the shells that a suite may run commands with.
var testShells = [][]string{{"bash", "-c"}, {"sh", "-c"}, {"dash", "-c"}, {"busybox", "sh", "-c"}, {"bash", "--posix", "-c"}}

// FuzzShellPath checks that a path which a notice puts into a command is one argument in
// every shell there is, the path itself, and that the notice stays on one line.
func FuzzShellPath(f *testing.F) {
	all := make([]byte, 0, 255)
	for c := 1; c < 256; c++ {
		all = append(all, byte(c))
	}
	for _, path := range []string{
		"a", "-a", "", "it's", "a b", "a\nb", "a\n", "\n", "\n\n", "a\n\n\n", "%s%d", "\n%s\\n", `\`, "\x01'", "\n`id`$(id)$HOME!*?[a]~",
		"\xff", "\xff'1", "\n\x81\x82\x88", "a\u202eb", "\n\"", "\n-", "-\n", string(all), "\n" + string(all) + "\n",
	} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if strings.IndexByte(path, 0) >= 0 || len(path) > 4096 {
			t.Skip()
		}
		word := shellPath(path)
		require.True(t, utf8.ValidString(word), "%q is not printable", word)
		require.Less(t, strings.IndexFunc(word, func(r rune) bool { return !unicode.IsPrint(r) }), 0, "%q is not printable", word)
		want := path
		if strings.HasPrefix(path, "-") {
			want = "./" + path
		}
		for _, shell := range testShells {
			if _, err := exec.LookPath(shell[0]); err != nil {
				continue
			}
			cmd := exec.Command(shell[0], append(shell[1:len(shell):len(shell)], `show() { printf '%s,%s.' $# "$1"; }; show `+word)...)
			cmd.Env = []string{"IFS=x", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"}
			out, err := cmd.Output()
			if err != nil || string(out) != "1,"+want+"." {
				t.Errorf("%v: %s gives %q, not %q: %v", shell, word, out, want, err)
			}
		}
	})
}
