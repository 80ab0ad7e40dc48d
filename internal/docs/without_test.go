package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/need"
)

// partLine is a line of tools/all that imports a part.
var partLine = regexp.MustCompile(`(?m)^\t"github.com/spillway-go/spillway/tools/(\w+)"\n`)

// Only tools/all, an example program and the part itself import a part: all else is built without it. A long test
// deletes its folder and its line in tools/all, and vets what is left; with WITHOUT_TESTS=long it runs the short tests,
// too.
func TestWithout(t *testing.T) {
	need.Compiled(t)
	all, err := filepath.Abs(filepath.Join(root, "tools", "all", "all.go"))
	require.NoError(t, err)
	code, err := os.ReadFile(all)
	require.NoError(t, err)
	parts := partLine.FindAllSubmatch(code, -1)
	require.NotEmpty(t, parts)
	list := exec.Command("go", "list", "-f", `{{.ImportPath}} {{.Imports}} {{.TestImports}} {{.XTestImports}}`, "./...")
	list.Dir, list.Env = root, append(os.Environ(), "GOWORK=off")
	out, err := list.Output()
	require.NoError(t, err)
	for _, part := range parts {
		name := string(part[1])
		t.Run(name, func(t *testing.T) {
			var left []string
			for line := range strings.Lines(string(out)) {
				path, imports, _ := strings.Cut(line, " ")
				path = strings.TrimPrefix(path, modulePath+"/")
				used := regexp.MustCompile(`\b` + modulePath + `/tools/` + name + `\b`).MatchString(imports)
				if path != "tools/"+name && path != "tools/all" && !strings.HasPrefix(path, "examples/programs") {
					require.False(t, used, "%s imports the part %s", path, name)
				}
				if path != "tools/"+name && !strings.HasPrefix(path, "examples/programs") {
					left = append(left, "./"+path)
				}
			}
			if testing.Short() {
				return
			}
			dir := t.TempDir()
			less := strings.Replace(string(code), string(part[0]), "", 1)
			less = regexp.MustCompile(`\b`+name+`\.Part\(\)(, )?`).ReplaceAllString(less, "")
			edited, overlay := filepath.Join(dir, "all.go"), filepath.Join(dir, "overlay.json")
			require.NoError(t, os.WriteFile(edited, []byte(less), 0o600))
			replace := map[string]string{all: edited}
			files, err := filepath.Glob(filepath.Join(filepath.Dir(all), "..", name, "*.go"))
			require.NoError(t, err)
			require.NotEmpty(t, files)
			for _, file := range files {
				replace[file] = "" // which is not there
			}
			listed, err := json.Marshal(map[string]any{"Replace": replace})
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(overlay, listed, 0o600))
			args := []string{"vet", "-overlay", overlay}
			if os.Getenv("WITHOUT_TESTS") == "long" {
				// An Example cannot skip itself.
				args = []string{"test", "-short", "-skip", "^Example(_patches|Suite_With|Parts)$", "-overlay", overlay}
			}
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
