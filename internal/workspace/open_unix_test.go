//go:build unix

package workspace

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// A FIFO that has taken the place of a file is not waited for, by whatever way it is
// opened.
func TestOpenDoesNotWait(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	root := testkit.Must(t, os.OpenRoot, dir)
	defer root.Close()
	testkit.Within(t, time.Minute, func() {
		_, _, err := OpenRegular(os.OpenFile, fifo)
		require.ErrorIs(t, err, ErrNotRegular)
		_, _, err = OpenRegular(root.OpenFile, "fifo")
		require.ErrorIs(t, err, ErrNotRegular)
		_, _, err = OpenPlain(root, "fifo")
		require.ErrorIs(t, err, ErrNotRegular)
	})
}

// Nor is one that has taken the place of a directory.
func TestOpenRootDoesNotWait(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	require.NoError(t, os.Symlink("fifo", filepath.Join(dir, "link")))
	root := testkit.Must(t, os.OpenRoot, dir)
	defer root.Close()
	for name, open := range map[string]func() (*os.Root, error){
		"by its path":       func() (*os.Root, error) { return OpenRoot(os.OpenRoot, fifo) },
		"by a link's path":  func() (*os.Root, error) { return OpenRoot(os.OpenRoot, filepath.Join(dir, "link")) },
		"below a directory": func() (*os.Root, error) { return OpenRoot(root.OpenRoot, "fifo") },
		"by a link":         func() (*os.Root, error) { return OpenRoot(root.OpenRoot, "link") },
		"by a cursor":       func() (*os.Root, error) { return new(cursor).open(root, "fifo") },
		"by a cursor that is there": func() (*os.Root, error) {
			return (&cursor{fsys: root, rel: "."}).open(root, "fifo")
		},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Within(t, time.Minute, func() {
				_, err := open()
				require.ErrorIs(t, err, syscall.ENOTDIR)
			})
		})
	}
}

// What OpenRoot opens is what the name is, a link within the root included, and no
// link leads out.
func TestOpenRootFollowsLinksInside(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a", "b", "found"), nil, 0o644))
	for name, target := range map[string]string{"link": "a/b", "slash": "a/b/", "dots": "a/../a/./b/.", "out": "..", "above": "a/../.."} {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	root := testkit.Must(t, os.OpenRoot, dir)
	defer root.Close()
	for _, name := range []string{"a/b", "link", "slash", "dots"} {
		sub, err := OpenRoot(root.OpenRoot, name)
		require.NoError(t, err, name)
		_, err = sub.Stat("found")
		require.NoError(t, err, name)
		sub.Close()
	}
	for _, name := range []string{"out", "above", "..", "a/../.."} {
		_, err := OpenRoot(root.OpenRoot, name)
		require.ErrorContains(t, err, "escapes", name)
	}
	sub, err := OpenRoot(root.OpenRoot, ".")
	require.NoError(t, err)
	sub.Close()
}

func TestOpenPlainFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o644))
	require.NoError(t, os.Symlink("file", filepath.Join(dir, "link")))
	root := testkit.Must(t, os.OpenRoot, dir)
	defer root.Close()
	f, _, err := OpenPlain(root, "file")
	require.NoError(t, err)
	f.Close()
	_, _, err = OpenPlain(root, "link")
	require.ErrorIs(t, err, ErrNotRegular)
	require.EqualError(t, err, "link is a symbolic link")
	f, _, err = OpenRegular(root.OpenFile, "link")
	require.NoError(t, err)
	f.Close()
}
