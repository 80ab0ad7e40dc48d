//go:build unix

package checkpoint_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/workspace"
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
	forged := `{"id":"x","at":"2020-01-01T00:00:00Z","by":["1"],"changes":[` +
		`{"path":%s,"before":{"kind":"link","link":"/etc/passwd"},"after":%s}]}`
	for _, path := range []string{
		`"../a"`, `"/tmp/a"`, `".git/hooks/pre-commit"`, `"sub/.GIT/config"`, `"a/../../b"`, `"."`, `""`, `"a//b"`, `"./a"`,
		`{"base64":"Li4vYQ=="}`,
	} {
		p := newPlace(t)
		p.track(nil)
		testkit.WriteFile(t, p.store+"/log-forged.jsonl", fmt.Sprintf(forged, path, "null")+"\n")
		p.resume()
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
	p.resume()
	steps := p.c.Steps()
	require.Len(t, steps, 1)
	plan := p.rewind(steps[0])
	require.Equal(t, []string{"a"}, paths(plan.Lost))
	require.Empty(t, p.snapshot())
}

// What changes while a rewind is at work stays, and the rewind undoes what it has done.
func TestStaleMeanwhile(t *testing.T) {
	for name, meanwhile := range map[string]func(p *place){
		"changed":     func(p *place) { require.NoError(p.t, os.WriteFile(p.path("b"), []byte("job"), 0o644)) },
		"replaced":    func(p *place) { p.write("b", "job") },
		"made":        func(p *place) { p.write("c", "job") },
		"made a link": func(p *place) { require.NoError(p.t, os.Symlink("b", p.path("c"))) },
		"another link": func(p *place) {
			os.Remove(p.path("link"))
			require.NoError(p.t, os.Symlink("job", p.path("link")))
		},
		"link replaced": func(p *place) { os.Remove(p.path("link")); p.write("link", "job") },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			var want map[string]string
			p.write("a", "one")
			p.write("b", "one")
			p.write("c", "one")
			require.NoError(t, os.Symlink("a", p.path("link")))
			p.track(func(o *checkpoint.Options) {
				replace := o.Replace
				o.Replace = func(ctx context.Context, file workspace.Target, content []byte) error {
					if file.Name == "a" && want == nil {
						meanwhile(p)
						want = p.snapshot()
					}
					return replace(ctx, file, content)
				}
			})
			step := p.take()
			p.write("a", "two")
			p.write("b", "two")
			require.NoError(t, os.Remove(p.path("c")))
			require.NoError(t, os.Remove(p.path("link")))
			require.NoError(t, os.Symlink("b", p.path("link")))
			p.look()
			var stale *checkpoint.StaleError
			_, err := p.c.Rewind(t.Context(), p.plan(step))
			require.ErrorAs(t, err, &stale)
			p.same(want, nil)
		})
	}
}

// What is written goes to the directory that was looked at, also if its name leads elsewhere by then.
func TestDirectorySwapped(t *testing.T) {
	p := newPlace(t)
	p.write("dir/a", "one")
	p.write("other/a", "other")
	p.track(func(o *checkpoint.Options) {
		replace := o.Replace
		o.Replace = func(ctx context.Context, file workspace.Target, content []byte) error {
			require.NoError(t, os.Rename(p.path("dir"), p.path("moved")))
			require.NoError(t, os.Symlink("other", p.path("dir")))
			return replace(ctx, file, content)
		}
	})
	step := p.take()
	p.write("dir/a", "two")
	p.look()
	_, _ = p.c.Rewind(t.Context(), p.plan(step))
	require.Equal(t, "other", testkit.ReadFile(t, p.path("other/a")))
}

// A file that is made anew belongs to who rewinds: it must not run with these rights because somebody else's did.
func TestSetuidOfOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	p := newPlace(t)
	for name, owner := range map[string]int{"theirs": 12345, "own": 0} {
		p.write(name, "program")
		require.NoError(t, os.Chown(p.path(name), owner, owner))
		require.NoError(t, os.Chmod(p.path(name), 0o755|os.ModeSetuid|os.ModeSetgid))
	}
	p.track(nil)
	step := p.take()
	require.NoError(t, os.Remove(p.path("theirs")))
	require.NoError(t, os.Remove(p.path("own")))
	p.look()
	p.rewind(step)
	p.same(map[string]string{"theirs": "-rwxr-xr-x program", "own": "ugrwxr-xr-x program"}, nil)
}

// The mode of a file outside, which a command has given a name in the workspace, is not changed.
func TestHardLinkOutside(t *testing.T) {
	p := newPlace(t)
	outside := t.TempDir() + "/outside"
	for _, content := range []string{"", "same"} {
		require.NoError(t, os.WriteFile(outside, []byte(content), 0o600))
		p.write("a", content)
		require.NoError(t, os.Chmod(p.path("a"), 0o666))
		p.track(nil)
		step, before := p.take(), p.snapshot()
		require.NoError(t, os.Remove(p.path("a")))
		require.NoError(t, os.Link(outside, p.path("a")))
		p.look()
		p.rewind(step)
		p.same(before, nil)
		info, err := os.Stat(outside)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode())
	}
}
