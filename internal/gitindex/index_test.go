package gitindex_test

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/gitindex"
	"github.com/spillway-go/spillway/internal/testkit"
)

func TestMain(m *testing.M) {
	testkit.InMemory()
	os.Exit(m.Run())
}

// work is a repository of a test.
type work struct {
	t   *testing.T
	dir string
}

func (w work) git(args ...string) string {
	w.t.Helper()
	return testkit.Git(w.t, w.dir, args...)
}

func (w work) write(name, text string) {
	w.t.Helper()
	testkit.WriteFile(w.t, filepath.Join(w.dir, name), text)
}

func (w work) read(name string) (string, error) {
	data, err := os.ReadFile(filepath.Join(w.dir, ".git", name))
	return string(data), err
}

// listed returns entries as git ls-files --stage -z does.
func listed(entries []gitindex.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%06o %s %d\t%s\x00", e.Mode, hex.EncodeToString([]byte(e.Object)), e.Stage, e.Path)
	}
	return b.String()
}

// same compares what is read with what git reads.
func (w work) same(format gitindex.Format) []gitindex.Entry {
	w.t.Helper()
	content, err := w.read("index")
	require.NoError(w.t, err)
	entries, err := gitindex.Read(content, format, w.read)
	require.NoError(w.t, err)
	require.Equal(w.t, w.git("ls-files", "--stage", "-z"), listed(entries))
	return entries
}

func needGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
}

var strange = []string{"a", "ab", "a b", "-", "ü", "x\ny", `q"`, `b\s`, "[g]*?", strings.Repeat("n", 200)}

// TestAsGit compares what is read of indexes, in each version and format, with what git says of them, as they change.
func TestAsGit(t *testing.T) {
	needGit(t)
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for _, format := range []string{"sha1", "sha256"} {
		for _, version := range []string{"2", "3", "4"} {
			for _, split := range []string{"false", "true"} {
				t.Run(format+"/"+version+"/split="+split, func(t *testing.T) {
					t.Parallel()
					w := work{t, t.TempDir()}
					w.git("init", "-q", "--object-format="+format)
					w.git("config", "core.splitIndex", split)
					w.git("config", "splitIndex.maxPercentChange", "90")
					kind, err := gitindex.FormatOf(format)
					require.NoError(t, err)
					rng := rand.New(rand.NewPCG(1, 2))
					for i := range rounds {
						for range 1 + rng.IntN(150/(i*i+1)+3) {
							w.write(strange[rng.IntN(len(strange))]+"/"+strange[rng.IntN(len(strange))]+fmt.Sprint(rng.IntN(40)), fmt.Sprint(i))
						}
						w.git("add", "-A")
						w.git("update-index", "--index-version="+version)
						entries := w.same(kind)
						e := entries[rng.IntN(len(entries))]
						require.NoError(t, os.Remove(filepath.Join(w.dir, e.Path)))
						w.git("add", "-A")
						w.same(kind)
					}
				})
			}
		}
	}
}

// TestFlags reads what git keeps of an entry beside its path.
func TestFlags(t *testing.T) {
	needGit(t)
	w := work{t, t.TempDir()}
	w.git("init", "-q")
	long := strings.Repeat("d/", 2100) + "f" // longer than the length in the flags can be
	for _, version := range []string{"2", "4"} {
		w.git("read-tree", "--empty")
		for _, name := range []string{"assumed", "skipped", "plain"} {
			w.write(name, "12345")
		}
		w.write("intended", "x")
		w.git("add", "assumed", "skipped", "plain")
		w.git("add", "-N", "intended")
		object := strings.TrimSpace(w.git("hash-object", "-w", "plain"))
		w.git("update-index", "--index-version="+version)
		w.git("update-index", "--add", "--cacheinfo", "100755,"+object+","+long)
		w.git("update-index", "--assume-unchanged", "assumed")
		w.git("update-index", "--skip-worktree", "skipped")
		by := map[string]gitindex.Entry{}
		for _, e := range w.same(gitindex.SHA1) {
			by[e.Path] = e
		}
		require.True(t, by["assumed"].AssumeUnchanged && by["skipped"].SkipWorktree && by["intended"].IntentToAdd)
		require.False(t, by["plain"].AssumeUnchanged || by["plain"].SkipWorktree || by["plain"].IntentToAdd)
		require.Equal(t, uint32(5), by["plain"].Size)
		require.Equal(t, uint32(0o100755), by[long].Mode)
		require.Zero(t, by[long].Size)
	}
}

