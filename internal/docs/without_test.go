package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
)

// partLine is a line of tools/all that imports a part.
var partLine = regexp.MustCompile(`(?m)^\t"github.com/spillway-go/spillway/tools/(\w+)"\n`)

// handed are the parts that tools/all does not have, as a program needs more of them than their Part. With the folder of
// one go the files of the program spillway that are named after it, and its lines that end in a comment with its path.
var handed = []string{"checkpoint"}

// Only tools/all, an example program and the part itself import a part: all else is built without it. With
// WITHOUT_TESTS=long, its folder and its lines are deleted, and the short tests of what is left run.
func TestWithout(t *testing.T) {
	need.Build(t)
	all, err := filepath.Abs(filepath.Join(root, "tools", "all", "all.go"))
	require.NoError(t, err)
	code, err := os.ReadFile(all)
	require.NoError(t, err)
	parts := slices.Clone(handed)
	for _, part := range partLine.FindAllSubmatch(code, -1) {
		parts = append(parts, string(part[1]))
	}
	require.Greater(t, len(parts), len(handed))
	list := exec.Command("go", "list", "-f", `{{.ImportPath}} {{.Imports}} {{.TestImports}} {{.XTestImports}}`, "./...")
	list.Dir, list.Env = root, append(os.Environ(), "GOWORK=off")
	out, err := list.Output()
	require.NoError(t, err)
	for _, name := range parts {
		t.Run(name, func(t *testing.T) {
			program := slices.Contains(handed, name)
			var left []string
			for line := range strings.Lines(string(out)) {
				path, imports, _ := strings.Cut(line, " ")
				path = strings.TrimPrefix(path, modulePath+"/")
				used := regexp.MustCompile(`\b` + modulePath + `/tools/` + name + `\b`).MatchString(imports)
				if path != "tools/"+name && path != "tools/all" && !(program && path == "examples/spillway") && !strings.HasPrefix(path, "examples/programs") {
					require.False(t, used, "%s imports the part %s", path, name)
				}
				if path != "tools/"+name && !strings.HasPrefix(path, "examples/programs") {
					left = append(left, "./"+path)
				}
			}
			if os.Getenv("WITHOUT_TESTS") != "long" {
				return
			}
			dir := t.TempDir()
			less := regexp.MustCompile(`\t".*/tools/`+name+`"\n|\b`+name+`\.Part\(\)(, )?`).ReplaceAllString(string(code), "")
			edited, overlay := filepath.Join(dir, "all.go"), filepath.Join(dir, "overlay.json")
			require.NoError(t, os.WriteFile(edited, []byte(less), 0o600))
			replace := map[string]string{all: edited}
			files, err := filepath.Glob(filepath.Join(filepath.Dir(all), "..", name, "*.go"))
			require.NoError(t, err)
			require.NotEmpty(t, files)
			if program {
				files = append(files, withoutLines(t, filepath.Join(root, "examples", "spillway"), name, dir, replace)...)
			}
			for _, file := range files {
				replace[file] = "" // which is not there
			}
			listed, err := json.Marshal(map[string]any{"Replace": replace})
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(overlay, listed, 0o600))
			// An Example cannot skip itself.
			args := []string{"test", "-short", "-skip", "^Example(_patches|Suite_With|Parts)$", "-overlay", overlay}
			command := exec.Command("go", append(args, left...)...)
			command.Dir, command.Env = root, append(os.Environ(), "GOWORK=off", "WITHOUT_TESTS=", "WITHOUT_PART=tools/"+name)
			if name == "sandbox" {
				command.Env = append(command.Env, "SANDBOX_TESTS=") // none is required
			}
			said, err := command.CombinedOutput()
			require.NoError(t, err, "%s", said)
		})
	}
}

// withoutLines returns the files of a program that go with a part, and has its others replaced by what is left of them,
// in the directory into.
func withoutLines(t *testing.T, program, part, into string, replace map[string]string) (gone []string) {
	files, err := filepath.Glob(filepath.Join(program, "*.go"))
	require.NoError(t, err)
	line := regexp.MustCompile(`(?m)^.*// tools/` + part + `\n`)
	for _, file := range files {
		abs, err := filepath.Abs(file)
		require.NoError(t, err)
		if strings.HasPrefix(filepath.Base(file), part) {
			gone = append(gone, abs)
			continue
		}
		code := testkit.ReadFile(t, file)
		if less := line.ReplaceAllString(code, ""); less != code {
			replace[abs] = filepath.Join(into, filepath.Base(file))
			require.NoError(t, os.WriteFile(replace[abs], []byte(less), 0o600))
		}
	}
	require.NotEmpty(t, gone)
	return gone
}
