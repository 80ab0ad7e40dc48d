package files_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/internal/suitetest"
	"github.com/stretchr/testify/require"
)

// What a file held is kept to the byte, and put back.
func TestRestore(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": "one\r\ntwo\xff\x00"})
	first := write(t, s, "a", "three\n")
	require.Equal(t, "one\r\ntwo\xff\x00", contentOf(t, s, first.Before))
	second := write(t, s, "a", "four\n")

	_, err := s.Restore(t.Context(), first.Before)
	refusedAs(t, err, tools.CodeStale, "a has changed since")
	back := suitetest.Do(t, s.Restore, second.Before)
	require.Equal(t, "three\n", contentOf(t, s, "a"))
	_, err = s.Restore(t.Context(), filepath.Base(first.Before))
	require.NoError(t, err)
	require.Equal(t, "one\r\ntwo\xff\x00", contentOf(t, s, "a"))
	_, err = s.Restore(t.Context(), back.Before)
	refusedAs(t, err, tools.CodeStale, "a has changed since")

	for _, none := range []string{"", "before-x.log", ".clarvis/.gitignore", "a", "../a"} {
		_, err = s.Restore(t.Context(), none)
		refusedAs(t, err, tools.CodeNotFound, "this suite knows no change")
	}
	swept := write(t, s, "a", "five\n")
	require.NoError(t, os.Remove(filepath.Join(s.Workspace(), swept.Before)))
	_, err = s.Restore(t.Context(), swept.Before)
	refusedAs(t, err, tools.CodeNotFound, "does not exist")
	require.NoError(t, s.Close())
	_, err = s.Restore(t.Context(), swept.Before)
	refusedAs(t, err, tools.CodeDenied, "closed")
}

// Restore tells what it did to a file that was removed, moved or created, and why it did nothing.
func TestRestoreOfFilesThatAreGone(t *testing.T) {
	t.Parallel()
	s := patchSuite(t, config.Config{}, map[string]string{"removed": "one\n", "moved": "two\n", "kept": "three\n"})
	patch := func(text string) []tools.FileChange {
		res := call(t, s, "apply_patch", map[string]any{"patch": "*** Begin Patch\n" + text + "*** End Patch"})
		require.False(t, res.IsError, res.Text)
		return res.Details.(tools.ChangeResult).Files
	}
	was := patch("*** Delete File: removed\n*** Update File: moved\n*** Move to: there\n@@\n-two\n+2\n*** Add File: new\n+x\n")
	for i, name := range []string{"removed", "moved"} {
		back := suitetest.Do(t, s.Restore, was[i].Before)
		require.Equal(t, tools.FileChange{Path: name, Created: true, LinesAdded: 1, Spans: back.Spans}, back)
		_, err := s.Restore(t.Context(), was[i].Before)
		refusedAs(t, err, tools.CodeStale, name+" is there again, and was left alone")
		_, err = s.Restore(t.Context(), back.Before)
		refusedAs(t, err, tools.CodeNotFound, "where a call creates a file, there is nothing to keep. To undo that, remove the file")
	}
	_, err := s.Restore(t.Context(), was[2].Before)
	refusedAs(t, err, tools.CodeNotFound, "where a call creates a file, there is nothing to keep. To undo that, remove the file")
	require.Equal(t, map[string]string{"removed": "one\n", "moved": "two\n", "there": "2\n", "new": "x\n", "kept": "three\n"},
		contents(t, s.Workspace()))

	changed := write(t, s, "kept", "3\n")
	require.NoError(t, os.Remove(filepath.Join(s.Workspace(), "kept")))
	_, err = s.Restore(t.Context(), changed.Before)
	refusedAs(t, err, tools.CodeStale, "kept was removed since, and nothing was put back")
}

