package spill

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spillway-go/spillway/internal/lock"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/require"
)

// total is the size of all files of a directory.
func total(t *testing.T, dir string) (n int64) {
	for _, path := range logs(t, dir) {
		if info, err := os.Stat(path); err == nil {
			n += info.Size()
		}
	}
	return n
}

func keep(t *testing.T, w *Writer, size int) string {
	w.Write(make([]byte, size))
	path := kept(t, w)
	return path
}

// settle waits for the sweeps of a Dir, which go on in the background on a busy machine.
func settle(d *Dir) {
	for {
		d.keeper.mu.Lock()
		running := d.keeper.running
		d.keeper.mu.Unlock()
		if running == nil {
			return
		}
		<-running
	}
}

func TestLimitWhileFilesAreKept(t *testing.T) {
	d := newDir(t, filepath.Join(t.TempDir(), "d"))
	d.Limit(Options{MaxTotalBytes: 1000})
	for range 20 {
		path := keep(t, d.NewWriter("bash"), 300)
		settle(d)
		require.LessOrEqual(t, total(t, d.path), int64(1000))
		require.FileExists(t, path)
	}
	require.Len(t, logs(t, d.path), 3)

	// One that is larger than the limit by itself stays until the next.
	path := keep(t, d.NewWriter("bash"), 5000)
	settle(d)
	require.Len(t, logs(t, d.path), 1)
	require.FileExists(t, path)
	small := keep(t, d.NewWriter("bash"), 10)
	settle(d)
	require.Len(t, logs(t, d.path), 1)
	require.FileExists(t, small)
}

// TestLimitOfStreams has two streams that one result names.
func TestLimitOfStreams(t *testing.T) {
	d := newDir(t, t.TempDir())
	d.Limit(Options{MaxTotalBytes: 1000})
	old := keep(t, d.NewWriter("bash"), 100)
	stdout := d.NewWriter("bash")
	stderr := stdout.Beside("stderr")
	first, second := keep(t, stdout, 2000), keep(t, stderr, 2000)
	settle(d)
	require.NoFileExists(t, old)
	require.FileExists(t, first)
	require.FileExists(t, second)
	third := keep(t, d.NewWriter("bash"), 100)
	settle(d)
	require.Len(t, logs(t, d.path), 1)
	require.FileExists(t, third)
}

// TestLimitCountsOtherProcesses has files that this Dir did not keep.
func TestLimitCountsOtherProcesses(t *testing.T) {
	d, other := NewDir(t.TempDir()), NewDir("")
	defer d.Close()
	d.Limit(Options{MaxTotalBytes: 8000})
	other.path = d.path
	defer other.Close()
	for range 10 {
		spilled(t, other, 2000, time.Hour)
	}
	for range 3 { // a recount comes before the limit is reached by these alone
		keep(t, d.NewWriter("bash"), 600)
	}
	settle(d)
	require.LessOrEqual(t, total(t, d.path), int64(8000))
}

// A sweep is due beyond the limit, and when an eighth of it was added since the last.
func TestSweepIsDue(t *testing.T) {
	for _, tt := range []struct {
		most, total, added, size int64
		due                      bool
	}{
		{800, 0, 0, 100, false},
		{800, 0, 0, 101, true},
		{800, 0, 50, 50, false},
		{800, 0, 50, 51, true},
		{800, 790, 0, 10, false},
		{800, 790, 0, 11, true},
		{0, 1 << 40, 1 << 40, 1 << 40, false},
	} {
		d := NewDir(t.TempDir())
		require.False(t, d.kept(&group{}, "f", 1<<40), "there are no limits")
		d.keeper.ctx, d.keeper.options = t.Context(), Options{MaxTotalBytes: tt.most}
		d.keeper.total, d.keeper.added = tt.total, tt.added
		require.Equal(t, tt.due, d.kept(&group{}, "f", tt.size), "%+v", tt)
		require.Equal(t, [2]int64{tt.total + tt.size, tt.added + tt.size}, [2]int64{d.keeper.total, d.keeper.added})
	}
}

