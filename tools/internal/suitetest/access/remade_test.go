package access_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// A workspace that is removed and made again, as by git clone in place, goes on
// working. So does one that was moved away: what is at its path counts.
func TestWorkspaceMadeAgain(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(ws string) error{
		"removed": os.RemoveAll,
		"moved":   func(ws string) error { return os.Rename(ws, ws+"-old") },
	} {
		t.Run(name, func(t *testing.T) {
			ws := filepath.Join(t.TempDir(), "ws")
			files := func(text string) {
				require.NoError(t, os.MkdirAll(filepath.Join(ws, "sub"), 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(ws, "sub", "f.txt"), []byte(text), 0o644))
			}
			files("old\n")
			s := newSuite(t, config.Config{Workspace: ws}, nil)
			all := func() (text string) {
				for _, c := range []struct {
					tool string
					args map[string]any
				}{
					{"read", map[string]any{"path": "sub/f.txt"}},
					{"grep", map[string]any{"pattern": "."}},
					{"grep", map[string]any{"pattern": ".", "path": "sub/f.txt"}},
					{"find", map[string]any{"pattern": "*.txt"}},
					{"ls", map[string]any{}},
					{"bash", map[string]any{"command": "cat sub/f.txt; pwd -P"}},
				} {
					text += c.tool + ": " + call(t, s, c.tool, c.args).Text + "\n"
				}
				return text
			}
			full := func() {
				res := call(t, s, "bash", map[string]any{"command": "seq 5000"})
				kept := res.Details.(tools.BashResult)
				require.Empty(t, kept.SpillError)
				require.FileExists(t, filepath.Join(ws, kept.FullOutputPath))
				read := call(t, s, "read", map[string]any{"path": kept.FullOutputPath, "offset": 2500, "limit": 1})
				require.False(t, read.IsError, read.Text)
				require.Contains(t, read.Text, "2500")
			}
			before := all()
			full()
			require.Contains(t, before, "old")
			require.NoError(t, leave(ws))
			gone := call(t, s, "read", map[string]any{"path": "sub/f.txt"})
			require.Equal(t, tools.CodeNotFound, holds(t, gone, nil, 30<<10), gone.Text)
			require.Contains(t, gone.Text, "the workspace does not exist any more")
			files("new\n")
			require.Equal(t, strings.ReplaceAll(before, "old", "new"), all())
			full()
			full()
			if unfinished, _ := filepath.Glob(filepath.Join(ws+"-old", ".clarvis", "*.part")); len(unfinished) > 0 {
				t.Errorf("left behind: %v", unfinished)
			}
		})
	}
}

// A link in the place of the workspace is not followed: it may lead anywhere.
func TestWorkspaceReplacedByLink(t *testing.T) {
	t.Parallel()
	ws, outside := outsideTree(t)
	s := newSuite(t, config.Config{Workspace: ws}, nil)
	require.NoError(t, os.Rename(ws, ws+"-old"))
	need.Symlink(t, outside, ws)
	for tool, res := range everyTool(t, s, ".") {
		require.NotContains(t, res.Text, secret, tool)
		require.NotContains(t, res.Text, outside, tool)
	}
}
