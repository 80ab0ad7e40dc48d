package slowfs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFiles(t *testing.T) {
	f := Mount(t, map[string]string{"dir/file": "text\n", "link@": "dir/file", "empty": ""})
	at := func(name string) string { return filepath.Join(f.Dir, name) }
	data, err := os.ReadFile(at("link"))
	require.NoError(t, err)
	require.Equal(t, "text\n", string(data))
	require.NoError(t, os.Mkdir(at("new"), 0o700))
	require.NoError(t, os.WriteFile(at("new/a"), make([]byte, 300<<10), 0o600))
	require.NoError(t, os.Rename(at("new/a"), at("new/b")))
	info, err := os.Stat(at("new/b"))
	require.NoError(t, err)
	require.EqualValues(t, 300<<10, info.Size())
	require.NoError(t, os.Truncate(at("new/b"), 3))
	require.NoError(t, os.Remove(at("empty")))
	entries, err := os.ReadDir(f.Dir)
	require.NoError(t, err)
	require.Len(t, entries, 3)
}

func TestHold(t *testing.T) {
	f := Mount(t, map[string]string{"file": "text\n"})
	held := f.Hold(1)
	read := make(chan error)
	go func() {
		_, err := os.ReadFile(filepath.Join(f.Dir, "file"))
		read <- err
	}()
	<-held
	select {
	case <-read:
		t.Fatal("the file was read")
	default:
	}
	f.Release()
	require.NoError(t, <-read)
}