// TestConflict reads the stages of a conflict, a link, and a repository in the repository.
func TestConflict(t *testing.T) {
	needGit(t)
	w := work{t, t.TempDir()}
	w.git("init", "-q", "-b", "main")
	w.write("f", "one")
	require.NoError(t, os.Symlink("f", filepath.Join(w.dir, "link")))
	w.git("add", "-A")
	w.git("commit", "-qm", "one")
	require.NoError(t, os.Mkdir(filepath.Join(w.dir, "module"), 0o755))
	w.git("update-index", "--add", "--cacheinfo", "160000,"+strings.TrimSpace(w.git("rev-parse", "HEAD"))+",module")
	w.git("commit", "-qm", "module")
	w.git("checkout", "-qb", "other")
	w.write("f", "two")
	w.git("commit", "-qam", "two")
	w.git("checkout", "-q", "main")
	w.write("f", "three")
	w.git("commit", "-qam", "three")
	require.Error(t, exec.Command("git", "-C", w.dir, "-c", "user.name=a", "-c", "user.email=a@b", "merge", "other").Run())
	entries := w.same(gitindex.SHA1)
	require.Len(t, entries, 5)
	require.Equal(t, 3, entries[2].Stage)
	require.EqualValues(t, gitindex.ModeLink, entries[3].Mode)
	require.EqualValues(t, gitindex.ModeModule, entries[4].Mode)
}

// TestSparse reads an index that has a directory in place of its entries.
func TestSparse(t *testing.T) {
	needGit(t)
	w := work{t, t.TempDir()}
	w.git("init", "-q")
	for _, name := range []string{"in/a", "out/a", "out/b/c", "top"} {
		w.write(name, name)
	}
	w.git("add", "-A")
	w.git("commit", "-qm", "one")
	w.git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
	content, err := w.read("index")
	require.NoError(t, err)
	entries, err := gitindex.Read(content, gitindex.SHA1, w.read)
	require.NoError(t, err)
	require.Equal(t, w.git("ls-files", "--stage", "-z", "--sparse"), listed(entries))
	require.Equal(t, "out/", entries[1].Path)
	require.EqualValues(t, gitindex.ModeSparse, entries[1].Mode)
}

// What an index can ask for is bounded, and what is not understood is an error: of each kind, one.
func TestBounds(t *testing.T) {
	shared := func(content string) func(string) (string, error) {
		return func(string) (string, error) { return content, nil }
	}
	never := func(string) (string, error) { t.Fatal("nothing is shared"); return "", nil }
	small := build(2, nil, "a")
	for name, test := range map[string]struct {
		content string
		shared  func(string) (string, error)
		want    error
	}{
		"too large":               {small + strings.Repeat("\x00", gitindex.MaxBytes), never, gitindex.ErrTooLarge},
		"shared, too large":       {build(2, []byte(strings.Repeat("x", 20))), shared(strings.Repeat("x", gitindex.MaxBytes)), gitindex.ErrTooLarge},
		"another version":         {strings.Replace(small, "\x02", "\x05", 1), never, gitindex.ErrUnknown},
		"an extension":            {strings.Replace(build(2, []byte{0}, "a"), "link", "need", 1), never, gitindex.ErrUnknown},
		"more entries than bytes": {small[:8] + "\xff\xff\xff\xff" + small[12:], never, gitindex.ErrMalformed},
		"nothing":                 {"", never, gitindex.ErrMalformed},
		"shared, which shares":    {build(2, []byte(strings.Repeat("x", 20))), shared(build(2, []byte(strings.Repeat("x", 20)))), gitindex.ErrMalformed},
		"replaced, but not there": {build(2, []byte(strings.Repeat("x", 20)+bitmap()+bitmap(1<<33, 1)), ""), shared(build(2, nil)), gitindex.ErrMalformed},
		"a bitmap without an end": {build(2, []byte(strings.Repeat("x", 20)+bitmap(1<<32-2)+bitmap())), shared(small), gitindex.ErrMalformed},
	} {
		_, err := gitindex.Read(test.content, gitindex.SHA1, test.shared)
		require.ErrorIs(t, err, test.want, name)
	}
	_, err := gitindex.FormatOf("md5")
	require.ErrorIs(t, err, gitindex.ErrUnknown)
}

// Paths that version 4 makes of a few bytes each are bounded together.
func TestPathBound(t *testing.T) {
	long := strings.Repeat("p", 64<<10)
	entry := build(2, nil, "")[12:12+60] + "\x0f\xff" // a length of 4,095 or more
	head := "DIRC\x00\x00\x00\x04\x00\x00\x08\x00"
	content := head + entry + "\x00" + long + "\x00" + strings.Repeat(entry+"\x00x\x00", 1<<11-1) + strings.Repeat("\x00", 20)
	_, err := gitindex.Read(content, gitindex.SHA1, nil)
	require.ErrorIs(t, err, gitindex.ErrTooLarge)
	fits := "DIRC\x00\x00\x00\x04\x00\x00\x00\x08" + entry + "\x00" + long + "\x00" + strings.Repeat(entry+"\x00x\x00", 7) + strings.Repeat("\x00", 20)
	entries, err := gitindex.Read(fits, gitindex.SHA1, nil)
	require.NoError(t, err)
	require.Equal(t, long+"xxxxxxx", entries[7].Path)
}
