package spill

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

func TestSmallStreamMakesNoFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".clarvis")
	w := NewDir(dir).NewWriter("bash")
	w.Write([]byte("short"))
	require.NoError(t, w.Close())
	require.NoDirExists(t, dir)
	w = NewDir(dir).NewWriter("bash")
	w.Write(make([]byte, held))
	require.NoDirExists(t, dir)
	w.Write([]byte("x"))
	require.Len(t, logs(t, dir), 1)
	require.NoError(t, w.Close())
}

func TestKeep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".clarvis")
	d := newDir(t, dir)
	w := d.NewWriter("bash")
	var want bytes.Buffer
	for i := range 100000 {
		line := fmt.Sprintf("line %d\n", i)
		want.WriteString(line)
		w.Write([]byte(line))
	}
	path := kept(t, w)
	require.NoError(t, w.Close())
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(want.Bytes(), got))
	require.Equal(t, int64(want.Len()), w.Size())
	require.Regexp(t, `[/\\]bash-[b-z2-9]{8}\.log$`, path)
	require.Equal(t, "*\n", testkit.ReadFile(t, filepath.Join(dir, ".gitignore")))
}

// Nobody else may read what is kept.
func TestModes(t *testing.T) {
	need.Modes(t)
	d := newDir(t, filepath.Join(t.TempDir(), ".clarvis"))
	path := kept(t, d.NewWriter("bash"))
	for name, want := range map[string]os.FileMode{d.path: 0o700, path: 0o600} {
		info := testkit.Must(t, os.Stat, name)
		require.Equal(t, want, info.Mode().Perm())
	}

	base := t.TempDir()
	kept(t, NewDirBelow(base, filepath.Join("a", "b")).NewWriter("bash"))
	info := testkit.Must(t, os.Stat, filepath.Join(base, "a", "b"))
	require.EqualValues(t, 0o700, info.Mode().Perm())
	_, err := NewDirBelow(filepath.Join(base, "none"), "a").NewWriter("bash").Keep()
	require.ErrorIs(t, err, os.ErrNotExist, "what it is below is not made")
}

// A directory from which the .gitignore was removed is hidden again.
func TestDirectoryIsHiddenAgain(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		d := NewDir(dir)
		w := d.NewWriter("bash")
		w.Write([]byte("x"))
		kept(t, w)
		require.NoError(t, os.Remove(filepath.Join(dir, ".gitignore")))
		d.Close()
	}
}

// A directory that is used for something else is not hidden from git.
func TestUsedDirectoryIsNotHidden(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes"), nil, 0o600))
	d := newDir(t, dir)
	w := d.NewWriter("bash")
	w.Write([]byte("x"))
	path := kept(t, w)
	require.FileExists(t, path)
	require.NoFileExists(t, filepath.Join(dir, ".gitignore"))
}

func TestCloseRemovesTheFile(t *testing.T) {
	d := newDir(t, t.TempDir())
	w := d.NewWriter("bash")
	w.Write(make([]byte, held+1))
	require.Len(t, logs(t, d.path), 1)
	w.Close()
	require.Empty(t, logs(t, d.path))
	_, err := w.Keep()
	require.Error(t, err)
}

func TestRefusedDirectories(t *testing.T) {
	base := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(base, "real"), 0o755))
	need.Symlink(t, "real", filepath.Join(base, "link"))
	require.NoError(t, os.WriteFile(filepath.Join(base, "file"), nil, 0o644))
	for name, want := range map[string]string{
		"link": "link is not a directory, or is a link to one",
		"file": "file is not a directory, or is a link to one",
	} {
		w := NewDir(filepath.Join(base, name)).NewWriter("bash")
		w.Write([]byte("x"))
		_, err := w.Keep()
		require.EqualError(t, err, want)
		_, err = Sweep(t.Context(), filepath.Join(base, name), Options{MaxAge: 1})
		require.EqualError(t, err, want)
	}
	require.Empty(t, testkit.Must(t, os.ReadDir, filepath.Join(base, "real")))
}

