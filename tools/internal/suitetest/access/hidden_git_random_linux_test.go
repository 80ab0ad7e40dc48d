package access_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/testkit"
)

// randomNames are hidden by keys/, *.key and .env.
var randomNames = []string{
	"keys/a.pem", "keys/deep/b.pem", ".env", "sub/.env", "sub/deep/.env", "s p.key", "q\"uo'te.key", "gl[o]b*.key", `back\slash.key`,
	"line\nfeed.key", "é.key", "sub/x.key", "run.key",
}

// randomHidden is a random repository with hidden files, on which random git commands are run in the sandbox.
type randomHidden struct {
	hidingRepository
	rng     *rand.Rand
	content map[string]string // of the hidden files of the work tree
	secrets int
}

func newRandomHidden(t *testing.T, seed uint64) *randomHidden {
	r := &randomHidden{hidingRepository: newHidingRepository(t, map[string]string{"main.go": "package main\n"}),
		rng: rand.New(rand.NewPCG(seed, 0)), content: map[string]string{}}
	r.Suite.Close()
	if r.rng.IntN(2) == 0 {
		r.write(".gitattributes", "* text=auto eol=crlf\n*.key ident\n")
	}
	if r.rng.IntN(2) == 0 {
		r.git("config", "index.version", "4")
	}
	if r.rng.IntN(3) == 0 {
		r.git("config", "core.splitIndex", "true")
	}
	r.write(".gitignore", "ignored*\n")
	for _, name := range randomNames {
		r.hide(name)
	}
	r.hide("keys/ignored")
	r.hide("ignored.key")
	require.NoError(t, os.Chmod(filepath.Join(r.dir, "run.key"), 0o755))
	require.NoError(t, os.Symlink("a.pem", filepath.Join(r.dir, "keys/link")))
	r.write(".agentignore", "*.key\n")
	r.content[".agentignore"] = "*.key\n"
	for i := range 6 {
		r.write(fmt.Sprintf("v%d", i), strings.Repeat("line\n", i))
		r.write(fmt.Sprintf("sub/v%d", i), strings.Repeat("line\n", i))
	}
	for _, name := range randomNames {
		if r.rng.IntN(3) > 0 { // the others are not tracked
			r.git("add", "-f", name)
		}
	}
	r.git("add", ".agentignore", ".gitignore", "v*", "sub/v*", "keys/link")
	r.git("commit", "-qm", "two")
	for i := range 3 { // with another version of what is hidden, or without it
		r.git("checkout", "-qb", fmt.Sprint("b", i), "main")
		r.write(fmt.Sprintf("v%d", i), fmt.Sprint("of branch ", i, "\n"))
		switch i {
		case 1:
			r.write("keys/a.pem", "version of a branch\n")
			r.write(".env", "version of a branch\n")
		case 2:
			r.git("rm", "-q", "--cached", "--ignore-unmatch", "sub/.env", "keys/deep/b.pem")
		}
		r.git("commit", "-qam", fmt.Sprint("branch ", i))
		r.git("checkout", "-qf", "main")
	}
	for name, text := range r.content { // what a branch was without is gone, and eol may have changed
		r.write(name, text)
	}
	r.hidingRepository = r.hiding("keys/", ".env")
	return r
}

// hide writes a hidden file with a secret of its own.
func (r *randomHidden) hide(name string) {
	r.secrets++
	r.content[name] = fmt.Sprintf("%s %d $Id$\n", hiddenSecret, r.secrets)
	r.write(name, r.content[name])
}

