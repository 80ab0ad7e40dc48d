package checkpoint_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
)

// mount mounts a file system in the place of the workspace, in mounts of the test's own.
func (p *place) mount(args ...string) {
	p.t.Helper()
	if out, err := exec.Command("mount", append(args, p.dir)...).CombinedOutput(); err != nil {
		p.t.Skipf("mount: %s", out)
	}
	p.t.Cleanup(func() { exec.Command("umount", p.dir).Run() })
}

// TestOverlay rewinds what commands did to the files of a lower layer, which become others when they are changed.
func TestOverlay(t *testing.T) {
	if testing.Short() {
		t.Skip("mounts")
	}
	if !testkit.OwnMounts(t) {
		return
	}
	for seed := range uint64(testkit.Few(4)) {
		r := rand.New(rand.NewPCG(seed, 5))
		p := newPlace(t)
		lower, disk := p.dir, testkit.SmallDisk(t, "64m")
		for range 30 {
			p.command(r)
		}
		upper, work := filepath.Join(disk, "upper"), filepath.Join(disk, "work")
		require.NoError(t, os.Mkdir(upper, 0o755))
		require.NoError(t, os.Mkdir(work, 0o755))
		p.dir = t.TempDir()
		p.mount("-t", "overlay", "overlay", "-o", "lowerdir="+lower+",upperdir="+upper+",workdir="+work+",volatile")
		p.track(nil)
		p.rounds(r, false, p.command)
	}
}

// Copies take no room where the file system can share it.
func TestShared(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a file system")
	}
	need.Program(t, "mkfs.btrfs")
	if !testkit.OwnMounts(t) {
		return
	}
	image := filepath.Join(t.TempDir(), "image")
	f, err := os.Create(image)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(200<<20))
	require.NoError(t, f.Close())
	if out, err := exec.Command("mkfs.btrfs", "-q", image).CombinedOutput(); err != nil {
		t.Skipf("mkfs.btrfs: %s", out)
	}
	p := newPlace(t)
	p.mount("-o", "loop", image)
	free := func() int64 {
		unix.Sync()
		var fs unix.Statfs_t
		require.NoError(t, unix.Statfs(p.dir, &fs))
		return int64(fs.Bfree) * int64(fs.Bsize)
	}
	const size = 32 << 20
	random := make([]byte, size)
	for i := range random {
		random[i] = byte(rand.Uint32())
	}
	p.write("a", string(random))
	p.store = p.path("store")
	require.NoError(t, os.Mkdir(p.store, 0o755))
	p.track(func(o *checkpoint.Options) { o.Skip, o.MaxFileBytes = "store", size })
	before := free()
	step := p.take()
	require.Less(t, before-free(), int64(size/4))
	require.EqualValues(t, size, p.kept())
	p.write("a", "two")
	p.look()
	p.rewind(step)
	require.True(t, testkit.ReadFile(t, p.path("a")) == string(random))
}
