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
				lock, err := d.Lock(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Swap(true) {
					t.Error("two at once")
				}
				n.Add(1)
				inside.Store(false)
				lock.Unlock()
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
	lock, err := a.Lock(t.Context())
	require.NoError(t, err)
	for _, d := range []*Dir{a, b} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		_, err = d.Lock(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		cancel()
	}
	lock.Unlock()
	lock, err = b.Lock(t.Context())
	require.NoError(t, err)
	lock.Unlock()
}

// A sweep leaves the lock alone, and the directory that has it is still hidden from git.
func TestLockStays(t *testing.T) {
	path := t.TempDir()
	d := NewDir(path)
	lock, err := d.Lock(t.Context())
	require.NoError(t, err)
	lock.Unlock()
	long := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(path, lockName), long, long))
	_, err = Sweep(t.Context(), path, Options{MaxAge: time.Minute, MaxTotalBytes: 1})
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(path, lockName))
	require.NoError(t, os.Remove(filepath.Join(path, ".gitignore")))
	lock, err = NewDir(path).Lock(t.Context())
	require.NoError(t, err)
	lock.Unlock()
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

// A command may give the file of a user's the name of the lock, too. What it holds stays.
func TestLockWithSeveralNames(t *testing.T) {
	path := t.TempDir()
	file, lock := filepath.Join(path, "file"), filepath.Join(path, lockName)
	require.NoError(t, os.WriteFile(file, []byte("precious"), 0o600))
	if err := os.Link(file, lock); err != nil {
		t.Skip(err)
	}
	_, err := NewDir(path).Lock(t.Context())
	require.EqualError(t, err, "turn.lock has another name, too (a hard link), so nothing is written to it; remove it")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "precious", string(data))
	require.NoError(t, os.Remove(lock))
	held, err := NewDir(path).Lock(t.Context())
	require.NoError(t, err)
	held.Unlock()
}

// What one who is killed has noted is there for the next; what one who ends has noted is not.
func TestLockNote(t *testing.T) {
	path := t.TempDir()
	lock, err := NewDir(path).Lock(t.Context())
	require.NoError(t, err)
	require.Empty(t, lock.Left)
	require.NoError(t, lock.Note([]byte("a longer note")))
	require.NoError(t, lock.Note([]byte("a note")))
	require.NoError(t, lock.file.Close()) // as the end of the process does
	for _, want := range []string{"a note", ""} {
		lock, err = NewDir(path).Lock(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, string(lock.Left))
		lock.Unlock()
	}
}
