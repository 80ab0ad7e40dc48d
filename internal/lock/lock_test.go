package lock

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// name is what the files of locks are called here.
const name = "turn.lock"

// at opens a directory for a test.
func at(t *testing.T, path string) func() (*os.Root, error) {
	dir := testkit.Must(t, os.OpenRoot, path)
	t.Cleanup(func() { dir.Close() })
	return func() (*os.Root, error) { return dir, nil }
}

// take takes the lock in a directory that nobody holds, as another process.
func take(t *testing.T, path string) *Held {
	t.Helper()
	h, err := new(Mutex).Lock(t.Context(), at(t, path), name)
	require.NoError(t, err)
	return h
}

// Two processes lock out each other, and so do calls of one.
func TestLock(t *testing.T) {
	path := t.TempDir()
	var a, b Mutex
	dir := at(t, path)
	var group sync.WaitGroup
	var inside atomic.Bool
	var n atomic.Int32
	for i := range 8 {
		m := []*Mutex{&a, &b}[i%2]
		group.Go(func() {
			for range 20 {
				h, err := m.Lock(t.Context(), dir, name)
				if err != nil {
					t.Error(err)
					return
				}
				assert.False(t, inside.Swap(true), "two at once")
				n.Add(1)
				inside.Store(false)
				h.Unlock()
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 160, n.Load())
}

// Who waits for a lock goes when the context ends.
func TestLockIsAwaitedNoLongerThanTheContext(t *testing.T) {
	path := t.TempDir()
	var a, b Mutex
	held, err := a.Lock(t.Context(), at(t, path), name)
	require.NoError(t, err)
	for _, m := range []*Mutex{&a, &b} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		_, err = m.Lock(ctx, at(t, path), name)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		cancel()
	}
	held.Unlock()
	for _, m := range []*Mutex{&a, &b} {
		held, err := m.Lock(t.Context(), at(t, path), name)
		require.NoError(t, err)
		held.Unlock()
	}
}

// Who waits gives up after half a minute.
func TestLockIsAwaitedForHalfAMinute(t *testing.T) {
	path := t.TempDir()
	dir := at(t, path)
	synctest.Test(t, func(t *testing.T) {
		var a, b Mutex
		held, err := a.Lock(t.Context(), dir, name)
		require.NoError(t, err)
		defer held.Unlock()
		for _, m := range []*Mutex{&a, &b} {
			began := time.Now()
			_, err := m.Lock(t.Context(), dir, name)
			require.ErrorIs(t, err, ErrTimeout)
			require.Equal(t, patience, time.Since(began))
		}
	})
}

// A directory that is closed, because another has taken its place, is opened anew.
func TestLockInADirectoryThatIsMadeAnew(t *testing.T) {
	path := t.TempDir()
	closed := testkit.Must(t, os.OpenRoot, path)
	require.NoError(t, closed.Close())
	n := 0
	h, err := new(Mutex).Lock(t.Context(), func() (*os.Root, error) {
		if n++; n == 1 {
			return closed, nil
		}
		return at(t, path)()
	}, name)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	h.Unlock()
	_, err = new(Mutex).Lock(t.Context(), func() (*os.Root, error) { return nil, fs.ErrClosed }, name)
	require.ErrorIs(t, err, fs.ErrClosed, "the suite is closed")
}

// What is locked is the file of a name.
func TestTake(t *testing.T) {
	path := t.TempDir()
	root, _ := at(t, path)()
	f, err := root.Create(name)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, Take(root, name, f))
	again, err := root.Open(name)
	require.NoError(t, err)
	defer again.Close()
	require.ErrorIs(t, Take(root, name, again), ErrBusy)
	if err := root.Rename(name, "other"); err != nil {
		t.Skip("an open file cannot be renamed here")
	}
	require.ErrorIs(t, Same(root, name, f), fs.ErrNotExist)
	require.NoError(t, root.WriteFile(name, nil, 0o600))
	require.ErrorIs(t, Same(root, name, f), fs.ErrNotExist)
	require.NoError(t, f.Close())
	require.ErrorIs(t, Take(root, name, again), fs.ErrNotExist)
}

// Nobody locks through a link, or a directory in the place of the lock.
func TestLockThatIsNone(t *testing.T) {
	path := t.TempDir()
	lock := filepath.Join(path, name)
	require.NoError(t, os.Mkdir(lock, 0o700))
	_, err := new(Mutex).Lock(t.Context(), at(t, path), name)
	require.Error(t, err)
	require.NoError(t, os.Remove(lock))
	require.NoError(t, os.WriteFile(filepath.Join(path, "other"), nil, 0o600))
	need.Symlink(t, "other", lock)
	other := testkit.Must(t, os.Open, filepath.Join(path, "other"))
	defer other.Close()
	require.NoError(t, exclusive(other)) // nor does anybody wait for that
	_, err = new(Mutex).Lock(t.Context(), at(t, path), name)
	require.ErrorContains(t, err, "not a regular file")
}

// A command may give the file of a user's the name of the lock, too. What it holds stays.
func TestLockWithSeveralNames(t *testing.T) {
	path := t.TempDir()
	file, lock := filepath.Join(path, "file"), filepath.Join(path, name)
	require.NoError(t, os.WriteFile(file, []byte("precious"), 0o600))
	if err := os.Link(file, lock); err != nil {
		t.Skip(err)
	}
	_, err := new(Mutex).Lock(t.Context(), at(t, path), name)
	require.EqualError(t, err, "turn.lock has another name, too (a hard link), so nothing is written to it; remove it")
	require.Equal(t, "precious", testkit.ReadFile(t, file))
	require.NoError(t, os.Remove(lock))
	take(t, path).Unlock()
}

// What one who is killed has noted is there for the next; what one who ends has noted is not.
func TestLockNote(t *testing.T) {
	path := t.TempDir()
	h := take(t, path)
	require.Empty(t, h.Left)
	require.NoError(t, h.Note([]byte("a longer note")))
	require.NoError(t, h.Note([]byte("a note")))
	require.NoError(t, h.file.Close()) // as the end of the process does
	for _, want := range []string{"a note", ""} {
		h = take(t, path)
		require.Equal(t, want, string(h.Left))
		h.Unlock()
	}
}
