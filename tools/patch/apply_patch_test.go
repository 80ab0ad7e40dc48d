package patch_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/tools/patch"
)

var patchFiles = map[string]string{
	"a.txt":     "one\ntwo\nthree\n",
	"b.txt":     "1\n2\n3\n",
	"dir/c.go":  "package c\n\nfunc C() {\n\treturn\n}\n\nfunc D() {\n\treturn\n}\n",
	"dos.txt":   "one\r\ntwo\r\n",
	"spaces":    "one \ntwo\n",
	"latin.txt": "caf\xe9\n",
	"zero":      "a\x00b\n",
}

func TestApplyPatch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, patch, want string
		after             map[string]string // "-" for a file that is gone
	}{
		{"update", "*** Update File: a.txt\n@@\n one\n-two\n+zwei\n+2\n three\n",
			"Updated a.txt: 2 lines added, 1 removed.\n@@ -1,3 +1,4 @@\n one\n-two\n+zwei\n+2\n three", map[string]string{"a.txt": "one\nzwei\n2\nthree\n"}},
		{"add", "*** Add File: new/d.txt\n+x\n+y\n", "Created new/d.txt (2 lines).", map[string]string{"new/d.txt": "x\ny\n"}},
		{"delete", "*** Delete File: a.txt\n", "Deleted a.txt (3 lines).", map[string]string{"a.txt": "-"}},
		{"delete by all lines", "--- a/b.txt\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-1\n-2\n-3\n", "Deleted b.txt (3 lines).", map[string]string{"b.txt": "-"}},
		{"move what is not text", "*** Update File: zero\n*** Move to: nil\n", "Moved zero to nil.", map[string]string{"zero": "-", "nil": "a\x00b\n"}},
		{"delete what is not text", "*** Delete File: zero\n", "Deleted zero (1 line).", map[string]string{"zero": "-"}},
		{"move", "*** Update File: a.txt\n*** Move to: x/y.txt\n", "Moved a.txt to x/y.txt.", map[string]string{"a.txt": "-", "x/y.txt": "one\ntwo\nthree\n"}},
		{"move and update", "*** Update File: a.txt\n*** Move to: y.txt\n@@\n-two\n+2\n", "Moved a.txt to y.txt: 1 line added, 1 removed.\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three",
			map[string]string{"a.txt": "-", "y.txt": "one\n2\nthree\n"}},
		{"move with lines that stay", "*** Update File: a.txt\n*** Move to: y.txt\n@@\n one\n two\n", "Moved a.txt to y.txt.", map[string]string{"a.txt": "-", "y.txt": "one\ntwo\nthree\n"}},
		{"move with lines that go and come", "*** Update File: dos.txt\n*** Move to: y.txt\n@@\n-one\n+one\n two\n",
			"Moved dos.txt to y.txt. The hunk in line 4 of the patch differed from the file in line endings, which stay as they are.", map[string]string{"dos.txt": "-", "y.txt": "one\r\ntwo\r\n"}},
		{"move onto itself", "*** Update File: a.txt\n*** Move to: x/../a.txt\n@@\n-two\n+2\n", "Updated a.txt: 1 line added, 1 removed.\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three", map[string]string{"a.txt": "one\n2\nthree\n"}},
		{"move onto itself, and nothing else", "*** Update File: a.txt\n*** Move to: ./a.txt\n*** Delete File: b.txt\n", "a.txt stays as it is.\nDeleted b.txt (3 lines).", map[string]string{"b.txt": "-"}},
		{"move onto itself, with lines that stay", "*** Update File: dir/c.go\n*** Move to: dir//c.go\n@@\n package c\n", "dir/c.go stays as it is.", nil},
		{"all at once", "*** Update File: b.txt\n@@\n-2\n+zwei\n*** Delete File: a.txt\n*** Add File: d\n+x\n",
			"Updated b.txt: 1 line added, 1 removed.\nDeleted a.txt (3 lines).\nCreated d (1 line).\n@@ -1,3 +1,3 @@\n 1\n-2\n+zwei\n 3",
			map[string]string{"a.txt": "-", "b.txt": "1\nzwei\n3\n", "d": "x\n"}},
		{"two files", "*** Update File: a.txt\n@@\n-two\n+2\n*** Update File: b.txt\n@@\n-2\n+zwei\n",
			"Updated a.txt: 1 line added, 1 removed.\nUpdated b.txt: 1 line added, 1 removed.\n--- a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n--- b.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+zwei\n 3",
			map[string]string{"a.txt": "one\n2\nthree\n", "b.txt": "1\nzwei\n3\n"}},
		{"one file in two sections", "*** Update File: a.txt\n@@\n-one\n+1\n*** Update File: ./a.txt\n@@\n-three\n+3\n",
			"Updated a.txt: 2 lines added, 2 removed.\n@@ -1,3 +1,3 @@\n-one\n+1\n two\n-three\n+3", map[string]string{"a.txt": "1\ntwo\n3\n"}},
		{"@@", "*** Update File: dir/c.go\n@@ func D() {\n-\treturn\n+\tpanic(0)\n", "Updated dir/c.go: 1 line added, 1 removed.\n@@ -5,5 +5,5 @@\n }\n \n func D() {\n-\treturn\n+\tpanic(0)\n }",
			map[string]string{"dir/c.go": strings.Replace(patchFiles["dir/c.go"], "D() {\n\treturn", "D() {\n\tpanic(0)", 1)}},
		{"CRLF", "*** Update File: dos.txt\n@@\n one\n-two\n+2\n",
			"Updated dos.txt (CRLF): 1 line added, 1 removed. The hunk in line 3 of the patch differed from the file in line endings, which stay as they are.\n@@ -1,2 +1,2 @@\n one\\r\n-two\\r\n+2\\r",
			map[string]string{"dos.txt": "one\r\n2\r\n"}},
		{"white space at line ends", "*** Update File: spaces\n@@\n one\n-two\n+2\n",
			"Updated spaces: 1 line added, 1 removed. The hunk in line 3 of the patch differed from the file in white space at line ends.\n@@ -1,2 +1,2 @@\n one \n-two\n+2", map[string]string{"spaces": "one \n2\n"}},
		{"bytes of another encoding", "*** Update File: latin.txt\n@@\n+x\n*** End of File\n", "Updated latin.txt (windows-1252, LF): 1 line added.\n@@ -1 +1,2 @@\n café\n+x", map[string]string{"latin.txt": "caf\xe9\nx\n"}},
		{"a path in quotes", "*** Add File: \"a b\\303\\251\"\n+x\n", "Created a b\u00e9 (1 line).", map[string]string{"a b\u00e9": "x\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := patchSuite(t, config.Config{}, patchFiles)
			want := contents(t, s.Workspace())
			for name, content := range tt.after {
				if want[name] = content; content == "-" {
					delete(want, name)
				}
			}
			res := call(t, s, "apply_patch", map[string]any{"patch": "*** Begin Patch\n" + tt.patch + "*** End Patch\n"})
			require.Equal(t, tt.want, res.Text)
			require.False(t, res.IsError)
			require.Equal(t, want, contents(t, s.Workspace()))
		})
	}
}

