package replace

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Whoever reads a file while several replace it reads all of what one of them wrote.
func TestReadersSeeWholeFiles(t *testing.T) {
	dir := memory(t)
	const writers, times, size = 4, 200, 50_000
	target := open(t, dir, "file")
	require.NoError(t, target.Replace(t.Context(), bytes.Repeat([]byte("0"), size)))
	var writing, reading sync.WaitGroup
	var done atomic.Bool
	for i := range writers {
		writing.Go(func() {
			content := bytes.Repeat([]byte{byte('0' + i)}, size+i)
			for range times {
				assert.NoError(t, target.Replace(t.Context(), content))
			}
		})
	}
	reading.Go(func() {
		for !done.Load() {
			data, err := os.ReadFile(filepath.Join(dir, "file"))
			if err != nil || len(data) == 0 || len(data) != size+int(data[0]-'0') || bytes.Count(data, data[:1]) != len(data) {
				t.Error(err, len(data))
				return
			}
		}
	})
	writing.Wait()
	done.Store(true)
	reading.Wait()
	require.Len(t, contents(t, dir), 1)
}

// memory is a directory for tests that replace very often: syncing costs nothing there.
func memory(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "spillway-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// Links that are swapped while files are replaced never have one outside changed, nor
// is one made there.
func TestReplaceWhileLinksAreSwapped(t *testing.T) {
	base := memory(t)
	ws, out := filepath.Join(base, "ws"), filepath.Join(base, "out")
	for _, dir := range []string{filepath.Join(ws, "sub"), out} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
		for _, name := range []string{"file", "linked"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("untouched"), 0o644))
		}
		require.NoError(t, os.Link(filepath.Join(dir, "linked"), filepath.Join(dir, "linked2")))
	}
	require.NoError(t, os.Symlink("../out", filepath.Join(ws, "other")))
	require.NoError(t, os.Symlink("../out/file", filepath.Join(ws, "otherfile")))
	require.NoError(t, os.WriteFile(filepath.Join(ws, "direct"), nil, 0o644))
	before, infoBefore := contents(t, out), factsOf(t, filepath.Join(out, "file"))
	w := opened(t, ws, workspace.Options{})

	var stop atomic.Bool
	var swaps atomic.Int64
	var swapping sync.WaitGroup
	for a, b := range map[string]string{"sub": "other", "direct": "otherfile"} {
		swapping.Go(func() {
			a, b := filepath.Join(ws, a), filepath.Join(ws, b)
			for !stop.Load() {
				if unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE) == nil {
					swaps.Add(1)
				}
				runtime.Gosched()
			}
		})
	}
	defer swapping.Wait()
	defer stop.Store(true)
	var done, refused int
	paths := []string{"sub/file", "sub/linked", "sub/new/deep/file", "direct"}
	for i := range testkit.Few(10_000) {
		place, err := w.Target(paths[i%len(paths)])
		target := At(place)
		if err == nil {
			err = target.Replace(t.Context(), []byte(fmt.Sprint("content ", i)))
		}
		if err == nil && i%7 == 0 {
			remove(t.Context(), target)
		}
		if err == nil {
			done++
		} else {
			refused++
		}
	}
	stop.Store(true)
	swapping.Wait()
	t.Log(done, "done,", refused, "refused,", swaps.Load(), "swaps")
	require.Equal(t, before, contents(t, out))
	require.Equal(t, infoBefore, factsOf(t, filepath.Join(out, "file")))
	require.Positive(t, done)
}

// A process that is killed while it replaces a file leaves the old content or the new, and
// nothing else but temporary files of the name that they have.
func TestReplaceIsKilled(t *testing.T) {
	const dirOfChild = "REPLACE_KILLED_DIR"
	ones, twos := bytes.Repeat([]byte("1"), 100_000), bytes.Repeat([]byte("2"), 70_001)
	if dir := os.Getenv(dirOfChild); dir != "" {
		for i := 0; ; i++ {
			content := ones
			if i%2 == 0 {
				content = twos
			}
			if err := open(t, dir, "sub/file").Replace(t.Context(), content); err != nil {
				fmt.Println("failed:", err)
			}
			if i == 0 {
				fmt.Println("running")
			}
		}
	}
	kills := testkit.Some(200)
	dir := memory(t)
	litter := 0
	for range kills {
		cmd := child(t.Name(), dirOfChild+"="+dir)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for lines.Scan() && lines.Text() != "running" {
			require.NotContains(t, lines.Text(), "failed")
		}
		time.Sleep(rand.N(3 * time.Millisecond)) // to be at any step
		require.NoError(t, cmd.Process.Kill())
		cmd.Wait()
		data, err := os.ReadFile(filepath.Join(dir, "sub/file"))
		require.NoError(t, err)
		require.True(t, bytes.Equal(data, ones) || bytes.Equal(data, twos), "%d bytes", len(data))
		entries := testkit.Must(t, os.ReadDir, filepath.Join(dir, "sub"))
		for _, e := range entries {
			if e.Name() == "file" {
				continue
			}
			require.Regexp(t, `^\.spillway-[A-Z2-7]{26}\.tmp$`, e.Name())
			require.NoError(t, os.Remove(filepath.Join(dir, "sub", e.Name())))
			litter++
		}
	}
	t.Log(litter, "temporary files were left by", kills, "processes")
}

// A program that puts a link to what is protected in the place of a directory, and takes it away again, at any time
// does not have a change made there.
func TestProtectedInARace(t *testing.T) {
	dir := memory(t)
	for _, name := range []string{"sub/deep/file", "vendor/deep/file"} {
		testkit.WriteFile(t, filepath.Join(dir, name), "before")
	}
	require.NoError(t, os.Symlink("vendor", filepath.Join(dir, "link")))
	w := opened(t, dir, workspace.Options{})
	require.NoError(t, w.Protect("vendor"))
	var swapping sync.WaitGroup
	var done atomic.Bool
	swapping.Go(func() {
		sub, link := filepath.Join(dir, "sub"), filepath.Join(dir, "link")
		for !done.Load() {
			if err := unix.Renameat2(unix.AT_FDCWD, sub, unix.AT_FDCWD, link, unix.RENAME_EXCHANGE); err != nil {
				t.Log(err)
				return
			}
		}
	})
	made := 0
	for i := range testkit.Few(10_000) {
		place, err := w.Target([]string{"sub/deep/file", "sub/deep/new"}[i%2])
		if err != nil {
			continue
		}
		if At(place).Replace(t.Context(), []byte("after")) == nil {
			made++
		}
	}
	done.Store(true)
	swapping.Wait()
	require.NotZero(t, made)
	require.Equal(t, "before", testkit.ReadFile(t, filepath.Join(dir, "vendor/deep/file")))
	require.Len(t, testkit.Must(t, os.ReadDir, filepath.Join(dir, "vendor/deep")), 1)
}
