package files_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// bigLog is a log of over 16 MiB, which is counted before a page is read, and the
// number of its lines.
func bigLog() (text string, lines int) {
	var b strings.Builder
	for ; b.Len() < 20<<20; lines++ {
		fmt.Fprintf(&b, "line %d of a log that is large enough to be remembered\n", lines+1)
	}
	return b.String(), lines
}

// old sets a file's time back: a change right after the last one need not show.
func old(t *testing.T, path string, age time.Duration) {
	when := time.Now().Add(-age)
	require.NoError(t, os.Chtimes(path, when, when))
}

// A file that changes between two pages is counted anew.
func TestReadOfAChangedFile(t *testing.T) {
	t.Parallel()
	text, lines := bigLog()
	dir := t.TempDir()
	file := filepath.Join(dir, "big.log")
	s := newSuite(t, config.Config{Workspace: dir, ReadOnly: true}, map[string]string{"big.log": text})
	old(t, file, time.Hour)
	page := func(offset int) tools.ReadResult {
		res, err := s.Read(t.Context(), tools.ReadParams{Path: "big.log", Offset: offset, Limit: 1})
		require.NoError(t, err)
		return res
	}
	for range 2 {
		require.Equal(t, lines, page(lines-5).TotalLines)
		require.Contains(t, page(lines-5).Text, fmt.Sprintf("line %d of a log", lines-5))
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString("one more\n")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	old(t, file, time.Minute)
	require.Equal(t, lines+1, page(5).TotalLines)
	require.Equal(t, "one more\n", page(lines+1).Text)

	require.NoError(t, os.Truncate(file, int64(strings.Index(text, "line 300001 "))))
	old(t, file, 30*time.Second)
	_, err = s.Read(t.Context(), tools.ReadParams{Path: "big.log", Offset: lines})
	require.Equal(t, tools.CodeInvalidInput, tools.CodeOf(err))
	require.Contains(t, page(299_999).Text, "line 299999 ")

	require.NoError(t, os.WriteFile(file+".new", []byte(strings.Replace(text, "line", "\n\n\n\n", 1)), 0o600))
	old(t, file+".new", 30*time.Second)
	require.NoError(t, os.Rename(file+".new", file))
	require.Equal(t, lines+4, page(1).TotalLines)
}

// The last lines of a large file are found from its end, and the number of its
// lines is left out until it is known.
func TestReadFromTheEnd(t *testing.T) {
	t.Parallel()
	text, lines := bigLog()
	dir := t.TempDir()
	s := newSuite(t, config.Config{Workspace: dir, MaxBytes: 1024}, map[string]string{"big.log": text})
	old(t, filepath.Join(dir, "big.log"), time.Hour)

	res := call(t, s, "read", tools.ReadParams{Path: "big.log", Offset: -1})
	require.Equal(t, fmt.Sprintf("line %d of a log that is large enough to be remembered\n", lines), res.Text)
	details, err := json.Marshal(res.Details)
	require.NoError(t, err)
	require.NotContains(t, string(details), "totalLines")

	res = call(t, s, "read", tools.ReadParams{Path: "big.log", Offset: -1000})
	require.Contains(t, res.Text, "\n\n[Showing 17 of the last 1000 lines (1KB limit). Use offset=-983 to continue]")
	details, err = json.Marshal(res.Details)
	require.NoError(t, err)
	require.NotContains(t, string(details), "totalLines")
	require.Contains(t, string(details), `"truncatedBy":"bytes"`)
	require.Contains(t, string(details), `"nextOffset":-983`)
	res = call(t, s, "read", tools.ReadParams{Path: "big.log", Offset: -983, Limit: 1})
	require.Contains(t, res.Text, fmt.Sprintf("line %d of", lines-982))
	require.Contains(t, res.Text, "\n\n[982 more lines in file. Use offset=-982 to continue]")

	call(t, s, "read", tools.ReadParams{Path: "big.log", Offset: 1}) // counts them
	res = call(t, s, "read", tools.ReadParams{Path: "big.log", Offset: -1000})
	require.Contains(t, res.Text, fmt.Sprintf("\n\n[Showing lines %d-%d of %d (1KB limit). Use offset=%d to continue]", lines-999, lines-983, lines, lines-982))
}

// Pages of a line that is megabytes long, put together, are the line.
func TestReadOfALongLine(t *testing.T) {
	t.Parallel()
	line := strings.Repeat(`{"key": "välue"}, `, testkit.Some(150_000))
	dir := t.TempDir()
	s := newSuite(t, config.Config{Workspace: dir, ReadOnly: true, MaxBytes: 200_000}, map[string]string{"line.json": line})
	old(t, filepath.Join(dir, "line.json"), time.Hour)
	require.Equal(t, line, readPages(t, s, tools.ReadParams{Path: "line.json", Offset: 1}, nil))
}

func TestReadProc(t *testing.T) {
	t.Parallel()
	testkit.NeedProc(t)
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	s := newSuite(t, config.Config{AllowedRoots: []string{"/proc/self", "/sys/kernel/mm"}}, nil)
	res := call(t, s, "read", tools.ReadParams{Path: "/proc/self/status"})
	require.False(t, res.IsError, res.Text)
	require.Contains(t, res.Text, "\nThreads:")
	res = call(t, s, "read", tools.ReadParams{Path: "/proc/self/status", Offset: -1})
	require.False(t, res.IsError, res.Text)
	require.Contains(t, res.Text, "nonvoluntary_ctxt_switches")
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err == nil {
		res = call(t, s, "read", tools.ReadParams{Path: "/sys/kernel/mm/transparent_hugepage/enabled"})
		require.Contains(t, res.Text, "never")
	}
}

func TestReadWithoutPermission(t *testing.T) {
	t.Parallel()
	if os.Getuid() <= 0 {
		t.Skip("everything may be read")
	}
	dir := t.TempDir()
	s := newSuite(t, config.Config{Workspace: dir}, map[string]string{"secret": "x"})
	require.NoError(t, os.Chmod(filepath.Join(dir, "secret"), 0))
	res := call(t, s, "read", tools.ReadParams{Path: "secret"})
	require.True(t, res.IsError)
	require.Equal(t, "permission_denied: no permission to read secret", res.Text)
}

func TestReadBoundsWhatSeveralFilesGive(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	var paths []string
	for i := range 64 {
		name := fmt.Sprintf("%s%d", strings.Repeat("directory/", i%8), i)
		files[name] = strings.Repeat(strings.Repeat("x", i*10)+"\n", i*i)
		paths = append(paths, name)
	}
	for _, max := range []int{1024, 4096, 30 << 10} {
		s := newSuite(t, config.Config{MaxBytes: max}, files)
		res, err := s.Read(t.Context(), tools.ReadParams{Paths: paths})
		require.NoError(t, err)
		require.LessOrEqual(t, len(res.Text), max+1024)
		require.LessOrEqual(t, strings.Count(res.Text, "\n"), 2000+2)
		require.Len(t, res.Files, 64)
		require.False(t, res.Files[0].NotShown)
	}
	s := newSuite(t, config.Config{}, files)
	_, err := s.Read(t.Context(), tools.ReadParams{Paths: append(paths, "one more")})
	require.Equal(t, tools.CodeInvalidInput, tools.CodeOf(err))
}

// BenchmarkNearest looks for names in a tree of 100,000 files.
func BenchmarkNearest(b *testing.B) {
	dir := b.TempDir()
	for i := range 1000 {
		sub := filepath.Join(dir, fmt.Sprintf("package%d/sub%d", i%30, i))
		require.NoError(b, os.MkdirAll(sub, 0o700))
		for j := range 100 {
			require.NoError(b, os.WriteFile(filepath.Join(sub, fmt.Sprintf("source_file_%d_%d.go", i, j)), nil, 0o600))
		}
	}
	s := newSuite(b, config.Config{Workspace: dir}, nil)
	for b.Loop() {
		res := call(b, s, "read", tools.ReadParams{Path: "package3/source_file_500_7.go"})
		if !strings.Contains(res.Text, "source_file_500_7.go or ") {
			b.Log(res.Text)
		}
	}
}

// What a file is made of is told to each reader once, until that is forgotten or changes.
func TestFormatIsToldOnce(t *testing.T) {
	t.Parallel()
	s, write := rewritable(t, config.Config{})
	read := func(ctx context.Context, encoding string) string {
		res, err := s.Read(ctx, tools.ReadParams{Path: "f", Encoding: encoding})
		require.NoError(t, err)
		return res.Text
	}
	ann, ben := tools.WithConversation(t.Context(), "ann"), tools.WithConversation(t.Context(), "ben")
	nobody := tools.WithConversation(t.Context(), "", "")
	write("a\r\nb\r\n")
	const first = "a\nb\n\n[The file has CRLF line endings, which edit keeps]"
	require.Equal(t, first, read(ann, ""))
	require.Equal(t, "a\nb\n", read(ann, ""))
	require.Equal(t, first, read(ben, ""))
	require.Equal(t, first, read(nobody, ""))
	require.Equal(t, first, read(nobody, ""))
	s.Forget("ann")
	require.Equal(t, first, read(ann, ""))
	require.Equal(t, "a\nb\n", read(ben, ""))
	write("caf\xe9\r\n")
	require.Equal(t, "café\n", read(ann, "windows-1252"), "it has been told of the line endings")
	require.Equal(t, "café\n\n[The file seems to be windows-1252 and was decoded as that; edit keeps it. "+
		"Use encoding=NAME if it is another. It has CRLF line endings]", read(ann, ""))
	require.Equal(t, "café\n", read(ann, ""))
}

// Of several files, each says it; a later call does not.
func TestFormatOfSeveral(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": "1\r\n", "b": "2\r\n"})
	res, err := s.Read(t.Context(), tools.ReadParams{Paths: []string{"a", "b", "a"}})
	require.NoError(t, err)
	const said = "\n\n[The file has CRLF line endings, which edit keeps]"
	require.Equal(t, "==> a <==\n1"+said+"\n\n==> b <==\n2"+said+"\n\n==> a <==\n1"+said, res.Text)
	res, err = s.Read(t.Context(), tools.ReadParams{Paths: []string{"a", "b"}})
	require.NoError(t, err)
	require.Equal(t, "==> a <==\n1\n\n==> b <==\n2\n", res.Text)
}

// Images of a notebook come with the pages that their lines are on, eight at most.
func TestNotebookImages(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/notebook")
	dot := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, image.NewGray(image.Rect(0, 0, 2, 2))) })
	out := fmt.Sprintf(`{"data": {"image/png": %q}}`, base64.StdEncoding.EncodeToString([]byte(dot)))
	data := `{"cells": [{"cell_type": "code", "source": "plot()", "outputs": [` + strings.Repeat(out+",", 9) + out + `]}]}`
	s := newSuite(t, config.Config{}, map[string]string{"a.ipynb": data, "b.txt": "text"})
	res, err := s.Read(t.Context(), tools.ReadParams{Path: "a.ipynb"})
	require.NoError(t, err)
	require.Len(t, res.Images, 8)
	require.Equal(t, dot, string(res.Images[0].Data))
	require.Contains(t, res.Text, "\n\n[2 images left out for lack of room. Use offset=20 to see the first]")
	res, err = s.Read(t.Context(), tools.ReadParams{Path: "a.ipynb", Offset: 20})
	require.NoError(t, err)
	require.Len(t, res.Images, 2)
	require.NotContains(t, res.Text, "[")
	res, err = s.Read(t.Context(), tools.ReadParams{Path: "a.ipynb", Limit: 4})
	require.NoError(t, err)
	require.Len(t, res.Images, 1)
	require.Contains(t, res.Text, "\n\n[18 more lines in file. "+suitetest.Next(5)+"]")
	res, err = s.Read(t.Context(), tools.ReadParams{Paths: []string{"b.txt", "a.ipynb"}})
	require.NoError(t, err)
	require.Len(t, res.Images, 8)
	require.Contains(t, res.Text, "Use path=a.ipynb offset=20 to see the first")
}

