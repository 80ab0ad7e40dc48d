//go:build unix

package workspace

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A FIFO that has taken the place of a file is not waited for, by whatever way it is
// opened.
func TestOpenDoesNotWait(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _, err := OpenRegular(os.OpenFile, fifo)
		require.ErrorIs(t, err, ErrNotRegular)
		_, _, err = OpenRegular(root.OpenFile, "fifo")
		require.ErrorIs(t, err, ErrNotRegular)
		_, err = OpenPlain(root, "fifo")
		require.ErrorIs(t, err, ErrNotRegular)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it waits for a writer")
	}
}

func TestOpenPlainFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o644))
	require.NoError(t, os.Symlink("file", filepath.Join(dir, "link")))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	f, err := OpenPlain(root, "file")
	require.NoError(t, err)
	f.Close()
	_, err = OpenPlain(root, "link")
	require.ErrorIs(t, err, ErrNotRegular)
	f, _, err = OpenRegular(root.OpenFile, "link")
	require.NoError(t, err)
	f.Close()
}
