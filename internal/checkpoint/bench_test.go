package checkpoint_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/walk"
)

// BenchmarkLook looks at a repository of 100,000 files: first, and after nothing has changed. Beside it are git status,
// and git add of all to the index of a shadow repository.
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
	// against runs git and a look in turn, so that both have the same load beside them.
	against := func(b *testing.B, git func(), look func(c *checkpoint.Tracker)) {
		c := newTracker()
		look(c)
		var gits, looks time.Duration
		for b.Loop() {
			began := time.Now()
			git()
			gits += time.Since(began)
			began = time.Now()
			look(c)
			looks += time.Since(began)
		}
		b.ReportMetric(float64(gits.Milliseconds())/float64(b.N), "ms-git")
		b.ReportMetric(float64(looks.Milliseconds())/float64(b.N), "ms-look")
		b.ReportMetric(float64(looks)/float64(gits), "look/git")
	}
	status := func() { testkit.Git(b, dir, "status", "--porcelain") }
	look := func(c *checkpoint.Tracker) {
		if _, _, err := c.Look(b.Context(), checkpoint.By("")); err != nil {
			b.Fatal(err)
		}
	}
	shadow := func() string {
		git := filepath.Join(b.TempDir(), "git")
		testkit.Git(b, dir, "init", "-q", "--bare", git)
		return git
	}
	add := func(git string) { testkit.Git(b, dir, "--git-dir="+git, "--work-tree="+dir, "add", "-A", ".") }
	b.Run("first/status", func(b *testing.B) {
		against(b, status, func(*checkpoint.Tracker) { look(newTracker()) })
	})
	b.Run("first/shadow", func(b *testing.B) {
		against(b, func() { add(shadow()) }, func(*checkpoint.Tracker) { look(newTracker()) })
	})
	b.Run("next/status", func(b *testing.B) { against(b, status, look) })
	b.Run("next/shadow", func(b *testing.B) {
		git := shadow()
		add(git)
		against(b, func() { add(git) }, look)
	})
	b.Run("at", func(b *testing.B) { // an edit
		c := newTracker()
		if _, _, err := c.Look(b.Context(), checkpoint.By("")); err != nil {
			b.Fatal(err)
		}
		for i := 0; b.Loop(); i++ {
			testkit.WriteFile(b, filepath.Join(dir, "d00/e00/f0.txt"), fmt.Sprint("changed ", i))
			if s, _, err := c.LookAt(b.Context(), []string{"d00/e00/f0.txt"}, checkpoint.By("")); err != nil || len(s.Changes) != 1 {
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
			if _, _, err := c.Look(b.Context(), checkpoint.By("")); err != nil {
				b.Fatal(err)
			}
			if _, _, err := c.Look(b.Context(), checkpoint.By("")); err != nil {
				b.Fatal(err)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			runtime.KeepAlive(c)
		}
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/100_000, "B/file")
		b.ReportMetric(float64(testkit.Peak()>>20), "MiB-peak")
	})
}
