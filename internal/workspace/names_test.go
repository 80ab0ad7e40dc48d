package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/stretchr/testify/require"
)

func TestQuoteAtTheEdges(t *testing.T) {
	for name, want := range map[string]string{
		"a\x80": `"a\200"`, "\x80": `"\200"`, "\x7f": `"\177"`, "a\x1f": `"a\037"`, "bell\a": `"bell\a"`, "~ !": "~ !", `back\slash`: `back\slash`, "\"\"": `"\"\""`,
	} {
		require.Equal(t, want, Quote(name))
	}
	for quoted, want := range map[string]string{`""`: "", `"\a"`: "\a", `"\\"`: `\`, `"\101"`: "A", `"\101B"`: "AB"} {
		got, ok := Unquote(quoted)
		require.True(t, ok, quoted)
		require.Equal(t, want, got)
	}
	for _, bad := range []string{"", "a", `a"`, `"\10"`, `"\400"`} {
		_, ok := Unquote(bad)
		require.False(t, ok, bad)
	}
}

// Each element of a path may be in quotes of its own. What is not closed stands for itself.
func TestQuotedElements(t *testing.T) {
	for path, want := range map[string]string{
		`"a\nb"/c`: "a\nb/c", `x/"a\tb"`: "x/a\tb", `x/"a\tb"/`: "x/a\tb/", `/"\101"/y`: "/A/y", `"a\"/b"/c`: `a"/b/c`, `"a/b"`: "a/b", `"\101"/"\102"`: "A/B",
		`"a"b/c`: `"a"b/c`, `x/"b`: `x/"b`, `a"b/c`: `a"b/c`, `a/b`: "a/b", `"`: `"`, `x/"\`: `x/"\`, `x/"\z"/y`: `x/"\z"/y`, `x//"\101"`: "x//A",
	} {
		require.Equal(t, want, unquotePath(path), path)
	}
}

func TestKind(t *testing.T) {
	for mode, want := range map[fs.FileMode]string{
		0o644: "a file", fs.ModeDir: "a directory", fs.ModeNamedPipe: "a FIFO (named pipe)", fs.ModeSocket: "a socket", fs.ModeDevice: "a device",
		fs.ModeDevice | fs.ModeCharDevice: "a device", fs.ModeSymlink: "a symbolic link", fs.ModeIrregular: "not a regular file",
	} {
		require.Equal(t, want, Kind(mode))
	}
}

// The length of a path counts without its quotes, and quotes are looked at only where what is in
// them can be short enough.
func TestLengthOfPaths(t *testing.T) {
	ws, _ := tree(t)
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()
	const file = "a.txt"
	longest := strings.Repeat("./", (MaxPath-len(file))/2) + strings.Repeat("/", (MaxPath-len(file))%2) + file
	require.Len(t, longest, MaxPath)
	for _, path := range []string{longest, `"` + longest + `"`} {
		_, err = w.Resolve(path)
		require.NoError(t, err)
	}
	_, err = w.Resolve("/" + longest)
	require.ErrorIs(t, err, syscall.ENAMETOOLONG)
	for n, want := range map[int]string{MaxPath: "a", MaxPath + 1: `"\141`} {
		_, err = w.Resolve(`"` + strings.Repeat(`\141`, n) + `"`)
		var failed *fs.PathError
		require.ErrorAs(t, err, &failed)
		require.True(t, strings.HasPrefix(failed.Path, want), "%.10s", failed.Path)
	}
}

func TestChainsOfLinksAreBounded(t *testing.T) {
	ws, _ := tree(t)
	target := filepath.Join(ws, "a.txt")
	for i := range maxLinks + 1 {
		name := filepath.Join(ws, fmt.Sprintf("link%d", i))
		need.Symlink(t, target, name)
		target = name
	}
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()
	_, err = w.Resolve(fmt.Sprintf("link%d", maxLinks-1))
	require.NoError(t, err)
	_, err = w.Resolve(fmt.Sprintf("link%d", maxLinks))
	require.ErrorIs(t, err, syscall.ELOOP)
}

// The program's own directory is found behind links above it, before it exists as well.
func TestAllowOwn(t *testing.T) {
	ws, out := tree(t)
	link := filepath.Join(filepath.Dir(ws), "link")
	need.Symlink(t, out, link)
	w, err := New(ws, Options{})
	require.NoError(t, err)
	defer w.Close()
	require.Equal(t, filepath.Join(ws, "own"), w.AllowOwn("own"))
	require.Len(t, w.roots, 1, "it is in the workspace")
	own := filepath.Join(out, "deep", "own")
	require.Equal(t, own, w.AllowOwn(filepath.Join(link, "deep", "own")))
	require.NoError(t, os.MkdirAll(own, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(own, "f"), nil, 0o644))
	for _, path := range []string{filepath.Join(own, "f"), filepath.Join(link, "deep", "own", "f")} {
		_, err = w.Resolve(path)
		require.NoError(t, err, path)
	}
	_, err = w.Resolve(filepath.Join(out, "secret"))
	require.ErrorIs(t, err, ErrEscape)
}

// A workspace that is closed opens nothing more, whether a root of it was open or not.
func TestClosed(t *testing.T) {
	ws, out := tree(t)
	w, err := New(ws, Options{Roots: []string{out}})
	require.NoError(t, err)
	p, err := w.Resolve("a.txt")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	for _, path := range []string{"a.txt", "sub", filepath.Join(out, "secret")} {
		_, err = w.Resolve(path)
		require.ErrorIs(t, err, fs.ErrClosed, path)
	}
	_, _, err = p.OpenFile()
	require.ErrorIs(t, err, fs.ErrClosed)
}
