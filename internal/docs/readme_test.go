package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/need"
)

// The first commands of the README work in a clone; what needs a published module says so.
func TestFirstCommands(t *testing.T) {
	need.Build(t)
	page := filepath.Join(root, "README.md")
	first := blocks(t, page)[0]
	require.Equal(t, "sh", first.info, "the page begins with what to type")
	var commands []string
	for line := range strings.Lines(first.text) {
		command, _, _ := strings.Cut(line, " # ")
		commands = append(commands, strings.TrimSpace(command))
	}
	require.Equal(t, []string{"go run ./examples/quickstart", "go test -short ./..."}, commands)
	workspace := t.TempDir() // the clone may not be writable here
	require.NoError(t, os.CopyFS(workspace, os.DirFS(filepath.Join(root, "examples", "manual"))))
	run := exec.Command("go", append(strings.Fields(commands[0])[1:], workspace)...)
	run.Dir = root
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "Full output: .clarvis/", "the main job")

	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, _, ok := strings.Cut(string(text), "Nothing is published yet.")
	require.True(t, ok)
	for _, published := range []string{"go get", "@latest"} {
		require.NotContains(t, before, published)
	}
}

// The README shows two programs, whole, so that each compiles as it is copied.
func TestProgramsShown(t *testing.T) {
	page := filepath.Join(root, "README.md")
	var shown []string
	for _, b := range blocks(t, page) {
		name, quoted := strings.CutPrefix(b.info, "go ")
		if b.info != "go" && !quoted {
			continue
		}
		require.True(t, quoted, "%s:%d names no program", page, b.line)
		file, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.Equal(t, string(file), b.text, "copy %s to README.md", name)
		shown = append(shown, name)
	}
	require.Equal(t, []string{"examples/programs/five/main.go", "examples/programs/confined/main.go"}, shown)
}
