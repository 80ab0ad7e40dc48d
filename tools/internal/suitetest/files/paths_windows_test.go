package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// Devices, streams, other volumes and other machines are outside of every workspace, for
// every tool.
func TestWindowsPathEscape(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a.txt": "inside\n", "sub/b.txt": "b\n"})
	for _, path := range []string{`\\server\share`, `\\?\C:`, `\\.\nul`, `\\`, "CON", `sub\NUL`, "a.txt:stream", "a.txt::$DATA", "C:x", "/etc/passwd", `\`} {
		for _, name := range []string{"read", "grep", "find", "ls"} {
			args := map[string]any{"path": path}
			if name == "grep" || name == "find" {
				args["pattern"] = "x"
			}
			res := call(t, s, name, args)
			require.True(t, res.IsError, "%s %s: %s", name, path, res.Text)
			require.True(t, strings.HasPrefix(res.Text, "path_escape: "), "%s %s: %s", name, path, res.Text)
		}
	}
	for path, want := range map[string]string{
		strings.ToLower(filepath.ToSlash(s.Workspace())) + "/A.TXT": "inside\n",
		`sub\b.txt`: "b\n",
		"a.txt:1":   "inside\n\n[Taken from the path: offset=1]", // although it is also how a stream is named
	} {
		require.Equal(t, want, call(t, s, "read", map[string]any{"path": path}).Text, path)
	}
	for _, path := range []string{"a*.txt", `sub\none`, "none.txt:12"} {
		require.Contains(t, call(t, s, "read", map[string]any{"path": path}).Text, "not_found: ")
	}
}

// A workspace in which a suite is open can be removed, with the full outputs in it.
func TestWindowsOpenSuiteHoldsNothing(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Bash: config.Bash{MaxLines: 1}}, map[string]string{"a.txt": "inside\n"})
	require.Equal(t, "inside\n", call(t, s, "read", map[string]any{"path": "a.txt"}).Text)
	res, err := s.Bash(t.Context(), tools.BashParams{Command: "echo 1&& echo 2"})
	require.NoError(t, err)
	require.Contains(t, res.Text, suitetest.FullOutput(""))
	require.NoError(t, os.RemoveAll(s.Workspace()))
}

// Globs are written and compared as names are on Windows.
func TestWindowsGlobs(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a.txt": "x\n", "sub/b.txt": "x\n", "sub/c.go": "x\n"})
	for pattern, want := range map[string]string{
		`sub\*.txt`: "sub/b.txt",
		"*.TXT":     "a.txt\nsub/b.txt",
		filepath.ToSlash(s.Workspace()) + "/SUB/*.txt": "sub/b.txt",
		strings.ToLower(s.Workspace()) + `\Sub\*.go`:   "sub/c.go",
		`b\*`: "No files found matching pattern",
	} {
		require.Equal(t, want, call(t, s, "find", map[string]any{"pattern": pattern}).Text, pattern)
	}
	require.Equal(t, "sub/b.txt:1: x", call(t, s, "grep", map[string]any{"pattern": "x", "glob": `sub\*.TXT`}).Text)
}
