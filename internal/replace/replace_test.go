package replace

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testkit.InMemory()
	os.Exit(m.Run())
}

// opened returns a workspace that is closed at the end of the test.
func opened(t testing.TB, dir string, o workspace.Options) *workspace.Workspace {
	t.Helper()
	w, err := workspace.New(dir, o)
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

// open makes a workspace of dir, with a target in it.
func open(t testing.TB, dir, name string) Target {
	w := opened(t, dir, workspace.Options{})
	return at(t, w, name)
}

// tree makes a workspace ws with a few links, and a directory out beside it.
func tree(t *testing.T) (ws, out string) {
	base := testkit.Must(t, filepath.EvalSymlinks, t.TempDir())
	ws, out = filepath.Join(base, "ws"), filepath.Join(base, "out")
	for _, path := range []string{filepath.Join(ws, "a.txt"), filepath.Join(ws, "sub", "b.txt"), filepath.Join(out, "secret")} {
		testkit.WriteFile(t, path, filepath.Base(path))
	}
	for name, target := range map[string]string{
		"rel":      "sub/b.txt",
		"abs":      filepath.Join(ws, "a.txt"),
		"absdir":   filepath.Join(ws, "sub"),
		"sub/up":   "../a.txt",
		"chain":    "absdir/up",
		"dangling": "nothing",
	} {
		need.Symlink(t, target, filepath.Join(ws, name))
	}
	return ws, out
}

func at(t testing.TB, w *workspace.Workspace, name string) Target {
	target, err := w.Target(name)
	require.NoError(t, err)
	return At(target)
}

// names are all that is below a directory.
func names(t *testing.T, dir string) (list []string) {
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		list = append(list, path)
		return err
	}))
	return list
}

func read(t *testing.T, p workspace.Path) []byte {
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
	w := opened(t, ws, workspace.Options{})
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
	w := opened(t, ws, workspace.Options{})
	before := names(t, ws)
	for _, path := range []string{"rel", "chain", "abs", "absdir/b.txt", "dangling"} {
		for _, content := range []string{"1", "22"} {
			replaceAndRead(t, w, path, []byte(path+content))
		}
	}
	for _, link := range []string{"rel", "chain", "abs", "dangling"} {
		info := testkit.Must(t, os.Lstat, filepath.Join(ws, link))
		require.Equal(t, fs.ModeSymlink, info.Mode().Type(), link)
	}
	require.Len(t, names(t, ws), len(before)+1, "what dangling leads to")
}

func replaceAndRead(t *testing.T, w *workspace.Workspace, path string, content []byte) {
	target := at(t, w, path)
	require.NoError(t, target.Replace(t.Context(), content))
	require.True(t, bytes.Equal(content, read(t, target.Target.Path)), path)
	again, err := w.Resolve(path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(content, read(t, again)), path)
}

// What has taken the place of the target since it was found is looked at anew.
func TestReplaceLooksAnew(t *testing.T) {
	ws, out := tree(t)
	w := opened(t, ws, workspace.Options{})
	target := at(t, w, "sub/b.txt")
	path := filepath.Join(ws, "sub", "b.txt")
	require.NoError(t, os.Remove(path))
	require.NoError(t, target.Replace(t.Context(), []byte("made")), "a file that was removed")
	require.Equal(t, "made", string(read(t, target.Target.Path)))

	var kind *workspace.KindError
	require.NoError(t, os.Remove(path))
	need.Symlink(t, filepath.Join(out, "secret"), path)
	require.ErrorAs(t, target.Replace(t.Context(), []byte("x")), &kind)
	require.EqualError(t, kind, "sub/b.txt is a symbolic link")
	require.ErrorAs(t, remove(t.Context(), target), &kind)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Mkdir(path, 0o755))
	require.ErrorAs(t, target.Replace(t.Context(), []byte("x")), &kind)
	require.EqualError(t, kind, "sub/b.txt is a directory")
	require.Equal(t, "secret", testkit.ReadFile(t, filepath.Join(out, "secret")))
}

