package checkpoint_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/checkpoint"
	"github.com/spillway-go/spillway/internal/testkit"
)

// A name that another process would not take for one of a workspace does not keep that from the rest of a step.
func TestNamedLikeGit(t *testing.T) {
	for _, name := range []string{".GIT/config", "sub/.Git/x", ".gIt"} {
		p := newPlace(t)
		p.write("a", "one")
		p.track(nil)
		step := p.take()
		require.NoError(t, os.Remove(p.path("a")))
		p.write(name, "new")
		_, _, err := p.c.Look(t.Context(), checkpoint.By("", "call"))
		require.NoError(t, err)
		require.NoError(t, p.c.Close())
		p.track(nil)
		p.resume()
		plan := p.rewind(step)
		require.Empty(t, plan.Others)
		require.Equal(t, "one", testkit.ReadFile(t, p.path("a")), name)
		require.Equal(t, "new", testkit.ReadFile(t, p.path(name)), "git's own files are not touched")
	}
}

// What git has under the name of a content, but is another content, is not put back.
func TestForgedObject(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	testkit.IsolateGit(t)
	for _, packed := range []bool{false, true} {
		p := newPlace(t)
		p.write("a", "one\n")
		p.write("b", "one b\n")
		p.repository()
		if packed {
			testkit.Git(t, p.dir, "gc", "-q")
		}
		p.track(nil)
		step := p.take()
		hash := strings.TrimSpace(testkit.Git(t, p.dir, "rev-parse", ":a"))
		object := p.path(".git/objects/" + hash[:2] + "/" + hash[2:])
		p.write("forged", "evi\n")
		forged := strings.TrimSpace(testkit.Git(t, p.dir, "hash-object", "-w", "forged"))
		require.NoError(t, os.MkdirAll(filepath.Dir(object), 0o755))
		require.NoError(t, os.RemoveAll(object))
		require.NoError(t, os.Rename(p.path(".git/objects/"+forged[:2]+"/"+forged[2:]), object))
		p.write("a", "two")
		p.write("b", "two")
		p.look()
		plan := p.rewind(step)
		require.Equal(t, []string{"a"}, paths(plan.Lost))
		require.Equal(t, "two", testkit.ReadFile(t, p.path("a")))
		require.Equal(t, "one b\n", testkit.ReadFile(t, p.path("b")))
	}
}

// A kept content that was changed is lost, and others are put back all the same.
func TestForgedContent(t *testing.T) {
	for name, forge := range map[string]func(path string) error{
		"changed": func(path string) error { return os.WriteFile(path, []byte("evi"), 0o600) },
		"cut":     func(path string) error { return os.Truncate(path, 1) },
		"removed": os.Remove,
	} {
		p := newPlace(t)
		p.write("a", "one")
		p.write("b", "one b")
		p.track(nil)
		step := p.take()
		p.write("a", "two")
		p.write("b", "two")
		p.look()
		// The SHA-256 of "one".
		require.NoError(t, forge(filepath.Join(p.store, "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed")))
		plan := p.rewind(step)
		require.Equal(t, []string{"a"}, paths(plan.Lost), name)
		require.Equal(t, "two", testkit.ReadFile(t, p.path("a")), name)
		require.Equal(t, "one b", testkit.ReadFile(t, p.path("b")), name)
	}
}

// A directory that took the place of a file, and holds what a rewind leaves, stays; all else is put back.
func TestDirectoryHoldsUncovered(t *testing.T) {
	for name, hold := range map[string]func(p *place){
		"hidden":  func(p *place) { p.write("b/secret", "key") },
		"deeper":  func(p *place) { p.write("b/c/d/secret", "key") },
		"ignored": func(p *place) { p.write("b/x.o", "object") },
		"git":     func(p *place) { p.write("b/.git/config", "") },
		"large":   func(p *place) { p.write("b/large", strings.Repeat("x", 2<<20)) },
	} {
		for _, was := range []string{"file", "link"} {
			if was == "link" && runtime.GOOS == "windows" {
				continue
			}
			p := newPlace(t)
			p.write(".gitignore", "*.o\n")
			p.write("a", "one")
			if p.write("b", "one"); was == "link" {
				require.NoError(t, os.Remove(p.path("b")))
				require.NoError(t, os.Symlink("a", p.path("b")))
			}
			p.track(hiding("secret"))
			step := p.take()
			p.write("a", "two")
			require.NoError(t, os.Remove(p.path("b")))
			p.write("b/new", "new")
			hold(p)
			p.look()
			plan := p.rewind(step)
			require.Contains(t, paths(plan.Lost), "b", name)
			require.Equal(t, "one", testkit.ReadFile(t, p.path("a")), name)
			require.NoFileExists(t, p.path("b/new"), name)
			require.DirExists(t, p.path("b"), name)
		}
	}
}
