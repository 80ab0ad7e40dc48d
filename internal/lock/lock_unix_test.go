//go:build unix

package lock

import (
	"os"
	"path/filepath"
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

// A file that is removed or replaced while it is opened is no error: it is made anew.
func TestLockThatIsRemoved(t *testing.T) {
	root, _ := at(t, t.TempDir())()
	f, err := root.Create(name)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, takeOwn(root, name, f))
	require.NoError(t, root.Rename(name, "other"))
	require.ErrorIs(t, takeOwn(root, name, f), ErrBusy)
	require.NoError(t, root.WriteFile(name, nil, 0o600))
	require.ErrorIs(t, takeOwn(root, name, f), ErrBusy)
}
