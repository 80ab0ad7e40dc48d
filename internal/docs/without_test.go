package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The library builds without each of the parts that docs/design.md says can be taken out.
func TestWithout(t *testing.T) {
	for part, files := range map[string][]string{
		"sandbox": {"tools/sandbox.go", "internal/sandbox/*.go"},
	} {
		t.Run(part, func(t *testing.T) {
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
}