func TestApplyPatchOfOtherForms(t *testing.T) {
	t.Parallel()
	for name, patch := range map[string]string{
		"git":           "diff --git a/a.txt b/a.txt\nindex 1..2 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
		"diff":          "--- a.txt\t2026-01-01 00:00:00\n+++ a.txt\t2026-01-01 00:00:00\n@@ -2 +2 @@\n-two\n+2\n",
		"here-document": "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.txt\n-two\n+2\n*** End Patch\nEOF\n",
		"fence":         "```\n*** Begin Patch\n*** Update File: a.txt\n-two\n+2\n*** End Patch\n```",
		"absolute path": "*** Begin Patch\n*** Update File: WORKSPACE/a.txt\n-two\n+2\n*** End Patch",
		"CRLF":          "*** Begin Patch\r\n*** Update File: a.txt\r\n@@\r\n-two\r\n+2\r\n*** End Patch\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := patchSuite(t, config.Config{}, patchFiles)
			res := call(t, s, "apply_patch", map[string]any{"input": strings.ReplaceAll(patch, "WORKSPACE", filepath.ToSlash(s.Workspace()))})
			require.Equal(t, "Updated a.txt: 1 line added, 1 removed.\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three", res.Text)
			require.Equal(t, "one\n2\nthree\n", contents(t, s.Workspace())["a.txt"])
		})
	}
}

