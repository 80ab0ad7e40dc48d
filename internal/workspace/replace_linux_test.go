package workspace

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

const (
	aclAccess  = "system.posix_acl_access"
	aclDefault = "system.posix_acl_default"
	nobody     = 65534
)

// acl is an ACL as the kernel has it (linux/posix_acl_xattr.h), in which another user may
// read and write.
var acl = string([]byte{2, 0, 0, 0,
	1, 0, 6, 0, 255, 255, 255, 255, // the owner: rw-
	2, 0, 6, 0, 210, 4, 0, 0, // user 1234: rw-
	4, 0, 4, 0, 255, 255, 255, 255, // the group: r--
	16, 0, 6, 0, 255, 255, 255, 255, // the mask: rw-
	32, 0, 0, 0, 255, 255, 255, 255, // others: ---
})

// facts are what is to stay when a file is replaced.
type facts struct {
	mode       fs.FileMode
	uid, gid   uint32
	links      uint64
	attributes map[string]string
}

func factsOf(t *testing.T, path string) facts {
	info, err := os.Stat(path)
	require.NoError(t, err)
	st := info.Sys().(*syscall.Stat_t)
	of := facts{info.Mode(), st.Uid, st.Gid, uint64(st.Nlink), map[string]string{}}
	buf := make([]byte, maxAttribute)
	n, err := unix.Listxattr(path, buf)
	require.NoError(t, err)
	for name := range strings.SplitSeq(strings.Trim(string(buf[:n]), "\x00"), "\x00") {
		if name != "" {
			value := make([]byte, maxAttribute)
			n, err := unix.Getxattr(path, name, value)
			require.NoError(t, err)
			of.attributes[name] = string(value[:n])
		}
	}
	return of
}

func inode(t *testing.T, path string) uint64 {
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Sys().(*syscall.Stat_t).Ino
}

// open makes a workspace of dir, with a target in it.
func open(t *testing.T, dir, name string) Target {
	w, err := New(dir, Options{})
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	target, err := w.Target(name)
	require.NoError(t, err)
	return target
}

// asNobody runs f as a user without rights, as far as files go; without the rights to
// do that, as the user that the test runs as.
func asNobody(t *testing.T, groups []int, f func()) {
	if os.Geteuid() != 0 {
		f()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	require.NoError(t, syscall.Setgroups(groups))
	defer syscall.Setgroups(nil)
	require.NoError(t, unix.Setfsgid(nobody))
	require.NoError(t, unix.Setfsuid(nobody))
	defer unix.Setfsgid(0)
	defer unix.Setfsuid(0)
	f()
}

func needsRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("for root")
	}
}

func TestReplaceKeeps(t *testing.T) {
	root := os.Geteuid() == 0
	set := func(name, value string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := unix.Setxattr(path, name, []byte(value), 0); err != nil {
				t.Skip(name, err)
			}
		}
	}
	for _, tt := range []struct {
		name    string
		prepare func(t *testing.T, path string)
		inPlace bool
		root    bool
	}{
		{name: "0755", prepare: func(t *testing.T, path string) { require.NoError(t, os.Chmod(path, 0o755)) }},
		{name: "0600", prepare: func(t *testing.T, path string) { require.NoError(t, os.Chmod(path, 0o600)) }},
		{name: "0666", prepare: func(t *testing.T, path string) { require.NoError(t, os.Chmod(path, 0o666)) }},
		{name: "04755", prepare: func(t *testing.T, path string) { require.NoError(t, os.Chmod(path, 0o755|fs.ModeSetuid)) }},
		{name: "02755", prepare: func(t *testing.T, path string) { require.NoError(t, os.Chmod(path, 0o755|fs.ModeSetgid)) }},
		{name: "01644", prepare: func(t *testing.T, path string) { require.NoError(t, os.Chmod(path, 0o644|fs.ModeSticky)) }},
		{name: "0444 of root", root: true, prepare: func(t *testing.T, path string) { require.NoError(t, os.Chmod(path, 0o444)) }},
		{name: "owner", root: true, prepare: func(t *testing.T, path string) { require.NoError(t, os.Chown(path, 1234, 4321)) }},
		{name: "group", root: true, prepare: func(t *testing.T, path string) { require.NoError(t, os.Chown(path, -1, 4321)) }},
		{name: "owner and 06755", root: true, prepare: func(t *testing.T, path string) {
			require.NoError(t, os.Chown(path, 1234, 4321))
			require.NoError(t, os.Chmod(path, 0o755|fs.ModeSetuid|fs.ModeSetgid))
		}},
		{name: "attribute", prepare: set("user.test", "value")},
		{name: "empty attribute", prepare: set("user.empty", "")},
		{name: "attributes", prepare: func(t *testing.T, path string) {
			for i := range 20 {
				set(fmt.Sprint("user.", i), strings.Repeat("v", i))(t, path)
			}
		}},
		{name: "ACL", prepare: set(aclAccess, acl)},
		{name: "ACL of the directory alone", prepare: func(t *testing.T, path string) {
			require.NoError(t, os.Chmod(path, 0o640))
			set(aclDefault, acl)(t, filepath.Dir(path))
		}},
		{name: "capability", root: true, prepare: set("security.capability", "\x01\x00\x00\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")},
		{name: "hard link", inPlace: true, prepare: func(t *testing.T, path string) { require.NoError(t, os.Link(path, path+"2")) }},
		{name: "hard link and 04755", inPlace: true, prepare: func(t *testing.T, path string) {
			require.NoError(t, os.Link(path, path+"2"))
			require.NoError(t, os.Chmod(path, 0o755|fs.ModeSetuid))
		}},
	} {
		for _, size := range []int{0, 3, 10, 5000} {
			t.Run(fmt.Sprint(tt.name, "/", size), func(t *testing.T) {
				if tt.root && !root {
					t.Skip("for root")
				}
				dir := t.TempDir()
				path := filepath.Join(dir, "file")
				require.NoError(t, os.WriteFile(path, []byte("old text"), 0o644))
				tt.prepare(t, path)
				before, node := factsOf(t, path), inode(t, path)
				content := bytes.Repeat([]byte("n"), size)
				require.NoError(t, open(t, dir, "file").Replace(t.Context(), content))
				after, err := os.ReadFile(path)
				require.NoError(t, err)
				require.Equal(t, string(content), string(after))
				require.Equal(t, before, factsOf(t, path))
				require.Equal(t, tt.inPlace, node == inode(t, path), "in place")
			})
		}
	}
}