// What files held is kept for Undo.MaxAge, outputs are for Spill.MaxAge. Suites of one directory sweep it each by its
// own options.
// It is alone: a process that another test starts may hold the lock of a sweep for a moment, which is then left out.
func TestSweepOfWhatFilesHeld(t *testing.T) {
	const day = 24 * time.Hour
	for name, tt := range map[string]struct {
		options      config.Config
		copy, output bool // that stays, of two days
	}{
		"default":  {config.Config{}, true, false},
		"reverse":  {config.Config{Spill: config.Spill{MaxAge: 7 * day}, Undo: config.Undo{MaxAge: day}}, false, true},
		"together": {config.Config{Spill: config.Spill{MaxAge: 7 * day, MaxTotalBytes: 1}}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSuite(t, config.Config{MaxLines: 1}, map[string]string{"a": "one\n"})
			require.NoError(t, s.Add(tools.Func("print", "", func(context.Context, struct{}) (string, error) {
				return "1\n2\n", nil
			})))
			path := filepath.Join(s.Workspace(), write(t, s, "a", "two\n").Before)
			res, err := s.Call(t.Context(), "print", nil)
			require.NoError(t, err)
			output := filepath.Join(s.Workspace(), res.Details.(tools.TruncatedDetails).FullOutputPath)
			require.NotEqual(t, s.Workspace(), output, "it is kept")
			last := filepath.Join(s.Workspace(), write(t, s, "a", "three\n").Before) // a sweep never removes the newest
			for _, file := range []string{path, output} {
				then := time.Now().Add(-2 * day)
				require.NoError(t, os.Chtimes(file, then, then))
			}
			tt.options.Workspace = s.Workspace()
			newSuite(t, tt.options, nil)
			exists := func(file string) bool {
				_, err := os.Stat(file)
				return err == nil
			}
			require.Equal(t, []bool{tt.copy, tt.output, true}, []bool{exists(path), exists(output), exists(last)})
		})
	}
}

// What stands in the place of the library's lock is not taken for it.
func TestLockIsADirectory(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": "one\n", ".clarvis/turn.lock/x": ""})
	_, err := s.Write(t.Context(), tools.WriteParams{Path: "a", Content: "two\n"})
	refusedAs(t, err, tools.CodeIOError, "nothing was changed, because the old content is kept in .clarvis first, and that failed: ")
	require.NotContains(t, err.Error(), "turn.lock", "the reason alone")
	require.Equal(t, "one\n", contentOf(t, s, "a"))
}

// With Undo.Off nothing that files held is kept, and no text says that it was.
func TestUndoOff(t *testing.T) {
	t.Parallel()
	s := patchSuite(t, config.Config{Undo: config.Undo{Off: true}}, map[string]string{
		"a": "one\n", "b": "1\n2\n", "c": "x\n", "d": "y\n", "e": "z\n", "bin": "\x00", "empty": "",
	})
	res := write(t, s, "a", "two\n")
	require.Equal(t, "Wrote a: 1 line added, 1 removed (1 line, 4B).\n@@ -1 +1 @@\n-one\n+two\n\n"+
		"[Not all of the file had been read, and 1 line is gone. No copy was kept]", res.Text)
	require.Equal(t, [2]int{1, 1}, [2]int{res.LinesAdded, res.LinesRemoved})
	require.Equal(t, "a holds that already (1 line, 4B). Nothing was written.", write(t, s, "a", "two\n").Text)
	require.Equal(t, "Wrote bin: 1 line added, 1 removed (1 line, 2B). It was a binary file before, and not text.\n\n"+
		"[Not all of the file had been read, and 1 line is gone. No copy was kept]", write(t, s, "bin", "b\n").Text)
	edited := suitetest.Do(t, s.Edit, tools.EditParams{Path: "b", OldString: "2", NewString: "3"})
	require.Equal(t, "Edited b: 1 line added, 1 removed.\n@@ -1,2 +1,2 @@\n 1\n-2\n+3", edited.Text)
	filled := suitetest.Do(t, s.Edit, tools.EditParams{Path: "empty", NewString: "full\n"})
	require.Equal(t, "Wrote empty: 1 line added (1 line, 5B).\n@@ -0,0 +1 @@\n+full", filled.Text)
	patched := call(t, s, "apply_patch", map[string]any{"patch": "*** Begin Patch\n" +
		"*** Update File: c\n@@\n-x\n+w\n*** Delete File: d\n*** Update File: e\n*** Move to: f\n*** End Patch\n"})
	require.Equal(t, "Updated c: 1 line added, 1 removed.\nDeleted d (1 line).\nMoved e to f.\n@@ -1 +1 @@\n-x\n+w", patched.Text)
	details, err := json.Marshal(patched.Details)
	require.NoError(t, err)
	require.NotContains(t, string(details), "before")
	require.Empty(t, res.Before+edited.Before+filled.Before)
	for _, before := range []string{res.Before, ".clarvis/before-x.log"} {
		_, err = s.Restore(t.Context(), before)
		refusedAs(t, err, tools.CodeDenied, "nothing can be put back, because with the option Undo.Off this suite "+
			"keeps no copies. Unset it before changes that may have to be undone")
	}
	require.Empty(t, testkit.Must(t, filepath.Glob, filepath.Join(s.Workspace(), ".clarvis", "*.log*")))
}

