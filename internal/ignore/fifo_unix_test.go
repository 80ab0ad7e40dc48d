//go:build unix

package ignore

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// None of the files that git reads is waited for, should it be a FIFO.
func TestFIFOs(t *testing.T) {
	for _, name := range []string{
		"r/.git/config", "r/.git/commondir", "r/.git/info/exclude", "r/.gitignore", "r/linked/.git",
		"xdg/git/ignore", "xdg/git/config", ".gitconfig",
	} {
		t.Run(name, func(t *testing.T) {
			home := testkit.IsolateGit(t)
			root := filepath.Join(home, "r")
			testkit.FakeRepository(t, root)
			testkit.WriteFile(t, filepath.Join(root, "linked", FileName), "own\n")
			path := filepath.Join(home, filepath.FromSlash(name))
			testkit.WriteFile(t, path, "") // and what it is in
			require.NoError(t, os.Remove(path))
			require.NoError(t, syscall.Mkfifo(path, 0o600))
			testkit.Within(t, time.Minute, func() {
				d, err := Top(t.Context(), filepath.Join(root, "linked"), Options{})
				if err != nil || !d.Ignored("own", false) {
					t.Errorf("%v; its own rules are in force: %v", err, err == nil)
				}
			})
		})
	}
}