// A new file has the mode that the umask and the default ACL of its directory give it, and
// so have new directories.
func TestNewFileIsAnyFile(t *testing.T) {
	for _, umask := range []int{0o022, 0o077, 0o002, 0} {
		func() {
			dir := t.TempDir()
			defer syscall.Umask(syscall.Umask(umask))
			require.NoError(t, open(t, dir, "a/b/file").Replace(t.Context(), []byte("x")))
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "c/d"), 0o777))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "c/d/file"), []byte("x"), 0o666))
			for mine, plain := range map[string]string{"a": "c", "a/b": "c/d", "a/b/file": "c/d/file"} {
				require.Equal(t, factsOf(t, filepath.Join(dir, plain)), factsOf(t, filepath.Join(dir, mine)))
			}
		}()
	}
	dir := t.TempDir()
	if err := unix.Setxattr(dir, aclDefault, []byte(acl), 0); err != nil {
		t.Skip(err)
	}
	require.NoError(t, open(t, dir, "file").Replace(t.Context(), nil))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "plain"), nil, 0o666))
	require.Equal(t, factsOf(t, filepath.Join(dir, "plain")), factsOf(t, filepath.Join(dir, "file")))
}

// What is in the way of a user without rights, with what becomes of the file.
func TestReplaceWithoutRights(t *testing.T) {
	const owner, group, other = 1234, 4321, 4322
	for _, tt := range []struct {
		name     string
		root     bool // only root can prepare it
		uid, gid int
		mode     fs.FileMode
		dir      fs.FileMode
		err      error
		inPlace  bool
	}{
		{name: "own", uid: nobody, gid: nobody, mode: 0o644, dir: 0o755},
		{name: "own to write only", uid: nobody, gid: nobody, mode: 0o200, dir: 0o755, inPlace: true},
		{name: "own to read only", uid: nobody, gid: nobody, mode: 0o444, dir: 0o755, err: fs.ErrPermission},
		{name: "directory to read only", uid: nobody, gid: nobody, mode: 0o644, dir: 0o555, err: fs.ErrPermission},
		{name: "own, of a group that one is in", root: true, uid: nobody, gid: group, mode: 0o644, dir: 0o755},
		{name: "own, of a group that one is not in", root: true, uid: nobody, gid: other, mode: 0o644, dir: 0o755, inPlace: true},
		{name: "another's for all", root: true, uid: owner, gid: other, mode: 0o666, dir: 0o755, inPlace: true},
		{name: "another's for the group", root: true, uid: owner, gid: group, mode: 0o664, dir: 0o755, inPlace: true},
		{name: "another's to read only", root: true, uid: owner, gid: other, mode: 0o644, dir: 0o755, err: fs.ErrPermission},
		{name: "another's with setuid", root: true, uid: owner, gid: other, mode: 0o766 | fs.ModeSetuid, dir: 0o755, inPlace: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := os.Geteuid() == 0
			if tt.root && !root {
				t.Skip("for root")
			}
			ws := t.TempDir()
			dir := filepath.Join(ws, "dir")
			path := filepath.Join(dir, "file")
			require.NoError(t, os.Mkdir(dir, 0o755))
			require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))
			if root {
				require.NoError(t, os.Chown(dir, nobody, nobody))
				require.NoError(t, os.Chown(path, tt.uid, tt.gid))
			}
			require.NoError(t, os.Chmod(path, tt.mode))
			require.NoError(t, os.Chmod(dir, tt.dir))
			defer os.Chmod(dir, 0o755)
			before, node := factsOf(t, path), inode(t, path)
			target := open(t, ws, "dir/file")
			var err error
			asNobody(t, []int{group}, func() { err = target.Replace(t.Context(), []byte("new text")) })
			want := "new text"
			if tt.err != nil {
				require.ErrorIs(t, err, tt.err)
				want = "old"
			} else {
				require.NoError(t, err)
			}
			after := factsOf(t, path)
			require.Equal(t, tt.inPlace || tt.err != nil, node == inode(t, path), "in place")
			if tt.uid == owner {
				before.mode &^= fs.ModeSetuid // which the system removes where another writes
			}
			require.Equal(t, before, after)
			require.Equal(t, []string{dir, path}, names(t, dir))
			if tt.err == fs.ErrPermission && tt.dir == 0o755 {
				asNobody(t, nil, func() { err = target.Remove() })
				require.ErrorIs(t, err, fs.ErrPermission)
			}
			require.NoError(t, os.Chmod(path, 0o600))
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, want, string(data))
		})
	}
}

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
			ctx := &stepping{Context: t.Context(), at: func(n int) error {
				if n >= last {
					return context.DeadlineExceeded
				}
				return nil
			}}
			err := open(t, dir, name).Replace(ctx, content)
			require.Equal(t, -1, descriptor(t, dir+"/"), "all is closed")
			if err == nil {
				require.Greater(t, last, 4, name)
				break
			}
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, before, names(t, dir), "%s at step %d", name, last)
			if slices.Contains(before, filepath.Join(dir, name)) {
				data, err := os.ReadFile(filepath.Join(dir, name))
				require.NoError(t, err)
				require.Equal(t, "old", string(data), "%s at step %d", name, last)
			}
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.True(t, bytes.Equal(content, data))
	}
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
	entries, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
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
			data, err := os.ReadFile(filepath.Join(dir, tt.file))
			require.NoError(t, err)
			require.Equal(t, "old", string(data))
		})
	}
}

