package checkpoint_test

import (
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
)

// hiding has the tree hide what has a name.
func hiding(hidden string) func(o *checkpoint.Options) {
	return func(o *checkpoint.Options) {
		o.Tree = func(root *os.Root) *walk.Tree {
			tree := walk.Open(root)
			tree.Hides = func(string, iter.Seq[string]) (workspace.EntryHides, *workspace.UnreadError) {
				return func(name string, isDir bool) bool { return name == hidden }, nil
			}
			return tree
		}
	}
}

// What is hidden is neither copied nor named, and is not lost: a directory that holds it stays.
func TestHidden(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.write("secret", "key")
	p.track(hiding("secret"))
	step := p.take()
	p.write("secret", "other key")
	p.write("new/secret", "key")
	p.write("new/b", "b")
	changes, uncovered := p.look()
	require.Equal(t, []string{"new", "new/b"}, paths(changes))
	require.Zero(t, uncovered)
	require.EqualValues(t, len("one")+len("b"), p.kept())
	plan := p.rewind(step)
	require.Equal(t, []string{"new", "new/b"}, paths(plan.Changes))
	p.same(map[string]string{
		"a": "-rw-r--r-- one", "secret": "-rw-r--r-- other key", "new": "drwxr-xr-x", "new/secret": "-rw-r--r-- key",
	}, nil)
}

// What comes into sight, or goes out of it, was neither made nor removed: a rewind does not touch it.
func TestOutOfSight(t *testing.T) {
	p := newPlace(t)
	p.write(".gitignore", "*.o\n/build/\n")
	p.write("a", "one")
	p.write("b.o", "object")
	p.write("build/c", "built")
	p.write("build/dir/d", "built")
	p.track(nil)
	step := p.take()
	p.write(".gitignore", "/a\n")
	changes, _ := p.look()
	require.Equal(t, []string{".gitignore"}, paths(changes))
	p.write("a", "two") // which is ignored, and so not covered
	p.write("b.o", "other object")
	p.look()
	p.rewind(step)
	want := map[string]string{
		".gitignore": "-rw-r--r-- *.o\n/build/\n", "a": "-rw-r--r-- two", "b.o": "-rw-r--r-- object",
		"build": "drwxr-xr-x", "build/c": "-rw-r--r-- built", "build/dir": "drwxr-xr-x", "build/dir/d": "-rw-r--r-- built",
	}
	p.same(want, nil)
}

// A file that was changed, then ignored and changed again, holds what is not covered: it stays.
func TestChangedOutOfSight(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.write("b", "one")
	p.track(nil)
	step := p.take()
	p.write("a", "two")
	require.NoError(t, os.Remove(p.path("b")))
	p.look()
	p.write(".gitignore", "a\nb\n")
	p.write("a", "three")
	p.write("b", "three")
	p.look()
	plan := p.rewind(step)
	require.Equal(t, []string{"a", "b"}, paths(plan.Lost))
	want := map[string]string{"a": "-rw-r--r-- three", "b": "-rw-r--r-- three"}
	p.same(want, nil)
	p.look() // they are in sight again
	plan = p.rewind(step)
	require.Subset(t, paths(plan.Lost), []string{"a", "b"})
	p.same(want, nil)
}

// What git tracks is covered, also if a rule would ignore it.
func TestTrackedAndIgnored(t *testing.T) {
	for _, whole := range []bool{true, false} {
		p := newPlace(t)
		p.write("a.o", "one")
		p.write("build/sub/b", "one")
		p.write("build/other", "one")
		p.repository()
		testkit.Git(t, p.dir, "rm", "-q", "--cached", "build/other")
		p.write(".gitignore", "*.o\n/build\n")
		p.track(nil)
		step, before := p.take(), p.snapshot()
		p.write("a.o", "two")
		require.NoError(t, os.Remove(p.path("build/sub/b")))
		p.write("build/new", "not covered")
		var changes []checkpoint.Change
		if whole {
			changes, _ = p.look()
		} else {
			s, _, err := p.c.LookAt(t.Context(), []string{"a.o", "build/sub/b", "build/new"}, checkpoint.By("", "call"))
			require.NoError(t, err)
			changes = s.Changes
		}
		require.Equal(t, []string{"a.o", "build/sub/b"}, paths(changes))
		before["build/new"] = "-rw-r--r-- not covered"
		p.rewind(step)
		p.same(before, nil)
	}
}

// What git had and has no more is named: the rest is put back.
func TestGoneFromGit(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.write("b", "one")
	p.repository()
	testkit.Git(t, p.dir, "gc", "-q")
	p.write("new", "one")
	p.track(nil)
	step := p.take()
	p.write("a", "two")
	p.write("new", "two")
	p.look()
	testkit.Git(t, p.dir, "repack", "-adfq") // to another pack
	require.Empty(t, p.plan(step).Lost)
	require.NoError(t, os.RemoveAll(p.path(".git")))
	require.NoError(t, os.Remove(p.path("b")))
	p.look()
	plan := p.rewind(step)
	require.Equal(t, []string{"a", "b"}, paths(plan.Lost))
	require.Equal(t, "one", testkit.ReadFile(t, p.path("new")))
}

// A file that git has, but that is larger than what is covered, does not keep the others from being put back.
func TestLargeInGit(t *testing.T) {
	p := newPlace(t)
	p.write("large", strings.Repeat("large\n", 400_000))
	p.write("a", "one")
	p.repository()
	p.track(nil)
	step := p.take()
	p.write("large", "small")
	p.write("a", "two")
	p.look()
	plan := p.rewind(step)
	require.Equal(t, []string{"large"}, paths(plan.Lost))
	require.Equal(t, "one", testkit.ReadFile(t, p.path("a")))
}

// Another process does not take for removed what is ignored by now, either.
func TestResumeOutOfSight(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.track(nil)
	step := p.take()
	p.write("a", "two")
	p.look()
	p.write(".gitignore", "a\n")
	p.track(nil)
	p.resume()
	require.Len(t, p.c.Steps(), 2)
	require.Equal(t, []string{"a"}, paths(p.rewind(step).Lost))
	require.Equal(t, "two", testkit.ReadFile(t, p.path("a")))
}
