package workspace

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/need"
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

// Other directories may be read, and are no place for a target, but with Outside.
func TestTargetInMoreRoots(t *testing.T) {
	ws, out := tree(t)
	need.Symlink(t, ws, filepath.Join(out, "back"))
	paths := []string{"out", "outrel", "outdir/secret", "outdir/new", "outdangling", "../out/secret", "../out/x/new", "outdir/back/a.txt"}
	for _, outside := range []bool{false, true} {
		w, err := New(ws, Options{Roots: []string{out}, Outside: outside})
		require.NoError(t, err)
		defer w.Close()
		for _, path := range paths {
			_, err := w.Target(path)
			if outside {
				require.NoError(t, err, path)
			} else {
				require.ErrorIs(t, err, ErrEscape, path)
			}
		}
	}
}

func TestTargetInOwnDirectory(t *testing.T) {
	for _, outside := range []bool{false, true} {
		ws, out := tree(t)
		need.Symlink(t, ".own", filepath.Join(ws, "link"))
		w, err := New(ws, Options{Outside: outside})
		require.NoError(t, err)
		defer w.Close()
		own := ".own"
		want := ErrOwn
		if outside {
			own = filepath.Join(out, "own")
			require.NoError(t, os.Remove(filepath.Join(ws, "link")))
			need.Symlink(t, own, filepath.Join(ws, "link"))
		}
		abs := w.AllowOwn(own)
		for _, made := range []bool{false, true} {
			for _, path := range []string{own, own + "/x", own + "/x/y", "link", "link/x", abs, abs + "/x"} {
				_, err := w.Target(path)
				require.ErrorIs(t, err, want, path)
				require.ErrorIs(t, err, fs.ErrPermission)
			}
			_, err = w.Target(own + "x")
			require.NoError(t, err)
			if !made {
				require.NoError(t, os.Mkdir(abs, 0o700))
			}
		}
	}
}

// It is found by its own path where it was given with a link in it.
func TestTargetInOwnDirectoryBehindALink(t *testing.T) {
	ws, _ := tree(t)
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()
	w.AllowOwn("absdir/.own")
	for _, path := range []string{"absdir/.own/x", "sub/.own/x"} {
		_, err := w.Target(path)
		require.ErrorIs(t, err, ErrOwn, path)
	}
}

// names are all that is below a directory.
func names(t *testing.T, dir string) (list []string) {
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		list = append(list, path)
		return err
	}))
	return list
}

func read(t *testing.T, p Path) []byte {
	f, _, err := p.OpenFile()
	require.NoError(t, err)
	defer f.Close()
	data, err := io.ReadAll(f)
	require.NoError(t, err)
	return data
}

// What is read back is what was given, and nothing else is made.
func TestReplace(t *testing.T) {
	ws := t.TempDir()
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()
	random := rand.NewChaCha8([32]byte{1})
	for _, size := range []int{0, 1, 4096, 3*writeChunk + 1, 10, 0} {
		content := make([]byte, size)
		random.Read(content)
		for _, path := range []string{"file", "x/y/z", "x/file"} {
			replaceAndRead(t, w, path, content)
		}
	}
	require.Len(t, names(t, ws), 6)
}

func TestReplaceThroughLinks(t *testing.T) {
	ws, _ := tree(t)
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()
	before := names(t, ws)
	for _, path := range []string{"rel", "chain", "abs", "absdir/b.txt", "dangling"} {
		for _, content := range []string{"1", "22"} {
			replaceAndRead(t, w, path, []byte(path+content))
		}
	}
	for _, link := range []string{"rel", "chain", "abs", "dangling"} {
		info, err := os.Lstat(filepath.Join(ws, link))
		require.NoError(t, err)
		require.Equal(t, fs.ModeSymlink, info.Mode().Type(), link)
	}
	require.Len(t, names(t, ws), len(before)+1, "what dangling leads to")
}

func replaceAndRead(t *testing.T, w *Workspace, path string, content []byte) {
	target, err := w.Target(path)
	require.NoError(t, err)
	require.NoError(t, target.Replace(t.Context(), content))
	require.True(t, bytes.Equal(content, read(t, target.Path)), path)
	again, err := w.Resolve(path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(content, read(t, again)), path)
}

// What has taken the place of the target since it was found is looked at anew.
func TestReplaceLooksAnew(t *testing.T) {
	ws, out := tree(t)
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()
	target, err := w.Target("sub/b.txt")
	require.NoError(t, err)
	path := filepath.Join(ws, "sub", "b.txt")
	require.NoError(t, os.Remove(path))
	require.NoError(t, target.Replace(t.Context(), []byte("made")), "a file that was removed")
	require.Equal(t, "made", string(read(t, target.Path)))

	var kind *KindError
	require.NoError(t, os.Remove(path))
	need.Symlink(t, filepath.Join(out, "secret"), path)
	require.ErrorAs(t, target.Replace(t.Context(), []byte("x")), &kind)
	require.EqualError(t, kind, "sub/b.txt is a symbolic link")
	require.ErrorAs(t, remove(t.Context(), target), &kind)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Mkdir(path, 0o755))
	require.ErrorAs(t, target.Replace(t.Context(), []byte("x")), &kind)
	require.EqualError(t, kind, "sub/b.txt is a directory")
	data, err := os.ReadFile(filepath.Join(out, "secret"))
	require.NoError(t, err)
	require.Equal(t, "secret", string(data))
}

