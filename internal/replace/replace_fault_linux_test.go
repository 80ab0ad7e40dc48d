package replace

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// stepping is a context whose Err is asked between the steps of a Replace: at each, at may
// do something, and end it.
type stepping struct {
	context.Context
	n  int
	at func(n int) error
}

func (s *stepping) Err() error {
	s.n++
	return s.at(s.n)
}

// A Replace that ends at any step leaves everything as it was.
func TestReplaceEndsAtAnyStep(t *testing.T) {
	for _, name := range []string{"file", "linked", "new", "x/y/z"} {
		dir := t.TempDir()
		for _, old := range []string{"file", "linked"} {
			path := filepath.Join(dir, old)
			require.NoError(t, os.WriteFile(path, []byte("old"), 0o755))
			unix.Setxattr(path, "user.test", []byte("x"), 0)
		}
		require.NoError(t, os.Link(filepath.Join(dir, "linked"), filepath.Join(dir, "linked2")))
		before := names(t, dir)
		content := make([]byte, 2*writeChunk+1)
		for last := 1; ; last++ {
			ctx := testkit.EndsAfter(t.Context(), last-1)
			err := open(t, dir, name).Replace(ctx, content)
			require.Equal(t, -1, descriptor(t, dir+"/"), "all is closed")
			if err == nil {
				require.Greater(t, last, 4, name)
				break
			}
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, before, names(t, dir), "%s at step %d", name, last)
			if slices.Contains(before, filepath.Join(dir, name)) {
				require.Equal(t, "old", testkit.ReadFile(t, filepath.Join(dir, name)), "%s at step %d", name, last)
			}
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.True(t, bytes.Equal(content, data))
	}
}

// A path that lacks too many directories is refused before any is made.
func TestReplaceMakesSoManyDirectories(t *testing.T) {
	for n, want := range map[int]error{maxNewDirs: nil, maxNewDirs + 1: syscall.ENAMETOOLONG} {
		dir := t.TempDir()
		err := open(t, dir, strings.Repeat("d/", n)+"file").Replace(t.Context(), nil)
		require.ErrorIs(t, err, want)
		require.Equal(t, want != nil, len(names(t, dir)) == 1)
	}
}

// A directory that was made for a file which cannot be made is removed.
func TestReplaceOfALongName(t *testing.T) {
	dir := t.TempDir()
	name := "new/" + strings.Repeat("x", 300)
	err := open(t, dir, name).Replace(t.Context(), nil)
	require.Equal(t, &fs.PathError{Op: "write", Path: name, Err: syscall.ENAMETOOLONG}, err)
	require.Equal(t, []string{dir}, names(t, dir))
}

// The context is looked at for each directory that is looked for, and before each is made.
func TestReplaceLooksAtTheContextForEachDirectory(t *testing.T) {
	dir := t.TempDir()
	var made []int
	ctx := &stepping{Context: t.Context(), at: func(int) error {
		made = append(made, len(names(t, dir))-1)
		return nil
	}}
	require.NoError(t, open(t, dir, "x/y/z/file").Replace(ctx, nil))
	require.Equal(t, []int{0, 0, 0, 0, 1, 2}, made[:6])
}

// It is looked at for each attribute as well.
func TestReplaceLooksAtTheContextForEachAttribute(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	const attributes = 20
	asked := func() int {
		ctx := &stepping{Context: t.Context(), at: func(int) error { return nil }}
		require.NoError(t, open(t, dir, "file").Replace(ctx, nil))
		return ctx.n
	}
	without := asked()
	for i := range attributes {
		if err := unix.Setxattr(path, fmt.Sprint("user.", i), nil, 0); err != nil {
			t.Skip(err)
		}
	}
	require.Equal(t, without+attributes, asked())
}

// Nobody else may read the temporary file before it has the mode and the owner of the old
// one.
func TestTemporaryFileIsPrivate(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o640))
	var modes []fs.FileMode
	ctx := &stepping{Context: t.Context(), at: func(int) error {
		for _, name := range names(t, dir) {
			if strings.Contains(name, tempPrefix) {
				modes = append(modes, factsOf(t, name).mode)
			}
		}
		return nil
	}}
	require.NoError(t, open(t, dir, "file").Replace(ctx, []byte("secret")))
	require.Equal(t, []fs.FileMode{0o600, 0o600, 0o600, 0o600, 0o600, 0o640, 0o640}, modes)
}

// descriptor is the one of an open file whose name has the part in it, or -1.
func descriptor(t *testing.T, part string) int {
	testkit.NeedProc(t)
	entries := testkit.Must(t, os.ReadDir, "/proc/self/fd")
	for _, e := range entries {
		if at, _ := os.Readlink("/proc/self/fd/" + e.Name()); strings.Contains(at, part) {
			var fd int
			fmt.Sscan(e.Name(), &fd)
			return fd
		}
	}
	return -1
}

