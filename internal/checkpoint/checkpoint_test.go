package checkpoint_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/replace"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
)

func TestMain(m *testing.M) {
	testkit.OwnNamespace()
	testkit.InMemory()
	os.Exit(m.Run())
}

// place is a workspace of a test.
type place struct {
	t   *testing.T
	dir string
	c   *checkpoint.Tracker

	store string // where c keeps contents
}

func newPlace(t *testing.T) *place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return &place{t: t, dir: dir}
}

// track begins to look at the workspace.
func (p *place) track(change func(*checkpoint.Options)) {
	p.t.Helper()
	if p.store == "" {
		p.store = p.t.TempDir()
	}
	store, err := os.OpenRoot(p.store)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { store.Close() })
	o := checkpoint.Options{
		Dir: p.dir, Root: func() (*os.Root, error) { return os.OpenRoot(p.dir) }, Tree: walk.Open, Store: store,
		MaxBytes: 64 << 20, MaxFileBytes: 1 << 20,
		Replace: func(ctx context.Context, file workspace.Target, content []byte) error {
			return replace.At(file).Replace(ctx, content)
		},
	}
	if change != nil {
		change(&o)
	}
	c, err := checkpoint.New(o)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { c.Close() })
	p.c = c
}

// snapshot describes all that is in the workspace, but for .git.
func (p *place) snapshot() map[string]string {
	p.t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil || path == p.dir {
			return err
		}
		about := info.Mode().String()
		switch {
		case info.Mode()&fs.ModeNamedPipe != 0:
			return nil // which is not covered
		case info.Mode().IsRegular():
			about += " " + testkit.ReadFile(p.t, path)
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			about = "-> " + target
		}
		rel, _ := filepath.Rel(p.dir, path)
		all[rel] = about
		return nil
	})
	require.NoError(p.t, err)
	return all
}

func (p *place) path(name string) string { return filepath.Join(p.dir, name) }

// disturb changes something at random, as a command may.
func (p *place) disturb(r *rand.Rand) string {
	names := []string{
		"a", "b", "dir", "dir/a", "dir/sub", "dir/sub/x", "dir/sub/y",
		"dir-b", "c.txt", "z/z/z", "\xff\xfe", "new\nline", ".gitignore.d/k",
	}
	name, other := p.path(names[r.IntN(len(names))]), p.path(names[r.IntN(len(names))])
	text := fmt.Sprintf("%d\n", r.IntN(5))
	os.MkdirAll(filepath.Dir(name), 0o755)
	os.MkdirAll(filepath.Dir(other), 0o755)
	switch op := r.IntN(14); op {
	case 0, 1, 2:
		os.WriteFile(name, []byte(text), 0o644)
		return "write " + name
	case 3:
		os.Remove(name)
		return "remove " + name
	case 4:
		os.RemoveAll(name)
		return "remove all " + name
	case 5:
		os.Rename(name, other)
		return "rename " + name + " " + other
	case 6:
		os.Symlink(names[r.IntN(len(names))], name)
		return "link " + name
	case 7:
		os.Link(name, other)
		return "hard link " + name + " " + other
	case 8:
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
			os.Chmod(name, []fs.FileMode{0o600, 0o644, 0o755, 0o444}[r.IntN(4)])
		}
		return "chmod " + name
	case 9:
		if info, err := os.Lstat(name); err == nil && info.IsDir() {
			os.Chmod(name, []fs.FileMode{0o700, 0o755, 0o775}[r.IntN(3)])
		}
		return "chmod dir " + name
	case 10:
		os.Mkdir(name, 0o755)
		return "mkdir " + name
	case 11: // another content with the size and the times of before
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
			data, _ := os.ReadFile(name)
			for i := range data {
				data[i] ^= 1
			}
			os.WriteFile(name, data, 0o644)
			os.Chtimes(name, info.ModTime(), info.ModTime())
		}
		return "rewrite " + name
	case 12: // as programs write that keep a copy
		os.WriteFile(name+".tmp", []byte(text+"x"), 0o640)
		os.Rename(name+".tmp", name)
		return "replace " + name
	default:
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			f.WriteString(text)
			f.Close()
		}
		return "append " + name
	}
}