// Calls still lock each other out, by a file in the spill directory.
func TestUndoOffWithoutASpillDirectory(t *testing.T) {
	t.Parallel()
	for off, why := range map[bool]string{true: "calls that change files take a lock in .clarvis first", false: "the old content is kept in .clarvis first"} {
		s := newSuite(t, config.Config{Undo: config.Undo{Off: off}}, map[string]string{".clarvis": "", "a": "one\n"})
		_, err := s.Write(t.Context(), tools.WriteParams{Path: "a", Content: "two\n"})
		refusedAs(t, err, tools.CodeIOError, "nothing was changed, because "+why+", and that failed: .clarvis is not a directory")
		require.Equal(t, "one\n", contentOf(t, s, "a"))
	}
}

// What a command has made of a copy is not put back: the suite knows what it has kept.
func TestRestoreOfAChangedCopy(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, kept string) error{
		"other text": func(_ *testing.T, kept string) error { return os.WriteFile(kept, []byte("owned\n"), 0o600) },
		"same size":  func(_ *testing.T, kept string) error { return os.WriteFile(kept, []byte("won\n"), 0o600) },
		"longer":     func(_ *testing.T, kept string) error { return os.WriteFile(kept, []byte("one\nowned\n"), 0o600) },
		"empty":      func(_ *testing.T, kept string) error { return os.Truncate(kept, 0) },
		"link": func(t *testing.T, kept string) error {
			err := os.Remove(kept)
			need.Symlink(t, "../other", kept)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSuite(t, config.Config{}, map[string]string{"a": "one\n", "other": "owned\n"})
			res := write(t, s, "a", "two\n")
			kept := filepath.Join(s.Workspace(), res.Before)
			require.NoError(t, change(t, kept))
			_, err := s.Restore(t.Context(), res.Before)
			refusedAs(t, err, tools.CodeStale, res.Before+" is no longer the kept copy, and nothing was put back")
			require.Equal(t, "two\n", contentOf(t, s, "a"))
			require.NoError(t, os.Remove(kept))
			require.NoError(t, os.WriteFile(kept, []byte("one\n"), 0o600))
			_, err = s.Restore(t.Context(), res.Before)
			require.NoError(t, err, "it goes by content")
			require.Equal(t, "one\n", contentOf(t, s, "a"))
		})
	}
}

// Another suite has not kept the copy, and cannot tell whether it is what was kept.
func TestRestoreInAnotherSuite(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": "one\n"})
	res := write(t, s, "a", "two\n")
	other := newSuite(t, config.Config{Workspace: s.Workspace()}, nil)
	_, err := other.Restore(t.Context(), res.Before)
	refusedAs(t, err, tools.CodeNotFound, "this suite knows no change that kept "+filepath.Base(res.Before)+". To put it back, read the copy and write the file")
	require.Equal(t, "two\n", contentOf(t, s, "a"))
}

