package spill

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/internal/lock"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shelved shelves a text and returns the name of its file, which has it.
func shelved(t *testing.T, d *Dir, text string) string {
	path, err := d.Shelve(text)
	require.NoError(t, err)
	require.True(t, text == testkit.ReadFile(t, path))
	require.True(t, isOwn(filepath.Base(path)), path)
	return filepath.Base(path)
}

func TestShelve(t *testing.T) {
	d := newDir(t, filepath.Join(t.TempDir(), ".clarvis"))
	file := shelved(t, d, "text\n")
	require.Regexp(t, `^result-[b-z2-9]{8}\.txt$`, file)
	require.NotEqual(t, file, shelved(t, d, "another\n"))
	require.Equal(t, file, shelved(t, d, "text\n"))
	other := newDir(t, d.path)
	require.Equal(t, file, shelved(t, other, "text\n"))
	require.FileExists(t, filepath.Join(d.path, ".gitignore"))
	for i := range 300 { // with an id of letters or of digits alone among those that are tried
		shelved(t, d, fmt.Sprint(i))
	}
}

// A name that a file with another content has is left to it, whatever that is.
func TestShelveBesideOthers(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"as long":     func(path string) error { return os.WriteFile(path, []byte("TEXT\n"), 0o600) },
		"longer":      func(path string) error { return os.WriteFile(path, []byte("text\ntext\n"), 0o600) },
		"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"in the making": func(path string) error {
			return os.WriteFile(path+unfinished, nil, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDir(t, t.TempDir())
			first := filepath.Join(d.path, shelved(t, d, "text\n"))
			require.NoError(t, os.Remove(first))
			require.NoError(t, plant(first))
			second := shelved(t, d, "text\n")
			require.NotEqual(t, filepath.Base(first), second)
			require.Equal(t, second, shelved(t, d, "text\n"))
		})
	}
	d := newDir(t, t.TempDir())
	path := filepath.Join(d.path, shelved(t, d, "text\n"))
	root := testkit.Must(t, OpenOwn, d.path)
	defer root.Close()
	open := testkit.Must(t, os.Open, path)
	require.NoError(t, lock.Take(root, filepath.Base(path), open))
	require.NotEqual(t, filepath.Base(path), shelved(t, d, "text\n"), "one that stays locked, as by a process that starts")
	require.NoError(t, open.Close())
	require.Equal(t, filepath.Base(path), shelved(t, d, "text\n"))
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	require.NoError(t, os.Rename(path, elsewhere))
	need.Symlink(t, elsewhere, path)
	require.NotEqual(t, filepath.Base(path), shelved(t, d, "text\n"), "a link is not followed")
}

// One that is shelved again is as young as a new one: what names it was said just now.
func TestShelveMakesYoung(t *testing.T) {
	d := newDir(t, t.TempDir())
	path := filepath.Join(d.path, shelved(t, d, "text\n"))
	long := time.Now().Add(-48 * time.Hour)
	require.NoError(t, os.Chtimes(path, long, long))
	shelved(t, d, "text\n")
	swept(t, d.path, Options{MaxAge: 24 * time.Hour})
	require.FileExists(t, path)
	require.NoError(t, os.Chtimes(path, long, long))
	swept(t, d.path, Options{MaxAge: 24 * time.Hour})
	require.NoFileExists(t, path)
}

// The limit holds for results, and is not at the cost of the one that was shelved last, be it anew.
func TestShelveWithinTheLimit(t *testing.T) {
	d := newDir(t, filepath.Join(t.TempDir(), "d"))
	text := func(i int) string { return fmt.Sprint(i, strings.Repeat("x", 299)) }
	d.Limit(Options{MaxTotalBytes: 1000})
	for i := range 9 {
		path := filepath.Join(d.path, shelved(t, d, text(i)))
		settle(d)
		require.FileExists(t, path)
		require.LessOrEqual(t, total(t, d.path), int64(1000))
	}
	oldest := filepath.Join(d.path, shelved(t, d, text(7)))
	long := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(oldest, long, long))
	require.True(t, d.protected(filepath.Base(oldest)))
	d.sweep()
	settle(d)
	require.FileExists(t, oldest)
}

