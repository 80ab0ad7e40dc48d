//go:build unix

package access_test

import (
	"os"
	"path/filepath"
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
			})
		})
	}
}
