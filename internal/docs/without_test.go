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

// Without the folder of a part, and its line in tools/all, all of the module is built and vetted and, in a long test,
// passes its short tests.
func TestWithout(t *testing.T) {
	need.Compiled(t)
	page, err := filepath.Abs(filepath.Join(root, "tools", "all", "all.go"))
	require.NoError(t, err)
	code, err := os.ReadFile(page)
	require.NoError(t, err)
	parts := regexp.MustCompile(`(?m)^\t"github.com/spillway-go/spillway/(tools/(\w+))"$`).FindAllSubmatch(code, -1)
	require.NotEmpty(t, parts)
	for _, part := range parts {
		folder, name := string(part[1]), string(part[2])
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			less := strings.Replace(string(code), string(part[0])+"\n", "", 1)
			less = regexp.MustCompile(`\b`+name+`\.Part\(\)(, )?`).ReplaceAllString(less, "")
			edited := filepath.Join(dir, "all.go")
			require.NoError(t, os.WriteFile(edited, []byte(less), 0o600))
			replace := map[string]string{page: edited}
			files, err := filepath.Glob(filepath.Join(filepath.Dir(page), "..", name, "*.go"))
			require.NoError(t, err)
			require.NotEmpty(t, files)
			for _, file := range files {
				replace[file] = "" // which is not there
			}
			overlay := filepath.Join(dir, "overlay.json")
			listed, err := json.Marshal(map[string]any{"Replace": replace})
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(overlay, listed, 0o600))
			command := exec.Command("go", "vet", "-overlay", overlay, "./...")
			if !testing.Short() {
				command = exec.Command("go", "test", "-short", "-overlay", overlay, "./...")
			}
			command.Dir, command.Env = root, append(os.Environ(), "GOWORK=off")
			said, err := command.CombinedOutput()
			require.NoError(t, err, "%s: %s", folder, said)
		})
	}
}
