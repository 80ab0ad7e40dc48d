package patch

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// print writes a patch in the V4A format, and in front of it as unified diffs what only these can say.
func print(files []File) string {
	var v4a, unified strings.Builder
	for _, f := range files {
		if f.Op == Delete && f.Hunks != nil || f.Content != "" && !strings.HasSuffix(f.Content, "\n") {
			printFile(&unified, f)
		} else {
			printFile(&v4a, f)
		}
	}
	return unified.String() + "*** Begin Patch\n" + v4a.String() + "*** End Patch\n"
}

func printFile(w io.Writer, f File) {
	line := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	prefixed := func(prefix, path string) string {
		if rest, quoted := strings.CutPrefix(path, `"`); quoted {
			return `"` + prefix + rest
		}
		return prefix + path
	}
	switch {
	case f.Op == Delete && f.Hunks != nil:
		line("--- %s\n+++ /dev/null", prefixed("a/", f.Path))
	case f.Content != "" && !strings.HasSuffix(f.Content, "\n"):
		line("--- /dev/null\n+++ %s\n@@ -0,0 +1,%d @@", prefixed("b/", f.Path), strings.Count(f.Content, "\n")+1)
	default:
		line("*** %s File: %s", []string{Update: "Update", Add: "Add", Delete: "Delete"}[f.Op], f.Path)
	}
	if f.To != "" {
		line("*** Move to: %s", f.To)
	}
	if f.Content != "" {
		text, ended := strings.CutSuffix(f.Content, "\n")
		line("+%s", strings.ReplaceAll(text, "\n", "\n+"))
		if !ended {
			line(`\ No newline at end of file`)
		}
	}
	for _, h := range f.Hunks {
		switch {
		case len(h.After) == 0 && h.At == 0:
			line("@@")
		case h.At > 0:
			old, new := len(h.Old()), len(h.New())
			line("@@ -%d,%d +%d,%d @@", h.At-max(0, 1-old), old, h.At, new)
		}
		for _, after := range h.After {
			line("@@ %s", after)
		}
		for i, l := range h.Lines {
			line("%c%s", l.Op, l.Text)
			if h.Unended.Old && l.Op != '+' && len(h.Old()) == len(Hunk{Lines: h.Lines[:i+1]}.Old()) ||
				h.Unended.New && l.Op != '-' && len(h.New()) == len(Hunk{Lines: h.Lines[:i+1]}.New()) {
				line(`\ No newline at end of file`)
			}
		}
		if h.End {
			line("*** End of File")
		}
	}
}

