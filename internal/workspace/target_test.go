package workspace

import (
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

func TestTarget(t *testing.T) {
	ws, out := tree(t)
	for name, target := range map[string]string{
		"danglingdir":  "none/sub",
		"danglingabs":  filepath.Join(ws, "none", "x"),
		"danglingup":   "none/../a.txt",
		"outrelnone":   "../out/none",
		"outdirnone":   filepath.Join(out, "none"),
		"outnonebelow": filepath.Join(out, "none", "x"),
		"todir":        "sub",
	} {
		need.Symlink(t, target, filepath.Join(ws, name))
	}
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()
	long := strings.Repeat("d/", MaxPath/2+1)
	for _, tt := range []struct {
		path, name, at string
		missing        bool
		err            error
	}{
		{path: "a.txt", name: "a.txt", at: "a.txt"},
		{path: filepath.Join(ws, "a.txt"), name: "a.txt", at: "a.txt"},
		{path: `"a\056txt"`, name: "a.txt", at: "a.txt"},
		{path: "a.txt/", name: "a.txt", at: "a.txt"},
		{path: "none/../a.txt", name: "a.txt", at: "a.txt"},
		{path: "rel", name: "rel", at: "sub/b.txt"},
		{path: "abs", name: "abs", at: "a.txt"},
		{path: "chain", name: "chain", at: "a.txt"},
		{path: "around", name: "around", at: "a.txt"},
		{path: "absdir/b.txt", name: "absdir/b.txt", at: "sub/b.txt"},
		{path: "new", name: "new", at: "new", missing: true},
		{path: "x/y/z", name: "x/y/z", at: "x/y/z", missing: true},
		{path: `"x\040y"/z`, name: "x y/z", at: "x y/z", missing: true},
		{path: "absdir/new", name: "absdir/new", at: "sub/new", missing: true},
		{path: "todir/x/y", name: "todir/x/y", at: "sub/x/y", missing: true},
		{path: "dangling", name: "dangling", at: "nothing", missing: true},
		{path: "danglingdir/x", name: "danglingdir/x", at: "none/sub/x", missing: true},
		{path: "danglingabs", name: "danglingabs", at: "none/x", missing: true},
		{path: "danglingup", err: fs.ErrNotExist},
		{path: "out", err: ErrEscape},
		{path: "outrel", err: ErrEscape},
		{path: "outrelnone", err: ErrEscape},
		{path: "outdangling", err: ErrEscape},
		{path: "outdir/secret", err: ErrEscape},
		{path: "outdir/nothing", err: ErrEscape},
		{path: "outdir/no/thing", err: ErrEscape},
		{path: "outdirnone", err: ErrEscape},
		{path: "outdirnone/x", err: ErrEscape},
		{path: "outnonebelow", err: ErrEscape},
		{path: "../out/secret", err: ErrEscape},
		{path: "../out/nothing", err: ErrEscape},
		{path: "x/../../out/secret", err: ErrEscape},
		{path: "/etc/passwd", err: ErrEscape},
		{path: "/none", err: ErrEscape},
		{path: "..", err: ErrEscape},
		{path: ws + "x", err: ErrEscape},
		{path: ".", err: ErrNotRegular},
		{path: "sub", err: ErrNotRegular},
		{path: "todir", err: ErrNotRegular},
		{path: "new/", err: syscall.EISDIR},
		{path: "new/.", err: syscall.EISDIR},
		{path: "new/x/..", err: syscall.EISDIR},
		{path: "a.txt/b", err: syscall.ENOTDIR},
		{path: "a.txt/b/c", err: syscall.ENOTDIR},
		{path: "loop", err: syscall.ELOOP},
		{path: "loop/x", err: syscall.ELOOP},
		{path: long, err: syscall.ENAMETOOLONG},
	} {
		t.Run(tt.path[:min(len(tt.path), 40)], func(t *testing.T) {
			target, err := w.Target(tt.path)
			if tt.err != nil {
				require.ErrorIs(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.name, target.Name)
			require.Equal(t, filepath.Join(ws, tt.at), target.Abs)
			require.Equal(t, tt.missing, target.Info == nil)
			f, info, err := target.OpenFile()
			if tt.missing {
				require.ErrorIs(t, err, fs.ErrNotExist)
				return
			}
			require.NoError(t, err)
			f.Close()
			require.True(t, os.SameFile(info, target.Info))
		})
	}
	require.NoDirExists(t, filepath.Join(ws, "x"), "finding a target makes nothing")
}

// Other directories may be read, and are a place for a target only where that is said.
func TestTargetInMoreRoots(t *testing.T) {
	ws, out := tree(t)
	need.Symlink(t, ws, filepath.Join(out, "back"))
	paths := []string{"out", "outrel", "outdir/secret", "outdir/new", "outdangling", "../out/secret", "../out/x/new"}
	for _, tt := range []struct {
		Options
		want error
	}{
		{Options{}, ErrEscape},
		{Options{Roots: []string{out}}, ErrReadOnly},
		{Options{Outside: true}, ErrReadOnly},
		{Options{Roots: []string{out}, Outside: true}, ErrReadOnly},
		{Options{Writable: []string{out}}, nil},
		{Options{Roots: []string{filepath.Dir(out)}, Writable: []string{"../out"}}, nil},
	} {
		w := opened(t, ws, tt.Options)
		for _, path := range paths {
			_, err := w.Target(path)
			require.ErrorIs(t, err, tt.want, path)
		}
		target, err := w.Target("outdir/back/a.txt")
		if tt.want == ErrEscape {
			require.ErrorIs(t, err, ErrEscape, "the link that leads back may not be looked at")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, filepath.Join(ws, "a.txt"), target.Abs)
	}
}

// What is in several roots is opened below the outermost, on the way to which nobody can put a link.
func TestTargetInNestedRoots(t *testing.T) {
	ws, _ := tree(t)
	above := filepath.Dir(ws)
	w := opened(t, filepath.Join(ws, "sub"), Options{Writable: []string{ws, above}, Roots: []string{ws}})
	for _, path := range []string{"b.txt", "../a.txt", filepath.Join(ws, "sub", "new")} {
		target, err := w.Target(path)
		require.NoError(t, err)
		require.Equal(t, above, filepath.Clean(strings.TrimSuffix(target.fs.Name(), ".")), path)
		found, err := w.Resolve("b.txt")
		require.NoError(t, err)
		require.Equal(t, target.fs, found.fs)
	}
}

// A root that was given by a link into the workspace is opened as what that leads to: below the workspace.
func TestRootBehindALink(t *testing.T) {
	ws, out := tree(t)
	back := filepath.Join(out, "back")
	need.Symlink(t, filepath.Join(ws, "sub"), back)
	w := opened(t, ws, Options{Roots: []string{back}})
	inside, err := w.Resolve("sub/b.txt")
	require.NoError(t, err)
	for _, name := range []string{back, filepath.Join(back, "b.txt"), filepath.Join(back, "deep", "..", "b.txt"), filepath.Join(back, "up")} {
		p, err := w.Resolve(name)
		require.NoError(t, err, name)
		require.Equal(t, inside.fs, p.fs, name)
		require.True(t, Within(ws, p.Abs), p.Abs)
	}
	_, err = w.Resolve(filepath.Join(back, "..", "secret"))
	require.ErrorIs(t, err, ErrEscape)
}

func TestTargetInOwnDirectory(t *testing.T) {
	for _, outside := range []bool{false, true} {
		ws, out := tree(t)
		need.Symlink(t, ".own", filepath.Join(ws, "link"))
		w, err := New(ws, Options{Outside: outside})
		require.NoError(t, err)
		defer w.Close()
		own := ".own"
		var beside error
		if outside {
			beside = ErrReadOnly
			own = filepath.Join(out, "own")
			require.NoError(t, os.Remove(filepath.Join(ws, "link")))
			need.Symlink(t, own, filepath.Join(ws, "link"))
		}
		abs := filepath.Join(w.AllowOwn(own))
		for _, made := range []bool{false, true} {
			for _, path := range []string{own, own + "/x", own + "/x/y", "link", "link/x", abs, abs + "/x"} {
				_, err := w.Target(path)
				require.ErrorIs(t, err, ErrOwn, path)
				require.ErrorIs(t, err, fs.ErrPermission)
			}
			_, err = w.Target(own + "x")
			require.ErrorIs(t, err, beside)
			if !made {
				require.NoError(t, os.Mkdir(abs, 0o700))
			}
		}
	}
}

// It is found by its own path where it was given with a link that leads into the workspace.
func TestTargetInOwnDirectoryBehindALink(t *testing.T) {
	ws, out := tree(t)
	need.Symlink(t, ws, filepath.Join(out, "back"))
	w := opened(t, ws, Options{})
	given := filepath.Join(out, "back", "sub", ".own")
	w.AllowOwn(given)
	for _, path := range []string{given + "/x", "sub/.own/x", "absdir/.own/x"} {
		_, err := w.Target(path)
		require.ErrorIs(t, err, ErrOwn, path)
	}
}

func TestPlace(t *testing.T) {
	dir := testkit.Must(t, filepath.EvalSymlinks, t.TempDir())
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o644))
	need.Symlink(t, filepath.Join("a", "b"), filepath.Join(dir, "rel"))
	need.Symlink(t, filepath.Join(dir, "a"), filepath.Join(dir, "abs"))
	need.Symlink(t, "nothing", filepath.Join(dir, "dangling"))
	need.Symlink(t, "loop", filepath.Join(dir, "loop"))
	for path, want := range map[string]string{
		"": "", ".": "", "a": "a", "./a//b/": "a/b", "file": "file", "new/file": "new/file", "a/../file": "file",
		"rel": "a/b", "rel/x": "a/b/x", "rel/..": "a", "abs/b": "a/b", "abs/../file": "file", "rel/../../file": "file",
		"dangling": "nothing", "dangling/x": "nothing/x", "file/x": "file/x", dir + "/rel": "a/b", "../" + filepath.Base(dir): "",
	} {
		abs, ok := Place(dir, path)
		require.True(t, ok, path)
		require.Equal(t, filepath.Join(dir, want), abs, path)
		abs, ok = PlaceIn(dir, path)
		require.True(t, ok, path)
		require.Equal(t, filepath.Join(dir, want), abs, path)
	}
	for _, path := range []string{"loop", "loop/x", "new/../file", "a\x00", strings.Repeat("x/", MaxPath)} {
		_, ok := Place(dir, path)
		require.False(t, ok, "%.20q", path)
		_, ok = PlaceIn(dir, path)
		require.False(t, ok, "%.20q", path)
	}
}

// A file that was found by a link is opened by the path to which that led.
func TestFindFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"one", "two"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644))
	}
	link := filepath.Join(dir, "link")
	need.Symlink(t, "one", link)
	w := opened(t, dir, Options{})
	real, err := w.Find("`link`")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(w.Dir(), "one"), real.Abs, "however it is written")
	real, err = w.Find("link")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(w.Dir(), "one"), real.Abs)
	require.Equal(t, "link", real.Name)
	require.NoError(t, os.Remove(link))
	need.Symlink(t, "two", link)
	f, _, err := real.OpenFile()
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, real.Abs, filepath.Join(w.Dir(), f.Name()[strings.LastIndexAny(f.Name(), `/\`)+1:]))

	ctx := Keep(t.Context(), []string{real.Abs})
	require.True(t, Kept(ctx, real.Abs) && Kept(t.Context(), "/"))
	again, err := w.Find("link")
	require.NoError(t, err)
	require.False(t, Kept(ctx, again.Abs))
	require.False(t, Kept(Keep(t.Context(), nil), real.Abs), "nowhere")
}