// A large image of a notebook is scaled down.
func TestNotebookLargeImage(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/notebook")
	wide := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, image.NewGray(image.Rect(0, 0, 3000, 2))) })
	out := fmt.Sprintf(`{"data": {"image/png": %q}}`, base64.StdEncoding.EncodeToString([]byte(wide)))
	s := newSuite(t, config.Config{}, map[string]string{"a.ipynb": `{"cells": [{"cell_type": "code", "source": "plot()", "outputs": [` + out + `]}]}`})
	res, err := s.Read(t.Context(), tools.ReadParams{Path: "a.ipynb"})
	require.NoError(t, err)
	require.Len(t, res.Images, 1)
	shown, err := png.DecodeConfig(bytes.NewReader(res.Images[0].Data))
	require.NoError(t, err)
	require.Equal(t, 2000, shown.Width)
}

// Pages of a notebook, put together, are its cells.
func TestNotebookPages(t *testing.T) {
	t.Parallel()
	need.Part(t, "tools/notebook")
	var cells []string
	for i := range 200 {
		cells = append(cells, fmt.Sprintf(`{"cell_type": "code", "source": "print(%d)", "outputs": [{"name": "stdout", "text": "%d\n"}]}`, i, i))
	}
	data := `{"cells": [` + strings.Join(cells, ",") + `]}`
	whole := newSuite(t, config.Config{ReadOnly: true}, map[string]string{"f.ipynb": data})
	want, err := whole.Read(t.Context(), tools.ReadParams{Path: "f.ipynb"})
	require.NoError(t, err)
	require.Zero(t, want.NextOffset)
	s := newSuite(t, config.Config{ReadOnly: true, MaxBytes: 1024}, map[string]string{"f.ipynb": data})
	require.Equal(t, want.Page, readPages(t, s, tools.ReadParams{Path: "f.ipynb"}, nil))
	last := call(t, s, "read", tools.ReadParams{Path: "f.ipynb", Offset: -1})
	require.Equal(t, "199\n", last.Text)
}
