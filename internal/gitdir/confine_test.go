package gitdir_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/gitdir"
	"github.com/spillway-go/spillway/internal/ignore"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func top(t *testing.T, dir string) *ignore.Dir {
	t.Helper()
	d, err := ignore.Top(t.Context(), dir, ignore.Options{})
	require.NoError(t, err)
	return d
}

// foldsCase reports whether core.ignoreCase is set, by the rule that *.O is ignored.
func foldsCase(t *testing.T, root string) bool {
	t.Helper()
	testkit.WriteFile(t, filepath.Join(root, ignore.FileName), "*.O\n")
	return top(t, root).Ignored("x.o", false)
}

// What a repository supplies reaches nothing outside of it: not by a link, and not
// by a path. Each case would have "secret" ignored.
func TestConfined(t *testing.T) {
	link := func(t *testing.T, target, path string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		os.Remove(path)
		if err := os.Symlink(target, path); err != nil {
			t.Skip(err)
		}
	}
	// outside holds a git directory, and root is a repository beside it.
	for kind, make := range map[string]func(t *testing.T, root, outside string){
		"info/exclude is a link": func(t *testing.T, root, outside string) {
			link(t, filepath.Join(outside, "rules"), filepath.Join(root, ".git", "info", "exclude"))
		},
		"info is a link": func(t *testing.T, root, outside string) {
			link(t, filepath.Join(outside, ".git", "info"), filepath.Join(root, ".git", "info"))
		},
		"config is a link": func(t *testing.T, root, outside string) {
			link(t, filepath.Join(outside, "config"), filepath.Join(root, ".git", "config"))
		},
		"the excludes file is a link": func(t *testing.T, root, outside string) {
			testkit.WriteFile(t, filepath.Join(root, ".git", "config"), "[core]\nexcludesFile=rules\n")
			link(t, filepath.Join(outside, "rules"), filepath.Join(root, "rules"))
		},
		"the excludes file is outside": func(t *testing.T, root, outside string) {
			testkit.WriteFile(t, filepath.Join(root, ".git", "config"), "[core]\nexcludesFile=../outside/rules\n")
		},
		"an include is outside": func(t *testing.T, root, outside string) {
			testkit.WriteFile(t, filepath.Join(root, ".git", "config"), "[include]\npath=../../outside/config\n")
		},
		"a link leads to the git directory": func(t *testing.T, root, outside string) {
			os.RemoveAll(filepath.Join(root, ".git"))
			link(t, filepath.Join(outside, ".git"), filepath.Join(root, ".git"))
		},
		"a file leads to the git directory": func(t *testing.T, root, outside string) {
			os.RemoveAll(filepath.Join(root, ".git"))
			testkit.WriteFile(t, filepath.Join(root, ".git"), "gitdir: ../outside/.git\n")
		},
		"the common directory": func(t *testing.T, root, outside string) {
			testkit.WriteFile(t, filepath.Join(root, ".git", "commondir"), "../../outside/.git\n")
		},
		"a link is the .gitignore": func(t *testing.T, root, outside string) {
			link(t, filepath.Join(outside, "rules"), filepath.Join(root, ignore.FileName))
		},
	} {
		t.Run(kind, func(t *testing.T) {
			testkit.IsolateGit(t)
			dir := testkit.Must(t, filepath.EvalSymlinks, t.TempDir())
			root, outside := filepath.Join(dir, "root"), filepath.Join(dir, "outside")
			testkit.FakeRepository(t, root)
			testkit.FakeRepository(t, outside)
			testkit.WriteFile(t, filepath.Join(outside, "rules"), "secret\n")
			testkit.WriteFile(t, filepath.Join(outside, "config"), "[core]\nexcludesFile="+filepath.Join(outside, "rules")+"\n")
			testkit.WriteFile(t, filepath.Join(outside, ".git", "info", "exclude"), "secret\n")
			testkit.WriteFile(t, filepath.Join(root, "sub", ignore.FileName), "own\n")
			make(t, root, outside)
			d := top(t, filepath.Join(root, "sub"))
			require.False(t, d.Ignored("secret", false), "rules from outside are in force")
			require.True(t, d.Ignored("own", false), "its own rules are not in force")
		})
	}
}