// A sweep counts what is in the directory.
func TestSweepCounts(t *testing.T) {
	d := newDir(t, t.TempDir())
	other := newDir(t, d.path)
	spilled(t, other, 300, time.Minute)
	spilled(t, other, 200, time.Minute)
	d.Limit(Options{MaxTotalBytes: 1000})
	settle(d)
	require.EqualValues(t, 500, d.keeper.total)
}

// Close waits for a sweep that runs, but no longer than it says.
func TestCloseWaitsForTheSweep(t *testing.T) {
	for name, tt := range map[string]struct {
		takes, waits time.Duration // takes 0 is no sweep
	}{
		"none": {0, 0}, "short": {patience / 2, patience / 2}, "long": {time.Hour, patience},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := NewDir("d")
				if tt.takes > 0 {
					running := make(chan struct{})
					d.keeper.running = running
					time.AfterFunc(tt.takes, func() { close(running) })
				}
				began := time.Now()
				require.NoError(t, d.Close())
				require.Equal(t, tt.waits, time.Since(began))
			})
		})
	}
}

// A directory with more files than are listed at a time is swept whole, and a sweep of it that
// is ended says so.
func TestSweepOfManyFiles(t *testing.T) {
	d := NewDir(t.TempDir())
	for i := range listBatch + 100 {
		base := fmt.Sprintf("bash-%s.log", strings.Map(func(r rune) rune { return 'A' + r - '0' }, fmt.Sprintf("%026d", i)))
		require.NoError(t, os.WriteFile(filepath.Join(d.path, base), []byte("x"), 0o600))
	}
	root, err := OpenOwn(d.path)
	require.NoError(t, err)
	defer root.Close()
	for most, want := range map[int]bool{listBatch: false, 3 * listBatch: true} {
		own, err := onlySpills(root, most)
		require.NoError(t, err)
		require.Equal(t, want, own, "at most %d", most)
	}
	r := swept(t, d.path, Options{})
	require.Equal(t, Report{Kept: listBatch + 100, KeptBytes: listBatch + 100}, r)
	r, err = Sweep(t.Context(), d.path, Options{MaxTotalBytes: 50})
	require.NoError(t, err)
	require.Equal(t, Report{Removed: listBatch + 50, RemovedBytes: listBatch + 50, Kept: 50, KeptBytes: 50}, r)
}

// A directory with more files than are listed at a time is gone through as often as it takes.
func TestSweepInPasses(t *testing.T) {
	const files, most = 100, 10
	ended, end := context.WithCancel(t.Context())
	end()
	for _, tt := range []struct {
		ctx     context.Context
		options Options
		want    Report
		err     error
	}{
		{t.Context(), Options{MaxTotalBytes: 35}, Report{Removed: 65, RemovedBytes: 65, Kept: 35, KeptBytes: 35}, nil},
		{t.Context(), Options{MaxAge: time.Minute}, Report{Removed: files, RemovedBytes: files}, nil},
		{t.Context(), Options{}, Report{Kept: files, KeptBytes: files}, nil},
		{ended, Options{MaxAge: time.Minute}, Report{Kept: files, KeptBytes: files}, context.Canceled},
	} {
		d := NewDir(t.TempDir())
		for i := range files {
			spilled(t, d, 1, time.Hour+time.Duration(i)*time.Second)
		}
		require.NoError(t, os.Remove(filepath.Join(d.path, ".gitignore")))
		root, err := OpenOwn(d.path)
		require.NoError(t, err)
		s := sweeper{root: root, options: tt.options, now: time.Now(), protected: func(string) bool { return false }}
		require.ErrorIs(t, s.passes(tt.ctx, most), tt.err)
		require.Equal(t, tt.want, s.report)
		require.Len(t, logs(t, d.path), tt.want.Kept)
		require.NoError(t, root.Close())
		require.NoError(t, d.Close())
	}
}

