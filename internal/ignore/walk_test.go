package ignore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// walk lists what git ls-files would list below the directory at: files that
// are not ignored, and repositories, with a slash, in place of what they hold.
// Those that it met are added to nested.
func walk(t *testing.T, d *Dir, at, prefix string, nested map[string]*Dir) []string {
	t.Helper()
	entries, err := os.ReadDir(at)
	require.NoError(t, err)
	var list []string
	for _, e := range entries {
		name := e.Name()
		if d.Ignored(name, e.IsDir()) {
			continue
		}
		path := filepath.Join(at, name)
		if !e.IsDir() {
			list = append(list, prefix+name)
			continue
		}
		var content []byte
		if info, err := os.Lstat(filepath.Join(path, FileName)); err == nil && info.Mode().IsRegular() {
			content, _ = os.ReadFile(filepath.Join(path, FileName))
		}
		child := d.Enter(name, content, exists(filepath.Join(path, ".git")))
		if child.parent == nil {
			nested[path] = child
			list = append(list, prefix+name+"/")
			continue
		}
		list = append(list, walk(t, child, path, prefix+name+"/", nested)...)
	}
	return list
}

// listFiles asks git for the same.
func (g *git) listFiles(dir string) []string {
	out := g.run(dir, nil, "ls-files", "--others", "--exclude-standard", "-z")
	list := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	if list[0] == "" {
		list = nil
	}
	slices.Sort(list)
	return list
}

// TestWalkAgainstGit compares lists of files, through the disk: with nested
// repositories, entries named .git that are none, ignore files that are links
// or directories, and walks that start below the root.
func TestWalkAgainstGit(t *testing.T) {
	g := newGit(t)
	seeds := 12 * max(1, uint64(*decisions)/50_000)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 2))
		tree := randomTree(r, 120)
		makeTree(t, g.root, tree, r)
		decorate(r, g, tree)
		top, err := Top(t.Context(), g.root, Options{})
		require.NoError(t, err)
		repositories := map[string]*Dir{g.root: top}
		for len(repositories) > 0 {
			nested := map[string]*Dir{}
			for root, d := range repositories {
				got := walk(t, d, root, "", nested)
				compareLists(t, fmt.Sprintf("seed %d, %q", seed, root), got, g.listFiles(root))
			}
			repositories = nested
		}
		for _, e := range tree {
			p := filepath.Join(g.root, e.path)
			if !e.dir || exists(filepath.Join(p, ".git")) || g.silentIn(t, p) {
				continue
			}
			d, err := Top(t.Context(), p, Options{})
			require.NoError(t, err)
			got := walk(t, d, p, "", map[string]*Dir{})
			compareLists(t, fmt.Sprintf("seed %d, start at %q", seed, p), got, g.listFiles(p))
		}
		clearTree(t, g.root)
	}
}

// silentIn reports whether git lists nothing in dir: because it is ignored, or
// a directory above it is, or has a file .git that leads nowhere.
func (g *git) silentIn(t *testing.T, dir string) bool {
	t.Helper()
	for {
		if info, err := os.Stat(filepath.Join(dir, ".git")); err == nil && info.Mode().IsRegular() {
			return true
		}
		if exists(filepath.Join(dir, ".git", "HEAD")) {
			return false
		}
		parent := filepath.Dir(dir)
		d, err := Top(t.Context(), parent, Options{})
		require.NoError(t, err)
		if d.Ignored(filepath.Base(dir), true) {
			return true
		}
		dir = parent
	}
}

