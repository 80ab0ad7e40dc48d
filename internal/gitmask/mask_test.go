package gitmask_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/gitdir"
	"github.com/spillway-go/spillway/internal/gitmask"
	"github.com/spillway-go/spillway/internal/testkit"
)

func TestMain(m *testing.M) {
	testkit.InMemory()
	os.Exit(m.Run())
}

const filter = "hidden-test"

// work is a repository of a test.
type work struct {
	t   *testing.T
	dir string
}

func newWork(t *testing.T) work {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	w := work{t, dir}
	w.git("init", "-q")
	return w
}

func (w work) try(args ...string) (string, error) {
	return testkit.TryGit(w.t, w.dir, args...)
}

func (w work) git(args ...string) string {
	w.t.Helper()
	return testkit.Git(w.t, w.dir, args...)
}

func (w work) write(name, text string) {
	w.t.Helper()
	testkit.WriteFile(w.t, filepath.Join(w.dir, name), text)
}

// mask puts what git must be told in the places of the repository's own files.
func (w work) mask(hidden ...gitmask.Path) gitmask.Mask {
	w.t.Helper()
	mask, err := gitmask.Of(gitdir.Open(w.dir), filter, hidden)
	require.NoError(w.t, err)
	w.write(".git/config", mask.Config)
	w.write(".git/info/attributes", mask.Attributes)
	w.write(".git/info/exclude", mask.Exclude)
	return mask
}