// What has taken the place of a file while it was written is not given out as the output.
func TestReplacedFileIsNotKept(t *testing.T) {
	d := newDir(t, t.TempDir())
	w := d.NewWriter("bash")
	w.Spill()
	path := filepath.Join(d.path, w.base+unfinished)
	if err := os.Rename(path, path+"-old"); err != nil {
		t.Skip("an open file cannot be renamed here")
	}
	require.NoError(t, os.WriteFile(path, []byte("forged"), 0o600))
	_, err := w.Keep()
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A link that takes the place of the directory after it was looked at is not followed.
func TestDirectoryReplacedWhileOpened(t *testing.T) {
	base := t.TempDir()
	dir, other := filepath.Join(base, "d"), filepath.Join(base, "other")
	require.NoError(t, os.Mkdir(dir, 0o700))
	before := testkit.Must(t, os.Lstat, dir)
	root, err := openSame(os.OpenRoot, dir, before)
	require.NoError(t, err)
	root.Close()
	require.NoError(t, os.Rename(dir, other))
	need.Symlink(t, "other", dir) // the directory itself may come back: only another one is refused
	root, err = openSame(os.OpenRoot, dir, before)
	require.NoError(t, err)
	root.Close()
	require.NoError(t, os.Remove(dir))
	require.NoError(t, os.Mkdir(dir, 0o700))
	_, err = openSame(os.OpenRoot, dir, before)
	require.EqualError(t, err, "d was replaced while it was opened")
}

func TestVanishedDirectoryLosesOnlyTheFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	d := newDir(t, dir)
	w := d.NewWriter("bash")
	w.Write(make([]byte, held+1))
	require.NoError(t, os.RemoveAll(dir))
	n, err := w.Write([]byte("more"))
	require.Equal(t, 4, n)
	require.NoError(t, err)
	_, err = w.Keep()
	require.ErrorIs(t, err, os.ErrNotExist)
	require.EqualError(t, err, "file does not exist: somebody removed d, or this file in it")

	w = d.NewWriter("bash") // the next one makes the directory again
	w.Write([]byte("x"))
	path := kept(t, w)
	require.FileExists(t, path)
}

// A directory that was moved away is made again where it was, or another one that is
// there is used.
func TestDirectoryMovedAway(t *testing.T) {
	for name, after := range map[string]func(dir string) error{
		"nothing is there": func(string) error { return nil },
		"another is there": func(dir string) error { return os.Mkdir(dir, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			top := filepath.Join(t.TempDir(), "ws")
			dir := filepath.Join(top, ".clarvis")
			d := newDir(t, dir)
			keep := func() string {
				path := kept(t, d.NewWriter("bash"))
				require.FileExists(t, path)
				return path
			}
			moved := keep()
			require.NoError(t, os.Rename(top, top+"-old"))
			require.NoError(t, os.Mkdir(top, 0o755))
			require.NoError(t, after(dir))
			first, second := keep(), keep()
			require.ElementsMatch(t, []string{first, second}, logs(t, dir))
			old := filepath.Join(top+"-old", ".clarvis")
			require.Equal(t, []string{filepath.Join(old, filepath.Base(moved))}, logs(t, old))
			require.FileExists(t, filepath.Join(dir, ".gitignore"))
		})
	}
}

// A directory is opened once, and given up by whoever finds that it is another one now; the new
// one stays open.
func TestDirectoryStaysOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	d := newDir(t, dir)
	first, err := d.Open()
	require.NoError(t, err)
	again, err := d.Open()
	require.NoError(t, err)
	require.Same(t, first, again)
	if err := os.Rename(dir, dir+"-old"); err != nil {
		t.Skip("an open directory cannot be renamed here")
	}
	second, err := d.Open()
	require.NoError(t, err)
	require.NotSame(t, first, second)
	d.forget(first)
	again, err = d.Open()
	require.NoError(t, err)
	require.Same(t, second, again)
}

// Several streams find at once that the directory was removed: none of them loses its file.
func TestVanishedDirectoryIsMadeAgainForAll(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".clarvis")
	d := newDir(t, dir)
	for range 100 {
		w := d.NewWriter("bash")
		_, err := w.Keep() // the directory is open now
		require.NoError(t, err)
		require.NoError(t, os.RemoveAll(dir))
		var writers sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			writers.Go(func() { _, errs[i] = d.NewWriter("bash").Keep() })
		}
		writers.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
	}
}

// A file system of 1 MiB is filled: the write fails, the writer does not.
func TestFullDisk(t *testing.T) {
	dir := testkit.SmallDisk(t, "1m")
	d := newDir(t, dir)
	w := d.NewWriter("bash")
	for range 20 {
		n, err := w.Write(make([]byte, 100<<10))
		require.Equal(t, 100<<10, n)
		require.NoError(t, err)
	}
	_, err := w.Keep()
	require.EqualError(t, err, "no space left on device")
	require.Empty(t, logs(t, dir), "what was written is given back")
}

