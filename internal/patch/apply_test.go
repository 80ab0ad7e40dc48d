package patch

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/textfile"
)

// apply applies the hunks of a patch for one file.
func apply(t testing.TB, content, hunks string) (string, []edit.Map, error) {
	files, err := Parse("*** Begin Patch\n*** Update File: f\n" + hunks + "*** End Patch")
	require.NoError(t, err)
	require.Len(t, files, 1)
	text := edit.New([]byte(content), textfile.Sniff([]byte(content)))
	res, err := Apply(t.Context(), text, files[0].Hunks, 10_000)
	return string(res.Content), res.Maps, err
}

const twoClasses = `class A:
    def run(self):
        x = 1

        return x

class B(A):
    def run(self):
        x = 1

        return x
`

func TestApply(t *testing.T) {
	for _, tt := range []struct{ name, content, hunks, want string }{
		{"lines", "a\nb\nc\n", " a\n-b\n+x\n+y\n c\n", "a\nx\ny\nc\n"},
		{"first", "a\nb\n", "+x\n a\n", "x\na\nb\n"},
		{"last", "a\nb\n", " b\n+x\n", "a\nb\nx\n"},
		{"all", "a\nb\n", "-a\n-b\n", ""},
		{"whole lines alone", "ab\nb\nbc\n", "-b\n+x\n", "ab\nx\nbc\n"},
		{"empty file", "", "+x\n", "x\n"},
		{"end of file", "a\nb\na\n", " a\n+x\n*** End of File\n", "a\nb\na\nx\n"},
		{"nothing but the end of the file", "a\nb\n", "+x\n*** End of File\n", "a\nb\nx\n"},
		{"the file's missing newline", "a\nb", " a\n-b\n+x\n", "a\nx"},
		{"behind a missing newline", "a\nb", " b\n+x\n", "a\nb\nx"},
		{"without the last line, and without a newline", "a\nb", " a\n-b\n", "a"},
		{"the end of a file without a newline", "a\nb", "+x\n*** End of File\n", "a\nb\nx"},
		{"a newline comes", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n"},
		{"a newline goes", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n", "a\nb"},
		{"no newline in either", "a\nb", "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n", "x\nb"},
		{"a newline that came already", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n", "a\nc\n"},
		{"CRLF", "a\r\nb\r\nc\r\n", " a\n-b\n+x\n+y\n c\n+d\n", "a\r\nx\r\ny\r\nc\r\nd\r\n"},
		{"CRLF in both", "a\r\nb\r\n", " a\r\n-b\r\n+x\r\n", "a\r\nx\r\n"},
		{"CRLF in the patch alone", "a\nb\n", " a\r\n-b\r\n+x\r\n", "a\nx\n"},
		{"CRLF that a line loses", "a\r\nb\r\n", " a\r\n-b\r\n+b\n", "a\r\nb\n"},
		{"CR", "a\rb\r", " a\n-b\n+x\n", "a\rx\r"},
		{"white space at line ends between changes stays", "a \nb  \nc \nd\n", "-a\n+x\n b\n-c\n+y\n d\n", "x \nb  \ny \nd\n"},
		{"punctuation between changes stays", "a\n“b”\nc\n", "-a\n+x\n \"b\"\n-c\n+y\n", "x\n“b”\ny\n"},
		{"white space and punctuation in different lines (openclaw/openclaw#116124)", "a \n“b”\nc\nd\n", " a\n \"b\"\n-c\n+x\n d\n", "a \n“b”\nx\nd\n"},
		{"one indentation", "\tif x {\n\t\ty()\n\n\t}\n", " if x {\n-\ty()\n+\tz()\n+\tzz()\n \n }\n", "\tif x {\n\t\tz()\n\t\tzz()\n\n\t}\n"},
		{"UTF-16", "\xff\xfea\x00\n\x00b\x00\n\x00", "-b\n+é\n", "\xff\xfea\x00\n\x00\xe9\x00\n\x00"},
		{"bytes elsewhere", "\xff\x00\xfe\na\n", "-a\n+b\n", "\xff\x00\xfe\nb\n"},
		{"several hunks", "a\nb\nc\nd\n", "@@\n-a\n+x\n@@\n-d\n+y\n", "x\nb\nc\ny\n"},
		{"lines that touch", "a\nb\nc\n", "@@\n-b\n+x\n@@\n a\n+y\n@@\n-c\n", "a\ny\nx\n"},
		{"not in order", "a\nb\nc\nd\n", "@@\n-d\n+y\n@@\n-a\n+x\n", "x\nb\nc\ny\n"},
		{"lines around that are shared", "a\nb\nc\n", "@@\n-a\n+x\n b\n@@\n b\n-c\n+y\n", "x\nb\ny\n"},
		{"behind the hunk before", "a\nb\na\n", "@@\n-b\n+x\n@@\n-a\n+y\n", "a\nx\ny\n"},
		{"behind the @@ line", "a\nb\na\n", "@@ b\n-a\n+x\n", "a\nb\nx\n"},
		{"the @@ line itself", "a {\nb\na {\n", "@@ b\n b\n-a {\n+x\n", "a {\nb\nx\n"},
		{"in the class", twoClasses, "@@ class A:\n     def run(self):\n-        x = 1\n+        x = 2\n", strings.Replace(twoClasses, "1", "2", 1)},
		{"in the class, in the method", twoClasses, "@@ class A:\n@@ def run(self):\n-        x = 1\n+        x = 2\n", strings.Replace(twoClasses, "1", "2", 1)},
		{"the beginning of a line", twoClasses, "@@ class B\n-        x = 1\n+        x = 2\n", twoClasses[:80] + strings.Replace(twoClasses[80:], "1", "2", 1)},
		{"numbers", "a\nb\na\nb\n", "@@ -3,2 +3,2 @@\n a\n-b\n+x\n", "a\nb\na\nx\n"},
		{"wrong numbers", "a\nb\nc\n", "@@ -7,1 +9,1 @@\n-b\n+x\n", "a\nx\nc\n"},
		{"numbers, and no newline at the end", "a\nb\na", "@@ -1 +1 @@\n-a\n+x\n", "x\nb\na"},
		{"as many blocks as are searched", strings.Repeat("x:\n b\n", maxBlocks-1) + "x:\n a\ny:\n a\n", "@@ x:\n- a\n+y\n", strings.Repeat("x:\n b\n", maxBlocks-1) + "x:\ny\ny:\n a\n"},
		{"a bracket on a line of its own", "void a()\n{\n  x;\n}\nvoid b()\n{\n  x;\n}\n", "@@ void a()\n-  x;\n+  y;\n", "void a()\n{\n  y;\n}\nvoid b()\n{\n  x;\n}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			after, _, err := apply(t, tt.content, tt.hunks)
			require.NoError(t, err)
			require.Equal(t, tt.want, after)
		})
	}
}

// The maps that a hunk needed are told.
func TestApplyTellsTheMap(t *testing.T) {
	_, maps, err := apply(t, "a\nb \n\tc\n\td\n", "@@\n-a\n+x\n@@\n-b\n+x\n@@\n-c\n-d\n+x\n")
	require.NoError(t, err)
	require.Equal(t, []edit.Map{edit.Exact, edit.Trailing, edit.Indentation}, maps)
}

func TestApplyRefuses(t *testing.T) {
	for _, tt := range []struct{ name, content, hunks, want string }{
		{"nowhere", "a\nb\n", "-x\n+y\n", "line 3 of the patch: its old lines are not in the file"},
		{"nowhere, behind @@", "a\nb\n", "@@ b\n-x\n+y\n", "line 3 of the patch: its old lines are not in the file"},
		{"part of a line", "abc\n", "-b\n+y\n", "line 3 of the patch: its old lines are not in the file"},
		{"several", "a\nb\na\n", "@@\n-a\n+y\n", "line 3 of the patch: its lines are in 2 places, at lines 1, 3. Add lines around them, or before them @@ and the first line of the function or class"},
		{"many", strings.Repeat("a\n", 100), "-a\n+y\n", "in 100 places, at lines 1, 2, 3, 4, 5, .... Add"},
		{"several behind @@", "b\na\nc\na\n", "@@ b\n-a\n+y\n", "in 2 places, at lines 2, 4."},
		{"several in methods of one name", twoClasses, "@@ def run(self):\n-        x = 1\n+        x = 2\n", "in 2 places, at lines 3, 9."},
		{"several, one without a newline", "a\nb\na", "-a\n+y\n", "in 2 places, at lines 1, 3."},
		{"places that overlap", "a\na\na\n", " a\n-a\n", "in 2 places, at lines 1, 2."},
		{"numbers of neither", "a\nb\na\n", "@@ -2 +2 @@\n-a\n+y\n", "in 2 places, at lines 1, 3."},
		{"no @@ line", "a\n", "@@ class B\n-a\n+y\n", `line 3 of the patch: its @@ line "class B" is not in the file. Write it as the file has it, or leave it out`},
		{"part of a word in @@", "a\nclass Bc\n", "@@ class B\n-a\n+y\n", `its @@ line "class B" is not in the file`},
		{"in front of @@", "a\nb\n", "@@ b\n-a\n+y\n", "line 3 of the patch: its lines are at line 1, before its @@ line. Leave that out, or give one before them"},
		{"not at the end", "a\nb\n", "-a\n+y\n*** End of File\n", "line 3 of the patch: its lines are at line 1, not at the end of the file. Leave out *** End of File"},
		{"newline of another line", "a\nb\n", "@@ -1 +1 @@\n-a\n+y\n\\ No newline at end of file\n", "line 3 of the patch: its lines are at line 1, and more follow them in the file. Leave out the mark for the end of the file"},
		{"added somewhere", "a\n", "+x\n", "line 3 of the patch: no line around the added lines says where they go. Give the line before them, after a space, or *** End of File after them"},
		{"the same lines", "a\nb\n", "@@\n-a\n@@\n-a\n-b\n", "line 5 of the patch: it changes the same lines as the hunk in line 3. Merge them into one hunk"},
		{"the same place", "a\nb\n", "@@\n a\n+x\n@@\n+y\n b\n", "line 6 of the patch: it changes the same lines as the hunk in line 3"},
		{"the same lines, indented", "\ta\n\tb\n\tc\n", "@@\n-a\n b\n@@\n b\n-c\n", "line 6 of the patch: it changes the same lines as the hunk in line 3"},
		{"too large", "a\n", " a\n+" + strings.Repeat("x", 10_000) + "\n", "edit 1 is refused"},
		{"too many blocks", strings.Repeat("x:\n a\n", maxBlocks+1) + "x\n", "@@ x:\n- a\n+y\n", "in 1001 places"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := apply(t, tt.content, tt.hunks)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

// lines are the lines of a text, and whether the last one ends in a newline.
func lines(text string) ([]string, bool) {
	if text == "" {
		return nil, true
	}
	short, ended := strings.CutSuffix(text, "\n")
	return strings.Split(short, "\n"), ended
}

// hunksOf is a unified diff from a to b: what they do not have in common at the beginning and at the end, in
// hunks around the line in the middle that they share.
func hunksOf(a, b string, context int) []Hunk {
	old, endedA := lines(a)
	new, endedB := lines(b)
	var all []Line
	for len(old) > 0 || len(new) > 0 {
		next := 1 // line of new that is like the next of old
		if len(old) > 0 {
			next = slices.Index(new, old[0])
		}
		switch {
		case next == 0:
			all, old, new = append(all, Line{' ', old[0]}), old[1:], new[1:]
		case next < 0:
			all, old = append(all, Line{'-', old[0]}), old[1:]
		default:
			all, new = append(all, Line{'+', new[0]}), new[1:]
		}
	}
	if endedA != endedB { // the last line is another then
		i := len(all) - 1
		for i >= 0 && all[i].Op != ' ' {
			i--
		}
		if i >= 0 && i == len(all)-1 {
			all = append(all[:i], Line{'-', all[i].Text}, Line{'+', all[i].Text})
		}
	}
	var hunks []Hunk
	line, last := 1, -1 // of a, and the last changed one in all
	for i, l := range all {
		if l.Op != ' ' {
			if last < 0 || i-last > 2*context {
				from := max(0, i-context)
				hunks = append(hunks, Hunk{At: line - (i - from), Lines: slices.Clone(all[from:i])})
			} else {
				h := &hunks[len(hunks)-1]
				h.Lines = append(h.Lines, all[last+1:i]...)
			}
			h := &hunks[len(hunks)-1]
			h.Lines = append(h.Lines, l)
			last = i
		}
		if l.Op != '+' {
			line++
		}
		if last >= 0 && (i == len(all)-1 || i-last == 2*context) {
			h := &hunks[len(hunks)-1]
			if n := min(len(all), last+1+context); len(h.Lines) > 0 && i >= n-1 {
				h.Lines = append(h.Lines, all[last+1:n]...)
				if n == len(all) {
					h.Unended.Old, h.Unended.New = !endedA, !endedB
				}
				last = -1
			}
		}
	}
	return hunks
}

// A unified diff from a to b makes b of a. Without its numbers it does, or is ambiguous.
func FuzzApply(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n", 3)
	f.Add("a\na\na", "a\na\n", 1)
	f.Add("a\r\nb\r\n", "a\nb\r\nc", 0)
	f.Fuzz(func(t *testing.T, a, b string, context int) {
		checkApply(t, a, b, context&3+1)
	})
}

func checkApply(t *testing.T, a, b string, context int) {
	if !strings.Contains(a, "\n") && strings.Contains(a, "\r") || strings.HasSuffix(a, "\r") || strings.HasSuffix(b, "\r") || a == b {
		return // a lone CR may end lines here
	}
	hunks := hunksOf(a, b, context)
	text := edit.New([]byte(a), textfile.Info{})
	res, err := Apply(t.Context(), text, hunks, 1<<20)
	after := res.Content
	if refused, ok := errors.AsType[*edit.Error](err); ok && refused.Reason == edit.Encoding {
		return
	}
	require.NoError(t, err, "%q %q %v", a, b, hunks)
	if !strings.HasSuffix(a, "\n") { // the lines at the end get the ending of those in front
		ending := regexp.MustCompile(`\r+\n`)
		b, after = ending.ReplaceAllString(b, "\n"), ending.ReplaceAll(after, []byte("\n"))
	}
	require.Equal(t, b, string(after), "%q %v", a, hunks)
	for i := range hunks {
		hunks[i].At = 0
	}
	if res, err := Apply(t.Context(), text, hunks, 1<<20); err == nil && strings.HasSuffix(a, "\n") {
		after := res.Content
		require.Equal(t, b, string(after), "%q %v", a, hunks)
	} else if err != nil {
		require.IsType(t, &Error{}, err)
	}
}

func TestApplyDiffs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range testkit.Some(20_000) {
		a := randomText(r)
		b := bytes.Clone(a)
		for range 1 + r.IntN(3) {
			i, j := r.IntN(len(b)+1), r.IntN(len(b)+1)
			b = slices.Concat(b[:min(i, j)], randomText(r)[:r.IntN(3)], b[max(i, j):])
		}
		checkApply(t, string(a), string(b), 1+r.IntN(3))
	}
}

// randomText has lines of few kinds, so that there are many places for each.
func randomText(r *rand.Rand) []byte {
	text := make([]byte, 3+r.IntN(30))
	for i := range text {
		text[i] = "\n\nab \t\r"[r.IntN(7)]
	}
	return text
}
