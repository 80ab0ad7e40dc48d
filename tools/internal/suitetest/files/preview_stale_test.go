package files_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// Between the preview and the call everything may change. What is not as it was shown is not done.
func TestChangedAfterThePreview(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		tool  string
		args  any
		other func(dir string) error
	}{
		"content": {"edit", tools.EditParams{Path: "a.txt", OldString: "two", NewString: "2"}, func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "a.txt"), []byte("zero\none\ntwo\nthree\n"), 0o644)
		}},
		"what is replaced": {"write", tools.WriteParams{Path: "a.txt", Content: "2"}, func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "a.txt"), []byte("mine"), 0o644)
		}},
		"text that is gone": {"edit", tools.EditParams{Path: "a.txt", OldString: "two", NewString: "2"}, func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "a.txt"), []byte("mine"), 0o644)
		}},
		"a new file": {"write", tools.WriteParams{Path: "new", Content: "2"}, func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "new"), nil, 0o644)
		}},
		"a removed file": {"write", tools.WriteParams{Path: "a.txt", Content: "2"}, func(dir string) error {
			return os.Remove(filepath.Join(dir, "a.txt"))
		}},
		"the result": {"write", tools.WriteParams{Path: "a.txt", Content: "one\ntwo\nthree\n"}, func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "a.txt"), []byte("mine"), 0o644)
		}},
		"one of several": {"apply_patch", map[string]any{"patch": patchOfFour}, func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "c.txt"), []byte("more"), 0o644)
		}},
		"the end of a move": {"apply_patch", map[string]any{"patch": patchOfFour}, func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, "moved"), 0o755),
				os.WriteFile(filepath.Join(dir, "moved/b.txt"), nil, 0o644))
		}},
		"a link": {"write", tools.WriteParams{Path: "link", Content: "2"}, func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "link")), os.Symlink("c.txt", filepath.Join(dir, "link")))
		}},
		"a directory": {"write", tools.WriteParams{Path: "dir/x", Content: "2"}, func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "dir")), os.Symlink("dir2", filepath.Join(dir, "dir")))
		}},
		"an error": {"edit", tools.EditParams{Path: "a.txt", OldString: "four", NewString: "2"}, func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "a.txt"), []byte("four"), 0o644)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var after map[string]string
			s := guarded(t, config.Config{}, previewed, func(ctx context.Context, s *tools.Suite, c config.Call) error {
				c.Preview(ctx)
				require.NoError(t, tt.other(s.Workspace()))
				after = filesOf(t, s.Workspace())
				return nil
			})
			for _, dir := range []string{"dir1", "dir2"} {
				require.NoError(t, os.Mkdir(filepath.Join(s.Workspace(), dir), 0o755))
			}
			need.Symlink(t, "a.txt", filepath.Join(s.Workspace(), "link"))
			need.Symlink(t, "dir1", filepath.Join(s.Workspace(), "dir"))
			res := call(t, s, tt.tool, tt.args)
			require.Equal(t, tools.CodeStale, res.Code, res.Text)
			require.Contains(t, strings.ToLower(res.Text), "nothing was changed")
			require.Equal(t, after, filesOf(t, s.Workspace()))
		})
	}
}

// A change that another has undone again is none.
func TestChangedAndBackAfterThePreview(t *testing.T) {
	t.Parallel()
	s := guarded(t, config.Config{}, previewed, func(ctx context.Context, s *tools.Suite, c config.Call) error {
		_, err := c.Preview(ctx)
		path := filepath.Join(s.Workspace(), "a.txt")
		return errors.Join(err, os.WriteFile(path, []byte("mine"), 0o644), os.WriteFile(path, []byte(previewed["a.txt"]), 0o644))
	})
	res := call(t, s, "edit", tools.EditParams{Path: "a.txt", OldString: "two", NewString: "2"})
	require.False(t, res.IsError, res.Text)
	require.Equal(t, "one\n2\nthree\n", contentOf(t, s, "a.txt"))
}

// Who only looked at the paths has allowed these, whatever a link leads to by then.
func TestLinkSwappedAfterPaths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		tool, args string
	}{
		{"read", `{"path": "link"}`},
		{"read", `{"path": "link:1"}`},
		{"read", `{"paths": ["c.txt", "link"]}`},
		{"read", `{"path": "dir/x"}`},
		{"grep", `{"path": "link", "pattern": "secret"}`},
		{"grep", `{"path": "dir", "pattern": "secret"}`},
		{"find", `{"path": "dir", "pattern": "*"}`},
		{"ls", `{"path": "dir"}`},
		{"write", `{"path": "link", "content": "x"}`},
		{"edit", `{"path": "link", "old_string": "secret", "new_string": "x"}`},
		{"edit", `{"path": "link", "old_string": "none", "new_string": "x"}`},
		{"apply_patch", `{"patch": "*** Begin Patch\n*** Update File: dir/x\n@@\n-secret\n+x\n*** End Patch"}`},
		{"bash", `{"command": "cat x", "cwd": "dir"}`},
	} {
		t.Run(tt.tool+tt.args, func(t *testing.T) {
			s := guarded(t, config.Config{}, previewed, func(ctx context.Context, s *tools.Suite, c config.Call) error {
				require.NotEmpty(t, c.Paths)
				for _, p := range c.Paths {
					require.NotContains(t, p.Name, "link")
				}
				for link, to := range map[string]string{"link": "two/x", "dir": "two"} {
					link = filepath.Join(s.Workspace(), link)
					require.NoError(t, os.Remove(link))
					require.NoError(t, os.Symlink(to, link))
				}
				return nil
			})
			dir := s.Workspace()
			testkit.WriteFile(t, filepath.Join(dir, "one/x"), "first\n")
			testkit.WriteFile(t, filepath.Join(dir, "two/x"), "secret\n")
			need.Symlink(t, "one/x", filepath.Join(dir, "link"))
			need.Symlink(t, "one", filepath.Join(dir, "dir"))
			res := call(t, s, tt.tool, json.RawMessage(tt.args))
			require.Contains(t, res.Text, "stale", "the code, also of one file of several")
			require.NotContains(t, res.Text, "secret\n")
			require.Equal(t, "secret\n", contentOf(t, s, "two/x"))
		})
	}
}