// The directory that a patch changes to first is where its paths are, and is confined as they are.
func TestApplyPatchInADirectory(t *testing.T) {
	t.Parallel()
	s := patchSuite(t, config.Config{}, map[string]string{"a.txt": "1\n", "sub/a.txt": "1\n"})
	apply := func(command string) string {
		return call(t, s, "apply_patch", map[string]any{"patch": command + "\n*** Begin Patch\n*** Update File: a.txt\n-1\n+2\n*** End Patch\nEOF\n"}).Text
	}
	require.Contains(t, apply("cd sub && apply_patch <<EOF"), "Updated sub/a.txt: 1 line added, 1 removed.")
	require.Equal(t, map[string]string{"a.txt": "1\n", "sub/a.txt": "2\n"}, contents(t, s.Workspace()))
	require.Equal(t, "path_escape: line 3 of the patch: ../a.txt is outside of the workspace. Use a path inside of it, relative to its root. Nothing was changed", apply("cd .. && apply_patch <<EOF"))
	require.Contains(t, apply("cd '"+filepath.ToSlash(s.Workspace())+"' && apply_patch <<EOF"), "Updated a.txt: 1 line added, 1 removed.")
	require.Contains(t, apply("mkdir x && apply_patch <<EOF"), "invalid_input: line 1 of the patch: expected *** Begin Patch, alone or after cd DIRECTORY")
}

// A refused patch says which line of it to change, and leaves everything as it was.
func TestApplyPatchRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, patch, want string }{
		{"grammar", "*** Update File: a.txt\n@@\ntwo\n", `invalid_input: line 4 of the patch: expected a line that begins with a space (unchanged), - (removed) or + (added), but it is "two". Nothing was changed`},
		{"nowhere", "*** Add File: new\n+x\n*** Update File: a.txt\n@@\n one\n-tow\n+2\n",
			"not_found: line 5 of the patch: the old text is not in a.txt. Nothing was changed. The nearest lines follow; line 2 is the first to differ. Copy it from them\n\n     1  one\n     2  two"},
		{"there already", "*** Update File: a.txt\n@@\n one\n-2\n+two\n three\n", "not_found: line 3 of the patch: the old text is not in a.txt, but its new text is there already, at line 1. Nothing was changed. If that is what you want, continue\n\n     1  one\n     2  two\n     3  three"},
		{"ambiguous", "*** Update File: dir/c.go\n@@\n-\treturn\n+\tpanic(0)\n", "invalid_input: line 3 of the patch: its lines are in 2 places, at lines 4, 8. Add lines around them, or before them @@ and the first line of the function or class (dir/c.go). Nothing was changed"},
		{"file that is not there", "*** Update File: a.tx\n@@\n-a\n", "not_found: line 2 of the patch: a.tx does not exist. Did you mean a.txt? Nothing was changed"},
		{"add over a file", "*** Add File: a.txt\n+x\n", "invalid_input: line 2 of the patch: a.txt exists already, and Add File is for new files. Use Update File. Nothing was changed"},
		{"move onto a file", "*** Update File: a.txt\n*** Move to: b.txt\n", "invalid_input: line 2 of the patch: b.txt exists already, and a move does not replace a file. Move to another path, or delete that one first. Nothing was changed"},
		{"move with lines that are not there", "*** Update File: zero\n*** Move to: y.txt\n@@\n ten\n", "is_binary: line 2 of the patch: zero is a binary file, not text. Nothing was changed"},
		{"move onto itself and again", "*** Update File: a.txt\n*** Move to: ./a.txt\n*** Delete File: a.txt\n", "invalid_input: line 4 of the patch: a.txt is also in line 2 of the patch. Give each file one section. Nothing was changed"},
		{"move of what is not there", "*** Update File: x\n*** Move to: ./x\n", "not_found: line 2 of the patch: x does not exist. Use ls or find to see what does. Nothing was changed"},
		{"named twice", "*** Delete File: a.txt\n*** Add File: a.txt\n+x\n", "invalid_input: line 3 of the patch: a.txt is also in line 2 of the patch. Give each file one section. Nothing was changed"},
		{"directory", "*** Delete File: dir\n", "not_a_file: line 2 of the patch: dir is a directory. Use ls to list it, or find. Nothing was changed"},
		{"outside", "*** Add File: ../x\n+x\n", "path_escape: line 2 of the patch: ../x is outside of the workspace. Use a path inside of it, relative to its root. Nothing was changed"},
		{"moved outside", "*** Update File: a.txt\n*** Move to: ../x\n", "path_escape: line 2 of the patch: ../x is outside of the workspace. Use a path inside of it, relative to its root. Nothing was changed"},
		{"through a file", "*** Delete File: b.txt\n*** Add File: a.txt/x\n+x\n", "not_a_directory: line 3 of the patch: a.txt/x uses a file as a directory. Use another path. Nothing was changed"},
		{"a directory by its name", "*** Add File: new/\n+x\n", "not_a_file: line 2 of the patch: new/ can only be a directory. Give the path of a file. Nothing was changed"},
		{"not text", "*** Update File: zero\n@@\n-a\n", "is_binary: line 2 of the patch: zero is a binary file, not text. Nothing was changed"},
		{"encoding", "*** Update File: latin.txt\n@@\n+☃\n*** End of File\n", "invalid_input: line 2 of the patch: latin.txt is in an encoding of one byte per character, which cannot hold the added text. Use ASCII alone, or convert the file to UTF-8 first. Nothing was changed"},
		{"no change", "*** Update File: a.txt\n@@\n-two\n+two\n", "invalid_input: line 2 of the patch: a.txt would not change: the same lines are removed and added. Nothing was changed"},
		{"deleted in part", "*** Delete File: a.txt\n--- a/b.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-1\n", "invalid_input: line 3 of the patch: b.txt has more lines than the patch removes. Remove all of them, or use *** Delete File. Nothing was changed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := patchSuite(t, config.Config{}, patchFiles)
			res := call(t, s, "apply_patch", map[string]any{"patch": "*** Begin Patch\n" + tt.patch + "*** End Patch\n"})
			require.True(t, res.IsError)
			require.Equal(t, tt.want, res.Text)
			require.Equal(t, patchFiles, contents(t, s.Workspace()))
		})
	}
}