func TestReplaceErrorsNameThePath(t *testing.T) {
	ws, _ := tree(t)
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()
	target, err := w.Target("a.txt")
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, &fs.PathError{Op: "write", Path: "a.txt", Err: context.Canceled}, target.Replace(ended, nil))
	require.Equal(t, "a.txt", string(read(t, target.Path)))
}

// remove removes the file of a target.
func remove(ctx context.Context, t Target) error {
	s, err := t.StageRemoval(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Commit(ctx)
}

func TestRemove(t *testing.T) {
	ws, _ := tree(t)
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()
	for path, file := range map[string]string{"a.txt": "a.txt", "rel": "sub/b.txt"} {
		target, err := w.Target(path)
		require.NoError(t, err)
		require.NoError(t, remove(t.Context(), target))
		require.NoFileExists(t, filepath.Join(ws, file))
		require.Equal(t, &fs.PathError{Op: "remove", Path: path, Err: fs.ErrNotExist}, remove(t.Context(), target))
	}
	_, err = os.Lstat(filepath.Join(ws, "rel"))
	require.NoError(t, err, "the link stays")
	target, err := w.Target("x/y")
	require.NoError(t, err)
	require.ErrorIs(t, remove(t.Context(), target), fs.ErrNotExist)
}

// RemoveTemp removes what a killed process left, and nothing else, whatever it is told.
func TestRemoveTemp(t *testing.T) {
	dir := t.TempDir()
	w, err := New(dir, Options{})
	require.NoError(t, err)
	defer w.Close()
	target, err := w.Target("sub/file")
	require.NoError(t, err)
	temp := target.Temp()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	require.NoError(t, w.RemoveTemp(temp), "there is none")
	require.NoError(t, os.WriteFile(temp, []byte("half"), 0o600))
	require.NoError(t, w.RemoveTemp(temp))
	require.NoFileExists(t, temp)

	other := filepath.Join(dir, "other.tmp")
	require.NoError(t, os.WriteFile(other, nil, 0o600))
	require.ErrorIs(t, w.RemoveTemp(other), fs.ErrPermission)
	outside := filepath.Join(t.TempDir(), filepath.Base(temp))
	require.NoError(t, os.WriteFile(outside, nil, 0o600))
	require.ErrorIs(t, w.RemoveTemp(outside), ErrEscape)
	need.Symlink(t, "../other.tmp", temp)
	require.ErrorIs(t, w.RemoveTemp(temp), fs.ErrPermission)
	require.FileExists(t, other)
	require.FileExists(t, outside)
}

// BenchmarkReplace times what a program would do otherwise in turn with Replace, and prints
// how many times as long Replace takes.
func BenchmarkReplace(b *testing.B) {
	for name, size := range map[string]int{"4KB": 4 << 10, "20MB": 20_000_000} {
		b.Run(name, func(b *testing.B) {
			content := bytes.Repeat([]byte("0123456789abcde\n"), size/16)
			dir := b.TempDir()
			w, err := New(dir, Options{})
			require.NoError(b, err)
			defer w.Close()
			ways := []func() error{
				func() error {
					target, err := w.Target("file")
					if err != nil {
						return err
					}
					return target.Replace(b.Context(), content)
				},
				func() error { return writeAndRename(dir, content, false) },
				func() error { return writeAndRename(dir, content, true) },
			}
			var times [3]time.Duration
			for b.Loop() {
				for i, way := range ways {
					began := time.Now()
					require.NoError(b, way())
					times[i] += time.Since(began)
				}
			}
			for i, name := range []string{"Replace", "WriteFile+Rename", "with-syncs"} {
				b.ReportMetric(float64(times[i].Microseconds())/float64(b.N), "µs/"+name)
			}
			b.ReportMetric(float64(times[0])/float64(times[1]), "x-WriteFile+Rename")
			b.ReportMetric(float64(times[0])/float64(times[2]), "x-with-syncs")
		})
	}
}

// writeAndRename is os.WriteFile and os.Rename; if it is to last, the file and its directory
// are synced, as Replace does.
func writeAndRename(dir string, content []byte, sync bool) error {
	temp := filepath.Join(dir, "temp")
	if err := os.WriteFile(temp, content, 0o644); err != nil {
		return err
	}
	if sync {
		if err := syncPath(temp); err != nil {
			return err
		}
	}
	if err := os.Rename(temp, filepath.Join(dir, "file")); err != nil || !sync {
		return err
	}
	return syncPath(dir)
}

func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
