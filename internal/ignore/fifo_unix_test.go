//go:build unix

package ignore

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
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
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
			testkit.Within(t, time.Minute, func() {
				d, err := Top(t.Context(), filepath.Join(root, "linked"), Options{})
				if err != nil || !d.Ignored("own", false) {
					t.Errorf("%v; its own rules are in force: %v", err, err == nil)
				}
			})
		})
	}
}