// A plan goes through such a directory once, and says how many files it did not judge.
func TestPlanOfManyFiles(t *testing.T) {
	const files, most = 100, 10
	d := newDir(t, t.TempDir())
	for i := range files {
		spilled(t, d, 1, time.Hour+time.Duration(i)*time.Second)
	}
	r, unseen, err := plan(t.Context(), d.path, Options{MaxAge: time.Minute}, most)
	require.NoError(t, err)
	require.Equal(t, files-most, unseen)
	require.Equal(t, Report{Removed: most, RemovedBytes: most, Kept: files - most, KeptBytes: files - most}, r)
	require.Len(t, logs(t, d.path), files)
	r, unseen, err = Plan(t.Context(), filepath.Join(d.path, "missing"), Options{})
	require.NoError(t, err)
	require.Zero(t, unseen)
	require.Zero(t, r)
}

// Files that are due are removed where a pass holds only older ones that may stay.
func TestSweepBehindFilesThatStay(t *testing.T) {
	d := newDir(t, t.TempDir())
	const most = 5
	for i := range 3 * most {
		aged(t, d, Undo, 1, time.Duration(i+2)*time.Hour)
		aged(t, d, "bash", 1, time.Hour)
	}
	root, err := OpenOwn(d.path)
	require.NoError(t, err)
	defer root.Close()
	options := Options{MaxAge: time.Minute, MaxTotalBytes: 2 * most}
	s := sweeper{root: root, options: options, now: time.Now(), protected: func(string) bool { return false }}
	require.NoError(t, s.passes(t.Context(), most))
	require.Equal(t, Report{Removed: 4 * most, RemovedBytes: 4 * most, Kept: 2 * most, KeptBytes: 2 * most}, s.report)
	for _, path := range logs(t, d.path) {
		info := testkit.Must(t, os.Stat, path)
		require.Contains(t, path, Undo)
		require.Less(t, time.Since(info.ModTime()), (2*most+2)*time.Hour, "the oldest go")
	}
}

// A file that cannot be removed is counted as one that is left.
func TestSweepThatFails(t *testing.T) {
	d := newDir(t, t.TempDir())
	path := spilled(t, d, 7, time.Hour)
	root, err := OpenOwn(d.path)
	require.NoError(t, err)
	require.NoError(t, root.Close()) // nothing can be done in it any more
	s := sweeper{root: root, protected: func(string) bool { return false }}
	s.visit(file{name: filepath.Base(path), size: 7, due: true})
	require.Equal(t, Report{Kept: 1, KeptBytes: 7, Failed: 1}, s.report)
}