// swapDescriptor has an open file be another.
func swapDescriptor(t *testing.T, part, other string, flag int) {
	fd := descriptor(t, part)
	if fd < 0 {
		return
	}
	f, err := os.OpenFile(other, flag, 0)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, unix.Dup3(int(f.Fd()), fd, unix.O_CLOEXEC))
}

// An error of the system at a step is the result, and everything is as it was.
func TestReplaceFails(t *testing.T) {
	for _, tt := range []struct {
		name string
		file string
		at   int // steps are counted from 1, as ctx.Err is asked
		do   func(t *testing.T, dir string)
		err  error
	}{
		{"write", "file", 1, func(t *testing.T, dir string) { swapDescriptor(t, tempPrefix, "/dev/full", os.O_WRONLY) }, syscall.ENOSPC},
		{"sync", "file", 6, func(t *testing.T, dir string) { swapDescriptor(t, tempPrefix, "/dev/null", os.O_WRONLY) }, syscall.EINVAL},
		{"rename", "file", 7, func(t *testing.T, dir string) {
			require.NoError(t, os.Rename(filepath.Join(dir, "file"), filepath.Join(dir, "away")))
			require.NoError(t, os.Mkdir(filepath.Join(dir, "file"), 0o755))
		}, syscall.EEXIST},
		{"more, in place", "linked", 1, func(t *testing.T, dir string) {
			swapDescriptor(t, filepath.Join(dir, "linked"), filepath.Join(dir, "linked"), os.O_RDONLY)
		}, syscall.EBADF},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, old := range []string{"file", "linked"} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, old), []byte("old"), 0o644))
			}
			require.NoError(t, os.Link(filepath.Join(dir, "linked"), filepath.Join(dir, "linked2")))
			ctx := &stepping{Context: t.Context(), at: func(n int) error {
				if n == tt.at {
					tt.do(t, dir)
				}
				return nil
			}}
			err := open(t, dir, tt.file).Replace(ctx, []byte("new text"))
			require.ErrorIs(t, err, tt.err)
			require.Equal(t, -1, descriptor(t, dir+"/"), "it is closed")
			for _, name := range names(t, dir) {
				require.NotContains(t, name, tempPrefix)
			}
			if tt.name == "rename" {
				require.NoError(t, os.Remove(filepath.Join(dir, "file")))
				require.NoError(t, os.Rename(filepath.Join(dir, "away"), filepath.Join(dir, "file")))
			}
			require.Equal(t, "old", testkit.ReadFile(t, filepath.Join(dir, tt.file)))
		})
	}
}

// A file that is swapped for another before it is written in place is not written.
func TestOverwriteOfASwappedFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))
	info := testkit.Must(t, os.Lstat, path)
	require.NoError(t, os.WriteFile(path+"2", []byte("other"), 0o644))
	require.NoError(t, os.Rename(path, path+"3"))
	require.NoError(t, os.Symlink("file2", path))
	fsys := testkit.Must(t, os.OpenRoot, dir)
	defer fsys.Close()
	r := Staged{dir: fsys, name: "file", content: []byte("new"), old: info}
	require.ErrorIs(t, r.overwrite(t.Context()), errSwapped)
	require.Equal(t, "other", testkit.ReadFile(t, path+"2"))
}

// A file that may not become so large stays as it is.
func TestReplaceOverTheLimitOfSize(t *testing.T) {
	const dirOfChild = "REPLACE_LIMIT_DIR"
	if dir := os.Getenv(dirOfChild); dir != "" {
		limit := &unix.Rlimit{Cur: 1 << 16, Max: 1 << 16}
		require.NoError(t, unix.Setrlimit(unix.RLIMIT_FSIZE, limit))
		for _, name := range []string{"file", "linked", "new/file"} {
			err := open(t, dir, name).Replace(t.Context(), make([]byte, 1<<17))
			require.ErrorIs(t, err, syscall.EFBIG, name)
		}
		return
	}
	dir := t.TempDir()
	before := noRoomFiles(t, dir)
	out, err := child(t.Name(), dirOfChild+"="+dir).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, before, contents(t, dir))
}

// A file that the disk has no room for stays as it is.
func TestReplaceOnAFullDisk(t *testing.T) {
	needsRoot(t)
	if !testkit.OwnMounts(t) {
		return
	}
	dir := t.TempDir()
	if err := unix.Mount("spillway-test", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip(err)
	}
	defer unix.Unmount(dir, unix.MNT_DETACH)
	before := noRoomFiles(t, dir)
	for _, name := range []string{"file", "linked", "new/file"} {
		err := open(t, dir, name).Replace(t.Context(), bytes.Repeat([]byte("n"), 1<<19))
		require.ErrorIs(t, err, syscall.ENOSPC, name)
		require.Equal(t, before, contents(t, dir))
	}
	require.NoError(t, open(t, dir, "file").Replace(t.Context(), []byte("fits")))
}

func noRoomFiles(t *testing.T, dir string) map[string]string {
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte("old"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "linked"), []byte("old too"), 0o644))
	require.NoError(t, os.Link(filepath.Join(dir, "linked"), filepath.Join(dir, "linked2")))
	return contents(t, dir)
}