// A repository whose git directory leads back to its work tree has its rules, and a
// .git that leads elsewhere still is the root of a repository.
func TestLeadsBack(t *testing.T) {
	testkit.IsolateGit(t)
	dir := testkit.Must(t, filepath.EvalSymlinks, t.TempDir())
	root, elsewhere := filepath.Join(dir, "root"), filepath.Join(dir, "elsewhere")
	testkit.FakeRepository(t, elsewhere)
	git := filepath.Join(elsewhere, ".git")
	testkit.WriteFile(t, filepath.Join(git, "info", "exclude"), "exclude\n")
	testkit.WriteFile(t, filepath.Join(root, ".git"), "gitdir: ../elsewhere/.git\n")
	testkit.WriteFile(t, filepath.Join(root, ignore.FileName), "/sub/own\n")
	testkit.WriteFile(t, filepath.Join(root, "sub", "x"), "")
	for _, tt := range []struct {
		name, content string
		want          bool
	}{
		{"config", "", false},
		{"config", "[core]\nworktree=../../other\n", false},
		{"config", "[core]\nworktree=../../root\n", true},
		{"config.worktree", "[core]\nworktree=" + filepath.ToSlash(root) + "\n", true},
		{"gitdir", filepath.Join(root, ".git") + "\n", true},
		{"gitdir", filepath.Join(root, "git") + "\n", false},
		{"gitdir", filepath.Join(dir, "other", ".git") + "\n", false},
	} {
		testkit.WriteFile(t, filepath.Join(git, tt.name), tt.content)
		d := top(t, filepath.Join(root, "sub"))
		if d.Ignored("exclude", false) != tt.want || !d.Ignored("own", false) {
			t.Errorf("%s %q: rules of the git directory are in force: %v", tt.name, tt.content, !tt.want)
		}
		os.Remove(filepath.Join(git, tt.name))
	}
}

// Files that include themselves ten times over are ten to the tenth power.
func TestIncludesAreBounded(t *testing.T) {
	home := testkit.IsolateGit(t)
	root := filepath.Join(home, "r")
	testkit.FakeRepository(t, root)
	again := "[include]\n" + strings.Repeat("path=config\n", 10)
	testkit.WriteFile(t, filepath.Join(root, ".git", "config"), again+"[core]\nignoreCase\n")
	testkit.Within(t, time.Minute, func() {
		assert.True(t, foldsCase(t, root), "what follows the includes is not read")
	})
	// Two of the user's and the repository's own come before, and one behind.
	for n, want := range map[int]bool{gitdir.MaxConfigFiles - 4: true, gitdir.MaxConfigFiles - 3: false} {
		testkit.WriteFile(t, filepath.Join(root, ".git", "config"),
			"[include]\n"+strings.Repeat("path=empty\n", n)+"path=last\n")
		testkit.WriteFile(t, filepath.Join(root, ".git", "empty"), "")
		testkit.WriteFile(t, filepath.Join(root, ".git", "last"), "[core]\nignoreCase\n")
		assert.Equal(t, want, foldsCase(t, root), n)
	}
	// A file may be so many includes away.
	for n, want := range map[int]bool{gitdir.MaxIncludes: true, gitdir.MaxIncludes + 1: false} {
		for i := range n {
			testkit.WriteFile(t, filepath.Join(root, ".git", cmp.Or(strings.Repeat("x", i), "config")), "[include]\npath="+strings.Repeat("x", i+1)+"\n")
		}
		testkit.WriteFile(t, filepath.Join(root, ".git", strings.Repeat("x", n)), "[core]\nignoreCase\n")
		assert.Equal(t, want, foldsCase(t, root), n)
	}
	// So it is with bytes.
	testkit.WriteFile(t, filepath.Join(root, ".git", "config"), "[include]\npath=large\npath=large\npath=last\n")
	for size, want := range map[int64]bool{gitdir.MaxConfig/2 - 100: true, gitdir.MaxConfig/2 + 1: true, gitdir.MaxConfig/2 - 25: false} {
		testkit.WriteFile(t, filepath.Join(root, ".git", "large"), "")
		require.NoError(t, os.Truncate(filepath.Join(root, ".git", "large"), size))
		assert.Equal(t, want, foldsCase(t, root), size)
	}
}

// A configuration is read in time in proportion to its size, and to its end only as
// long as the context lasts.
func TestHostileConfiguration(t *testing.T) {
	home := testkit.IsolateGit(t)
	root := filepath.Join(home, "r")
	testkit.FakeRepository(t, root)
	half := gitdir.MaxConfig/2 - 100
	for kind, content := range map[string]string{
		"a long section":   "[s \"" + strings.Repeat("x", half) + "\"]\n" + strings.Repeat("k\n", half/2),
		"a long condition": "[includeIf \"gitdir:" + strings.Repeat("*x", half/2) + "\"]\n" + strings.Repeat("path=a\n", half/7),
		"conditions":       strings.Repeat("[includeIf \"gitdir:**/x\"]\npath=a\n", half/33),
		"excludes":         "[core]\n" + strings.Repeat("excludesFile=a/b\n", half/17),
	} {
		t.Run(kind, func(t *testing.T) {
			testkit.WriteFile(t, filepath.Join(root, ".git", "config"), content+"[core]\nignoreCase\n")
			testkit.Within(t, time.Minute, func() {
				assert.True(t, foldsCase(t, root), "it is not read to its end")
			})
		})
	}
	variables := 0
	gitdir.ParseConfig("[a]\nb\nc\nd\n", func(string, string, string) bool { variables++; return variables < 2 })
	require.Equal(t, 2, variables)
}
