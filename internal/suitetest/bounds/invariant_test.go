package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// This file holds what the property tests share: the invariants of every result,
// and what makes and describes trees of files.

// codes are those that a caller may meet; internal is a bug by definition.
var codes = []tools.Code{tools.CodeInvalidInput, tools.CodeNotFound, tools.CodeNotAFile, tools.CodeNotADirectory, tools.CodeIsBinary, tools.CodeTooLarge, tools.CodePathEscape,
	tools.CodePermissionDenied, tools.CodeTimeout, tools.CodeAborted, tools.CodeOutputLimit, tools.CodeDenied, tools.CodeIOError, tools.CodeStale}

// failureOf is what Details must hold of a failed call.
type failureOf struct {
	Error   tools.Code `json:"error"`
	Message string     `json:"message"`
}

// holds checks what is true of every result: bounded, valid UTF-8, and a failure
// that says the same in its text and in its details. It returns the code, "" of
// a call that succeeded.
func holds(t testing.TB, res tools.Result, err error, maxBytes int) tools.Code {
	t.Helper()
	require.NoError(t, err)
	require.True(t, utf8.ValidString(res.Text), "not valid UTF-8: %q", res.Text)
	require.LessOrEqual(t, len(res.Text), maxBytes+notice.Allowance, "text: %.300q...", res.Text)
	require.NotEmpty(t, res.Text)
	data, err := json.Marshal(res.Details)
	require.NoError(t, err)
	var f failureOf
	require.NoError(t, json.Unmarshal(data, &f))
	if !res.IsError {
		require.Empty(t, f.Error, "an error in the details of a call that succeeded")
		return ""
	}
	require.Contains(t, codes, f.Error, res.Text)
	require.NotEmpty(t, f.Message)
	require.True(t, strings.HasPrefix(res.Text, string(f.Error)+": "+f.Message), "text %q, details %s", res.Text, data)
	return f.Error
}

// raw is Suite.Call with the bytes of the arguments, and the invariants.
func raw(t testing.TB, s *tools.Suite, tool, args string) (tools.Result, tools.Code) {
	t.Helper()
	res, err := s.Call(context.Background(), tool, json.RawMessage(args))
	return res, holds(t, res, err, 30<<10)
}

// encode is v as JSON.
func encode(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

// snapshot describes every entry of a tree: its kind, mode, time and content.
func snapshot(t testing.TB, dir string) []string {
	t.Helper()
	var list []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content := ""
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = string(data)
		case info.Mode()&fs.ModeSymlink != 0:
			if content, err = os.Readlink(path); err != nil {
				return err
			}
		}
		list = append(list, fmt.Sprintf("%s %v %v %q", path, info.Mode(), info.ModTime().UnixNano(), content))
		return nil
	}))
	return list
}

// special adds to a directory what is not a regular file: dir, fifo, dangling,
// loop (to itself) and chain (of more links than are followed).
func special(t testing.TB, dir string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "dir"), 0o755))
	mkfifo, err := exec.LookPath("mkfifo")
	if err != nil {
		t.Skip("there is no mkfifo")
	}
	require.NoError(t, exec.Command(mkfifo, filepath.Join(dir, "fifo")).Run())
	link := func(target, name string) { need.Symlink(t, target, filepath.Join(dir, name)) }
	link("nowhere", "dangling")
	link("loop", "loop")
	link("loop-b", "loop-a")
	link("loop-a", "loop-b")
	for i := range 60 {
		link(fmt.Sprintf("chain%d", i+1), fmt.Sprintf("chain%d", i))
	}
	link("file", "chain60")
}

// alphabets are what random text is made of: characters of one to four bytes,
// what is not UTF-8, and line ends.
var alphabets = [][]string{
	{"a", "b", "c d"},
	{"ä", "é", "ß"},
	{"漢", "字", "€"},
	{"😀", "𝔘", "x"},
	{"\xff", "\xc3", "\xe6\xbc", "\xf0\x9f\x98", "ok"},
	{"a", "ä", "漢", "😀", "\xff", "\r", "\t"},
}

// randomText is a text of some lines: of any alphabet, with LF or CRLF or both,
// now and then empty or much longer than a limit, with a final newline or not.
func randomText(r *rand.Rand, maxLines, maxLine int) string {
	alphabet := alphabets[r.Intn(len(alphabets))]
	ends := [][]string{{"\n"}, {"\r\n"}, {"\n", "\r\n"}}[r.Intn(3)]
	var b strings.Builder
	lines := r.Intn(maxLines + 1)
	onlyEnds := r.Intn(10) == 0
	for i := range lines {
		n := r.Intn(30)
		switch r.Intn(12) {
		case 0, 1, 2:
			n = 0
		case 3:
			n = r.Intn(maxLine + 1)
		}
		for range n {
			if !onlyEnds {
				b.WriteString(alphabet[r.Intn(len(alphabet))])
			}
		}
		if i < lines-1 || r.Intn(3) > 0 {
			b.WriteString(ends[r.Intn(len(ends))])
		}
	}
	return b.String()
}

// normal is a text as read shows it: LF for CRLF, and U+FFFD for each byte that
// is part of no character.
func normal(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var b strings.Builder
	for _, c := range text {
		b.WriteRune(c)
	}
	return b.String()
}

// linesOf divides a text as sed does: a final newline starts no line.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// noticeOf is the bracket at the end of a text, without the brackets, and what is
// before it and its blank line.
func noticeOf(text string) (body, said string) {
	if !strings.HasSuffix(text, "]") {
		return text, ""
	}
	if i := strings.LastIndex(text, "\n\n["); i >= 0 && noticed.MatchString(text[i+3:]) {
		return text[:i+1], text[i+3 : len(text)-1] // the page's last newline stays
	}
	if strings.HasPrefix(text, "[") && noticed.MatchString(text[1:]) && !strings.Contains(text, "\n") {
		return "", text[1 : len(text)-1]
	}
	return text, ""
}

// noticed is how notices begin. Test content never looks like it.
var noticed = regexp.MustCompile(`^(Showing|Not all of |Line|Some|Skipped|Ignored by git|Still|\d+ more|\d+ (match|matches|files?|results?|entry|entries|lines?) |\d+(\.\d)?[KMG]?B limit|\d+ lines? limit)`)

// sorted is a copy of list in order.
func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}