// Details name what was done to each file, and Restore undoes it.
func TestApplyPatchDetails(t *testing.T) {
	t.Parallel()
	s := patchSuite(t, config.Config{}, patchFiles)
	res, err := patch.Apply(t.Context(), s, patch.Params{Patch: `*** Begin Patch
*** Update File: spaces
@@
 one
+half
@@
-two
+2
*** Update File: a.txt
*** Move to: c.txt
-one
+1
*** Delete File: b.txt
*** Add File: d
+x
*** End Patch`})
	require.NoError(t, err)
	require.Len(t, res.Files, 4)
	for i := range res.Files {
		require.Equal(t, i == 3, res.Files[i].Before == "")
	}
	for _, f := range res.Files[:3] {
		_, err := s.Restore(t.Context(), f.Before)
		require.NoError(t, err)
	}
	for i := range res.Files {
		res.Files[i].Before = ""
	}
	data, err := json.Marshal(res.Files)
	require.NoError(t, err)
	require.JSONEq(t, `[
		{"path": "spaces", "linesAdded": 2, "linesRemoved": 1, "spans": [{"line": 2, "added": 2, "removed": 1}], "maps": ["white space at line ends", ""]},
		{"path": "c.txt", "movedFrom": "a.txt", "linesAdded": 1, "linesRemoved": 1, "spans": [{"line": 1, "added": 1, "removed": 1}]},
		{"path": "b.txt", "removed": true, "linesAdded": 0, "linesRemoved": 3, "spans": [{"line": 1, "added": 0, "removed": 3}]},
		{"path": "d", "created": true, "linesAdded": 1, "linesRemoved": 0, "spans": [{"line": 1, "added": 1, "removed": 0}]}]`, string(data))
	after := contents(t, s.Workspace())
	require.Equal(t, "1\ntwo\nthree\n", after["c.txt"])
	require.Equal(t, "x\n", after["d"])
	delete(after, "c.txt")
	delete(after, "d")
	require.Equal(t, patchFiles, after)
}