// A command can link a file of the workspace to the name of the library's lock. No call empties it.
func TestLockIsALinkedFile(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": "one\n", "precious": "precious\n"})
	write(t, s, "a", "two\n")
	lock := filepath.Join(s.Workspace(), ".clarvis", "turn.lock")
	require.NoError(t, os.Remove(lock))
	if err := os.Link(filepath.Join(s.Workspace(), "precious"), lock); err != nil {
		t.Skip(err)
	}
	_, err := s.Write(t.Context(), tools.WriteParams{Path: "a", Content: "three\n"})
	refusedAs(t, err, tools.CodeIOError, "turn.lock has another name, too (a hard link), so nothing is written to it; remove it")
	require.Equal(t, "precious\n", contentOf(t, s, "precious"))
	require.Equal(t, "two\n", contentOf(t, s, "a"))
}

// A file that was changed by others is left alone, until what has changed was shown.
func TestStale(t *testing.T) {
	t.Parallel()
	for name, show := range map[string]func(t *testing.T, s *tools.Suite){
		"read":    func(t *testing.T, s *tools.Suite) { call(t, s, "read", map[string]any{"path": "a"}) },
		"a page":  func(t *testing.T, s *tools.Suite) { call(t, s, "read", map[string]any{"path": "a", "offset": 2}) },
		"several": func(t *testing.T, s *tools.Suite) { call(t, s, "read", map[string]any{"paths": []string{"a", "b"}}) },
		"grep":    func(t *testing.T, s *tools.Suite) { call(t, s, "grep", map[string]any{"pattern": "2"}) },
		"write":   func(t *testing.T, s *tools.Suite) { write(t, s, "a", "1\n2\n") },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSuite(t, config.Config{}, map[string]string{"a": "1\n2\n", "b": ""})
			show(t, s)
			put(t, s, "a", "1\n2\nlonger\n")
			res, err := s.Write(t.Context(), tools.WriteParams{Path: "a", Content: "mine\n"})
			refusedAs(t, err, tools.CodeStale, "a has changed since it was last shown or written here")
			require.Equal(t, "1\n2\nlonger\n", contentOf(t, s, "a"))
			if name == "grep" { // only lines of it were shown
				require.ErrorContains(t, err, "Read it, then make the call again")
				call(t, s, "read", map[string]any{"path": "a"})
			} else {
				require.Equal(t, "@@ -1,2 +1,3 @@\n 1\n 2\n+longer", res.Text)
			}
			require.Equal(t, "mine\n", contentOf(t, s, write(t, s, "a", "mine\n").Path))
		})
	}
}

// It goes by what a file holds. What is not known is not stale.
func TestNotStale(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": "1\n", "b": "1\n"})
	put(t, s, "b", "2\n")
	require.False(t, write(t, s, "b", "3\n").WasStale)
	call(t, s, "read", map[string]any{"path": "a"})
	long := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(s.Workspace(), "a"), long, long))
	write(t, s, "a", "2\n")
	put(t, s, "a", "3\n")
	put(t, s, "a", "2\n")
	write(t, s, "a", "4\n")
}

// A change that is too long to be shown, or in a file that is too large to be remembered, has to
// be read.
func TestStaleAndLong(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]string{"change": "", "file": strings.Repeat("x\n", 100_000)} {
		s := newSuite(t, config.Config{Edit: config.Edit{MaxLines: 10}}, map[string]string{"a": before})
		call(t, s, "read", map[string]any{"path": "a"})
		put(t, s, "a", before+countedLines(100))
		for range 2 {
			_, err := s.Write(t.Context(), tools.WriteParams{Path: "a", Content: "mine\n"})
			refusedAs(t, err, tools.CodeStale, "Read it, then make the call again")
		}
		call(t, s, "read", map[string]any{"path": "a", "limit": 1})
		require.Equal(t, 1, write(t, s, "a", "mine\n").LinesAdded, name)
	}
}

func TestRequireRead(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Edit: config.Edit{RequireRead: true}}, map[string]string{"a": "1\n", "b": "2\n"})
	_, err := s.Write(t.Context(), tools.WriteParams{Path: "a", Content: "mine\n"})
	refusedAs(t, err, tools.CodeStale, "a has not been read yet, and nothing was changed. Read it")
	write(t, s, "new", "1\n")
	write(t, s, "new", "2\n")
	call(t, s, "read", map[string]any{"path": "a"})
	write(t, s, "a", "mine\n")
	need.Symlink(t, "b", filepath.Join(s.Workspace(), "link"))
	call(t, s, "read", map[string]any{"path": "link"})
	write(t, s, "link", "mine\n")
	require.Equal(t, "mine\n", contentOf(t, s, "b"))
	info := testkit.Must(t, os.Lstat, filepath.Join(s.Workspace(), "link"))
	require.NotZero(t, info.Mode()&fs.ModeSymlink)
}

