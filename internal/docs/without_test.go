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

// A row of the table in docs/design.md: a part, its folder, and the files that connect it.
var removable = regexp.MustCompile("(?m)^\\| (\\w+) \\| `([\\w/]+)` \\| (.*?) ?\\| .+ \\|$")

// The library builds without each of the parts that docs/design.md says can be taken out.
func TestWithout(t *testing.T) {
	need.Compiled(t)
	page, err := os.ReadFile(filepath.Join(root, "docs", "design.md"))
	require.NoError(t, err)
	var parts []string
	for _, row := range removable.FindAllSubmatch(page, -1) {
		parts = append(parts, string(row[1]))
		files := []string{string(row[2]) + "/*.go"}
		if list := string(row[3]); list != "" {
			files = append(files, strings.Split(strings.Trim(list, "`"), "`, `")...)
		}
		t.Run(string(row[1]), func(t *testing.T) {
			t.Parallel()
			replace := map[string]string{} // a file that is replaced by "" is not there
			for _, pattern := range files {
				found, err := filepath.Glob(filepath.Join(root, pattern))
				require.NoError(t, err)
				require.NotEmpty(t, found, pattern)
				for _, file := range found {
					abs, err := filepath.Abs(file)
					require.NoError(t, err)
					replace[abs] = ""
				}
			}
			overlay, err := json.Marshal(map[string]any{"Replace": replace})
			require.NoError(t, err)
			file := filepath.Join(t.TempDir(), "overlay.json")
			require.NoError(t, os.WriteFile(file, overlay, 0o600))
			build := exec.Command("go", "build", "-overlay", file, "./tools")
			build.Dir, build.Env = root, append(os.Environ(), "GOWORK=off")
			said, err := build.CombinedOutput()
			require.NoError(t, err, "%s", said)
		})
	}
	require.Equal(t, []string{"rules", "sandbox", "record", "receipts", "script", "hidden", "shelve"}, parts)
}