// A disk that was full when the directory was made does not leave it unhidden from git.
func TestFullDiskIsHiddenLater(t *testing.T) {
	disk := testkit.SmallDisk(t, "64k")
	fill := filepath.Join(disk, "fill")
	require.Error(t, os.WriteFile(fill, make([]byte, 128<<10), 0o600))
	d := newDir(t, filepath.Join(disk, "spill"))
	_, err := d.NewWriter("bash").Keep()
	require.EqualError(t, err, "no space left on device")
	require.NoError(t, os.Remove(fill))
	_, err = d.NewWriter("bash").Keep()
	require.NoError(t, err)
	require.Equal(t, "*\n", testkit.ReadFile(t, filepath.Join(disk, "spill", ".gitignore")))
}

// newDir returns a Dir that is closed at the end of the test.
func newDir(t testing.TB, path string) *Dir {
	d := NewDir(path)
	t.Cleanup(func() { d.Close() })
	return d
}

// kept returns the path of the file of a writer.
func kept(t testing.TB, w *Writer) string {
	t.Helper()
	path, err := w.Keep()
	require.NoError(t, err)
	return path
}

// swept returns what a sweep reports.
func swept(t testing.TB, dir string, o Options) Report {
	t.Helper()
	r, err := Sweep(t.Context(), dir, o)
	require.NoError(t, err)
	return r
}

func logs(t *testing.T, dir string) []string {
	found := testkit.Must(t, filepath.Glob, filepath.Join(dir, "*.log*"))
	return found
}

// spilled makes a kept file of so many bytes and such an age.
func spilled(t *testing.T, d *Dir, size int, age time.Duration) string {
	return aged(t, d, "bash", size, age)
}

// aged is spilled for a kind of file.
func aged(t *testing.T, d *Dir, kind string, size int, age time.Duration) string {
	w := d.NewWriter(kind)
	w.Write(make([]byte, size))
	path := kept(t, w)
	when := time.Now().Add(-age)
	require.NoError(t, os.Chtimes(path, when, when))
	return path
}

func TestSweep(t *testing.T) {
	d := newDir(t, filepath.Join(t.TempDir(), "d"))
	old := spilled(t, d, 10, 48*time.Hour)
	first, second, third := spilled(t, d, 100, 3*time.Hour), spilled(t, d, 100, 2*time.Hour), spilled(t, d, 100, time.Hour)
	foreign := filepath.Join(d.path, "notes.log")
	similar := filepath.Join(d.path, "bash-"+strings.Repeat("a", 26)+".log")
	link := filepath.Join(d.path, "bash-"+strings.Repeat("A", 26)+".log")
	subdir := filepath.Join(d.path, "bash-"+strings.Repeat("B", 26)+".log")
	for _, p := range []string{foreign, similar} {
		require.NoError(t, os.WriteFile(p, make([]byte, 1000), 0o600))
		require.NoError(t, os.Chtimes(p, time.Unix(0, 0), time.Unix(0, 0)))
	}
	need.Symlink(t, foreign, link)
	require.NoError(t, os.Mkdir(subdir, 0o700))
	busy := d.NewWriter("bash")
	busy.Write(make([]byte, held+1))
	require.NoError(t, os.Chtimes(filepath.Join(d.path, busy.base+unfinished), time.Unix(0, 0), time.Unix(0, 0)))

	options := Options{MaxAge: 24 * time.Hour, MaxTotalBytes: held + 1 + 200}
	planned, unseen, err := Plan(t.Context(), d.path, options)
	require.NoError(t, err)
	require.Zero(t, unseen)
	require.FileExists(t, old)
	require.FileExists(t, first)
	r := swept(t, d.path, options)
	require.Equal(t, r, planned)
	require.Equal(t, Report{Removed: 2, RemovedBytes: 110, Kept: 3, KeptBytes: held + 1 + 200, Busy: 1}, r)
	for _, p := range []string{old, first} {
		require.NoFileExists(t, p)
	}
	for _, p := range []string{second, third, foreign, similar, link} {
		require.FileExists(t, p)
	}
	require.DirExists(t, subdir)

	path := kept(t, busy)
	require.NoError(t, os.Chtimes(path, time.Unix(0, 0), time.Unix(0, 0)))
	r, err = Sweep(t.Context(), d.path, Options{MaxAge: 24 * time.Hour})
	require.NoError(t, err)
	require.Equal(t, 1, r.Removed)
}

