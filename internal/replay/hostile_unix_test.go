//go:build unix

package replay_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/replay"
	"github.com/spillway-go/spillway/internal/testkit"
)

// A FIFO in the place of a full output, or of a record, is not opened.
func TestFIFO(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, ".clarvis")
	require.NoError(t, os.Mkdir(own, 0o700))
	fifo := filepath.Join(own, "bash-k3x9q2mf.log")
	require.NoError(t, unix.Mkfifo(fifo, 0o600))
	testkit.Within(t, time.Minute, func() {
		for _, files := range []bool{false, true} {
			c := runWith(t, replay.Options{Files: files}, forge(dir, oneLine).call(full(fifo, fifo)).write(t))
			require.Contains(t, c.Left[0].Why, "its full output cannot be opened: ")
		}
		_, err := replay.Run(t.Context(), fifo, [][]replay.Change{nil}, replay.Options{})
		require.ErrorContains(t, err, "record: the record cannot be read")
	})
}

// A file of somebody else is not opened, nor one in a directory of somebody else.
func TestOthersFiles(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	dir := t.TempDir()
	own := filepath.Join(dir, ".clarvis")
	path := filepath.Join(own, "bash-k3x9q2mf.log")
	testkit.WriteFile(t, path, secret)
	require.NoError(t, os.Chmod(own, 0o700))
	record := forge(dir, oneLine).call(full(path, ".clarvis/bash-k3x9q2mf.log")).write(t)
	require.Empty(t, run(t, record).Left)
	require.NoError(t, os.Chown(path, 4711, -1))
	require.Contains(t, run(t, record).Left[0].Why, "its full output cannot be opened: permission denied")
	require.NoError(t, os.Chown(path, 0, -1))
	require.NoError(t, os.Chown(own, 4711, -1))
	require.Contains(t, run(t, record).Left[0].Why, "its full output cannot be opened: ")

	elsewhere := filepath.Join(t.TempDir(), "out")
	testkit.WriteFile(t, elsewhere, secret)
	require.NoError(t, os.Chown(elsewhere, 4711, -1))
	c := runWith(t, replay.Options{Files: true}, forge(dir, oneLine).call(full(elsewhere, elsewhere)).write(t))
	require.Contains(t, c.Left[0].Why, "its full output cannot be opened: permission denied")
}