// The content is written as it is, but in the encoding of the file.
func TestWriteEncodings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ before, content, after, says string }{
		{"a\n", "b", "b", "Wrote a: 1 line added, 1 removed (1 line, 1B).\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file"},
		{"a\n", "\ufeffb\n", "\ufeffb\n", "Wrote a: 1 line added, 1 removed (1 line, 5B). It is in utf-8-bom now.\n@@ -1 +1 @@\n-a\n+b"},
		{"\ufeffa\n", "b\n", "\ufeffb\n", "Wrote a (UTF-8 with BOM, LF): 1 line added, 1 removed (1 line, 5B).\n@@ -1 +1 @@\n-a\n+b"},
		{"\ufeffa\n", "\ufeffb\n", "\ufeffb\n", "Wrote a (UTF-8 with BOM, LF): 1 line added, 1 removed (1 line, 5B).\n@@ -1 +1 @@\n-a\n+b"},
		{"\xff\xfea\x00\n\x00", "€\n", "\xff\xfe\xac\x20\n\x00", "Wrote a (UTF-16LE, LF): 1 line added, 1 removed (1 line, 6B).\n@@ -1 +1 @@\n-a\n+€"},
		{"a\r\nb\n", "a\nb\n", "a\nb\n", "Wrote a: 1 line added, 1 removed (2 lines, 4B). Its line endings were mixed and are lf now, as in content.\n@@ -1,2 +1,2 @@\n-a\\r\n+a\n b"},
		{"caf\xe9\n", "thé\n", "th\xe9\n", "Wrote a (windows-1252, LF): 1 line added, 1 removed (1 line, 4B).\n@@ -1 +1 @@\n-café\n+thé"},
		{"Caf\xe9s d\xe9\x81\n", "café\n", "café\n", "Wrote a: 1 line added, 1 removed (1 line, 6B). It was not valid UTF-8 before, and is now. It looked like windows-1252: use encoding=windows-1252 to write it in that.\n@@ -1 +1 @@\n-Caf\ufffds d\ufffd\ufffd\n+café"},
		{"\x89PNG\r\n\x1a\n", "a\n", "a\n", "Wrote a: 1 line added, 2 removed (1 line, 2B). It was a PNG image before, and not text."},
		{"a\n", "", "", "Wrote a: 1 line removed (0 lines, 0B).\n@@ -1 +0,0 @@\n-a"},
		{"a\n", "\x00", "\x00", "Wrote a: 1 line added, 1 removed (1 line, 1B). It is a binary file now."},
	} {
		s := newSuite(t, config.Config{}, map[string]string{"a": test.before})
		res := write(t, s, "a", test.content)
		require.Equal(t, test.after, contentOf(t, s, "a"))
		said, _, _ := strings.Cut(res.Text, "\n\n[")
		require.Equal(t, test.says, said)
		require.Equal(t, res.LinesRemoved > 0 && !strings.HasPrefix(test.before, "\x89PNG"), res.Unread, "nobody reads an image by its lines")
		again := write(t, s, "a", test.content)
		require.Contains(t, again.Text, "a holds that already", "%q", test.before)
		require.Empty(t, again.Before)
		_, err := s.Restore(t.Context(), res.Before)
		require.NoError(t, err)
		require.Equal(t, test.before, contentOf(t, s, "a"))
	}
	s := newSuite(t, config.Config{}, map[string]string{"a": "\xff\xfea\x00"})
	_, err := s.Write(t.Context(), tools.WriteParams{Path: "a", Content: "\xff"})
	refusedAs(t, err, tools.CodeInvalidInput, "a cannot be written in utf-16le: line 1, character 1 of the text is the byte 0xff")
	require.Equal(t, "\xff\xfea\x00", contentOf(t, s, "a"))
}

