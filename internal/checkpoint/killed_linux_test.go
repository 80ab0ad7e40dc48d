package checkpoint_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/testkit"
)

// calls are the system calls by which files change. strace counts each for itself.
var calls = []string{
	"renameat", "unlinkat", "mkdirat", "symlinkat", "fsync", "utimensat", "write", "openat",
}

// TestKilled kills a process at any system call of a look or a rewind that changes files. Another process that rewinds
// then finishes it: nothing is lost and nothing is left.
func TestKilled(t *testing.T) {
	testkit.Raced(t)
	if os.Getenv("CHECKPOINT_STEP") != "" {
		killedChild(t)
		return
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	for _, call := range calls {
		t.Run(call, func(t *testing.T) {
			killed := 0
			for n := 1; killedAt(t, strace, call, n); n++ {
				require.Less(t, n, 2000)
				killed++
				if testing.Short() {
					if n += 60; call != "openat" {
						break // there are fewer of the others
					}
				}
			}
			require.Positive(t, killed) // with --seccomp-bpf, strace 6.1 misses calls
		})
	}
}

// killedAt kills a process at a system call, and finishes what it did. It reports whether there was such a call.
func killedAt(t *testing.T, strace, call string, n int) bool {
	p := newPlace(t)
	for i := range 8 {
		p.write(fmt.Sprintf("d%d/f%d", i%3, i), strings.Repeat(strconv.Itoa(i), 500))
	}
	require.NoError(t, os.Symlink("f0", p.path("d0/link")))
	require.NoError(t, os.Link(p.path("d0/f0"), p.path("d0/hard")))
	p.track(nil)
	step, want := p.take(), p.snapshot()
	for i := range 4 {
		require.NoError(t, os.Remove(p.path(fmt.Sprintf("d%d/f%d", i%3, i))))
		p.write(fmt.Sprintf("d%d/f%d", (i+4)%3, i+4), "changed")
	}
	require.NoError(t, os.Remove(p.path("d0/link")))
	require.NoError(t, os.Remove(p.path("d0/hard")))
	require.NoError(t, os.RemoveAll(p.path("d1")))
	p.write("made/x", "y")
	p.look()
	require.NoError(t, p.c.Close())

	child := exec.Command(strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace="+call,
		"-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", call, n), os.Args[0], "-test.run=^TestKilled$")
	child.Env = append(os.Environ(), "CHECKPOINT_STEP="+step.ID, "CHECKPOINT_DIR="+p.dir, "CHECKPOINT_STORE="+p.store)
	out, err := child.CombinedOutput()
	if strings.Contains(string(out), "strace") {
		t.Skipf("%s", out)
	}
	p.ageTemps()
	p.track(nil)
	p.resume()
	plan := p.plan(step)
	require.Empty(t, plan.Lost, "kill %d: %s", n, out)
	_, rewindErr := p.c.Rewind(t.Context(), plan, plan.Others...)
	require.NoError(t, rewindErr, "kill %d", n)
	os.Remove(p.path("child")) // which is known only if the child lived to see it
	p.same(want, []string{strconv.Itoa(n)})
	p.wholeStore()
	require.NoError(t, p.c.Close())
	return err != nil
}

// ageTemps makes files that are made for a moment old.
func (p *place) ageTemps() {
	old := time.Now().Add(-time.Hour)
	filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), ".spillway-") {
			times := unix.NsecToTimespec(old.UnixNano())
			unix.UtimesNanoAt(unix.AT_FDCWD, path, []unix.Timespec{times, times}, unix.AT_SYMLINK_NOFOLLOW)
		}
		return nil
	})
}

// wholeStore checks that what is kept is complete.
func (p *place) wholeStore() {
	p.t.Helper()
	entries, err := os.ReadDir(p.store)
	require.NoError(p.t, err)
	for _, e := range entries {
		if len(e.Name()) == 64 {
			sum := sha256.Sum256([]byte(testkit.ReadFile(p.t, filepath.Join(p.store, e.Name()))))
			require.Equal(p.t, e.Name(), hex.EncodeToString(sum[:]))
		}
	}
}

// killedChild makes a file, looks and rewinds, on one thread: the calls of each are counted for itself.
func killedChild(t *testing.T) {
	runtime.LockOSThread()
	p := &place{t: t, dir: os.Getenv("CHECKPOINT_DIR"), store: os.Getenv("CHECKPOINT_STORE")}
	p.track(nil)
	p.resume()
	require.NoError(t, os.WriteFile(p.path("child"), []byte("made"), 0o644))
	p.look()
	_, err := p.c.Rewind(t.Context(), p.plan(checkpoint.Step{ID: os.Getenv("CHECKPOINT_STEP")}))
	require.NoError(t, err)
}
