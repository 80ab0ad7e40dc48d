//go:build unix

package checkpoint_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/testkit"
)

// A FIFO is not opened, a file that may not be read is counted, and neither is put back.
func TestSpecial(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	require.NoError(t, unix.Mkfifo(p.path("fifo"), 0o600))
	p.track(nil)
	step := p.take()
	require.NoError(t, os.Remove(p.path("fifo")))
	require.NoError(t, unix.Mkfifo(p.path("other"), 0o600))
	p.write("a", "two")
	_, uncovered := p.look()
	require.Equal(t, 1, uncovered.Special)
	require.Equal(t, "other", uncovered.First)
	plan := p.rewind(step)
	require.Equal(t, []string{"fifo", "other"}, paths(plan.Lost))
	require.Equal(t, "one", testkit.ReadFile(t, p.path("a")))
}

// Links are not followed: neither what they lead to outside is copied, nor is anything put back there.
func TestLinkInTheWay(t *testing.T) {
	p := newPlace(t)
	outside := t.TempDir()
	testkit.WriteFile(t, outside+"/a", "outside")
	p.write("dir/a", "one")
	p.track(nil)
	step := p.take()
	p.write("dir/a", "two")
	p.look()
	plan := p.plan(step)
	require.NoError(t, os.Rename(p.path("dir"), p.path("moved")))
	require.NoError(t, os.Symlink(outside, p.path("dir")))
	_, err := p.c.Rewind(t.Context(), plan)
	require.Error(t, err)
	require.Equal(t, "outside", testkit.ReadFile(t, outside+"/a"))
	require.Equal(t, "two", testkit.ReadFile(t, p.path("moved/a")))

	inside := newPlace(t)
	inside.write("real/a", "one")
	require.NoError(t, os.Symlink("real", inside.path("link")))
	inside.track(nil)
	changes, _ := inside.look()
	require.Empty(t, changes)
	inside.write("real/a", "two")
	changes, _ = inside.look()
	require.Equal(t, []string{"real/a"}, paths(changes), "once")
}

// A file in a directory that may not be written is put back, and the directory has its mode then.
func TestReadOnlyDirectory(t *testing.T) {
	p := newPlace(t)
	p.write("dir/a", "one")
	require.NoError(t, os.Chmod(p.path("dir/a"), 0o444))
	require.NoError(t, os.Chmod(p.path("dir"), 0o555))
	t.Cleanup(func() { os.Chmod(p.path("dir"), 0o755) })
	p.track(nil)
	step, before := p.take(), p.snapshot()
	require.NoError(t, os.Chmod(p.path("dir"), 0o755))
	require.NoError(t, os.Remove(p.path("dir/a")))
	p.write("dir/b", "two")
	require.NoError(t, os.Chmod(p.path("dir"), 0o555))
	p.look()
	p.rewind(step)
	p.same(before, nil)
}

// A log may be written by anybody: what it says of other places, or of git's own files, is not done.
func TestForgedLog(t *testing.T) {
	forged := `{"id":"x","at":"2020-01-01T00:00:00Z","by":["1"],"changes":[{"path":%s,"before":{"kind":"link","link":"/etc/passwd"},"after":%s}]}`
	for _, path := range []string{
		`"../a"`, `"/tmp/a"`, `".git/hooks/pre-commit"`, `"sub/.GIT/config"`, `"a/../../b"`, `"."`, `""`, `"a//b"`, `"./a"`,
		`{"base64":"Li4vYQ=="}`,
	} {
		p := newPlace(t)
		p.track(nil)
		testkit.WriteFile(t, p.store+"/log-forged.jsonl", fmt.Sprintf(forged, path, "null")+"\n")
		require.NoError(t, p.c.Resume(t.Context()))
		require.Empty(t, p.c.Steps(), path)
	}
	// A content that is not what its name says is not put back.
	p := newPlace(t)
	p.track(nil)
	sum := strings.Repeat("ab", 32)
	testkit.WriteFile(t, p.store+"/"+sum, "evil")
	before := `{"kind":"file","mode":420,"size":4,"sha256":"` + sum + `"}`
	line := `{"id":"x","at":"2020-01-01T00:00:00Z","by":["1"],"changes":[{"path":"a","before":` + before + `}]}` + "\n"
	testkit.WriteFile(t, p.store+"/log-forged.jsonl", line+"{\"id\":\"torn")
	require.NoError(t, p.c.Resume(t.Context()))
	steps := p.c.Steps()
	require.Len(t, steps, 1)
	plan := p.plan(steps[0])
	_, err := p.c.Rewind(t.Context(), plan)
	require.ErrorContains(t, err, "the copy of it was changed")
	require.Empty(t, p.snapshot())
}

// TestKilled kills a process at moments of a rewind. Another one that rewinds to the same step then finishes it, and
// nothing else is left.
func TestKilled(t *testing.T) {
	if os.Getenv("CHECKPOINT_REWINDS") != "" {
		rewindInChild(t)
		return
	}
	for n := range testkit.Few(40) {
		p := newPlace(t)
		for i := range 30 {
			p.write(fmt.Sprintf("d%d/f%d", i%3, i), strings.Repeat(strconv.Itoa(i), 500))
		}
		p.track(nil)
		step, want := p.take(), p.snapshot()
		for i := range 30 {
			switch i % 3 {
			case 0:
				require.NoError(t, os.Remove(p.path(fmt.Sprintf("d%d/f%d", i%3, i))))
			default:
				p.write(fmt.Sprintf("d%d/f%d", i%3, i), "changed")
			}
		}
		p.write("made/x", "y")
		p.look()
		require.NoError(t, p.c.Close())

		child := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		child.Env = append(os.Environ(), "CHECKPOINT_REWINDS="+step.ID, "CHECKPOINT_DIR="+p.dir, "CHECKPOINT_STORE="+p.store)
		out, err := child.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, child.Start())
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if after, ok := strings.CutPrefix(lines.Text(), "replaced "); ok && after == strconv.Itoa(n/2) {
				break
			}
		}
		child.Process.Signal(syscall.SIGKILL)
		child.Wait()

		p.track(nil)
		require.NoError(t, p.c.Resume(t.Context()))
		plan := p.plan(step)
		_, err = p.c.Rewind(t.Context(), plan, plan.Others...)
		require.NoError(t, err)
		p.same(want, nil)
	}
}

// rewindInChild rewinds, and says after each file how many were replaced.
func rewindInChild(t *testing.T) {
	p := &place{t: t, dir: os.Getenv("CHECKPOINT_DIR"), store: os.Getenv("CHECKPOINT_STORE")}
	replaced := 0
	p.track(func(o *checkpoint.Options) {
		replace := o.Replace
		o.Replace = func(ctx context.Context, path string, content []byte) error {
			err := replace(ctx, path, content)
			fmt.Println("replaced", replaced)
			replaced++
			return err
		}
	})
	require.NoError(t, p.c.Resume(t.Context()))
	plan, err := p.c.Plan(t.Context(), os.Getenv("CHECKPOINT_REWINDS"))
	require.NoError(t, err)
	p.c.Rewind(t.Context(), plan)
}