// Who replaces a file of which read has not shown all is told so, and how to see what went.
func TestWriteOverWhatWasNotRead(t *testing.T) {
	t.Parallel()
	before := countedLines(100)
	read := func(more ...any) func(*testing.T, *tools.Suite) {
		args := map[string]any{"path": "a"}
		for i := 0; i < len(more); i += 2 {
			args[more[i].(string)] = more[i+1]
		}
		return func(t *testing.T, s *tools.Suite) { call(t, s, "read", args) }
	}
	edit := func(line string) func(*testing.T, *tools.Suite) {
		return func(t *testing.T, s *tools.Suite) {
			res := call(t, s, "edit", map[string]any{"path": "a", "old_string": "\n" + line + "\n", "new_string": "\n" + line + "\nmore\n"})
			require.False(t, res.IsError, res.Text)
		}
	}
	patch := func(text string) func(*testing.T, *tools.Suite) {
		return func(t *testing.T, s *tools.Suite) {
			res := call(t, s, "apply_patch", map[string]any{"patch": "*** Begin Patch\n" + text + "*** End Patch\n"})
			require.False(t, res.IsError, res.Text)
		}
	}
	for _, tt := range []struct {
		name   string
		first  []func(*testing.T, *tools.Suite)
		unread bool
	}{
		{"nothing", nil, true},
		{"grep", []func(*testing.T, *tools.Suite){func(t *testing.T, s *tools.Suite) { call(t, s, "grep", map[string]any{"pattern": ".", "path": "a"}) }}, true},
		{"a page", []func(*testing.T, *tools.Suite){read("limit", 99)}, true},
		{"all pages", []func(*testing.T, *tools.Suite){read("offset", -60), read("limit", 30), read("offset", 20, "limit", 21)}, false},
		{"another part", []func(*testing.T, *tools.Suite){read("offset", -60), read("limit", 30)}, true},
		{"a column", []func(*testing.T, *tools.Suite){read("column", 2)}, true},
		{"all", []func(*testing.T, *tools.Suite){read()}, false},
		{"all, with others", []func(*testing.T, *tools.Suite){func(t *testing.T, s *tools.Suite) { call(t, s, "read", map[string]any{"paths": []string{"b", "a"}}) }}, false},
		{"all, and an edit", []func(*testing.T, *tools.Suite){read(), edit("line 50")}, false},
		{"an edit", []func(*testing.T, *tools.Suite){edit("line 50")}, true},
		{"an edit between pages", []func(*testing.T, *tools.Suite){read("limit", 60), edit("line 50"), read("offset", 62)}, false},
		{"pages of what it was", []func(*testing.T, *tools.Suite){read("limit", 60), func(t *testing.T, s *tools.Suite) { put(t, s, "a", countedLines(90)) }, read("offset", 61)}, true},
		{"a change that is shown", []func(*testing.T, *tools.Suite){read(), func(t *testing.T, s *tools.Suite) {
			put(t, s, "a", before+"new\n")
			require.Contains(t, call(t, s, "write", map[string]any{"path": "a", "content": "mine\n"}).Text, "stale: ")
		}}, false},
		{"written", []func(*testing.T, *tools.Suite){func(t *testing.T, s *tools.Suite) { write(t, s, "a", "x\ny\n") }}, false},
		{"written as it is", []func(*testing.T, *tools.Suite){func(t *testing.T, s *tools.Suite) { write(t, s, "a", before) }}, false},
		{"added", []func(*testing.T, *tools.Suite){patch("*** Delete File: a\n"), patch("*** Add File: a\n+x\n")}, false},
		{"moved", []func(*testing.T, *tools.Suite){read(), patch("*** Update File: a\n*** Move to: c\n-line 3\n+x\n"), patch("*** Update File: c\n*** Move to: a\n")}, false},
		{"moved after a change", []func(*testing.T, *tools.Suite){read(), func(t *testing.T, s *tools.Suite) { put(t, s, "a", before+"new\n") },
			patch("*** Update File: a\n*** Move to: c\n"), patch("*** Update File: c\n*** Move to: a\n")}, true},
		{"an edit after a change", []func(*testing.T, *tools.Suite){read(), func(t *testing.T, s *tools.Suite) { put(t, s, "a", before+"new\n") }, edit("line 50")}, true},
		{"moved unseen", []func(*testing.T, *tools.Suite){patch("*** Update File: a\n*** Move to: c\n"), patch("*** Update File: c\n*** Move to: a\n")}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := patchSuite(t, config.Config{}, map[string]string{"a": before, "b": "b\n"})
			for _, f := range tt.first {
				f(t, s)
			}
			held := contentOf(t, s, "a")
			res := write(t, s, "a", "mine\n")
			require.Equal(t, tt.unread, res.Unread)
			require.Equal(t, tt.unread, strings.Contains(res.Text, "[Not all of the file had been read"), res.Text)
			if tt.unread {
				m := regexp.MustCompile(`had been read, and (\d+) lines are gone\. Use read path=(\S+) to see the old content`).FindStringSubmatch(res.Text)
				require.NotNil(t, m, res.Text)
				require.Equal(t, fmt.Sprint(strings.Count(held, "\n")), m[1])
				require.Equal(t, held, call(t, s, "read", map[string]any{"path": m[2]}).Text)
			}
		})
	}
	s := newSuite(t, config.Config{Read: config.Read{MaxLineChars: 1}}, map[string]string{"a": before, "empty": ""})
	call(t, s, "read", map[string]any{"path": "a"})
	require.False(t, write(t, s, "a", before+"more\n").Unread, "nothing is gone")
	put(t, s, "b", before)
	call(t, s, "read", map[string]any{"path": "b"})
	require.True(t, write(t, s, "b", "1\n").Unread, "lines were cut")
	call(t, s, "read", map[string]any{"path": "empty"})
	require.False(t, write(t, s, "empty", "1\n").Unread)
	s = newSuite(t, config.Config{}, map[string]string{"large": countedLines(1_000_000)})
	call(t, s, "read", map[string]any{"path": "large", "offset": -5})
	require.True(t, write(t, s, "large", "1\n").Unread, "the lines before its end")
}

