package workspace

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A path with many elements takes work in proportion to them: its first directory is not
// opened again for each of the others.
func TestLongPathsTakeLittle(t *testing.T) {
	ws := t.TempDir()
	root := testkit.Must(t, os.OpenRoot, ws)
	defer root.Close()
	path := strings.TrimSuffix(strings.Repeat("d/", 800), "/")
	if err := root.MkdirAll(path, 0o755); err != nil {
		t.Skip(err)
	}
	w := opened(t, ws, Options{})
	opened := opens(t, filepath.Join(ws, "d"))
	for n := range 10 {
		_, err := root.Lstat(strings.Repeat("d/", 3+n))
		require.NoError(t, err)
	}
	require.GreaterOrEqual(t, opened(), 10, "not every open is seen")
	p, err := w.Resolve(path)
	require.NoError(t, err)
	require.Equal(t, path, p.Name)
	require.LessOrEqual(t, opened(), shortPath)
	_, err = w.Resolve(strings.Repeat("d/", MaxPath/2+1))
	require.ErrorIs(t, err, syscall.ENAMETOOLONG)
	_, err = w.Resolve(path + "/none/x")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// opens returns a function that says how often a directory was opened since it was called
// last. Another file in it must be opened in between, or two count as one.
func opens(t *testing.T, dir string) func() int {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	require.NoError(t, err)
	t.Cleanup(func() { unix.Close(fd) })
	_, err = unix.InotifyAddWatch(fd, dir, unix.IN_OPEN)
	require.NoError(t, err)
	return func() (n int) {
		events := make([]byte, 1<<20)
		size, err := unix.Read(fd, events)
		if err == unix.EAGAIN {
			return 0
		}
		require.NoError(t, err)
		for events = events[:size]; len(events) > 0; {
			header, name := events[:unix.SizeofInotifyEvent], events[unix.SizeofInotifyEvent:]
			length := int(header[12]) | int(header[13])<<8
			if len(bytes.Trim(name[:length], "\x00")) == 0 {
				n++
			}
			events = name[length:]
		}
		return n
	}
}