// accepted are patches as models and programs write them, and the same in the form of print.
var accepted = []struct{ name, patch, want string }{
	{"all kinds", `*** Begin Patch
*** Add File: new.txt
+one
+
+two
*** Delete File: old.txt
*** Update File: a.go
*** Move to: b.go
@@ class A
@@ 	def f():
 x
-y
+z
@@
-last
+end
*** End of File
*** End Patch
`, `*** Begin Patch
*** Add File: new.txt
+one
+
+two
*** Delete File: old.txt
*** Update File: a.go
*** Move to: b.go
@@ class A
@@ def f():
 x
-y
+z
@@
-last
+end
*** End of File
*** End Patch
`},
	{"no @@, no newline at the end", "*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch", "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch\n"},
	{"blank lines between", "\n*** Begin Patch\n\n*** Update File: a\n\n@@\n-x\n+y\n\n@@\n\n-x\n+y\n\n\n*** Delete File: b\n\n*** End Patch\n\n",
		"*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n@@\n \n-x\n+y\n*** Delete File: b\n*** End Patch\n"},
	{"empty context line without its space", "*** Begin Patch\n*** Update File: a\n@@\n x\n\n-y\n*** End Patch", "*** Begin Patch\n*** Update File: a\n@@\n x\n \n-y\n*** End Patch\n"},
	{"tab without a space in front", "*** Begin Patch\n*** Update File: a\n@@\n\tx\n-y\n*** End Patch", "*** Begin Patch\n*** Update File: a\n@@\n \tx\n-y\n*** End Patch\n"},
	{"no envelope", "*** Update File: a\n@@\n-x\n+y\n", "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch\n"},
	{"no beginning", "*** Update File: a\n@@\n-x\n+y\n*** End Patch", "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch\n"},
	{"two patches", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n*** Begin Patch\n*** Delete File: b\n*** End Patch", "*** Begin Patch\n*** Delete File: a\n*** Delete File: b\n*** End Patch\n"},
	{"careless markers", "***Begin Patch\n***  update file:a b \n@@ x @@\n-x\n*** END PATCH  ", "*** Begin Patch\n*** Update File: a b\n@@ x\n-x\n*** End Patch\n"},
	{"move alone", "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n*** End Patch", "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch\n"},
	{"blank line in a new file", "*** Begin Patch\n*** Add File: a\n+x\n\n+y\n\n*** End Patch", "*** Begin Patch\n*** Add File: a\n+x\n+\n+y\n*** End Patch\n"},
	{"empty new file", "*** Begin Patch\n*** Add File: a\n*** End Patch", "*** Begin Patch\n*** Add File: a\n*** End Patch\n"},
	{"CRLF", "*** Begin Patch\r\n*** Update File: a\r\n@@\r\n-x\r\n+y\r\n*** End Patch\r\n", "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch\n"},
	{"CRLF in the text alone", "*** Begin Patch\n*** Update File: a\r\n@@\n-x\r\n+y\r\n*** End Patch\n", "*** Begin Patch\n*** Update File: a\n@@\n-x\r\n+y\r\n*** End Patch\n"},
	{"here-document", "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF\n", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n"},
	{"here-document in a command", "bash -lc \"apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\nEOF\"\n", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n"},
	{"here-document into a pipe", "cat <<\"PATCH\" | apply_patch\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nPATCH", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n"},
	{"command in front", "apply_patch\n*** Begin Patch\n*** Delete File: a\n*** End Patch", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n"},
	{"here-document elsewhere", "cd sub/x && apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a\n*** Move to: ../b\n-x\n+y\n*** Add File: /c\n*** Delete File: \"d\\303\\251\"\n*** End Patch\nEOF\n",
		"*** Begin Patch\n*** Update File: sub/x/a\n*** Move to: sub/x/../b\n@@\n-x\n+y\n*** Add File: /c\n*** Delete File: \"sub/x/d\\303\\251\"\n*** End Patch\n"},
	{"here-document elsewhere, in a command", "bash -lc 'cd \"a b\" && cat <<EOF | applypatch\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF'\n", "*** Begin Patch\n*** Delete File: a b/a\n*** End Patch\n"},
	{"unified elsewhere", "cd '/x y/'  &&  apply_patch  <<-\\EOF\n--- a/b\n+++ b/c\n@@ -1 +1 @@\n-x\n+y\nEOF\n", "*** Begin Patch\n*** Update File: /x y/b\n*** Move to: /x y/c\n@@ -1,1 +1,1 @@\n-x\n+y\n*** End Patch\n"},
	{"here-document alone", "<<\"EOF\"\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n"},
	{"spaces in front", "  *** Begin Patch\n \t*** Add File: a\n+x\n  *** Update File: b\n *** Move to: c\n@@\n *** End Patch\n-y\n *** End Patch\n\n",
		"*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n@@\n *** End Patch\n-y\n*** End Patch\n"},
	{"lines that look like headers", "*** Begin Patch\n*** Update File: a\n@@\n *** Delete File: b\n-x\n *** Move to: c\n*** End Patch\n",
		"*** Begin Patch\n*** Update File: a\n@@\n *** Delete File: b\n-x\n *** Move to: c\n*** End Patch\n"},
	{"an end that stays", "--- a\n+++ a\n@@ -1,2 +1 @@\n-x\n *** End Patch\n", "*** Begin Patch\n*** Update File: a\n@@ -1,2 +1,1 @@\n-x\n *** End Patch\n*** End Patch\n"},
	{"move of lines that stay", "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n x\n y\n*** End Patch", "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n x\n y\n*** End Patch\n"},
	{"fence", "```diff\n*** Begin Patch\n*** Delete File: a\n*** End Patch\n```\n", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n"},
	{"fence and here-document", "```sh\napply_patch <<EOF\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF\n```", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n"},
	{"headers of both formats", "*** Begin Patch\n*** Update File: a\n--- a/a\n+++ b/a\n@@ -3,1 +3,1 @@\n-x\n+y\n*** End Patch", "*** Begin Patch\n*** Update File: a\n@@ -3,1 +3,1 @@\n-x\n+y\n*** End Patch\n"},
	{"unified", "--- a/dir/a\n+++ b/dir/a\n@@ -1,2 +1,2 @@ func x() {\n x\n-y\n+z\n@@ -9 +9,0 @@\n-end\n--- b\t2026-01-02 03:04:05\n+++ b\t2026-01-02 03:04:06\n@@ -0,0 +1 @@\n+x\n",
		"*** Begin Patch\n*** Update File: dir/a\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n@@ -9,1 +9,0 @@\n-end\n*** Update File: b\n@@ -0,0 +1,1 @@\n+x\n*** End Patch\n"},
	{"unified without numbers", "--- a\n+++ a\n@@ func x() @@\n-x\n+y\n", "*** Begin Patch\n*** Update File: a\n@@ func x()\n-x\n+y\n*** End Patch\n"},
	{"wrong numbers", "--- a\n+++ a\n@@ -5,9 +5,9 @@\n-x\n+y\n--- b\n+++ b\n@@ -1,1 +1,1 @@\n-x\n\n", "*** Begin Patch\n*** Update File: a\n@@ -5,1 +5,1 @@\n-x\n+y\n*** Update File: b\n@@ -1,1 +1,0 @@\n-x\n*** End Patch\n"},
	{"lines like headers", "--- a\n+++ a\n@@ -1 +1 @@\n--- x\n+++ y\n@@ -5,3 +5 @@\n--- x\n--- y\n \n", "*** Begin Patch\n*** Update File: a\n@@ -1,1 +1,1 @@\n--- x\n+++ y\n@@ -5,3 +5,1 @@\n--- x\n--- y\n \n*** End Patch\n"},
	{"lines like headers behind another", "--- a\n+++ a\n@@ -1,2 +1,2 @@\n x\n--- x\n+++ y\n@@ -5 +5 @@\n-x\n+y\n", "*** Begin Patch\n*** Update File: a\n@@ -1,2 +1,2 @@\n x\n--- x\n+++ y\n@@ -5,1 +5,1 @@\n-x\n+y\n*** End Patch\n"},
	{"trailing empty lines of which the numbers count one", "--- a\n+++ a\n@@ -1,2 +1 @@\n-x\n\n\n\n", "*** Begin Patch\n*** Update File: a\n@@ -1,2 +1,1 @@\n-x\n \n*** End Patch\n"},
	{"a move with names like git's prefixes", "diff --git a/x b/x\nsimilarity index 90%\nrename from a/x\nrename to b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n", "*** Begin Patch\n*** Update File: a/x\n*** Move to: b/x\n@@ -1,1 +1,1 @@\n-x\n+y\n*** End Patch\n"},
	{"trailing empty line that the numbers count", "--- a\n+++ a\n@@ -1,2 +1 @@\n-x\n\n", "*** Begin Patch\n*** Update File: a\n@@ -1,2 +1,1 @@\n-x\n \n*** End Patch\n"},
	{"no newline at the end", "--- a\n+++ a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n", "*** Begin Patch\n*** Update File: a\n@@ -1,1 +1,1 @@\n-x\n\\ No newline at end of file\n+x\n*** End Patch\n"},
	{"git", `diff --git a/a b/a
index 5626abf..814f4a4 100644
--- a/a
+++ b/a
@@ -1 +1 @@
-x
+y
diff --git a/b b/c
similarity index 100%
rename from b
rename to c
diff --git a/new file b/new file
new file mode 100644
index 0000000..e69de29
diff --git a/gone b/gone
deleted file mode 100755
index 5626abf..0000000
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git "a/f\303\251" "b/f\303\251"
new file mode 100644
--- /dev/null
+++ "b/f\303\251"
@@ -0,0 +1 @@
+x
\ No newline at end of file
diff --git a/d b/e
similarity index 90%
rename from d
rename to e
--- a/d
+++ b/e
@@ -1 +1 @@
-x
+y
`, `--- a/gone
+++ /dev/null
@@ -1,1 +1,0 @@
-x
--- /dev/null
+++ "b/f\303\251"
@@ -0,0 +1,1 @@
+x
\ No newline at end of file
*** Begin Patch
*** Update File: a
@@ -1,1 +1,1 @@
-x
+y
*** Update File: b
*** Move to: c
*** Add File: new file
*** Update File: d
*** Move to: e
@@ -1,1 +1,1 @@
-x
+y
*** End Patch
`},
	{"a move without git's word for it", "--- a/x\n+++ b/y\n@@ -1 +1 @@\n-x\n+y\n", "*** Begin Patch\n*** Update File: x\n*** Move to: y\n@@ -1,1 +1,1 @@\n-x\n+y\n*** End Patch\n"},
	{"a directory called a", "--- a/x\n+++ a/x\n@@ -1 +1 @@\n-x\n+y\n", "*** Begin Patch\n*** Update File: a/x\n@@ -1,1 +1,1 @@\n-x\n+y\n*** End Patch\n"},
	{"unified in a fence", "```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n```", "*** Begin Patch\n*** Update File: x\n@@ -1,1 +1,1 @@\n-x\n+y\n*** End Patch\n"},
}

func TestParse(t *testing.T) {
	for _, tt := range accepted {
		t.Run(tt.name, func(t *testing.T) {
			files, err := Parse(tt.patch)
			require.NoError(t, err)
			require.Equal(t, tt.want, print(files))
		})
	}
}

func TestParseRefuses(t *testing.T) {
	const notFirst = `line 1 of the patch: expected *** Begin Patch, alone or after cd DIRECTORY && apply_patch <<'EOF' (use bash for other commands), but it is `
	const begin, end = "*** Begin Patch\n", "*** End Patch\n"
	for _, tt := range []struct{ name, patch, want string }{
		{"nothing", "", "the patch has no file in it. It looks like *** Begin Patch, *** Add File: PATH, *** Update File: PATH, *** Delete File: PATH, *** End Patch, each on its own line"},
		{"an envelope", begin + end, "the patch has no file in it."},
		{"a fence around nothing", "```\n```\n", "the patch has no file in it."},
		{"prose", "Here it is:\n" + begin, notFirst + `"Here it is:"`},
		{"command in front", "rm -rf x; apply_patch <<EOF" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"rm -rf x; apply_patch <<EOF"`},
		{"another command", "cd a && rm b && apply_patch <<EOF" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"cd a && rm b && apply_patch <<EOF"`},
		{"a directory of the shell", "cd $HOME && apply_patch <<EOF" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"cd $HOME && apply_patch <<EOF"`},
		{"a directory of the shell in quotes", "cd \"$HOME\" && apply_patch <<EOF" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"cd \"$HOME\" && apply_patch <<EOF"`},
		{"a directory that is not waited for", "cd a; apply_patch <<EOF" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"cd a; apply_patch <<EOF"`},
		{"either directory", "cd a || apply_patch <<EOF" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"cd a || apply_patch <<EOF"`},
		{"two directories", "cd a && cd b && apply_patch <<EOF" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"cd a && cd b && apply_patch <<EOF"`},
		{"home", "cd ~/a && apply_patch <<EOF" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"cd ~/a && apply_patch <<EOF"`},
		{"an option", "cd -P a && apply_patch <<EOF" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"cd -P a && apply_patch <<EOF"`},
		{"a quote in a directory", "cd 'a\"b' && apply_patch <<EOF" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"cd 'a\"b' && apply_patch <<EOF"`},
		{"a directory with a pattern", "cd a* && apply_patch <<EOF" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"cd a* && apply_patch <<EOF"`},
		{"command behind", "apply_patch <<EOF && ls" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"apply_patch <<EOF && ls"`},
		{"a file", "cat <<EOF > x" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"cat <<EOF > x"`},
		{"nothing behind cat", "cat <<EOF" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"cat <<EOF"`},
		{"a pipe behind the patch", "apply_patch <<EOF | apply_patch" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"apply_patch <<EOF | apply_patch"`},
		{"another program", "git apply <<EOF" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"git apply <<EOF"`},
		{"an argument", "apply_patch x <<EOF" + "\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"apply_patch x <<EOF"`},
		{"command in a line of its own", "cd a\napply_patch <<EOF\n" + begin + "*** Delete File: a\n" + end + "EOF\n", notFirst + `"cd a"`},
		{"a here-document in another", "cd a && apply_patch <<EOF\ncd b && apply_patch <<'EOF'\n" + begin + "*** Delete File: a\n" + end + "EOF\nEOF\n", `line 2 of the patch: expected *** Begin Patch`},
		{"command behind it all", "apply_patch <<EOF\n" + begin + "*** Delete File: a\n" + end + "EOF\nrm b\n", `line 5 of the patch: expected nothing after *** End Patch, but it is "EOF"`},
		{"prose behind", begin + "*** Delete File: a\n" + end + "Done.", `line 4 of the patch: expected nothing after *** End Patch, but it is "Done."`},
		{"cut", begin + "*** Delete File: a\n", "line 3 of the patch: it ends without *** End Patch, so a part may be missing. Send all of it"},
		{"begun twice", begin + begin, `line 2 of the patch: expected *** Add File: PATH, *** Update File: PATH, *** Delete File: PATH or *** End Patch, but it is "*** Begin Patch"`},
		{"unknown marker", begin + "*** Update File: a\n-x\n*** Rename File: b\n" + end, `line 4 of the patch: expected *** Add File: PATH, *** Update File: PATH, *** Delete File: PATH or *** End Patch, but it is "*** Rename File: b"`},
		{"no path", begin + "*** Add File:\n", `line 2 of the patch: expected a path after the colon`},
		{"no target", begin + "*** Update File: a\n*** Move to:\n", `line 3 of the patch: expected a path after the colon`},
		{"no hunk", begin + "*** Update File: a\n" + end, `line 3 of the patch: expected @@, or a line that begins with a space, - or +, but it is "*** End Patch"`},
		{"no change", begin + "*** Update File: a\n@@\n x\n@@\n-y\n" + end, `line 3 of the patch: expected lines that begin with - or +: this hunk changes nothing`},
		{"no prefix", begin + "*** Update File: a\n@@\nx := 1\n-y\n" + end, `line 4 of the patch: expected a line that begins with a space (unchanged), - (removed) or + (added), but it is "x := 1"`},
		{"no prefix in a new file", begin + "*** Add File: a\npackage a\n" + end, `line 3 of the patch: expected a + before each line of a new file, but it is "package a"`},
		{"lines behind the end of the file", begin + "*** Update File: a\n@@\n-y\n*** End of File\n-x\n" + end, `line 6 of the patch: expected @@ before the next change, but it is "-x"`},
		{"the end of a file without a change", begin + "*** Update File: a\n*** End of File\n" + end, `line 3 of the patch: expected lines of a change before it, but it is "*** End of File"`},
		{"half a header", "--- a\n@@ -1 +1 @@\n-x\n", `line 2 of the patch: expected +++ PATH after --- PATH, but it is "@@ -1 +1 @@"`},
		{"header alone", "--- a\n+++ a\n", "line 3 of the patch: expected @@ -LINE,LINES +LINE,LINES @@, but the patch ends"},
		{"lines without @@", "--- a\n+++ a\n-x\n", `line 3 of the patch: expected @@ before the next change, but it is "-x"`},
		{"header without a name", "--- \n+++ a\n", `line 1 of the patch: expected a path`},
		{"no newline where there is no line", "--- a\n+++ a\n@@ -1 +1 @@\n\\ No newline\n", `line 4 of the patch: expected a line of the file before it`},
		{"prefix alone", "--- a/\n+++ b/\n@@ -1 +1 @@\n-x\n", `line 1 of the patch: expected a path after a/ and b/`},
		{"removed lines of a new file", "--- /dev/null\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n", `line 3 of the patch: expected only lines that begin with +, because the file is new`},
		{"two hunks of a new file", "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+y\n@@ -0,0 +1 @@\n+y\n", `line 5 of the patch: expected one hunk for a new file`},
		{"mode", "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n", `line 2 of the patch: expected text that is changed, added, removed or moved. Use bash for modes, copies and binary files, but it is "old mode 100644"`},
		{"a link", "diff --git a/a b/a\nnew file mode 120000\n", `line 2 of the patch: expected new file mode 100644. Use bash with chmod for other modes, and with ln for links, but it is "new file mode 120000"`},
		{"deleted by its mode alone", "diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ b/b\n@@ -1 +0,0 @@\n-x\n", `line 1 of the patch: expected --- /dev/null for a new file, or +++ /dev/null for a deleted one`},
		{"new by its mode alone", "diff --git a/a b/a\nnew file mode 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n", `line 1 of the patch: expected --- /dev/null for a new file`},
		{"binary", "diff --git a/a b/a\nindex 1..2\nBinary files a/a and b/a differ\n", `line 3 of the patch: expected text that is changed`},
		{"git without a change", "diff --git a/a b/a\nindex 1..2\n", `line 3 of the patch: expected --- PATH and +++ PATH, but the patch ends`},
		{"long line", strings.Repeat("é", 1000), notFirst + `"` + strings.Repeat("é", 80) + `..."`},
		{"bytes", strings.Repeat("x", MaxBytes+1), "the patch has 4194305 bytes, over the limit of 4194304. Split it"},
		{"lines", strings.Repeat("\n", maxLines+1), "the patch has 250001 lines, over the limit of 250000. Split it"},
		{"@@ lines", begin + "*** Update File: a\n" + strings.Repeat("@@ x\n", maxAfter+1) + "-x\n" + end, "line 3 of the patch: it has over 10 lines with @@. Leave out those that are not needed"},
		{"hunks", begin + "*** Update File: a\n" + strings.Repeat("@@\n-x\n", maxHunks+1) + end, "the patch has over 1000 hunks. Split it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse(tt.patch)
			require.ErrorContains(t, err, tt.want)
			require.IsType(t, &Error{}, err)
		})
	}
}

// A patch of the largest size is read, and each of its files knows its line.
func TestParseLargest(t *testing.T) {
	patch := "*** Begin Patch\n*** Delete File: a\n*** Update File: b\n" + strings.Repeat("@@ x\n", maxAfter) + "-x\n"
	patch += strings.Repeat("@@\n-x\n", maxHunks-1)
	patch += strings.Repeat("\n", maxLines-1-strings.Count(patch, "\n")) + "*** End Patch\n"
	files, err := Parse(patch + strings.Repeat(" ", MaxBytes-len(patch)))
	require.NoError(t, err)
	require.Len(t, files, 2)
	require.Equal(t, []int{2, 3}, []int{files[0].Line, files[1].Line})
	require.Len(t, files[1].Hunks, maxHunks)
}

// What was parsed, printed and parsed again is the same.
func FuzzParse(f *testing.F) {
	for _, tt := range accepted {
		f.Add(tt.patch)
	}
	f.Fuzz(func(t *testing.T, text string) {
		files, err := Parse(text)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		for _, f := range files {
			if f.Path != strings.TrimSpace(f.Path) || f.To != strings.TrimSpace(f.To) {
				return // a line with *** cannot say so
			}
			for _, h := range f.Hunks {
				if slices.ContainsFunc(h.After, func(text string) bool { return numbers().MatchString("@@ " + text) }) {
					return // behind an odd space: printed, it would be taken for numbers
				}
			}
		}
		again, err := Parse(print(files))
		require.NoError(t, err)
		require.Equal(t, print(files), print(again))
	})
}
