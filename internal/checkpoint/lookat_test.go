package checkpoint_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/testkit"
)

// told is what a host is told of changes.
func (p *place) told(changes []checkpoint.Change) (list []string) {
	p.t.Helper()
	contents := p.c.Contents()
	defer contents.Close()
	version := func(v checkpoint.Version) string {
		if v.Kind != checkpoint.File && v.Kind != checkpoint.Link {
			return fmt.Sprint(v.Kind, v.Mode)
		}
		content, err := contents.Of(v)
		require.NoError(p.t, err)
		return fmt.Sprintf("%v %v %d %q", v.Kind, v.Mode, v.Size, content)
	}
	for _, c := range changes {
		before, after := version(c.Before), version(c.After)
		list = append(list, fmt.Sprintf("%s from %q: %s -> %s", c.Path, c.From, before, after))
	}
	return list
}

// edit changes one or two paths as a tool may, and returns them.
func (p *place) edit(r *rand.Rand) []string {
	names := []string{
		"a", "a-b", "dir", "dir/a", "dir/sub", "dir/sub/x", "dir/sub/y", "dir-b/x", "dir/sub/out.o", "build/x", "z/z/z",
	}
	name, other := names[r.IntN(len(names))], names[r.IntN(len(names))]
	if r.IntN(4) == 0 { // what is above has become something else
		if above := filepath.Dir(name); above != "." {
			os.RemoveAll(p.path(above))
			if r.IntN(2) == 0 {
				os.WriteFile(p.path(above), nil, 0o644)
				return []string{name}
			}
			other = above
		}
	}
	for _, name := range []string{name, other} { // through which nothing is changed elsewhere
		for ; name != "."; name = filepath.Dir(name) {
			if _, err := os.Readlink(p.path(name)); err == nil {
				os.Remove(p.path(name))
			}
		}
	}
	os.MkdirAll(filepath.Dir(p.path(name)), 0o755)
	switch r.IntN(8) {
	case 0:
		os.RemoveAll(p.path(name))
	case 1:
		os.MkdirAll(filepath.Dir(p.path(other)), 0o755)
		os.Rename(p.path(name), p.path(other))
	case 2:
		os.Chmod(p.path(name), 0o700)
	case 3:
		os.Remove(p.path(name))
		os.Symlink("a", p.path(name))
	case 4:
		os.Mkdir(p.path(name), 0o755)
	case 5:
		os.WriteFile(p.path(name), []byte("tracked"), 0o644)
	default:
		os.WriteFile(p.path(name), fmt.Appendln(nil, r.IntN(3)), 0o644)
	}
	return []string{other, name}
}

// TestLookAt: if nothing but some paths has changed, looking at these finds what looking at all finds.
func TestLookAt(t *testing.T) {
	for seed := range uint64(testkit.Few(40)) {
		r := rand.New(rand.NewPCG(seed, 2))
		p := newPlace(t)
		p.write(".gitignore", "*.o\n/build\n")
		for range 10 {
			p.edit(r)
		}
		if seed%2 == 1 {
			p.write("a-b", "tracked")
			p.repository()
		}
		p.track(nil)
		whole := &place{t: t, dir: p.dir}
		whole.track(nil)
		p.look()
		whole.look()
		for range 30 {
			paths := p.edit(r)
			at, _, err := p.c.LookAt(t.Context(), paths, checkpoint.By("edit", "call"))
			require.NoError(t, err)
			require.Equal(t, whole.told(firstOf(whole.look())), p.told(at.Changes), "seed %d: %q", seed, paths)
			if r.IntN(5) == 0 {
				changes, _ := p.look()
				require.Empty(t, p.told(changes), "seed %d: %q", seed, paths)
			}
		}
	}
}

func firstOf[A, B any](a A, _ B) A { return a }

// What is ignored, or is not there, is no change. A new rule and a file with several names concern others, too.
func TestLookAtReaches(t *testing.T) {
	p := newPlace(t)
	p.write("a", "one")
	p.write("b", "one")
	require.NoError(t, os.Link(p.path("b"), p.path("c")))
	p.track(nil)
	p.look()
	at := func(names ...string) []string {
		s, _, err := p.c.LookAt(t.Context(), names, checkpoint.By("", "call"))
		require.NoError(t, err)
		return paths(s.Changes)
	}
	require.Empty(t, at("a", "nothing", "../a", "", ".", "/", "a/b", "a/", ".git/config"))
	require.NoError(t, os.WriteFile(p.path("b"), []byte("two"), 0o644))
	require.Equal(t, []string{"b", "c"}, at("b"))
	p.write(".gitignore", "a\n")
	require.Equal(t, []string{".gitignore"}, at(".gitignore"), "a is still there")
	p.write("a", "two")
	require.Empty(t, at("a"))
	p.write("new/sub/d", "d")
	require.Equal(t, []string{"new", "new/sub", "new/sub/d"}, at("new/sub/d"))
}
