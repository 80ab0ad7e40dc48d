package checkpoint_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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
	b.Run("at", func(b *testing.B) { // an edit
		c := newTracker()
		if _, _, err := c.Look(b.Context(), ""); err != nil {
			b.Fatal(err)
		}
		for i := 0; b.Loop(); i++ {
			testkit.WriteFile(b, filepath.Join(dir, "d00/e00/f0.txt"), fmt.Sprint("changed ", i))
			if s, _, err := c.LookAt(b.Context(), "", []string{"d00/e00/f0.txt"}); err != nil || len(s.Changes) != 1 {
				b.Fatal(s, err)
			}
		}
	})
	b.Run("memory", func(b *testing.B) {
		var before, after runtime.MemStats
		for b.Loop() {
			runtime.GC()
			runtime.ReadMemStats(&before)
			c := newTracker()
			if _, _, err := c.Look(b.Context(), ""); err != nil {
				b.Fatal(err)
			}
			if _, _, err := c.Look(b.Context(), ""); err != nil {
				b.Fatal(err)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			runtime.KeepAlive(c)
		}
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/100_000, "B/file")
		b.ReportMetric(float64(testkit.Peak()>>20), "MiB-peak")
	})
	b.Run("git-add", func(b *testing.B) { // of all, to an index and objects of its own
		for i := 0; b.Loop(); i++ {
			shadow := filepath.Join(b.TempDir(), "git")
			testkit.Git(b, dir, "init", "-q", "--bare", shadow)
			testkit.Git(b, dir, "--git-dir="+shadow, "--work-tree="+dir, "add", "-A", ".")
		}
	})
	b.Run("git-add-again", func(b *testing.B) {
		shadow := filepath.Join(b.TempDir(), "git")
		testkit.Git(b, dir, "init", "-q", "--bare", shadow)
		for b.Loop() {
			testkit.Git(b, dir, "--git-dir="+shadow, "--work-tree="+dir, "add", "-A", ".")
		}
	})
	b.Run("git-status", func(b *testing.B) {
		for b.Loop() {
			testkit.Git(b, dir, "status", "--porcelain")
		}
	})
}