// What another program changed since it was shown is not changed or deleted unseen.
func TestApplyPatchOfAChangedFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, patch, want string }{
		{"elsewhere", "*** Update File: a.txt\n@@\n-one\n+1\n", "Updated a.txt: 1 line added, 1 removed. Also changed since it was last shown: line 4.\n--- a.txt\n@@ -1,4 +1,4 @@\n-one\n+1\n two\n three\n four\n--- a.txt, since it was last shown\n@@ -1,3 +1,4 @@\n 1\n two\n three\n+four"},
		{"there", "*** Update File: a.txt\n@@\n-three\n+3\n*** End of File\n", "stale: a.txt has changed since it was last shown or written here, and was left alone. The changes follow. Make the call again with them in mind\n\n@@ -1,3 +1,4 @@\n one\n two\n three\n+four"},
		{"what is new", "*** Update File: a.txt\n@@\n-four\n+4\n", "stale: a.txt has changed since it was last shown or written here, and was left alone. The changes follow. Make the call again with them in mind\n\n@@ -1,3 +1,4 @@\n one\n two\n three\n+four"},
		{"deleted", "*** Add File: x\n+x\n*** Delete File: a.txt\n", "stale: a.txt has changed since it was last shown or written here, and was left alone. The changes follow. Make the call again with them in mind\n\n@@ -1,3 +1,4 @@\n one\n two\n three\n+four"},
		{"moved with lines that stay", "*** Update File: a.txt\n*** Move to: x\n@@\n one\n", "Moved a.txt to x. Also changed since it was last shown: line 4.\n--- x, since it was last shown\n@@ -1,3 +1,4 @@\n one\n two\n three\n+four"},
		{"moved with lines that are new", "*** Update File: a.txt\n*** Move to: x\n@@\n four\n", "stale: a.txt has changed since it was last shown or written here, and was left alone. The changes follow. Make the call again with them in mind\n\n@@ -1,3 +1,4 @@\n one\n two\n three\n+four"},
		{"moved", "*** Update File: a.txt\n*** Move to: x\n", "Moved a.txt to x. Also changed since it was last shown: line 4.\n--- x, since it was last shown\n@@ -1,3 +1,4 @@\n one\n two\n three\n+four"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := patchSuite(t, config.Config{}, patchFiles)
			call(t, s, "read", map[string]any{"path": "a.txt"})
			require.NoError(t, os.WriteFile(filepath.Join(s.Workspace(), "a.txt"), []byte("one\ntwo\nthree\nfour\n"), 0o644))
			before := contents(t, s.Workspace())
			args := map[string]any{"patch": "*** Begin Patch\n" + tt.patch + "*** End Patch\n"}
			res := call(t, s, "apply_patch", args)
			require.Equal(t, tt.want, res.Text)
			if res.IsError {
				require.Equal(t, before, contents(t, s.Workspace()))
				if tt.name == "deleted" {
					require.False(t, call(t, s, "apply_patch", args).IsError)
				}
			}
		})
	}
}

func TestApplyPatchNeedsARead(t *testing.T) {
	t.Parallel()
	s := patchSuite(t, config.Config{Edit: config.Edit{RequireRead: true}}, patchFiles)
	args := map[string]any{"patch": "*** Begin Patch\n*** Delete File: a.txt\n*** Add File: x\n+x\n*** End Patch\n"}
	require.Equal(t, "stale: a.txt has not been read yet, and nothing was changed. Read it, then make the call again", call(t, s, "apply_patch", args).Text)
	call(t, s, "read", map[string]any{"path": "a.txt"})
	require.Equal(t, "Deleted a.txt (3 lines).\nCreated x (1 line).", call(t, s, "apply_patch", args).Text)
}

// A link is followed to change what it leads to, and stays. It is not taken for that where that would go.
func TestApplyPatchOfLinks(t *testing.T) {
	t.Parallel()
	s := patchSuite(t, config.Config{}, patchFiles)
	link := filepath.Join(s.Workspace(), "link")
	need.Symlink(t, "a.txt", link)
	need.Symlink(t, "dir", filepath.Join(s.Workspace(), "dir2"))
	apply := func(patch string) string {
		return call(t, s, "apply_patch", map[string]any{"patch": "*** Begin Patch\n" + patch + "*** End Patch\n"}).Text
	}
	require.Contains(t, apply("*** Update File: link\n@@\n-two\n+2\n"), "Updated link: 1 line added")
	for _, patch := range []string{"*** Delete File: link\n", "*** Update File: link\n*** Move to: x\n"} {
		require.Equal(t, "invalid_input: line 2 of the patch: link is a link, and the file that it leads to would be deleted. Name that file, or use bash for the link. Nothing was changed", apply(patch))
	}
	require.Contains(t, apply("*** Update File: link\n*** Move to: a.txt\n@@\n-2\n+II\n"), "Updated link: 1 line added")
	require.Contains(t, apply("*** Update File: a.txt\n*** Move to: link\n@@\n-II\n+2\n"), "Updated a.txt: 1 line added")
	require.Equal(t, "dir/c.go stays as it is.", apply("*** Update File: dir/c.go\n*** Move to: dir2/c.go\n"))
	require.Contains(t, apply("*** Update File: link\n@@\n-one\n+1\n*** Delete File: a.txt\n"), "invalid_input: line 6 of the patch: a.txt is also in line 2")
	require.Equal(t, "Deleted dir2/c.go (9 lines).", apply("*** Delete File: dir2/c.go\n"))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.Equal(t, fs.ModeSymlink, info.Mode().Type())
	require.Equal(t, "one\n2\nthree\n", contents(t, s.Workspace())["a.txt"])
}

