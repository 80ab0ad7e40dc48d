//go:build unix

package lock

import (
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file of another user is not written to.
func TestLockOfOthers(t *testing.T) {
	path := t.TempDir()
	file := filepath.Join(path, name)
	require.NoError(t, os.WriteFile(file, []byte("precious"), 0o666))
	if err := os.Chown(file, 1, 1); err != nil {
		t.Skip(err)
	}
	_, err := new(Mutex).Lock(t.Context(), at(t, path), name)
	require.EqualError(t, err, "turn.lock belongs to another user")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "precious", string(data))
}

// A FIFO is not waited for.
func TestLockThatIsAFIFO(t *testing.T) {
	path := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(path, name), 0o600))
	_, err := new(Mutex).Lock(t.Context(), at(t, path), name)
	require.EqualError(t, err, "turn.lock is not a regular file")
}

// A file that is removed while it is locked is made anew.
func TestLockThatIsRemoved(t *testing.T) {
	path := t.TempDir()
	dir := at(t, path)
	root, _ := dir()
	done := make(chan struct{})
	var remover sync.WaitGroup
	remover.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				root.Remove(name)
			}
		}
	})
	defer remover.Wait()
	defer close(done)
	for range 500 {
		h, err := new(Mutex).Lock(t.Context(), dir, name)
		require.NoError(t, err)
		h.Unlock()
	}
}