// names are such as patterns have to be written for with care.
var names = []string{
	"plain", "a b", " a", "a ", "a  ", "\ta\t", "-a", "!a", "#a", `q"q`, "q'q", `"`, "'", `b\b`, `b\`, `\`, "*", "a*", "?", "[ab]", "[", "]", "a]",
	"$x", "`x`", "$(x)", "%f", "%", ":x", ":(top)x", "é", "\xff\xfe", "n\nn", "\n", "r\rr", "r\r", "\x01", "\x7f", "{a,b}", "~", "a;b", "a&b", "a=b",
	strings.Repeat("n", 200), "dir/x", "dir/a b", "dir/*/y",
}

// Each hidden file gets the filter, or is ignored, and no other file, whatever its name is.
func TestPatternsAsGit(t *testing.T) {
	w := newWork(t)
	for _, name := range names {
		w.write(name, name)
		w.write("other/"+name, name)
	}
	for i, name := range names {
		w.mask(gitmask.Path{Name: name})
		out := w.git(append([]string{"check-attr", "-z", "filter", "--"}, names...)...)
		fields := strings.Split(out, "\x00")
		for j, other := range names {
			want := "unspecified"
			if i == j {
				want = filter
			}
			require.Equal(t, want, fields[3*j+2], "%q hides %q", name, other)
		}
		ignored := w.git("ls-files", "-z", "-o", "-i", "--exclude-standard")
		require.Equal(t, name+"\x00", ignored, "%q", name)
		require.NoError(t, os.WriteFile(filepath.Join(w.dir, ".git/config"), nil, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(w.dir, ".git/info/attributes"), nil, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(w.dir, ".git/info/exclude"), nil, 0o600))
	}
}

// What stands in a file's place is not added in any way, whatever the attributes of the repository want to have changed.
func TestFilterAsGit(t *testing.T) {
	for round, attributes := range []string{
		"", "* text=auto eol=crlf\n", "* text eol=crlf ident\n", "* working-tree-encoding=UTF-16\n", "* filter=other\n", "* crlf\n",
		"[attr]hide filter=other\n* hide\n",
	} {
		t.Run(attributes, func(t *testing.T) {
			t.Parallel()
			names := some(names, round)
			w := newWork(t)
			w.write(".git/config", "[filter \"other\"]\n\tclean = sed s/a/b/\n[core]\n\tautocrlf = false\n")
			w.write("dir/x", "content of dir/x $Id$\r\n")
			for _, name := range names {
				w.write(name, "content of "+name+" $Id$\r\n")
			}
			w.git("add", "-A")
			w.git("commit", "-qm", "one")
			var hidden []gitmask.Path
			for _, name := range names {
				if !strings.HasPrefix(name, "dir/") {
					hidden = append(hidden, gitmask.Path{Name: name})
				}
			}
			w.write(".git/info/attributes", strings.TrimSuffix(attributes, "\n"))
			config, err := os.ReadFile(filepath.Join(w.dir, ".git/config"))
			require.NoError(t, err)
			mask := w.mask(append(hidden, gitmask.Path{Name: "dir", Dir: true})...)
			require.NotEmpty(t, mask.Tracked)
			for i, e := range mask.Tracked {
				w.write(e.Path, strings.Repeat("\n", int(e.Size)))
				require.EqualValues(t, len("content of "+e.Path+" $Id$\r\n"), e.Size, i)
			}
			before := w.git("write-tree")
			for _, args := range []string{"add -A", "commit -qam two --allow-empty", "add --renormalize .", "rm -rq --cached .", "add -A", "stash -q", "reset -q --hard"} {
				_, err := w.try(strings.Fields(args)...)
				require.NoError(t, err, args)
				if args == "rm -rq --cached ." {
					continue
				}
				require.Equal(t, before, w.git("write-tree"), args)
			}
			require.Empty(t, w.git("status", "--porcelain"))
			w.git("checkout", "-q", "--orphan", "empty")
			w.git("rm", "-rq", "--cached", ".")
			_, _ = w.try("add", "-f", ".")
			if !strings.Contains(strings.Join(names, ""), "\n") {
				require.Equal(t, before, w.git("write-tree"), "the content of the beginning")
			}
			w.git("read-tree", "--empty")
			w.write(".git/config", string(config))
			w.mask(append(hidden, gitmask.Path{Name: "dir", Dir: true})...)
			_, err = w.try("add", "-f", ".")
			require.Error(t, err, "nothing says what these have in them")
		})
	}
}

// some returns every seventh of the names, or with -short half of these: a filter takes a few milliseconds each.
func some(names []string, round int) (some []string) {
	step := 7
	if testing.Short() {
		step = 14
	}
	for i := round; i < len(names); i += step {
		some = append(some, names[i])
	}
	return some
}

// A file in conflict is not taken for resolved.
func TestConflict(t *testing.T) {
	w := newWork(t)
	w.write("f", "1")
	w.git("add", "-A")
	w.git("commit", "-qm", "one")
	w.git("checkout", "-qb", "other")
	w.write("f", "2")
	w.git("commit", "-qam", "two")
	w.git("checkout", "-q", "-")
	w.write("f", "3")
	w.git("commit", "-qam", "three")
	_, err := w.try("merge", "other")
	require.Error(t, err)
	w.mask(gitmask.Path{Name: "f"})
	_, err = w.try("add", "-A")
	require.Error(t, err)
	require.Equal(t, 3, strings.Count(w.git("ls-files", "-u"), "\tf\n"))
}

// What is not understood is an error, so that git is kept from the repository.
func TestRefused(t *testing.T) {
	long := strings.Repeat(strings.Repeat("n", 200)+"/", 11) + "f"
	for why, prepare := range map[string]func(w work){
		"it is not an index":         func(w work) { w.write(".git/index", strings.Repeat("x", 100)) },
		"it has no room for 1":       func(w work) { w.cut(".git/index", 40) },
		"has too long a name":        func(w work) { w.write(long, "") },
		"its config cannot be read":  func(w work) { w.write(".git/config", strings.Repeat("#", 1<<20+1)) },
		"its info/exclude cannot":    func(w work) { w.write(".git/info/exclude", strings.Repeat("#", 1<<20+1)) },
		`objects are named by "md5"`: func(w work) { w.write(".git/config", "[extensions]\n\tobjectFormat = md5\n") },
		"sparse checkout": func(w work) {
			w.write("out/in/f", "")
			w.git("add", "-A")
			w.git("commit", "-qm", "one")
			w.git("sparse-checkout", "set", "--cone", "--sparse-index", "dir")
		},
	} {
		t.Run(why, func(t *testing.T) {
			w := newWork(t)
			w.write("dir/f", "f")
			w.git("add", "-A")
			prepare(w)
			_, err := gitmask.Of(gitdir.Open(w.dir), filter, []gitmask.Path{{Name: "dir/f"}, {Name: long}, {Name: "out/in/f"}}[:2+min(1, strings.Count(why, "sparse"))])
			if why != "has too long a name" {
				_, err = gitmask.Of(gitdir.Open(w.dir), filter, []gitmask.Path{{Name: "dir/f"}, {Name: "out/in/f"}})
			}
			require.ErrorContains(t, err, why)
		})
	}
}

func (w work) cut(name string, bytes int) {
	path := filepath.Join(w.dir, name)
	info, err := os.Stat(path)
	require.NoError(w.t, err)
	require.NoError(w.t, os.Truncate(path, info.Size()-int64(bytes)))
}

// FuzzPatterns hides a file of any name: git gives it the filter and ignores it, and nothing else. TestPatternsAsGit
// tries all the names.
func FuzzPatterns(f *testing.F) {
	for _, name := range names[:testkit.Some(len(names))] {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if !filepath.IsLocal(name) || name == "." || filepath.Clean(name) != name || strings.ContainsRune(name, 0) || len(name) > 200 || strings.HasPrefix(strings.ToLower(name), ".git") {
			t.Skip()
		}
		w := newWork(t)
		if err := os.MkdirAll(filepath.Dir(filepath.Join(w.dir, name)), 0o755); err != nil {
			t.Skip(err)
		}
		w.write(name, name)
		w.write("other.x", "")
		w.mask(gitmask.Path{Name: name})
		require.Equal(t, name+"\x00filter\x00"+filter+"\x00other.x\x00filter\x00unspecified\x00", w.git("check-attr", "-z", "filter", "--", name, "other.x"))
		require.Equal(t, name+"\x00", w.git("ls-files", "-z", "-o", "-i", "--exclude-standard"))
	})
}