// TestLimitIsConcurrent keeps files of several suites in one directory.
func TestLimitIsConcurrent(t *testing.T) {
	dir := t.TempDir()
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			d := newDir(t, dir)
			d.Limit(Options{MaxTotalBytes: 50_000})
			for range 20 {
				w := d.NewWriter("bash")
				w.Write(make([]byte, 10_000))
				if _, err := w.Keep(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	d := newDir(t, dir)
	d.Limit(Options{MaxTotalBytes: 50_000})
	settle(d)
	require.LessOrEqual(t, total(t, dir), int64(50_000))
}

// TestNewestStays has a sweep of another process meet a file that a result has just named.
func TestNewestStays(t *testing.T) {
	d := newDir(t, t.TempDir())
	spilled(t, d, 10, time.Hour)
	newest := spilled(t, d, 5000, time.Minute)
	r, err := Sweep(t.Context(), d.path, Options{MaxTotalBytes: 100})
	require.NoError(t, err)
	require.Equal(t, [2]int{1, 1}, [2]int{r.Removed, r.Kept})
	require.FileExists(t, newest)
	r, err = Sweep(t.Context(), d.path, Options{MaxAge: time.Second})
	require.NoError(t, err)
	require.Equal(t, 1, r.Removed)
}

// TestClosedDirSweepsNoMore has the sweep of a closed Dir end.
func TestClosedDirSweepsNoMore(t *testing.T) {
	d := NewDir(t.TempDir())
	d.Limit(Options{MaxTotalBytes: 10})
	w := d.NewWriter("bash")
	w.Write(make([]byte, held+1))
	spilled(t, d, 5, time.Hour)
	require.NoError(t, d.Close())
	kept(t, w)
	require.Len(t, logs(t, d.path), 2)
}

// TestForeignNames has a directory with very many entries of other names, which are
// not looked at.
func TestForeignNames(t *testing.T) {
	dir := t.TempDir()
	d := newDir(t, dir)
	old := spilled(t, d, 10, time.Hour)
	for i := range 3 * listBatch {
		need.Symlink(t, "nowhere", filepath.Join(dir, fmt.Sprintf("%d-%s.txt", i, strings.Repeat("x", 40))))
	}
	root, err := OpenOwn(dir)
	require.NoError(t, err)
	defer root.Close()
	l := listing{most: 5, due: func(file) bool { return false }}
	require.NoError(t, l.read(t.Context(), root))
	require.Len(t, l.files, 1)

	ctx := testkit.EndsAfter(t.Context(), 2)
	_, err = Sweep(ctx, dir, Options{MaxAge: time.Minute})
	require.ErrorIs(t, err, context.Canceled)
	require.FileExists(t, old)
	require.GreaterOrEqual(t, ctx.Left(), -2, "the listing goes on for a batch")
}

// TestListingIsBounded has more files than a pass holds.
func TestListingIsBounded(t *testing.T) {
	began := time.Now()
	l := listing{most: 10, now: began, due: func(f file) bool { return f.name == "500" }}
	for i := range 1000 {
		n := i * 7 % 1000
		l.add(file{name: fmt.Sprint(n), size: 3, written: began.Add(time.Duration(n) * time.Second)})
		require.Less(t, len(l.files), 20)
	}
	l.trim()
	require.Len(t, l.files, 10)
	require.Equal(t, [3]string{"500", "0", "8"}, [3]string{l.files[0].name, l.files[1].name, l.files[9].name})
	require.Equal(t, "999", l.newest.name)
	require.Equal(t, [2]int64{3000, 2970}, [2]int64{l.bytes, l.moreBytes()})
	require.Equal(t, 990, l.more)
}

func ExampleDir_Limit() {
	base, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(base)
	d := NewDir(base)
	defer d.Close()
	d.Limit(Options{MaxTotalBytes: 1000})
	for range 5 {
		w := d.NewWriter("bash")
		fmt.Fprint(w, strings.Repeat("x", 600))
		w.Keep()
	}
	files, _ := filepath.Glob(filepath.Join(base, "*.log"))
	fmt.Println(len(files), "file")
	// Output: 1 file
}

func ExampleWriter_Beside() {
	base, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(base)
	d := NewDir(base)
	defer d.Close()
	d.Limit(Options{MaxTotalBytes: 1000})
	stdout := d.NewWriter("bash")
	stderr := stdout.Beside("stderr")
	fmt.Fprint(stdout, strings.Repeat("x", 600))
	fmt.Fprint(stderr, strings.Repeat("x", 600))
	stdout.Keep()
	stderr.Keep() // more than the limit, but one result names both
	files, _ := filepath.Glob(filepath.Join(base, "*.log"))
	fmt.Println(len(files), "files")
	// Output: 2 files
}

// TestRewrittenFileStays has a file change between the listing and its removal.
func TestRewrittenFileStays(t *testing.T) {
	d := newDir(t, t.TempDir())
	path := spilled(t, d, 10, time.Hour)
	root, err := OpenOwn(d.path)
	require.NoError(t, err)
	defer root.Close()
	info := testkit.Must(t, os.Stat, path)
	f := file{name: filepath.Base(path), size: 10, written: info.ModTime()}
	longer, later := f, f
	longer.size++
	later.written = later.written.Add(time.Second)
	for _, other := range []file{longer, later} {
		require.ErrorIs(t, removeIdle(root, other, false), lock.ErrBusy)
		require.FileExists(t, path)
	}
	require.NoError(t, removeIdle(root, f, false))
}