// TestRewind rewinds random changes to random marks: the workspace is then, to the byte and the mode, what it was.
func TestRewind(t *testing.T) {
	for _, git := range []bool{false, true} {
		t.Run(fmt.Sprintf("git=%v", git), func(t *testing.T) {
			if _, err := exec.LookPath("git"); git && err != nil {
				t.Skip("git is not installed")
			}
			testkit.IsolateGit(t)
			for seed := range uint64(testkit.Few(30)) {
				r := rand.New(rand.NewPCG(seed, 1))
				p := newPlace(t)
				for range 20 {
					p.disturb(r)
				}
				if git {
					testkit.Git(t, p.dir, "init", "-q")
					testkit.Git(t, p.dir, "add", "-A")
					testkit.Git(t, p.dir, "commit", "-qm", "x")
					if seed%2 == 1 {
						testkit.Git(t, p.dir, "gc", "-q")
					}
				}
				p.track(nil)
				p.rounds(r, git, p.disturb)
			}
		})
	}
}

// rounds disturbs the workspace, looks and rewinds, at random. Only FIFOs are not covered.
func (p *place) rounds(r *rand.Rand, git bool, disturb func(*rand.Rand) string) {
	p.t.Helper()
	ctx := context.Background()
	var marks []checkpoint.Step
	var was []map[string]string
	var log []string
	for range 12 {
		marks, was = append(marks, p.take()), append(was, p.snapshot())
		for range 1 + r.IntN(6) {
			log = append(log, disturb(r))
			if git && r.IntN(6) == 0 {
				testkit.TryGit(p.t, p.dir, "add", "-A")
				log = append(log, "git add")
			}
		}
		_, _, err := p.c.Look(ctx, checkpoint.By("", "call"))
		require.NoError(p.t, err)
		if r.IntN(3) > 0 {
			continue
		}
		if r.IntN(3) == 0 { // another process goes on
			require.NoError(p.t, p.c.Close())
			p.track(nil)
			p.resume()
			log = append(log, "resume")
		}
		n := r.IntN(len(marks))
		plan := p.plan(marks[n])
		before := p.snapshot()
		for _, c := range plan.Lost {
			require.True(p.t, c.Before.Kind == checkpoint.Special || c.After.Kind == checkpoint.Special, "%v after %q", c, log)
		}
		require.Empty(p.t, plan.Others, "%q", log)
		undo, err := p.c.Rewind(ctx, plan)
		require.NoError(p.t, err, "%q", log)
		p.same(was[n], log)
		log = append(log, fmt.Sprint("rewind ", n))
		if r.IntN(2) == 0 { // undo it
			_, err = p.c.Rewind(ctx, p.plan(undo))
			require.NoError(p.t, err, "%q", log)
			p.same(before, log)
			log = append(log, "undo")
		}
	}
}

// same compares the workspace with a snapshot.
func (p *place) same(want map[string]string, log []string) {
	p.t.Helper()
	got := p.snapshot()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		require.Equal(p.t, want[name], got[name], "%s after %q", name, log)
	}
	require.Equal(p.t, len(want), len(got), "%q", log)
}

// A file that is written again with the same size, and given its time back, is known to have changed.
func TestSameStamp(t *testing.T) {
	p := newPlace(t)
	testkit.WriteFile(t, p.path("a"), "one")
	at := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(p.path("a"), at, at))
	p.track(nil)
	mark := p.take()
	testkit.WriteFile(t, p.path("a"), "two")
	require.NoError(t, os.Chtimes(p.path("a"), at, at))
	plan := p.plan(mark)
	require.Len(t, plan.Changes, 1)
	require.Equal(t, "a", plan.Changes[0].Path)
}