// A file that is moved keeps its mode.
func TestApplyPatchKeepsTheMode(t *testing.T) {
	t.Parallel()
	need.Modes(t)
	s := patchSuite(t, config.Config{}, patchFiles)
	require.NoError(t, os.Chmod(filepath.Join(s.Workspace(), "a.txt"), 0o750))
	call(t, s, "apply_patch", map[string]any{"patch": "*** Begin Patch\n*** Update File: a.txt\n*** Move to: x\n-two\n+2\n*** End Patch\n"})
	info, err := os.Stat(filepath.Join(s.Workspace(), "x"))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o750), info.Mode().Perm())
}

// apply_patch is in a suite whose Tools name it, and not in one that may only read.
func TestApplyPatchIsAskedFor(t *testing.T) {
	t.Parallel()
	args := map[string]any{"patch": "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n"}
	for _, cfg := range []config.Config{{}, {Tools: []string{"read", "apply_patch"}, ReadOnly: true}} {
		res := call(t, newSuite(t, cfg, patchFiles), "apply_patch", args)
		require.Contains(t, res.Text, "denied: this suite does not have the tool apply_patch")
	}
}

// A place that differs from a hunk in line endings alone is named, unless a line number or an @@ line chooses between
// the two; what the text suggests changes it.
func TestApplyPatchOtherEndings(t *testing.T) {
	t.Parallel()
	const hunk = "@@\n a\n-b\n+c\n+d\n"
	const mixed = "a\nb\n--\na\r\nb\r\n"
	const left = "The text of the hunk in line 3 of the patch is also "
	for _, tt := range []struct{ name, content, hunks, want string }{
		{"behind it", mixed, hunk, left + `at line 5 with other line endings, and was left there. Give its lines with \r\n to replace it there.`},
		{"in front of it", "a\r\nb\r\n--\na\nb\n", hunk, left + "at line 1 with"},
		{"twice", mixed + "a\nb\r\n", hunk, left + "in 2 more places, the first at line 5 with"},
		{"of lines with CRLF", mixed, "@@\n a\r\n-b\r\n+c\r\n", left + `at line 1 with other line endings, and was left there. Give its lines with \n to replace it there.`},
		{"in the function that @@ names", "f:\n\ta\n\ta\r\n", "@@ f:\n-\ta\n+\tb\n", left + "at line 3 with"},
		{"in another function", "f:\n\ta\ng:\n\ta\r\n", "@@ f:\n-\ta\n+\tb\n", ""},
		{"by line number", mixed, "@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n", ""},
		{"by a line number that is wrong", mixed, "@@ -2,2 +2,3 @@\n a\n-b\n+c\n+d\n", left},
		{"changed by another hunk", mixed, hunk + "@@\n a\r\n-b\r\n+e\r\n", ""},
		{"through a map", "a \nb\n--\na\r\nc\r\n", hunk, ""},
		{"nowhere", "a\nb\n--\na\r\nc\r\n", hunk, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := patchSuite(t, config.Config{}, map[string]string{"f": tt.content})
			res := call(t, s, "apply_patch", patch.Params{Patch: "*** Begin Patch\n*** Update File: f\n" + tt.hunks + "*** End Patch"})
			require.False(t, res.IsError, res.Text)
			if tt.want == "" {
				require.NotContains(t, res.Text, "other line endings")
				return
			}
			require.Contains(t, res.Text, tt.want)
		})
	}
	s := patchSuite(t, config.Config{}, map[string]string{"f": mixed})
	for _, hunks := range []string{hunk, strings.ReplaceAll(hunk[3:], "\n", "\r\n")} {
		call(t, s, "apply_patch", patch.Params{Patch: "*** Begin Patch\n*** Update File: f\n" + hunks + "*** End Patch"})
	}
	require.Equal(t, "a\nc\nd\n--\na\r\nc\r\nd\r\n", contents(t, s.Workspace())["f"])
}