// A file that is swapped for another before it is written in place is not written.
func TestOverwriteOfASwappedFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))
	info, err := os.Lstat(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path+"2", []byte("other"), 0o644))
	require.NoError(t, os.Rename(path, path+"3"))
	require.NoError(t, os.Symlink("file2", path))
	fsys, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer fsys.Close()
	r := replacement{dir: fsys, name: "file", content: []byte("new"), old: info}
	require.ErrorIs(t, r.overwrite(t.Context()), errSwapped)
	data, err := os.ReadFile(path + "2")
	require.NoError(t, err)
	require.Equal(t, "other", string(data))
}

// An essential attribute that is refused has the file written in place; the system's own are
// not essential.
func TestNotKept(t *testing.T) {
	for err, want := range map[error]error{
		unix.EPERM: errNotKept, unix.EACCES: errNotKept, unix.ENOTSUP: errNotKept, unix.EINVAL: errNotKept,
		unix.ERANGE: errNotKept, unix.E2BIG: errNotKept, unix.ENOSPC: unix.ENOSPC, unix.EDQUOT: unix.EDQUOT, unix.EIO: unix.EIO,
	} {
		require.Equal(t, want, notKept(err))
	}
	for name, want := range map[string]bool{"user.a": true, aclAccess: true, "security.selinux": false, "trusted.a": false, "com.apple.provenance": false} {
		require.Equal(t, want, essential(name), name)
	}
}

// Whoever reads a file while several replace it reads all of what one of them wrote.
func TestReadersSeeWholeFiles(t *testing.T) {
	dir := memory(t)
	const writers, times, size = 4, 200, 50_000
	target := open(t, dir, "file")
	require.NoError(t, target.Replace(t.Context(), bytes.Repeat([]byte("0"), size)))
	var writing, reading sync.WaitGroup
	var done atomic.Bool
	for i := range writers {
		writing.Go(func() {
			content := bytes.Repeat([]byte{byte('0' + i)}, size+i)
			for range times {
				if err := target.Replace(t.Context(), content); err != nil {
					t.Error(err)
				}
			}
		})
	}
	reading.Go(func() {
		for !done.Load() {
			data, err := os.ReadFile(filepath.Join(dir, "file"))
			if err != nil || len(data) == 0 || len(data) != size+int(data[0]-'0') || bytes.Count(data, data[:1]) != len(data) {
				t.Error(err, len(data))
				return
			}
		}
	})
	writing.Wait()
	done.Store(true)
	reading.Wait()
	require.Len(t, contents(t, dir), 1)
}

