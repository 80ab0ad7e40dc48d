package record

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

const head = `{"kind":"session"}`

func open(t *testing.T, path string, most int64) *journal {
	t.Helper()
	f, err := openJournal(path, most, []byte(head))
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "record.jsonl")
	f := open(t, path, 1<<20)
	f.Append([]byte("1"))
	require.Equal(t, head+"\n1\n", content(t, path), "the line is there when Append returns")
	g := open(t, path, 1<<20)
	g.Append([]byte("2"))
	f.Append([]byte("3"))
	require.NoError(t, f.Close())
	f.Append([]byte("4"))
	require.Nil(t, f.file, "nothing stays open")
	require.Equal(t, head+"\n1\n"+head+"\n2\n3\n"+head+"\n4\n", content(t, path))
	require.NoError(t, f.Close())
}

// A process that was killed may have left a line without an end.
func TestTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	require.NoError(t, os.WriteFile(path, []byte(head+"\n"+`{"kind":"ca`), 0o600))
	f := open(t, path, 1<<20)
	require.Equal(t, head+"\n{\"kind\":\"ca\n"+head+"\n", content(t, path))
	torn, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	require.NoError(t, err)
	defer torn.Close()
	torn.WriteString("x")
	f.Append([]byte("1"))
	require.True(t, strings.HasSuffix(content(t, path), "\nx\n1\n"))
}

func TestPutAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	f := open(t, path, 60)
	for i := range 5 {
		f.Append(bytes.Repeat([]byte{byte('a' + i)}, 40))
	}
	require.Equal(t, head+"\n"+strings.Repeat("e", 40)+"\n", content(t, path))
	require.Equal(t, head+"\n"+strings.Repeat("d", 40)+"\n", content(t, path+".1"))
	f.Append(bytes.Repeat([]byte("f"), 100))
	f.Append([]byte("g"))
	require.Equal(t, head+"\ng\n", content(t, path))
	require.Equal(t, head+"\n"+strings.Repeat("f", 100)+"\n", content(t, path+".1"), "a line over the limit has a file")
	require.NoError(t, f.Close())
}

// Several files of one path lose no line and break none, also while the file is put aside.
func TestTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	const writers, each = 8, 50
	var wg sync.WaitGroup
	for w := range writers {
		f := open(t, path, 1<<20)
		wg.Go(func() {
			for i := range each {
				f.Append(fmt.Appendf(nil, "%d %d %s", w, i, strings.Repeat("x", 5000)))
			}
		})
	}
	wg.Wait()
	seen := map[string]int{}
	for _, name := range []string{path + ".1", path} {
		for line, err := range lines(strings.NewReader(content(t, name))) {
			require.NoError(t, err)
			var w, i int
			var rest string
			if string(line.text) == head {
				continue
			}
			_, err := fmt.Sscan(string(line.text), &w, &i, &rest)
			require.NoError(t, err)
			require.Len(t, rest, 5000)
			seen[fmt.Sprint(w, i)]++
		}
	}
	require.Len(t, seen, writers*each)
}

// What cannot be written is counted, and what follows is written again.
func TestLost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	f := open(t, path, 1<<20)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Mkdir(path, 0o700))
	f.Append([]byte("1"))
	f.Append([]byte("2"))
	require.NoError(t, os.Remove(path))
	f.Append([]byte("3"))
	require.Equal(t, head+"\n3\n", content(t, path))
	require.ErrorContains(t, f.Close(), "2 lines are not in the record "+path+": it is a directory")
}

// A disk that does not answer holds one call up for a moment, and the ones behind it not at all.
func TestStuck(t *testing.T) { synctest.Test(t, testStuck) }

func testStuck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	f := open(t, path, 1<<20)
	f.busy <- struct{}{} // a write that does not return
	f.setStuck(true)
	began := time.Now()
	for range 100 {
		f.Append([]byte("1"))
	}
	require.Zero(t, time.Since(began))
	f.setStuck(false)
	began = time.Now()
	f.Append([]byte("2"))
	require.Equal(t, patience, time.Since(began))
	<-f.busy
	f.Append([]byte("3"))
	require.Equal(t, head+"\n3\n", content(t, path))
	require.ErrorContains(t, f.Close(), "101 lines are not in the record "+path+": the disk does not answer")
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "own")
	require.NoError(t, os.WriteFile(own, []byte(head+"\n"), 0o600))
	code := filepath.Join(dir, "main.go")
	require.NoError(t, os.WriteFile(code, []byte("package main\n"), 0o600))
	for name, want := range map[string]string{
		dir:                             "it is a directory, not a regular file",
		code:                            "it is not a record",
		filepath.Join(own, "r"):         "",
		filepath.Join(dir, "a", "\x00"): "",
	} {
		_, err := openJournal(name, 1<<20, []byte(head))
		require.ErrorContains(t, err, want, name)
	}
	require.Equal(t, "package main\n", content(t, code))

	empty := filepath.Join(dir, "empty")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	open(t, empty, 1<<20)
	require.Equal(t, head+"\n", content(t, empty))
}
