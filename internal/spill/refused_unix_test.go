//go:build unix

package spill

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Another user's directory is neither written to nor swept.
func TestDirectoryOfAnotherUser(t *testing.T) {
	dir := "/"
	if os.Geteuid() == 0 {
		dir = filepath.Join(t.TempDir(), "d")
		require.NoError(t, os.Mkdir(dir, 0o777))
		if err := os.Chown(dir, 1, 1); err != nil {
			t.Skip(err)
		}
	}
	info, err := os.Stat(dir)
	require.NoError(t, err)
	if int(info.Sys().(*syscall.Stat_t).Uid) == os.Geteuid() {
		t.Skip("the root directory is this user's own")
	}
	want := filepath.Base(dir) + " belongs to another user"
	_, err = NewDir(dir).NewWriter("bash").Keep()
	require.EqualError(t, err, want)
	if dir != "/" {
		_, err = NewDirBelow(filepath.Dir(dir), filepath.Base(dir)).NewWriter("bash").Keep()
		require.EqualError(t, err, want)
		_, err = NewDirBelow(dir, "own").NewWriter("bash").Keep()
		require.NoError(t, err, "what it is below may be another's")
	}
	_, err = Sweep(t.Context(), dir, Options{})
	require.EqualError(t, err, want)
}

// What has taken the place of a file since it was listed is not removed, and a FIFO is not
// waited for.
func TestSweepOfAReplacedFile(t *testing.T) {
	for name, replace := range map[string]func(path string) error{
		"FIFO": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"link": func(path string) error {
			if err := os.WriteFile(filepath.Join(filepath.Dir(path), "other"), nil, 0o600); err != nil {
				return err
			}
			return os.Symlink("other", path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDir(t, t.TempDir())
			path := spilled(t, d, 0, time.Hour)
			require.NoError(t, os.Remove(path))
			require.NoError(t, replace(path))
			info, err := os.Stat(path)
			require.NoError(t, err)
			root, err := OpenOwn(d.path)
			require.NoError(t, err)
			defer root.Close()
			done := make(chan error, 1)
			go func() {
				done <- removeIdle(root, file{name: filepath.Base(path), size: info.Size(), written: info.ModTime()}, false)
			}()
			select {
			case err := <-done:
				require.Error(t, err)
			case <-time.After(time.Minute):
				t.Fatal("it waits for a writer")
			}
			_, err = os.Lstat(path)
			require.NoError(t, err)
		})
	}
}
