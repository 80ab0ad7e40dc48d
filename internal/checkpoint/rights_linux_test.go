package checkpoint_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// withoutRights runs f by a user who owns some directories, and may do nothing with the files of another.
func withoutRights(t *testing.T, own []string, f func()) {
	if os.Geteuid() != 0 {
		f()
		return
	}
	const nobody = 65534
	for _, dir := range own {
		require.NoError(t, os.Chown(dir, nobody, nobody))
	}
	require.NoError(t, syscall.Seteuid(nobody)) // of all threads; other tests wait
	defer func() { require.NoError(t, syscall.Seteuid(0)) }()
	f()
}

// What may not be read any more is taken for unchanged, not for removed.
func TestUnreadable(t *testing.T) {
	p := newPlace(t)
	for up := p.dir; up != os.TempDir() && up != "/"; up = filepath.Dir(up) {
		require.NoError(t, os.Chmod(up, 0o755))
	}
	p.store = t.TempDir()
	withoutRights(t, []string{p.dir, p.store}, func() { testUnreadable(t, p) })
}

func testUnreadable(t *testing.T, p *place) {
	for _, name := range []string{"dir/a", "dir/sub/b", "list/a", "list/sub/b", "c"} {
		p.write(name, "one")
	}
	p.track(nil)
	step, before := p.take(), p.snapshot()
	for name, mode := range map[string]os.FileMode{"dir": 0, "list": 0o400, "c": 0o200} {
		require.NoError(t, os.Chmod(p.path(name), mode))
	}
	changes, uncovered := p.look()
	require.Equal(t, []string{"c", "dir", "list"}, paths(changes))
	require.NotZero(t, uncovered.Unreadable)
	require.NoError(t, os.Chmod(p.path("c"), 0o644))
	p.rewind(step)
	p.same(before, nil)

	require.NoError(t, os.Chmod(p.path("dir"), 0))
	p.look()
	require.NoError(t, os.Chmod(p.path("dir"), 0o755))
	p.write("dir/a", "two")
	changes, _ = p.look()
	require.Equal(t, []string{"dir", "dir/a"}, paths(changes), "what changed meanwhile is known")
	p.rewind(step)
	p.same(before, nil)
}