// decorate puts ignore files and repositories into a tree.
func decorate(r *rand.Rand, g *git, tree []entry) {
	testkit.WriteFile(g.t, filepath.Join(g.home, "xdg", "git", "ignore"), file(r, randomLines(r, tree, "", g.accepts)))
	testkit.WriteFile(g.t, filepath.Join(g.root, FileName), file(r, randomLines(r, tree, "", g.accepts)))
	for _, e := range tree {
		if !e.dir || oneIn(r, 2) {
			continue
		}
		at := filepath.Join(g.root, e.path)
		ignoreFile := filepath.Join(at, FileName)
		rules := file(r, randomLines(r, tree, e.path, g.accepts))
		switch r.IntN(8) {
		case 0:
			g.run(at, nil, "init", "-q")
			testkit.WriteFile(g.t, filepath.Join(at, ".git", "info", "exclude"), rules)
			testkit.WriteFile(g.t, ignoreFile, file(r, randomLines(r, tree, e.path, g.accepts)))
		case 1:
			os.Mkdir(filepath.Join(at, ".git"), 0o777) // no repository
		case 2:
			testkit.WriteFile(g.t, filepath.Join(at, ".git"), "gitdir: nowhere\n")
		case 3:
			os.Symlink(filepath.Join(g.root, FileName), ignoreFile)
		case 4:
			os.Mkdir(ignoreFile, 0o777)
		default:
			testkit.WriteFile(g.t, ignoreFile, rules)
		}
	}
}

func compareLists(t *testing.T, where string, got, want []string) {
	t.Helper()
	slices.Sort(got)
	if slices.Equal(got, want) {
		return
	}
	for _, p := range got {
		assert.Contains(t, want, p, where)
	}
	for _, p := range want {
		assert.Contains(t, got, p, where)
	}
}

// TestWorktree has git make a linked worktree, and a directory whose .git is a file
// as that of a submodule is.
func TestWorktree(t *testing.T) {
	g := newGit(t)
	testkit.WriteFile(t, filepath.Join(g.root, ".git", "info", "exclude"), "common\n")
	g.run(g.root, nil, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "a")
	linked := filepath.Join(t.TempDir(), "linked")
	g.run(g.root, nil, "worktree", "add", "-q", linked)
	apart := filepath.Join(t.TempDir(), "apart")
	g.run(g.home, nil, "init", "-q", "--separate-git-dir", filepath.Join(g.home, "elsewhere"), apart)
	g.run(apart, nil, "config", "core.worktree", apart) // or nothing there leads back
	testkit.WriteFile(t, filepath.Join(g.home, "elsewhere", "info", "exclude"), "common\n")
	for _, root := range []string{linked, apart} {
		for _, name := range []string{"common", "own", "sub/common", "sub/own"} {
			testkit.WriteFile(t, filepath.Join(root, name), "")
		}
		testkit.WriteFile(t, filepath.Join(root, FileName), "/own\n")
		for _, start := range []string{root, filepath.Join(root, "sub")} {
			d, err := Top(t.Context(), start, Options{})
			require.NoError(t, err)
			compareLists(t, start, walk(t, d, start, "", map[string]*Dir{}), g.listFiles(start))
			assert.True(t, d.Ignored("common", false), "%s: info/exclude is not read", start)
		}
	}
}

// TestSubmodule has git make a real one, with a worktree of its own.
func TestSubmodule(t *testing.T) {
	g := newGit(t)
	source := t.TempDir()
	as := []string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"}
	g.run(source, nil, "init", "-q")
	g.run(source, nil, append(as, "commit", "-q", "--allow-empty", "-m", "a")...)
	g.run(g.root, nil, append(as, "submodule", "--quiet", "add", source, "sub")...)
	sub, linked := filepath.Join(g.root, "sub"), filepath.Join(t.TempDir(), "linked")
	g.run(sub, nil, "worktree", "add", "-q", linked)
	testkit.WriteFile(t, filepath.Join(g.root, ".git", "modules", "sub", "info", "exclude"), "common\n")
	for _, root := range []string{sub, linked} {
		testkit.WriteFile(t, filepath.Join(root, "common"), "")
		d := mustTop(t, root, nil)
		compareLists(t, root, walk(t, d, root, "", map[string]*Dir{}), g.listFiles(root))
		assert.True(t, d.Ignored("common", false), "%s: info/exclude is not read", root)
	}
}
