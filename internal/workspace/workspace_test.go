package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testkit.InMemory()
	os.Exit(m.Run())
}

// opened returns a workspace that is closed at the end of the test.
func opened(t testing.TB, dir string, o Options) *Workspace {
	t.Helper()
	w, err := New(dir, o)
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

// tree makes a workspace ws with a few links, and a directory out beside it.
func tree(t testing.TB) (ws, out string) {
	base := testkit.Must(t, filepath.EvalSymlinks, t.TempDir())
	ws, out = filepath.Join(base, "ws"), filepath.Join(base, "out")
	for _, d := range []string{filepath.Join(ws, "sub", "deep"), out} {
		require.NoError(t, os.MkdirAll(d, 0o755))
	}
	for _, f := range []string{filepath.Join(ws, "a.txt"), filepath.Join(ws, "sub", "b.txt"), filepath.Join(out, "secret")} {
		require.NoError(t, os.WriteFile(f, []byte(filepath.Base(f)), 0o644))
	}
	for name, target := range map[string]string{
		"rel":         "sub/b.txt",
		"abs":         filepath.Join(ws, "a.txt"),
		"absdir":      filepath.Join(ws, "sub"),
		"sub/up":      "../a.txt",
		"around":      "../ws/a.txt",
		"chain":       "absdir/up",
		"out":         filepath.Join(out, "secret"),
		"outrel":      "../out/secret",
		"outdir":      out,
		"outdangling": filepath.Join(out, "nothing"),
		"dangling":    "nothing",
		"loop":        "loop2",
		"loop2":       "loop",
	} {
		need.Symlink(t, target, filepath.Join(ws, name))
	}
	return ws, out
}

func TestResolve(t *testing.T) {
	ws, out := tree(t)
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()
	for _, tt := range []struct {
		path, name, content string
		err                 error
	}{
		{path: "a.txt", name: "a.txt", content: "a.txt"},
		{path: "./sub//b.txt", name: "sub/b.txt", content: "b.txt"},
		{path: "sub/../a.txt", name: "a.txt", content: "a.txt"},
		{path: filepath.Join(ws, "a.txt"), name: "a.txt", content: "a.txt"},
		{path: "../ws/a.txt", name: "a.txt", content: "a.txt"},
		{path: `"a\056txt"`, name: "a.txt", content: "a.txt"},
		{path: "rel", name: "rel", content: "b.txt"},
		{path: "abs", name: "abs", content: "a.txt"},
		{path: "absdir/b.txt", name: "absdir/b.txt", content: "b.txt"},
		{path: "absdir/up", name: "absdir/up", content: "a.txt"},
		{path: "around", name: "around", content: "a.txt"},
		{path: "chain", name: "chain", content: "a.txt"},
		{path: "out", err: ErrEscape},
		{path: "outrel", err: ErrEscape},
		{path: "outdir/secret", err: ErrEscape},
		{path: "outdir/nothing", err: ErrEscape},
		{path: "outdangling", err: ErrEscape},
		{path: "..", err: ErrEscape},
		{path: "../out/secret", err: ErrEscape},
		{path: "../out/nothing", err: ErrEscape},
		{path: "/etc/passwd", err: ErrEscape},
		{path: out, err: ErrEscape},
		{path: ws + "x", err: ErrEscape},
		{path: "dangling", err: fs.ErrNotExist},
		{path: "nothing", err: fs.ErrNotExist},
		{path: "absdir/nothing", err: fs.ErrNotExist},
		{path: "a.txt/b", err: syscall.ENOTDIR},
		{path: "loop", err: syscall.ELOOP},
	} {
		t.Run(tt.path, func(t *testing.T) {
			p, err := w.Resolve(tt.path)
			if tt.err != nil {
				require.ErrorIs(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.name, p.Name)
			f, _, err := p.OpenFile()
			require.NoError(t, err)
			defer f.Close()
			data, err := io.ReadAll(f)
			require.NoError(t, err)
			require.Equal(t, tt.content, string(data))
		})
	}
}

func TestMoreRoots(t *testing.T) {
	ws, out := tree(t)
	w := opened(t, ws, Options{Roots: []string{out, "../later"}})
	for _, path := range []string{"out", "outrel", "outdir/secret", "../out/secret", filepath.Join(out, "secret")} {
		p, err := w.Resolve(path)
		require.NoError(t, err, path)
		_, _, err = p.OpenFile()
		require.NoError(t, err, path)
	}
	_, err := w.Resolve("../later/x")
	require.ErrorIs(t, err, fs.ErrNotExist)
	later := filepath.Join(filepath.Dir(ws), "later")
	require.NoError(t, os.Mkdir(later, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(later, "x"), nil, 0o644))
	p, err := w.Resolve("../later/x")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(later, "x"), p.Name)
}

func TestOutside(t *testing.T) {
	ws, out := tree(t)
	w := opened(t, ws, Options{Outside: true})
	for path, name := range map[string]string{"out": "out", "outdir/secret": "outdir/secret", "../out/secret": filepath.Join(out, "secret"), "a.txt": "a.txt"} {
		p, err := w.Resolve(path)
		require.NoError(t, err, path)
		require.Equal(t, name, p.Name)
		_, _, err = p.OpenFile()
		require.NoError(t, err, path)
	}
	_, err := w.Resolve("outdangling")
	require.ErrorIs(t, err, fs.ErrNotExist)
	p, err := w.Resolve("/")
	require.NoError(t, err)
	d, err := p.OpenDir()
	require.NoError(t, err)
	d.Close()
}

// A link that leads out, and takes the place of another one or of the file itself between the check and the use, leads
// nowhere: what was found is opened, or nothing.
func TestSwappedLink(t *testing.T) {
	ws, out := tree(t)
	w := opened(t, ws, Options{})
	p, err := w.Resolve("rel")
	require.NoError(t, err)
	found, err := p.Stat()
	require.NoError(t, err)
	for _, name := range []string{"rel", "sub/b.txt"} {
		require.NoError(t, os.Remove(filepath.Join(ws, name)))
		need.Symlink(t, filepath.Join(out, "secret"), filepath.Join(ws, name))
		f, info, err := p.OpenFile()
		if name != "rel" {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		f.Close()
		require.True(t, os.SameFile(found, info))
	}
}

// A link that has taken the place of the workspace itself is not followed, wherever it leads.
func TestWorkspaceReplacedByLink(t *testing.T) {
	for _, target := range []string{"out", "moved", "nowhere"} {
		t.Run(target, func(t *testing.T) {
			ws, out := tree(t)
			w, err := New(ws, Options{})
			require.NoError(t, err)
			defer w.Close()
			if err := os.Rename(ws, filepath.Join(filepath.Dir(out), "moved")); err != nil {
				t.Skip("an open directory cannot be renamed here")
			}
			need.Symlink(t, target, ws)
			for _, name := range []string{".", "secret", "a.txt"} {
				_, err = w.Resolve(name)
				require.ErrorIs(t, err, ErrEscape, name)
			}
		})
	}
}

// A link that takes the place of a root, or of a plain file, after that was looked at is not
// followed.
func TestReplacedWhileOpened(t *testing.T) {
	ws, out := tree(t)
	r := newRoot(ws)
	defer r.close()
	before := testkit.Must(t, os.Lstat, ws)
	_, err := r.openSame(before)
	require.NoError(t, err)
	if err := os.Rename(ws, ws+"-old"); err != nil {
		t.Skip("an open directory cannot be renamed here")
	}
	need.Symlink(t, "out", ws)
	_, err = r.openSame(before)
	require.ErrorIs(t, err, ErrEscape)

	dir := testkit.Must(t, os.OpenRoot, filepath.Dir(out))
	defer dir.Close()
	require.NoError(t, dir.WriteFile("plain", nil, 0o600))
	before, err = dir.Lstat("plain")
	require.NoError(t, err)
	f, _, err := openSame(dir, "plain", before)
	require.NoError(t, err)
	f.Close()
	require.NoError(t, dir.Rename("plain", "old"))
	need.Symlink(t, filepath.Join("out", "secret"), filepath.Join(filepath.Dir(out), "plain"))
	_, _, err = openSame(dir, "plain", before)
	require.ErrorIs(t, err, ErrNotRegular)
}

func TestOpenFileRefusesWhatIsNoFile(t *testing.T) {
	ws, _ := tree(t)
	w := opened(t, ws, Options{})
	p, err := w.Resolve("sub")
	require.NoError(t, err)
	_, _, err = p.OpenFile()
	var kind *KindError
	require.ErrorAs(t, err, &kind)
	require.EqualError(t, err, "sub is a directory")
	p, err = w.Resolve("a.txt")
	require.NoError(t, err)
	_, err = p.OpenDir()
	require.True(t, errors.Is(err, ErrNotDir))
}

func TestNewRefuses(t *testing.T) {
	_, err := New(filepath.Join(t.TempDir(), "none"), Options{})
	require.ErrorIs(t, err, fs.ErrNotExist)
	file := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	_, err = New(file, Options{})
	require.Error(t, err)
}

// Names that look like others are looked for in a number of entries, and in paths of a
// number of elements.
func TestLookingForSpellingsIsBounded(t *testing.T) {
	ws, _ := tree(t)
	const narrow = "a\u202fb"
	require.NoError(t, os.MkdirAll(filepath.Join(ws, "many"), 0o755))
	for i := range 10 {
		require.NoError(t, os.WriteFile(filepath.Join(ws, "many", fmt.Sprint(i)), nil, 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(ws, "many", narrow), nil, 0o644))
	w := opened(t, ws, Options{})
	dir, err := w.Resolve("many")
	require.NoError(t, err)
	for most, want := range map[int]bool{11: true, 0: false} {
		left := most
		require.Equal(t, want, len(dir.entriesAlike("a b", &left, nil)) > 0, most)
		require.Zero(t, left)
	}
	for n, want := range map[int]bool{maxParts: true, maxParts + 1: false} {
		path := strings.Repeat("d/", n-1)
		require.NoError(t, os.MkdirAll(filepath.Join(ws, path), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(ws, path, narrow), nil, 0o644))
		_, err := w.Find(path + "a b")
		require.Equal(t, want, err == nil, "%d elements: %v", n, err)
	}
}
