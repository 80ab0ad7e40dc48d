package checkpoint_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/walk"
)

// BenchmarkLook looks at a repository of 100,000 files: first, and after nothing has changed. git status is measured on
// the same.
func BenchmarkLook(b *testing.B) {
	dir := b.TempDir()
	for i := range 100_000 {
		path := filepath.Join(dir, fmt.Sprintf("d%02d/e%02d/f%d.txt", i%30, i/30%30, i))
		if i < 900 {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				b.Fatal(err)
			}
		}
		testkit.WriteFile(b, path, fmt.Sprint(i))
	}
	testkit.Git(b, dir, "init", "-q")
	testkit.Git(b, dir, "add", "-A")
	testkit.Git(b, dir, "commit", "-qm", "x")
	exec.Command("sleep", "1").Run()
	testkit.Git(b, dir, "update-index", "--really-refresh", "-q")
	newTracker := func() *checkpoint.Tracker {
		store, err := os.OpenRoot(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		c, err := checkpoint.New(checkpoint.Options{
			Dir: dir, Root: func() (*os.Root, error) { return os.OpenRoot(dir) }, Tree: walk.Open, Store: store,
			MaxBytes: 64 << 20, MaxFileBytes: 1 << 20,
		})
		if err != nil {
			b.Fatal(err)
		}
		return c
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := newTracker().Look(b.Context(), ""); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("next", func(b *testing.B) {
		c := newTracker()
		for b.Loop() {
			if _, _, err := c.Look(b.Context(), ""); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("git-status", func(b *testing.B) {
		for b.Loop() {
			testkit.Git(b, dir, "status", "--porcelain")
		}
	})
}
