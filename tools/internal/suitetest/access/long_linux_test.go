package access_test

import (
	"os"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// deep makes directories of a name below each other, and files in the last.
func deep(t *testing.T, s *tools.Suite, name string, depth int, files map[string]string) (path string) {
	root, err := os.OpenRoot(s.Workspace())
	require.NoError(t, err)
	for range depth {
		require.NoError(t, root.Mkdir(name, 0o755))
		next, err := root.OpenRoot(name)
		require.NoError(t, err)
		require.NoError(t, root.Close())
		root = next
	}
	for name, content := range files {
		require.NoError(t, root.WriteFile(name, []byte(content), 0o644))
	}
	require.NoError(t, root.Close())
	return strings.Repeat(name+"/", depth)
}

// A path that is too long for one system call is looked up in steps, also for what is hidden there.
func TestLongPaths(t *testing.T) {
	s := newSuite(t, config.Config{Tools: config.ToolNames()}, nil)
	files := map[string]string{"end.txt": "needle\n", "secret.txt": "needle\n", ".agentignore": "secret*\n"}
	dir := deep(t, s, strings.Repeat("d", 200), 25, files)
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"read", map[string]any{"path": dir + "end.txt"}, "needle"},
		{"ls", map[string]any{"path": dir}, "end.txt\n"},
		{"grep", map[string]any{"pattern": "needle", "path": dir}, dir + "end.txt:1: needle"},
		{"find", map[string]any{"pattern": "*.txt", "path": dir}, dir + "end.txt"},
		{"write", map[string]any{"path": dir + "new.txt", "content": "x\n"}, "Created"},
		{"edit", map[string]any{"path": dir + "end.txt", "old_string": "needle", "new_string": "pin"}, "Edited"},
		{"bash", map[string]any{"command": "cat end.txt", "cwd": dir}, "pin"},
		{"read", map[string]any{"path": dir + "none.txt"}, "does not exist"},
		{"read", map[string]any{"path": dir + "secret.txt"}, "is hidden from the tools"},
		{"write", map[string]any{"path": dir + "secret.new", "content": "x"}, "is hidden from the tools"},
		{"grep", map[string]any{"pattern": "needle", "path": dir + "secret.txt"}, "is hidden from the tools"},
	} {
		text := call(t, s, c.tool, c.args).Text + "\n"
		require.Contains(t, text, c.want, c.tool)
		require.Equal(t, strings.Contains(c.want, "hidden"), strings.Contains(text, "is hidden"), text)
		require.NotContains(t, text, "secret.txt:")
	}
}

// Where a path has too many names to look up each of them, that is what is told, and not that something is hidden.
func TestLongPathsOfManyNames(t *testing.T) {
	s := newSuite(t, config.Config{Tools: config.ToolNames()}, nil)
	dir := deep(t, s, "directory", 450, map[string]string{"end.txt": "needle\n"})
	for tool, args := range map[string]map[string]any{
		"read": {"path": dir + "end.txt"}, "ls": {"path": dir}, "grep": {"path": dir, "pattern": "x"},
		"find": {"path": dir, "pattern": "*"}, "write": {"path": dir + "x", "content": "x"}, "bash": {"command": "ls", "cwd": dir},
	} {
		res := call(t, s, tool, args)
		require.IsType(t, &tools.Error{}, res.Details, "%s: %s", tool, res.Text)
		require.Equal(t, tools.CodeInvalidInput, res.Details.(*tools.Error).Code, "%s: %s", tool, res.Text)
		require.Contains(t, res.Text, "too long", tool)
	}
	// The last directory whose own ignore file can be looked for, and those around it.
	step := 2
	if testing.Short() {
		step = 5
	}
	for depth := 395; depth < 410; depth += step {
		ls := call(t, s, "ls", map[string]any{"path": strings.Repeat("directory/", depth)})
		require.Regexp(t, "^directory/$|too long", ls.Text)
		require.NotContains(t, ls.Text, "hidden")
	}
}
