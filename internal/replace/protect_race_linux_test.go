package replace

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A program that puts a link to what is protected in the place of a directory, and takes it away again, at any time
// does not have a change made there.
func TestProtectedInARace(t *testing.T) {
	dir := memory(t)
	for _, name := range []string{"sub/deep/file", "vendor/deep/file"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("before"), 0o644))
	}
	require.NoError(t, os.Symlink("vendor", filepath.Join(dir, "link")))
	w, err := workspace.New(dir, workspace.Options{})
	require.NoError(t, err)
	defer w.Close()
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
	for i := range testkit.Some(10_000) {
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
