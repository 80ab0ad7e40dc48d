package preview

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/replace"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

func same(abs string) string { return abs }

// fileAt returns a file, which is not on disk.
func fileAt(name, content string) *change.File {
	f := &change.File{Content: []byte(content), Kind: textfile.Sniff([]byte(content))}
	f.Target = replace.Target{Target: workspace.Target{Path: workspace.Path{Name: name, Abs: name}}}
	return f
}

func changed(name, before, after string) change.Rehearsed {
	c := change.Change{File: fileAt(name, before), Content: []byte(after)}
	return change.Rehearsed{Change: c, Done: change.Done{
		Changed: before != after, Diff: diff.New(c.File.Text(), c.NewText()), Binary: c.Kind.Binary || c.NewKind().Binary,
	}}
}

func TestChanges(t *testing.T) {
	created, removed, moved := changed("new", "", "x\n"), changed("old", "x\n", ""), changed("a b", "x\n", "x\n")
	created.Created, removed.Remove = true, true
	moved.To, moved.Changed = fileAt("c", ""), true
	image := changed("i", "\x00", "")
	image.Remove = true
	for name, tt := range map[string]struct {
		of   change.Rehearsed
		want string
	}{
		"created":  {created, "diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x"},
		"removed":  {removed, "diff --git a/old b/old\ndeleted file mode 100644\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-x"},
		"moved":    {moved, "diff --git \"a/a b\" b/c\nrename from a b\nrename to c"},
		"same":     {changed("a", "x", "x"), "a stays as it is"},
		"binary":   {image, "i is not text: removed with its 1B\ndiff --git a/i b/i\ndeleted file mode 100644"},
		"outside":  {changed("/x/a b", "x\n", "y\n"), "diff --git \"/x/a b\" \"/x/a b\"\n--- /x/a b\t\n+++ /x/a b\t\n@@ -1 +1 @@\n-x\n+y"},
		"odd name": {changed("a\n", "x\n", "y\n"), "diff --git \"a/a\\n\" \"b/a\\n\"\n--- \"a/a\\n\"\n+++ \"b/a\\n\"\n@@ -1 +1 @@\n-x\n+y"},
		"crlf":     {changed("a", "x\r\n", "y\r\n"), "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\r\n+y\r"},
		"endings": {changed("a", "x\r\n", "x\n"), "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-\"x\\r\"\n+x\n\n" +
			"[Lines with unprintable characters are quoted. This diff cannot be applied]"},
		"wide": {changed("a", "\xff\xfex\x00", "\xff\xfey\x00"), "a is in utf-16le; the diff is in UTF-8 and cannot be applied\n" +
			"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n\\ No newline at end of file"},
		"encoding": {changed("a", "\xff\xfex\x00", "x"), "a is in utf-16le and would be in utf-8; the diff is in UTF-8 and cannot be " +
			"applied\ndiff --git a/a b/a"},
	} {
		require.Equal(t, tt.want, Changes([]change.Rehearsed{tt.of}, same, Limits{100, 1000}), name)
	}
	stale := changed("a", "x\n", "y\n")
	stale.WasStale = true
	require.Contains(t, Changes([]change.Rehearsed{stale}, same, Limits{100, 1000}), "a has changed since the model was last shown it\n")
}

// Whole hunks are shown, in their order, and both ends of one that is larger than half of the limits.
func TestChangesThatDoNotFit(t *testing.T) {
	of := []change.Rehearsed{changed("a", "1\n", "2\n"), changed("b", "", strings.Repeat("x\n", 50)), changed("c", "1\n", "2\n")}
	require.Equal(t, "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n\n[Showing 6 of 66 lines. This diff cannot be applied]",
		Changes(of, same, Limits{10, 1000}))
	text := Changes(of, same, Limits{20, 1000})
	require.Contains(t, text, "+2\ndiff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -0,0 +1,50 @@\n+x\n")
	require.Contains(t, text, "\n[... ")
	require.Contains(t, text, "\n+x\n\n[Showing 19 of 66 lines. This diff cannot be applied]")
	long := changed("a", "x\n", strings.Repeat("y", 3000)+"\n")
	require.Contains(t, Changes([]change.Rehearsed{long}, same, Limits{20, 4000}), strings.Repeat("y", 3000))
	require.Contains(t, Changes([]change.Rehearsed{long}, same, Limits{20, 1000}), strings.Repeat("y", 500)+
		"...\n\n[Long lines are cut to 500 characters. This diff cannot be applied]")
}

func TestCommand(t *testing.T) {
	limits := Limits{100, 1000}
	require.Equal(t, "Run:\n  ls", Command("Run", "ls\n", []config.Command{{Text: "ls"}}, "", limits))
	two := []config.Command{{Text: "ls > x", Unknown: "$x can be anything", Redirects: []string{"> x", "< y"}}, {Text: "id"}}
	require.Equal(t, "Run:\n  \"\\033c\"\n  b\nThese commands:\n  ls > x < y\n  id\nNot known from its text:\n  $x can be anything\n  too long\n\n"+
		"[Lines with unprintable characters are quoted]", Command("Run", "\x1bc\nb", two, "too long", limits))
}

// A preview keeps to its limits, and no terminal acts on it, whatever a file holds.
func FuzzChanges(f *testing.F) {
	f.Add("a\nb\n", "a\r\nc\x1b[m\n", "name", 10, 300)
	f.Fuzz(func(t *testing.T, before, after, name string, lines, size int) {
		const notices = 200
		lines, size = max(lines%100, 1), max(size%5000, 1)
		text := Changes([]change.Rehearsed{changed(name, before, after), changed("b", after, before)}, func(abs string) string { return abs },
			Limits{lines, size})
		require.LessOrEqual(t, len(text), size+notices)
		require.LessOrEqual(t, strings.Count(text, "\n"), lines+3)
		text = strings.ReplaceAll(text, "\r\n", "\n")
		require.False(t, strings.ContainsFunc(strings.TrimSuffix(text, "\r"), func(r rune) bool {
			return unicode.IsControl(r) && r != '\n' && r != '\t'
		}), "%q", text)
		if !strings.Contains(text, "cannot be applied") && !bytes.ContainsAny([]byte(before+after), "\x00") && before != after {
			require.Contains(t, text, "diff --git")
		}
	})
}
