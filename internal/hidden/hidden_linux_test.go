package hidden_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// withoutRights runs f by a user who may do nothing with the files of another.
func withoutRights(t *testing.T, f func()) {
	if os.Geteuid() != 0 {
		f()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		const nobody = 65534
		if _, err := unix.SetfsuidRetUid(nobody); err == nil {
			f()
		}
	}()
	<-done
}

// What nobody may look into may hide everything: an ignore file that may not be opened, and a directory in which
// nobody may look for one, unless its listing says that there is none.
func TestUnreadWithoutRights(t *testing.T) {
	dir := plant(t, map[string]string{"file/.agentignore": "x\n", "closed/.agentignore": "x\n", "listed/x": ""})
	for up := dir; up != os.TempDir() && up != "/"; up = filepath.Dir(up) {
		require.NoError(t, os.Chmod(up, 0o755))
	}
	require.NoError(t, os.Chmod(filepath.Join(dir, "file", ".agentignore"), 0))
	require.NoError(t, os.Chmod(filepath.Join(dir, "closed"), 0o444))
	require.NoError(t, os.Chmod(filepath.Join(dir, "listed"), 0o444))
	defer os.Chmod(filepath.Join(dir, "closed"), 0o755)
	defer os.Chmod(filepath.Join(dir, "listed"), 0o755)
	tried := false
	withoutRights(t, func() {
		tried = true
		_, err := os.ReadFile(filepath.Join(dir, "file", ".agentignore"))
		require.ErrorIs(t, err, os.ErrPermission)
		for _, name := range []string{"file", "closed", "listed"} {
			requireUnread(t, lookAt(t, dir, ""), name, "permission denied")
		}
		look := lookAt(t, dir, "")
		hides, unread := look.In("listed", slices.Values([]string{"x"}))
		require.Nil(t, hides)
		require.Nil(t, unread)
		hides, unread = look.In("closed", slices.Values([]string{".agentignore", "x"}))
		require.NotNil(t, unread)
		require.True(t, hides("y", false))
	})
	require.True(t, tried)
}
