package replace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

// A link that comes after a target was found does not lead to what is protected, on any way to the file.
func TestLinkToProtected(t *testing.T) {
	for _, path := range []string{"sub/file", "sub/new", "sub/deep/file", "sub/none/new"} {
		for _, swapped := range []string{"sub", "sub/deep", "sub/none"} {
			dir := t.TempDir()
			for _, name := range []string{"sub/file", "sub/deep/file", "vendor/file", "vendor/deep/file"} {
				name = filepath.Join(dir, name)
				require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
				require.NoError(t, os.WriteFile(name, []byte("before"), 0o644))
			}
			w, err := workspace.New(dir, workspace.Options{})
			require.NoError(t, err)
			require.NoError(t, w.Protect("vendor"))
			place, err := w.Target(path)
			require.NoError(t, err)
			_ = os.Rename(filepath.Join(dir, swapped), filepath.Join(dir, "moved"))
			target, err := filepath.Rel(filepath.Dir(swapped), "vendor") // os.Root follows no absolute link
			require.NoError(t, err)
			need.Symlink(t, target, filepath.Join(dir, swapped))
			before := testkit.Must(t, filepath.Glob, filepath.Join(dir, "vendor/*/*"))
			failed := At(place).Replace(t.Context(), []byte("after"))
			if staged, err := At(place).StageRemoval(t.Context()); err == nil {
				require.NoError(t, staged.Commit(t.Context()))
				staged.Close()
			}
			if through, _ := filepath.Rel(swapped, path); filepath.IsLocal(through) {
				require.ErrorContains(t, failed, "a link has taken the place of a directory meanwhile", "%s by %s", path, swapped)
			} else {
				require.NoError(t, failed)
			}
			for _, name := range []string{"vendor/file", "vendor/deep/file"} {
				require.Equal(t, "before", testkit.ReadFile(t, filepath.Join(dir, name)), "%s by %s", path, swapped)
			}
			require.Equal(t, before, testkit.Must(t, filepath.Glob, filepath.Join(dir, "vendor/*/*")))
			require.NoFileExists(t, filepath.Join(dir, "vendor/new"))
			w.Close()
		}
	}
}