// pick returns a random git command, or another that changes what git looks at.
func (r *randomHidden) pick() string {
	n, branch := r.rng.IntN(6), []string{"main", "b0", "b1", "b2", "HEAD~1", "HEAD~2"}[r.rng.IntN(6)]
	all := []string{
		"git add -A", "git add .", "git commit -qam x", "git commit -qm x", "git commit -q --amend --no-edit", "git commit -q --allow-empty -m e",
		"git stash -q", "git stash -uq", "git stash pop -q", "git stash drop -q", "git status -s >/dev/null", "git diff >/dev/null",
		"git checkout -q " + branch, "git switch -q main", "git checkout -qB t" + fmt.Sprint(n) + " " + branch, "git checkout -q -- .",
		"git merge -q " + branch, "git merge --abort", "git rebase -q " + branch, "git rebase --abort", "git rebase --continue",
		"git cherry-pick " + branch, "git cherry-pick --abort", "git revert --no-edit HEAD", "git revert --abort",
		"git reset -q --hard", "git reset -q --hard " + branch, "git reset -q " + branch, "git reset -q",
		"git clean -fdq", "git clean -fdxq", "git restore -s " + branch + " .", "git checkout -q " + branch + " -- .", "git gc -q", "git add --renormalize .",
		`git rm -rq --cached "$(printf .)" && git add -A || git reset -q`, "env -i git add -A", "git read-tree HEAD", "git read-tree -u -m HEAD", "git update-index -q --refresh",
		"git mv sub moved", "git mv moved sub", "git mv v1 v9", "git mv k*s/* .", "git commit -q -m o -o v1", "git add -u", "git add -f .", "git add -N .",
		"mv sub moved", "rm -rf sub v* k*s", "rm -f v1", "cp -r sub sub2", "touch v2 sub/v3",
	}
	if r.rng.IntN(3) == 0 {
		return fmt.Sprintf("echo %d >>v%d", r.rng.IntN(100), n)
	}
	return all[r.rng.IntN(len(all))]
}

// TestHiddenUnderRandomGit runs 200 random git commands: no commit loses or changes a hidden file, no hidden file of the
// work tree changes, and nothing of it is read there.
func TestHiddenUnderRandomGit(t *testing.T) {
	t.Parallel()
	for seed := range uint64(testkit.Some(6)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := newRandomHidden(t, seed)
			legit := r.blobs()
			for range testkit.Some(40) {
				var script []string
				for range 5 {
					script = append(script, r.pick())
				}
				res := r.run(strings.Join(script, "; ") + "\necho now; find . -path ./.git -prune -o -type f -exec grep -l " + hiddenSecret[:7] + " {} +")
				_, found, _ := strings.Cut(res.Output, "now\n")
				require.Empty(t, found, "what is hidden is read in the work tree")
				r.unchanged()
			}
			r.commits(legit)
		})
	}
}

// unchanged checks the hidden files of the work tree.
func (r *randomHidden) unchanged() {
	r.t.Helper()
	for name, text := range r.content {
		data, err := os.ReadFile(filepath.Join(r.dir, name))
		require.NoError(r.t, err)
		require.Equal(r.t, text, string(data), "%q", name)
	}
}

// blobs returns the contents that hidden files have in commits, by name.
func (r *randomHidden) blobs() map[string]bool {
	blobs := map[string]bool{}
	for _, commit := range strings.Fields(r.git("rev-list", "--all")) {
		for name, object := range r.tree(commit) {
			blobs[name+" "+object] = true
		}
	}
	return blobs
}

// tree returns the hidden files of a commit.
func (r *randomHidden) tree(commit string) map[string]string {
	files := map[string]string{}
	for entry := range strings.SplitSeq(r.git("ls-tree", "-rz", commit), "\x00") {
		about, name, _ := strings.Cut(entry, "\t")
		if fields := strings.Fields(about); len(fields) == 3 && (strings.HasPrefix(name, "keys/") || strings.HasSuffix(name, ".key") ||
			filepath.Base(name) == ".env" || filepath.Base(name) == ".agentignore") {
			files[name] = fields[2]
		}
	}
	return files
}

// commits checks that each commit has the hidden files that its parents have, in a version that was committed outside.
func (r *randomHidden) commits(legit map[string]bool) {
	r.t.Helper()
	outside := strings.Fields(r.git("rev-list", "--all", "--reflog"))
	for _, commit := range outside {
		files := r.tree(commit)
		for name, object := range files {
			require.True(r.t, legit[name+" "+object], "%s has another %q", commit, name)
		}
		parents := strings.Fields(r.git("log", "-1", "--format=%P", commit))
		if len(parents) == 0 || strings.HasPrefix(r.git("log", "-1", "--format=%s", commit), "branch 2") {
			continue
		}
		lost := r.tree(parents[0])
		for _, parent := range parents {
			in := r.tree(parent)
			for name := range lost {
				if in[name] == "" || files[name] != "" {
					delete(lost, name)
				}
			}
		}
		require.Empty(r.t, lost, "%s", r.git("log", "-1", "--stat", commit))
	}
}
