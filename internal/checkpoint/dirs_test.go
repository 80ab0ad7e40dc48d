package checkpoint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// A walk of a deep tree opens each directory about once, also on its way back, and holds few open.
func TestDeepDirectories(t *testing.T) {
	const depth = 300
	top := t.TempDir()
	root, err := os.OpenRoot(top)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	d := newDirs(root)
	t.Cleanup(d.close)
	opened, open := 0, d.open
	d.open = func(in *os.Root, name string) (*os.Root, error) {
		opened++
		require.LessOrEqual(t, len(d.held), maxHeldDirs)
		return open(in, name)
	}
	visit := func(level int, file string) {
		name := strings.Repeat("d/", level) + file
		dir, base, err := d.of(name)
		require.NoError(t, err)
		require.NoError(t, dir.WriteFile(base, []byte(name), 0o600))
	}
	for level := range depth {
		require.NoError(t, os.Mkdir(filepath.Join(top, strings.Repeat("d/", level)+"d"), 0o700)) // by root it would take each step
		visit(level, "a")
	}
	for level := depth - 1; level >= 0; level-- {
		visit(level, "z")
	}
	for level := range depth {
		for _, file := range []string{"a", "z"} {
			name := strings.Repeat("d/", level) + file
			require.Equal(t, name, testkit.ReadFile(t, filepath.Join(top, name)))
		}
	}
	require.Less(t, opened, depth+depth*depth/maxHeldDirs)

	_, _, err = d.of("d/none/x")
	require.ErrorIs(t, err, os.ErrNotExist)
	dir, base, err := d.of("d/a") // after an error, too
	require.NoError(t, err)
	text, err := dir.ReadFile(base)
	require.NoError(t, err)
	require.Equal(t, "d/a", string(text))
}
