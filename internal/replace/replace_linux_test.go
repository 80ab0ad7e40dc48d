package replace

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
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
	info := testkit.Must(t, os.Stat, path)
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
	info := testkit.Must(t, os.Stat, path)
	return info.Sys().(*syscall.Stat_t).Ino
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
	own, err := syscall.Getgroups()
	require.NoError(t, err)
	require.NoError(t, syscall.Setgroups(groups))
	defer syscall.Setgroups(own)
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
				require.Equal(t, string(content), testkit.ReadFile(t, path))
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
		{name: "own with setuid, of a group that one is not in", root: true, uid: nobody, gid: other, mode: 0o755 | fs.ModeSetuid, dir: 0o755, inPlace: true},
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
				asNobody(t, nil, func() { err = remove(t.Context(), target) })
				require.ErrorIs(t, err, fs.ErrPermission)
			}
			require.NoError(t, os.Chmod(path, 0o600))
			require.Equal(t, want, testkit.ReadFile(t, path))
		})
	}
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

// child runs a test of this binary again, as a process of its own.
func child(test string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.v")
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// A file of a user whom a container does not know is written in place.
func TestReplaceInAContainer(t *testing.T) {
	needsRoot(t)
	const dirOfChild = "REPLACE_CONTAINER_DIR"
	if dir := os.Getenv(dirOfChild); dir != "" {
		require.NoError(t, open(t, dir, "file").Replace(t.Context(), []byte("new")))
		return
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))
	require.NoError(t, os.Chown(path, 1234, 4321))
	require.NoError(t, os.Chmod(path, 0o666))
	before := factsOf(t, path)
	cmd := child(t.Name(), dirOfChild+"="+dir)
	onlyRoot := []syscall.SysProcIDMap{{ContainerID: 0, HostID: 0, Size: 1}}
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER, UidMappings: onlyRoot, GidMappings: onlyRoot}
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Skip(err)
	}
	require.NoError(t, err, string(out))
	require.Equal(t, before, factsOf(t, path))
	require.Equal(t, map[string]string{"file": "new"}, contents(t, dir))
}

// contents are all files in a directory.
func contents(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	entries := testkit.Must(t, os.ReadDir, dir)
	for _, e := range entries {
		data := testkit.ReadFile(t, filepath.Join(dir, e.Name()))
		all[e.Name()] = data
	}
	return all
}