// Sweeps never take what was shelved just now, however old its file was.
func TestShelveDuringSweeps(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("under wine a sweep may remove a file that has just been made young")
	}
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	var sweeps sync.WaitGroup
	defer sweeps.Wait()
	defer cancel()
	for range 2 {
		sweeps.Go(func() {
			for ctx.Err() == nil {
				if _, err := Sweep(ctx, dir, Options{MaxAge: time.Hour}); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			}
		})
	}
	d := newDir(t, dir)
	long := time.Now().Add(-48 * time.Hour)
	for range 300 {
		path := filepath.Join(dir, shelved(t, d, "text\n"))
		if err := os.Chtimes(path, long, long); err != nil {
			require.ErrorIs(t, err, os.ErrNotExist)
		}
	}
}

// A sweep that has looked at a file looks again when it has the lock.
func TestShelveBeforeTheLock(t *testing.T) {
	d := newDir(t, t.TempDir())
	path := filepath.Join(d.path, shelved(t, d, "text\n"))
	long := time.Now().Add(-48 * time.Hour).Truncate(time.Second)
	require.NoError(t, os.Chtimes(path, long, long))
	root, err := OpenOwn(d.path)
	require.NoError(t, err)
	defer root.Close()
	open := testkit.Must(t, os.Open, path)
	defer open.Close()
	shelved(t, d, "text\n")
	require.ErrorIs(t, removeOpen(root, file{name: filepath.Base(path), size: 5, written: long}, open, false), lock.ErrBusy)
	require.FileExists(t, path)
}

// Only what this package has kept, or is writing, is made young.
func TestRenew(t *testing.T) {
	d := newDir(t, t.TempDir())
	long := time.Now().Add(-48 * time.Hour).Truncate(time.Second)
	age := func(base string) string {
		require.NoError(t, os.Chtimes(filepath.Join(d.path, base), long, long))
		return base
	}
	isYoung := func(base string) bool {
		info := testkit.Must(t, os.Stat, filepath.Join(d.path, base))
		return info.ModTime().After(long)
	}
	kept := filepath.Base(spilled(t, d, 10, 48*time.Hour))
	published, err := func() (string, error) {
		w := d.NewWriter("job")
		t.Cleanup(func() { w.Close() })
		w.Write([]byte("text"))
		return w.Publish()
	}()
	require.NoError(t, err)
	for base, want := range map[string]int64{kept: 10, age(filepath.Base(published)): 4} {
		size, err := d.Renew(base)
		require.NoError(t, err)
		require.Equal(t, want, size)
		require.True(t, isYoung(base))
	}
	require.NoError(t, os.WriteFile(filepath.Join(d.path, "notes.log"), nil, 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(d.path, "bash-k3x9q2mf.log"), 0o700))
	need.Symlink(t, kept, filepath.Join(d.path, "bash-k3x9q2mg.log"))
	for _, base := range []string{age("notes.log"), age("bash-k3x9q2mf.log"), "bash-k3x9q2mg.log", "bash-k3x9q2mh.log"} {
		_, err := d.Renew(base)
		require.ErrorIs(t, err, os.ErrNotExist, base)
	}
	require.False(t, isYoung("notes.log"))
}

// One text has one file, also where many shelve it at once.
func TestShelveAtOnce(t *testing.T) {
	d := newDir(t, t.TempDir())
	var calls sync.WaitGroup
	var files sync.Map
	for range 8 {
		calls.Go(func() {
			for i := range 20 {
				path, err := d.Shelve(fmt.Sprint("text ", i))
				assert.NoError(t, err)
				files.Store(path, true)
			}
		})
	}
	calls.Wait()
	n := 0
	files.Range(func(any, any) bool { n++; return true })
	require.Equal(t, 20, n)
}

// A directory that was removed is made again; a closed one takes nothing.
func TestShelveWithoutDirectory(t *testing.T) {
	d := NewDir(filepath.Join(t.TempDir(), "d"))
	file := shelved(t, d, "text\n")
	require.NoError(t, os.RemoveAll(d.path))
	require.Equal(t, file, shelved(t, d, "text\n"))
	d.Close()
	_, err := d.Shelve("text\n")
	require.ErrorIs(t, err, os.ErrClosed)
}

func BenchmarkShelve30KB(b *testing.B) {
	d := NewDir(b.TempDir())
	defer d.Close()
	text := strings.Repeat("a line of a result that is long\n", 960)
	b.SetBytes(int64(len(text)))
	b.Run("new", func(b *testing.B) {
		for i := range b.N {
			if _, err := d.Shelve(fmt.Sprint(i, text)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.Shelve(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