// A sweep leaves the lock alone, and the directory that has it is still hidden from git.
func TestLockStays(t *testing.T) {
	d := newDir(t, filepath.Join(t.TempDir(), "d"))
	_, err := d.Open()
	require.NoError(t, err)
	path := filepath.Join(d.path, LockName)
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	long := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(path, long, long))
	_, err = Sweep(t.Context(), d.path, Options{MaxAge: time.Minute, MaxTotalBytes: 1})
	require.NoError(t, err)
	require.FileExists(t, path)
	ignore := filepath.Join(d.path, ".gitignore")
	require.FileExists(t, ignore)
	require.NoError(t, os.Remove(ignore))
	other := newDir(t, d.path)
	_, err = other.Open()
	require.NoError(t, err)
	require.FileExists(t, ignore)
}

// Full outputs and what files held before have each their own age, whichever is longer, and one
// limit of bytes.
func TestSweepOfCopies(t *testing.T) {
	const day = 24 * time.Hour
	for name, tt := range map[string]struct {
		options Options
		stay    []string
	}{
		"copies stay longer":       {Options{MaxAge: day, UndoMaxAge: 7 * day}, []string{"bash 1h", "before 1h", "before 48h"}},
		"outputs stay longer":      {Options{MaxAge: 7 * day, UndoMaxAge: day}, []string{"bash 1h", "bash 48h", "before 1h"}},
		"copies have no limit":     {Options{MaxAge: day}, []string{"bash 1h", "before 1h", "before 240h", "before 48h"}},
		"outputs have no limit":    {Options{UndoMaxAge: day}, []string{"bash 1h", "bash 240h", "bash 48h", "before 1h"}},
		"together within the size": {Options{MaxAge: 9 * day, UndoMaxAge: 9 * day, MaxTotalBytes: 30}, []string{"bash 1h", "before 1h", "before 48h"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDir(t, t.TempDir())
			files := map[string]string{}
			for i, age := range []time.Duration{1, 48, 240} {
				for j, kind := range []string{Undo, "bash"} {
					path := aged(t, d, kind, 10, age*time.Hour+time.Duration(2*i+j)*time.Second)
					files[path] = fmt.Sprintf("%s %dh", kind, age)
				}
			}
			swept(t, d.path, tt.options)
			var left []string
			for _, path := range logs(t, d.path) {
				left = append(left, files[path])
			}
			require.ElementsMatch(t, tt.stay, left)
		})
	}
}

// Files of a time to come, as of a clock that was wrong, are not too old. They count, and are the
// last to go; but they are not the newest, which stays.
func TestSweepOfFilesToCome(t *testing.T) {
	d := newDir(t, t.TempDir())
	ahead := aged(t, d, Undo, 10, -1e4*time.Hour) // in a year that 32 bits can hold
	now, old := spilled(t, d, 10, time.Hour), spilled(t, d, 10, 2*time.Hour)
	r, err := Sweep(t.Context(), d.path, Options{MaxAge: 24 * time.Hour, UndoMaxAge: time.Hour, MaxTotalBytes: 20})
	require.NoError(t, err)
	require.Equal(t, Report{Removed: 1, RemovedBytes: 10, Kept: 2, KeptBytes: 20}, r)
	require.NoFileExists(t, old)
	require.FileExists(t, now)
	require.FileExists(t, ahead)
	r, err = Sweep(t.Context(), d.path, Options{MaxTotalBytes: 5})
	require.NoError(t, err)
	require.Equal(t, Report{Removed: 1, RemovedBytes: 10, Kept: 1, KeptBytes: 10}, r)
	require.FileExists(t, now)
	soon := spilled(t, d, 10, -time.Minute) // by the clock of another machine
	_, err = Sweep(t.Context(), d.path, Options{MaxTotalBytes: 5})
	require.NoError(t, err)
	require.FileExists(t, soon)
}

// A process that dies while it writes leaves a file that the next sweep removes.
func TestSweepAfterACrash(t *testing.T) {
	d := newDir(t, t.TempDir())
	w := d.NewWriter("bash")
	w.Write(make([]byte, held+1))
	r, err := Sweep(t.Context(), d.path, Options{})
	require.NoError(t, err)
	require.Equal(t, 1, r.Kept, "it is being written")
	w.file.Close() // as the end of the process does
	r, err = Sweep(t.Context(), d.path, Options{})
	require.NoError(t, err)
	require.Equal(t, 1, r.Removed)
	require.Empty(t, logs(t, d.path))
}

