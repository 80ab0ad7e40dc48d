package suitetest

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// Snapshot describes every entry of a tree: its kind, mode, time and content.
func Snapshot(t testing.TB, dir string) (list []string) {
	t.Helper()
	entries(t, dir, func(path string, info fs.FileInfo, content string) {
		list = append(list, fmt.Sprintf("%s %v %v %q", path, info.Mode(), info.ModTime().UnixNano(), content))
	})
	return list
}

// OnDisk returns all that is below a directory: contents, modes and links by their paths.
func OnDisk(t testing.TB, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	entries(t, dir, func(path string, info fs.FileInfo, content string) {
		found[path[len(dir):]] = info.Mode().String() + " " + content
	})
	return found
}

// entries visits every entry of a tree, with what a file holds or a link leads to.
func entries(t testing.TB, dir string, visit func(path string, info fs.FileInfo, content string)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content := ""
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = string(data)
		case info.Mode()&fs.ModeSymlink != 0:
			if content, err = os.Readlink(path); err != nil {
				return err
			}
		}
		visit(path, info, content)
		return nil
	}))
}

// Special adds to a directory what is not a regular file: dir, fifo, dangling,
// loop (to itself) and chain (of more links than are followed).
func Special(t testing.TB, dir string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "dir"), 0o755))
	mkfifo, err := exec.LookPath("mkfifo")
	if err != nil {
		t.Skip("there is no mkfifo")
	}
	require.NoError(t, exec.Command(mkfifo, filepath.Join(dir, "fifo")).Run())
	link := func(target, name string) { need.Symlink(t, target, filepath.Join(dir, name)) }
	link("nowhere", "dangling")
	link("loop", "loop")
	link("loop-b", "loop-a")
	link("loop-a", "loop-b")
	for i := range 60 {
		link(fmt.Sprintf("chain%d", i+1), fmt.Sprintf("chain%d", i))
	}
	link("file", "chain60")
}

// CountedLines is a text of that many lines, which say their numbers.
func CountedLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// Contents are the files of a workspace, without those of the suite.
func Contents(t testing.TB, dir string) map[string]string {
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.Name() == ".clarvis":
			return fs.SkipDir
		case err == nil && d.Type().IsRegular():
			data, err := os.ReadFile(path)
			rel, _ := filepath.Rel(dir, path)
			files[filepath.ToSlash(rel)] = string(data)
			return err
		}
		return err
	}))
	return files
}

// Write writes a file with the tool.
func Write(t *testing.T, s *tools.Suite, path, content string) tools.WriteResult {
	t.Helper()
	res, err := s.Write(t.Context(), tools.WriteParams{Path: path, Content: content})
	require.NoError(t, err)
	return res
}

// ContentOf is what a file of the workspace holds.
func ContentOf(t *testing.T, s *tools.Suite, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.Workspace(), path))
	require.NoError(t, err)
	return string(data)
}

// Put is what another program does.
func Put(t *testing.T, s *tools.Suite, path, content string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(s.Workspace(), path), []byte(content), 0o644))
}

// WebP is a picture of one pixel; there is no encoder for more.
const WebP = "UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA="
