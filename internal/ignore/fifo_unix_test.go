//go:build unix

package ignore

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// None of the files that git reads is waited for, should it be a FIFO.
func TestFIFOs(t *testing.T) {
	for _, name := range []string{
		"r/.git/config", "r/.git/commondir", "r/.git/info/exclude", "r/.gitignore", "r/linked/.git",
		"xdg/git/ignore", "xdg/git/config", ".gitconfig",
	} {
		t.Run(name, func(t *testing.T) {
			home := isolate(t)
			root := filepath.Join(home, "r")
			fakeRepository(t, root)
			writeFile(t, filepath.Join(root, "linked", FileName), "own\n")
			path := filepath.Join(home, filepath.FromSlash(name))
			writeFile(t, path, "") // and what it is in
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
			within(t, time.Minute, func() {
				d, err := Top(t.Context(), filepath.Join(root, "linked"), nil)
				if err != nil || !d.Ignored("own", false) {
					t.Errorf("%v; its own rules are in force: %v", err, err == nil)
				}
			})
		})
	}
}

// Nor is a directory waited for that has become one since it was looked for.
func TestPlacesThatAreFIFOs(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	r := &repository{root: fifo, places: []string{fifo}}
	for name, open := range map[string]opener{"open": r.open, "openPlain": r.openPlain} {
		within(t, time.Minute, func() {
			if _, err := open(filepath.Join(fifo, "config")); !errors.Is(err, syscall.ENOTDIR) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}