func TestSweepOfNothing(t *testing.T) {
	r, err := Sweep(t.Context(), filepath.Join(t.TempDir(), "none"), Options{MaxAge: 1})
	require.NoError(t, err)
	require.Equal(t, Report{}, r)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := NewDir(t.TempDir())
	spilled(t, d, 1, time.Hour)
	r, err = Sweep(ctx, d.path, Options{MaxAge: 1})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, Report{Kept: 1, KeptBytes: 1}, r)
}

// Writers and sweepers at once lose nothing that is being written.
func TestConcurrent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	var writers, sweeper sync.WaitGroup
	stop := make(chan struct{})
	sweeper.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				Sweep(context.Background(), dir, Options{MaxAge: time.Hour})
			}
		}
	})
	for i := range 8 {
		writers.Go(func() {
			d := newDir(t, dir)
			for range 5 {
				w := d.NewWriter("bash")
				chunk := bytes.Repeat([]byte{byte('a' + i)}, 100<<10)
				for range 5 {
					w.Write(chunk)
				}
				path, err := w.Keep()
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, bytes.Repeat(chunk, 5)) {
					t.Errorf("%d bytes, %v", len(got), err)
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	sweeper.Wait()
}

func ExampleDir() {
	base, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(base)
	d := NewDir(filepath.Join(base, ".clarvis"))
	defer d.Close()
	w := d.NewWriter("bash")
	defer w.Close()
	fmt.Fprintln(w, "the whole output")
	path, err := w.Keep()
	data, _ := os.ReadFile(path)
	fmt.Print(string(data), err)
	// Output:
	// the whole output
	// <nil>
}

func BenchmarkSweep10000(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		b.StopTimer()
		for i := range 10000 {
			base := fmt.Sprintf("bash-%s.log", strings.Map(func(r rune) rune { return 'A' + r - '0' }, fmt.Sprintf("%026d", i)))
			if err := os.WriteFile(filepath.Join(dir, base), nil, 0o600); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
		if r, err := Sweep(b.Context(), dir, Options{MaxAge: 1}); err != nil || r.Removed != 10000 {
			b.Fatal(r, err)
		}
	}
}

// A published file can be read while it is written, by its name and by the writer, and is
// safe from sweeps up to the end.
func TestPublish(t *testing.T) {
	d := newDir(t, filepath.Join(t.TempDir(), ".clarvis"))
	for _, before := range []int{0, 10, held + 1} { // in memory or in a file by then
		w := d.NewWriter("job")
		w.Write(bytes.Repeat([]byte("a"), before))
		path, err := w.Publish()
		require.NoError(t, err)
		require.Regexp(t, `[/\\]job-[b-z2-9]{8}\.log$`, path)
		w.Write([]byte("more"))
		require.Equal(t, strings.Repeat("a", before)+"more", testkit.ReadFile(t, path))
		tail := make([]byte, 4)
		_, err = w.ReadAt(tail, int64(before))
		require.NoError(t, err)
		require.Equal(t, "more", string(tail))
		report := swept(t, d.path, Options{MaxAge: 1})
		require.Equal(t, 1, report.Busy)
		require.Equal(t, path, kept(t, w))
		report, err = Sweep(t.Context(), d.path, Options{MaxAge: 1})
		require.NoError(t, err)
		require.Equal(t, 1, report.Removed)
	}
	w := d.NewWriter("job")
	path, err := w.Publish()
	require.NoError(t, err)
	w.Close()
	require.FileExists(t, path, "the reader was told of it")
}

// What has taken the place of a published file is not given out as the output.
func TestPublishedFileIsReplaced(t *testing.T) {
	d := newDir(t, t.TempDir())
	w := d.NewWriter("job")
	path, err := w.Publish()
	require.NoError(t, err)
	if err := os.Rename(path, path+"-old"); err != nil {
		t.Skip("an open file cannot be renamed here")
	}
	require.NoError(t, os.WriteFile(path, []byte("forged"), 0o600))
	_, err = w.Publish()
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = w.Keep()
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A published file keeps what fitted on the disk.
func TestPublishedOnFullDisk(t *testing.T) {
	dir := testkit.SmallDisk(t, "1m")
	d := newDir(t, dir)
	w := d.NewWriter("job")
	path, err := w.Publish()
	require.NoError(t, err)
	for range 20 {
		w.Write(make([]byte, 100<<10))
	}
	_, err = w.Publish()
	require.EqualError(t, err, "no space left on device")
	_, err = w.Keep()
	require.EqualError(t, err, "no space left on device")
	info := testkit.Must(t, os.Stat, path)
	require.Greater(t, info.Size(), int64(500<<10))
}
