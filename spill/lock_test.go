package spill

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/stretchr/testify/require"
)

// Dirs of one path take turns, and so do calls of one Dir.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "spill")
	a, b := NewDir(path), NewDir(path)
	var group sync.WaitGroup
	var inside atomic.Bool
	var n atomic.Int32
	for i := range 8 {
		d := []*Dir{a, b}[i%2]
		group.Go(func() {
			for range 20 {
				unlock, err := d.Lock(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Swap(true) {
					t.Error("two at once")
				}
				n.Add(1)
				inside.Store(false)
				unlock()
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 160, n.Load())
	ignored, err := os.ReadFile(filepath.Join(path, ".gitignore"))
	require.NoError(t, err)
	require.Equal(t, "*\n", string(ignored))
}

// Who waits for a lock goes when the context ends.
func TestLockIsAwaitedNoLongerThanTheContext(t *testing.T) {
	path := t.TempDir()
	a, b := NewDir(path), NewDir(path)
	unlock, err := a.Lock(t.Context())
	require.NoError(t, err)
	for _, d := range []*Dir{a, b} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		_, err = d.Lock(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		cancel()
	}
	unlock()
	unlock, err = b.Lock(t.Context())
	require.NoError(t, err)
	unlock()
}

// A sweep leaves the lock alone, and the directory that has it is still hidden from git.
func TestLockStays(t *testing.T) {
	path := t.TempDir()
	d := NewDir(path)
	unlock, err := d.Lock(t.Context())
	require.NoError(t, err)
	unlock()
	long := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(path, lockName), long, long))
	_, err = Sweep(t.Context(), path, Options{MaxAge: time.Minute, MaxTotalBytes: 1})
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(path, lockName))
	require.NoError(t, os.Remove(filepath.Join(path, ".gitignore")))
	unlock, err = NewDir(path).Lock(t.Context())
	require.NoError(t, err)
	unlock()
	require.FileExists(t, filepath.Join(path, ".gitignore"))
}

// Nobody locks through a link, or a directory in the place of the lock.
func TestLockThatIsNone(t *testing.T) {
	path := t.TempDir()
	lock := filepath.Join(path, lockName)
	require.NoError(t, os.Mkdir(lock, 0o700))
	_, err := NewDir(path).Lock(t.Context())
	require.Error(t, err)
	require.NoError(t, os.Remove(lock))
	require.NoError(t, os.WriteFile(filepath.Join(path, "other"), nil, 0o600))
	need.Symlink(t, "other", lock)
	_, err = NewDir(path).Lock(t.Context())
	require.ErrorContains(t, err, "not a regular file")
}