// What changes show is 60 lines and 4 KiB, unless options say otherwise.
func TestChangesAreBounded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		cfg          config.Config
		lines, bytes int
	}{
		{config.Config{}, 60, 4096},
		{config.Config{MaxLines: 20, MaxBytes: 2048}, 20, 2048},
		{config.Config{Edit: config.Edit{MaxLines: 30, MaxBytes: 2048}}, 30, 2048},
		{config.Config{Edit: config.Edit{MaxLines: 70, MaxBytes: 8192}}, 70, 8192},
	} {
		s := patchSuite(t, tt.cfg, map[string]string{"a": countedLines(200), "b": countedLines(200), "long": strings.Repeat(strings.Repeat("x", 400)+"\n", 100)})
		diff := func(res tools.Result) int {
			text, notice, _ := strings.Cut(res.Text, "\n\n[")
			require.Contains(t, notice, "Use read offset=1 to see the file as it is now")
			return strings.Count(text, "\n") + 1
		}
		patched := "*** Begin Patch\n*** Update File: b\n@@\n-" + strings.ReplaceAll(strings.TrimSpace(countedLines(200)), "\n", "\n-") + "\n+x\n*** End Patch\n"
		require.Equal(t, tt.lines, diff(call(t, s, "apply_patch", map[string]any{"patch": patched})))
		require.Equal(t, tt.lines, diff(call(t, s, "edit", map[string]any{"path": "a", "old_string": countedLines(200), "new_string": "x\n"})))
		call(t, s, "read", map[string]any{"path": "a"})
		write(t, s, "a", countedLines(200))
		require.Equal(t, tt.lines, diff(call(t, s, "write", map[string]any{"path": "a", "content": "x\n"})))
		text, _, _ := strings.Cut(call(t, s, "write", map[string]any{"path": "long", "content": ""}).Text, "\n\n[")
		require.InDelta(t, tt.bytes-401, len(text), 402) // less than a line is left of either half
	}
}

