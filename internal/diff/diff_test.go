package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func print(before, after string) string {
	var out strings.Builder
	New([]byte(before), []byte(after)).Print(func(sign string, text []byte) {
		out.WriteString(sign)
		out.Write(text)
		if !bytes.HasSuffix(text, newline) {
			out.WriteString("\n")
		}
	})
	return out.String()
}

func TestPrint(t *testing.T) {
	numbers := func(n int) (text string) {
		for i := range n {
			text += fmt.Sprintln(i + 1)
		}
		return text
	}
	for _, test := range []struct{ name, before, after, want string }{
		{"equal", "a\n", "a\n", ""},
		{"empty", "", "", ""},
		{"from nothing", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"to nothing", "a\n", "", "@@ -1 +0,0 @@\n-a\n"},
		{"in the middle", numbers(9), strings.Replace(numbers(9), "5\n", "five\n", 1), "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		{"put in", "a\nb\n", "a\nx\nb\n", "@@ -1,2 +1,3 @@\n a\n+x\n b\n"},
		{"the same line again", "a\na\n", "a\na\na\n", "@@ -1,2 +1,3 @@\n a\n a\n+a\n"},
		{"two hunks", numbers(20), strings.NewReplacer("2\n3\n", "2\n", "18\n", "x\n").Replace(numbers(20)),
			"@@ -1,6 +1,5 @@\n 1\n 2\n-3\n 4\n 5\n 6\n@@ -15,6 +14,6 @@\n 15\n 16\n 17\n-18\n+x\n 19\n 20\n"},
		{"newline lost", "a\nb\n", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"},
		{"newline won", "b", "b\n", "@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+b\n"},
		{"line endings", "a\r\nb\r\n", "a\r\nb\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+b\n"},
	} {
		require.Equal(t, test.want, print(test.before, test.after), test.name)
	}
}

// apply makes one text of the other by the changes alone.
func apply(t testing.TB, before, after string) string {
	d := New([]byte(before), []byte(after))
	old, new := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	var out strings.Builder
	at, removed, added := 1, 0, 0
	for i, c := range d.Changes {
		require.True(t, c.Removed+c.Added > 0 && (i == 0 || c.Old > at), "%v", d.Changes)
		out.WriteString(strings.Join(old[at-1:c.Old-1], ""))
		out.WriteString(strings.Join(new[c.New-1:c.New-1+c.Added], ""))
		at = c.Old + c.Removed
		removed, added = removed+c.Removed, added+c.Added
	}
	out.WriteString(strings.Join(old[at-1:], ""))
	require.Equal(t, [2]int{removed, added}, [2]int{d.Removed, d.Added})
	for h := range d.Hunks() { // less context says that the text begins or ends there
		last := h.changes[len(h.changes)-1]
		after := Lines([]byte(before)) - (last.Old + last.Removed - 1)
		shown := [2]int{h.changes[0].Old - h.at, h.upto - last.Old - last.Removed}
		require.Equal(t, [2]int{min(context, h.changes[0].Old-1), min(context, after)}, shown)
	}
	return out.String()
}

func FuzzDiff(f *testing.F) {
	f.Add("a\nb\n", "a\nc\nb\n")
	f.Add("", "\n")
	f.Add("a\na\na", "a\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		require.Equal(t, after, apply(t, before, after))
	})
}

// Random changes to random lines, of few kinds so that there are many ways to align them.
func TestApply(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(n int) []string {
		lines := make([]string, n)
		for i := range lines {
			lines[i] = fmt.Sprintln(r.IntN(1 + n/2))
		}
		return lines
	}
	for n := range 300 {
		before := text(n % 40)
		after := append([]string(nil), before...)
		for range r.IntN(5) {
			at := r.IntN(len(after) + 1)
			after = append(after[:at:at], append(text(r.IntN(4)), after[min(at+r.IntN(3), len(after)):]...)...)
		}
		require.Equal(t, strings.Join(after, ""), apply(t, strings.Join(before, ""), strings.Join(after, "")))
	}
}

// The difference is the shortest one where there are fewer changes than one search looks for.
func TestShortest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		a, b := make([]byte, r.IntN(12)), make([]byte, r.IntN(12))
		for _, s := range [][]byte{a, b} {
			for i := range s {
				s[i] = "ab"[r.IntN(2)]
			}
		}
		lines := func(s []byte) string { return strings.ReplaceAll(string(s), "", "\n")[min(1, len(s)):] }
		d := New([]byte(lines(a)), []byte(lines(b)))
		require.Equal(t, distance(lines(a), lines(b)), d.Removed+d.Added, "%s %s", a, b)
	}
}

// distance is the number of lines to remove and to add, by the textbook.
func distance(before, after string) int {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			next := min(row[j], row[j+1]) + 1
			if a[i] == b[j] {
				next = diagonal
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}

// Texts with nothing in common, and those with more changes than one search looks for.
func TestLarge(t *testing.T) {
	var a, b, c strings.Builder
	for i := range 30_000 {
		fmt.Fprintln(&a, i)
		fmt.Fprintln(&b, -i-1)
		if i%10 == 0 {
			fmt.Fprintln(&c, "x", i)
		} else {
			fmt.Fprintln(&c, i)
		}
	}
	require.Equal(t, b.String(), apply(t, a.String(), b.String()))
	require.Equal(t, c.String(), apply(t, a.String(), c.String()))
	d := New([]byte(a.String()), []byte(c.String()))
	require.Equal(t, [2]int{3000, 3000}, [2]int{d.Removed, d.Added}, "each search finds its part")
	many := strings.Repeat("\n", MaxLines)
	for _, more := range []string{"", "x\n"} {
		d = New([]byte("0\na\n"+many+"b\n0"), []byte("0\nc\n"+many+more+"d\n0"))
		require.True(t, d.Large)
		require.Equal(t, []Change{{2, MaxLines + 2, 2, MaxLines + 2 + len(more)/2}}, d.Changes)
		require.Equal(t, MaxLines+2, d.Removed)
		d.Print(func(string, []byte) { t.Error("it prints") })
	}
	require.False(t, New([]byte("a\n"+many[3:]+"b\n"), []byte("c\n"+many[3:]+"d\n")).Large)
}

// Texts of MaxLines lines: with a few changes, with nothing in common, and of few kinds of lines
// in another order, which takes all the comparisons that may be made.
func BenchmarkNew(b *testing.B) {
	lines := func(line func(i int) int) []byte {
		var text bytes.Buffer
		for i := range MaxLines - 1 {
			fmt.Fprintln(&text, line(i))
		}
		return text.Bytes()
	}
	r := rand.New(rand.NewPCG(5, 6))
	for name, texts := range map[string][2][]byte{
		"few":    {lines(func(i int) int { return i }), lines(func(i int) int { return i + i%1000/999 })},
		"all":    {lines(func(i int) int { return i }), lines(func(i int) int { return -i - 1 })},
		"random": {lines(func(int) int { return r.IntN(10) }), lines(func(int) int { return r.IntN(10) })},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				New(texts[0], texts[1])
			}
		})
	}
}
