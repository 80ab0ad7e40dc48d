//go:build unix

package record

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestRefusedOnUnix(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	require.NoError(t, os.WriteFile(victim, nil, 0o600))
	require.NoError(t, os.Symlink("victim", filepath.Join(dir, "link")))
	require.NoError(t, os.Symlink("none", filepath.Join(dir, "dangling")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "real"), 0o700))
	require.NoError(t, os.Symlink("real", filepath.Join(dir, "linked")))
	require.NoError(t, unix.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "open"), []byte(head), 0o600))
	require.NoError(t, os.Chmod(filepath.Join(dir, "open"), 0o640))
	for name, want := range map[string]string{
		"link":     "symbolic link",
		"dangling": "symbolic link",
		"linked/r": "is not a directory, or is a link to one",
		"fifo":     "FIFO",
		"open":     "other users can open it (mode 0640). Run chmod 600 on it",
	} {
		_, err := openJournal(filepath.Join(dir, name), 1<<20, []byte(head))
		require.ErrorContains(t, err, want, name)
	}
	require.Empty(t, content(t, victim))
	require.NoFileExists(t, filepath.Join(dir, "none"))
	require.NoFileExists(t, filepath.Join(dir, "real", "r"))

	path := filepath.Join(dir, "r")
	open(t, path, 1<<20)
	info := testkit.Must(t, os.Stat, path)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	require.NoError(t, os.Chown(path, 4711, -1))
	_, err := openJournal(path, 1<<20, []byte(head))
	require.ErrorContains(t, err, "it belongs to another user")
	require.NoError(t, os.Chown(filepath.Join(dir, "real"), 4711, -1))
	_, err = openJournal(filepath.Join(dir, "real", "r"), 1<<20, []byte(head))
	require.ErrorContains(t, err, "real belongs to another user")
}

// A link that takes the place of the record while it is written is not followed.
func TestLinkLater(t *testing.T) {
	dir := t.TempDir()
	path, victim := filepath.Join(dir, "r"), filepath.Join(dir, "victim")
	f := open(t, path, 1<<20)
	require.NoError(t, os.WriteFile(victim, nil, 0o600))
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Symlink("victim", path))
	f.Append([]byte("1"))
	require.Empty(t, content(t, victim))
	require.ErrorContains(t, f.Close(), "symbolic link")

	other := filepath.Join(dir, "other")
	require.NoError(t, os.WriteFile(other, []byte(head), 0o600))
	found := testkit.Must(t, os.Stat, victim)
	file := testkit.Must(t, os.Open, other)
	defer file.Close()
	require.ErrorIs(t, check(file, found), os.ErrNotExist, "not the file that was found")
}