// child runs a test of this binary again, as a process of its own.
func child(test string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.v")
	cmd.Env = append(os.Environ(), env...)
	return cmd
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

// contents are all files in a directory.
func contents(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		all[e.Name()] = string(data)
	}
	return all
}

// memory is a directory for tests that replace very often: syncing costs nothing there.
func memory(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "spillway-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// Links that are swapped while files are replaced never have one outside changed, nor
// is one made there.
func TestReplaceWhileLinksAreSwapped(t *testing.T) {
	base := memory(t)
	ws, out := filepath.Join(base, "ws"), filepath.Join(base, "out")
	for _, dir := range []string{filepath.Join(ws, "sub"), out} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
		for _, name := range []string{"file", "linked"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("untouched"), 0o644))
		}
		require.NoError(t, os.Link(filepath.Join(dir, "linked"), filepath.Join(dir, "linked2")))
	}
	require.NoError(t, os.Symlink("../out", filepath.Join(ws, "other")))
	require.NoError(t, os.Symlink("../out/file", filepath.Join(ws, "otherfile")))
	require.NoError(t, os.WriteFile(filepath.Join(ws, "direct"), nil, 0o644))
	before, infoBefore := contents(t, out), factsOf(t, filepath.Join(out, "file"))
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()

	var stop atomic.Bool
	var swaps atomic.Int64
	var swapping sync.WaitGroup
	for a, b := range map[string]string{"sub": "other", "direct": "otherfile"} {
		swapping.Go(func() {
			a, b := filepath.Join(ws, a), filepath.Join(ws, b)
			for !stop.Load() {
				if unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE) == nil {
					swaps.Add(1)
				}
				runtime.Gosched()
			}
		})
	}
	defer swapping.Wait()
	defer stop.Store(true)
	var done, refused int
	paths := []string{"sub/file", "sub/linked", "sub/new/deep/file", "direct"}
	for i := range 10_000 {
		target, err := w.Target(paths[i%len(paths)])
		if err == nil {
			err = target.Replace(t.Context(), []byte(fmt.Sprint("content ", i)))
		}
		if err == nil && i%7 == 0 {
			target.Remove()
		}
		if err == nil {
			done++
		} else {
			refused++
		}
	}
	stop.Store(true)
	swapping.Wait()
	t.Log(done, "done,", refused, "refused,", swaps.Load(), "swaps")
	require.Equal(t, before, contents(t, out))
	require.Equal(t, infoBefore, factsOf(t, filepath.Join(out, "file")))
	require.Positive(t, done)
}

// A process that is killed while it replaces a file leaves the old content or the new, and
// nothing else but temporary files of the name that they have.
func TestReplaceIsKilled(t *testing.T) {
	const dirOfChild = "REPLACE_KILLED_DIR"
	ones, twos := bytes.Repeat([]byte("1"), 100_000), bytes.Repeat([]byte("2"), 70_001)
	if dir := os.Getenv(dirOfChild); dir != "" {
		for i := 0; ; i++ {
			content := ones
			if i%2 == 0 {
				content = twos
			}
			if err := open(t, dir, "sub/file").Replace(t.Context(), content); err != nil {
				fmt.Println("failed:", err)
			}
			if i == 0 {
				fmt.Println("running")
			}
		}
	}
	kills := 200
	if testing.Short() {
		kills = 20
	}
	dir := memory(t)
	litter := 0
	for range kills {
		cmd := child(t.Name(), dirOfChild+"="+dir)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for lines.Scan() && lines.Text() != "running" {
			require.NotContains(t, lines.Text(), "failed")
		}
		time.Sleep(rand.N(3 * time.Millisecond)) // to be at any step
		require.NoError(t, cmd.Process.Kill())
		cmd.Wait()
		data, err := os.ReadFile(filepath.Join(dir, "sub/file"))
		require.NoError(t, err)
		require.True(t, bytes.Equal(data, ones) || bytes.Equal(data, twos), "%d bytes", len(data))
		entries, err := os.ReadDir(filepath.Join(dir, "sub"))
		require.NoError(t, err)
		for _, e := range entries {
			if e.Name() == "file" {
				continue
			}
			require.Regexp(t, `^\.spillway-[A-Z2-7]{26}\.tmp$`, e.Name())
			require.NoError(t, os.Remove(filepath.Join(dir, "sub", e.Name())))
			litter++
		}
	}
	t.Log(litter, "temporary files were left by", kills, "processes")
}