func TestReplaceErrorsNameThePath(t *testing.T) {
	ws, _ := tree(t)
	w := opened(t, ws, workspace.Options{})
	target := at(t, w, "a.txt")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, &fs.PathError{Op: "write", Path: "a.txt", Err: context.Canceled}, target.Replace(ended, nil))
	require.Equal(t, "a.txt", string(read(t, target.Target.Path)))
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
	w := opened(t, ws, workspace.Options{})
	for path, file := range map[string]string{"a.txt": "a.txt", "rel": "sub/b.txt"} {
		target := at(t, w, path)
		require.NoError(t, remove(t.Context(), target))
		require.NoFileExists(t, filepath.Join(ws, file))
		require.Equal(t, &fs.PathError{Op: "remove", Path: path, Err: fs.ErrNotExist}, remove(t.Context(), target))
	}
	_, err := os.Lstat(filepath.Join(ws, "rel"))
	require.NoError(t, err, "the link stays")
	target := at(t, w, "x/y")
	require.ErrorIs(t, remove(t.Context(), target), fs.ErrNotExist)
}

// RemoveTemp removes what a killed process left, and nothing else, whatever it is told.
func TestRemoveTemp(t *testing.T) {
	dir := t.TempDir()
	w := opened(t, dir, workspace.Options{})
	target := at(t, w, "sub/file")
	temp := target.Temp()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	require.NoError(t, RemoveTemp(w, temp), "there is none")
	require.NoError(t, os.WriteFile(temp, []byte("half"), 0o600))
	require.NoError(t, RemoveTemp(w, temp))
	require.NoFileExists(t, temp)

	other := filepath.Join(dir, "other.tmp")
	require.NoError(t, os.WriteFile(other, nil, 0o600))
	require.ErrorIs(t, RemoveTemp(w, other), fs.ErrPermission)
	outside := filepath.Join(t.TempDir(), filepath.Base(temp))
	require.NoError(t, os.WriteFile(outside, nil, 0o600))
	require.ErrorIs(t, RemoveTemp(w, outside), workspace.ErrEscape)
	need.Symlink(t, "../other.tmp", temp)
	require.ErrorIs(t, RemoveTemp(w, temp), fs.ErrPermission)
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
			w := opened(b, dir, workspace.Options{})
			ways := []func() error{
				func() error {
					return at(b, w, "file").Replace(b.Context(), content)
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

// A link that comes after a target was found does not lead to what is protected, on any way to the file.
func TestLinkToProtected(t *testing.T) {
	for _, path := range []string{"sub/file", "sub/new", "sub/deep/file", "sub/none/new"} {
		for _, swapped := range []string{"sub", "sub/deep", "sub/none"} {
			dir := t.TempDir()
			for _, name := range []string{"sub/file", "sub/deep/file", "vendor/file", "vendor/deep/file"} {
				name = filepath.Join(dir, name)
				testkit.WriteFile(t, name, "before")
			}
			w := opened(t, dir, workspace.Options{})
			require.NoError(t, w.Protect("vendor"))
			place, err := w.Target(path)
			require.NoError(t, err)
			_ = os.Rename(filepath.Join(dir, swapped), filepath.Join(dir, "moved"))
			target, err := filepath.Rel(filepath.Dir(swapped), "vendor") // os.Root follows no absolute link
			require.NoError(t, err)
			need.Symlink(t, target, filepath.Join(dir, swapped))
			before := testkit.Must(t, filepath.Glob, filepath.Join(dir, "vendor/*/*"))
			failed := At(place).Replace(t.Context(), []byte("after"))
			if staged, err := At(place).StageRemoval(t.Context()); err == nil {
				require.NoError(t, staged.Commit(t.Context()))
				staged.Close()
			}
			if through, _ := filepath.Rel(swapped, path); filepath.IsLocal(through) {
				require.ErrorContains(t, failed, "a link has taken the place of a directory meanwhile", "%s by %s", path, swapped)
			} else {
				require.NoError(t, failed)
			}
			for _, name := range []string{"vendor/file", "vendor/deep/file"} {
				require.Equal(t, "before", testkit.ReadFile(t, filepath.Join(dir, name)), "%s by %s", path, swapped)
			}
			require.Equal(t, before, testkit.Must(t, filepath.Glob, filepath.Join(dir, "vendor/*/*")))
			require.NoFileExists(t, filepath.Join(dir, "vendor/new"))
			w.Close()
		}
	}
}
