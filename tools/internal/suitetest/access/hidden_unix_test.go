//go:build unix

package access_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// An ignore file that cannot be understood hides its directory, and nothing waits for it.
func TestHostileHiddenFiles(t *testing.T) {
	for kind, plant := range map[string]func(t *testing.T, path string){
		"FIFO":      func(t *testing.T, path string) { require.NoError(t, unix.Mkfifo(path, 0o600)) },
		"directory": func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path, 0o755)) },
		"link":      func(t *testing.T, path string) { need.Symlink(t, "/dev/zero", path) },
		"1 GB": func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, nil, 0o644))
			require.NoError(t, os.Truncate(path, 1<<30))
		},
	} {
		t.Run(kind, func(t *testing.T) {
			s := suitetest.AllTools(t, config.Config{}, map[string]string{"sub/a.txt": "in sub", "b.txt": "beside"})
			plant(t, filepath.Join(s.Workspace(), "sub", ".agentignore"))
			testkit.Within(t, time.Minute, func() {
				require.Equal(t, tools.CodeDenied, suitetest.Call(t, s, "read", map[string]any{"path": "sub/a.txt"}).Code)
				require.Contains(t, suitetest.Call(t, s, "read", map[string]any{"path": "b.txt"}).Text, "beside")
				res := suitetest.Call(t, s, "grep", map[string]any{"pattern": "in sub"})
				require.Contains(t, res.Text, "2 entries are hidden here")
				require.NotContains(t, res.Text, "a.txt")
				for _, res := range []tools.Result{res, suitetest.Call(t, s, "read", map[string]any{"path": "sub/a.txt"}),
					suitetest.Call(t, s, "ls", map[string]any{"path": "sub"}), suitetest.Call(t, s, "find", map[string]any{"pattern": "*.txt"})} {
					require.Equal(t, 1, strings.Count(res.Text, "sub/.agentignore cannot be read ("), res.Text)
				}
			})
		})
	}
}

// Without the right to read an ignore file, or to look for one, there is nothing to see in its directory. Where the
// system refuses everything, it is the system that is named.
func TestHiddenFileWithoutRights(t *testing.T) {
	need.Modes(t)
	if os.Geteuid() == 0 {
		t.Skip("root may read everything; the CI also runs this by another user")
	}
	s := suitetest.AllTools(t, config.Config{}, map[string]string{
		"file/.agentignore": "key.txt\n", "file/key.txt": "hunter2", "closed/.agentignore": "key.txt\n", "closed/key.txt": "hunter2",
		"plain/b.txt": "seen",
	})
	modes := map[string]os.FileMode{"file/.agentignore": 0, "closed": 0o444, "plain": 0o444}
	for name, mode := range modes {
		require.NoError(t, os.Chmod(filepath.Join(s.Workspace(), name), mode))
	}
	defer func() {
		for name := range modes {
			os.Chmod(filepath.Join(s.Workspace(), name), 0o755)
		}
	}()
	both := "closed/.agentignore cannot be read (permission denied), so all of its directory is hidden, and so is 1 other directory"
	for tool, args := range map[string]map[string]any{"find": {"pattern": "*.txt"}, "grep": {"pattern": "hunter2"}} {
		res := suitetest.Call(t, s, tool, args)
		require.NotContains(t, res.Text, "key.txt", tool)
		require.Contains(t, res.Text, both, tool)
	}
	one := "file/.agentignore cannot be read (permission denied), so all of its directory is hidden]"
	require.Contains(t, suitetest.Call(t, s, "ls", map[string]any{"path": "file"}).Text, one)
	require.NotContains(t, suitetest.Call(t, s, "ls", map[string]any{"path": "closed"}).Text, "key.txt")
	require.Contains(t, suitetest.Call(t, s, "find", map[string]any{"pattern": "*.txt"}).Text, "plain/b.txt", "its listing has no ignore file")
	for name, want := range map[string]string{
		"file/key.txt":   "denied: file/key.txt is hidden from the tools, as file/.agentignore cannot be read (permission denied). ",
		"file/none":      "denied: file/none is hidden from the tools, as file/.agentignore cannot be read (permission denied). ",
		"closed/key.txt": "permission_denied: ", "closed/none": "permission_denied: ", "plain/b.txt": "permission_denied: ",
	} {
		require.Contains(t, suitetest.Call(t, s, "read", map[string]any{"path": name}).Text, want)
	}
	res := suitetest.Call(t, s, "write", map[string]any{"path": "file/new.txt", "content": "x"})
	require.Equal(t, tools.CodeDenied, res.Code, res.Text)
}