// What is shown of a change is bounded, in lines, bytes and the length of a line.
func TestWriteIsBounded(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{MaxBytes: 1024, MaxFileBytes: 100_000}, map[string]string{"a": countedLines(1000), "large": strings.Repeat("x", 100_001)})
	res := call(t, s, "write", map[string]any{"path": "a", "content": strings.Repeat("y", 90_000)})
	require.LessOrEqual(t, len(res.Text), 1024+1024)
	require.Contains(t, res.Text, ". Showing 30 of 1003 lines of changes. Use read offset=1 to see the file")
	require.True(t, res.Shown().Truncated)
	details := detailsOf(t, res)
	require.EqualValues(t, 1000, details["linesRemoved"])
	require.EqualValues(t, 1, details["linesAdded"])
	res = call(t, s, "write", map[string]any{"path": "a", "content": strings.Repeat("z", 90_000)})
	require.Contains(t, res.Text, "[... 3 of 5 lines left out ...]\n", "half of the limits holds no such line")
	_, err := s.Write(t.Context(), tools.WriteParams{Path: "a", Content: strings.Repeat("y", 100_001)})
	refusedAs(t, err, tools.CodeTooLarge, "content is 97.7KB, over the limit of 97.7KB")
	_, err = s.Write(t.Context(), tools.WriteParams{Path: "large", Content: "y"})
	refusedAs(t, err, tools.CodeTooLarge, "large is 97.7KB, over the limit of 97.7KB")
}

// A file that cannot be written, or whose content cannot be kept, stays.
func TestWriteIsRefused(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": "1\n", "dir/b": "1\n"})
	a := filepath.Join(s.Workspace(), "a")
	if os.Geteuid() != 0 { // whom no mode holds back
		require.NoError(t, os.Chmod(a, 0o444))
		_, err := s.Write(t.Context(), tools.WriteParams{Path: "a", Content: "2\n"})
		refusedAs(t, err, tools.CodePermissionDenied, "a is not writable; nothing was changed")
		require.NoError(t, os.Chmod(a, 0o644))
	}
	s = newSuite(t, config.Config{}, map[string]string{"a": "1\n", ".clarvis": ""})
	_, err := s.Write(t.Context(), tools.WriteParams{Path: "a", Content: "2\n"})
	refusedAs(t, err, tools.CodeIOError, "nothing was changed, because the old content is kept in .clarvis first, and that failed")
	require.Equal(t, "1\n", contentOf(t, s, "a"))
	require.NoError(t, os.RemoveAll(s.Workspace()))
	_, err = s.Write(t.Context(), tools.WriteParams{Path: "a", Content: "2\n"})
	refusedAs(t, err, tools.CodeNotFound, "the workspace does not exist any more")
}

// Calls of several suites take turns: each sees what the one before it wrote.
func TestWritersTakeTurns(t *testing.T) {
	t.Parallel()
	const suites, each = 4, 10
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "log"), nil, 0o644))
	var group sync.WaitGroup
	for i := range suites {
		s := newSuite(t, config.Config{Workspace: dir}, nil)
		group.Go(func() {
			for n := range each {
				for done := false; !done; { // until nobody came in between
					page, _ := s.Read(t.Context(), tools.ReadParams{Path: "log"})
					_, err := s.Write(t.Context(), tools.WriteParams{Path: "log", Content: page.Page + fmt.Sprintln(i, n)})
					if err != nil && tools.CodeOf(err) != tools.CodeStale {
						t.Error(err)
						return
					}
					done = err == nil
				}
			}
		})
	}
	group.Wait()
	data := testkit.ReadFile(t, filepath.Join(dir, "log"))
	lines := map[string]bool{}
	for _, line := range strings.Fields(strings.ReplaceAll(data, " ", "/")) {
		lines[line] = true
	}
	require.Len(t, lines, suites*each, "none is lost")
}

// Git ignores the spill directory, with its lock and copies.
func TestGitDoesNotSeeWhatIsKept(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a": "1\n"})
	write(t, s, "a", "2\n")
	testkit.Git(t, s.Workspace(), "init", "-q")
	require.Equal(t, "?? a\n", testkit.Git(t, s.Workspace(), "status", "--porcelain"))
}
