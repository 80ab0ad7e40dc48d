package edit

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/stretchr/testify/require"
)

// TestShared is about what Old and New share, which stays as the file has it (anthropics/claude-code#26141).
func TestShared(t *testing.T) {
	for _, c := range []struct {
		name, content, old, new, want string
		how                           Map
	}{
		{"quotes and dashes around a word", "say “hello” – now…\n", `say "hello" - now...`, `say "bye" - now...`, "say “bye” – now…\n", Unicode},
		{"a no-break space in a changed line", "10\u00a0km – far\n", "10 km - far", "12 km - far", "12\u00a0km – far\n", Unicode},
		{"a quote that goes", "“a” “b”\n", `"a" "b"`, `"a" b`, "“a” b\n", Unicode},
		{"decomposed letters", "cafe\u0301 noir\n", "café noir", "café au lait", "cafe\u0301 au lait\n", Unicode},
		{"one of three dots", "wait… “x”\n", `wait... "x"`, `wait.. "x"`, "wait.. “x”\n", Unicode},
		{"a dot more", "wait… “x”\n", `wait... "x"`, `wait.... "x"`, "wait…. “x”\n", Unicode},
		{"a line between two that change", "a\n‘b’\nc\n", "a\n'b'\nc\n", "x\n'b'\ny\n", "x\n‘b’\ny\n", Unicode},
		{"a line behind the first", "‘a’", "'a'", "'a'\nb", "‘a’\nb", Unicode},
		{"a line behind the last, which has no ending", "x\n‘a’", "'a'\n", "'a'\nb\n", "x\n‘a’\nb", Unicode},
		{"quotes in CRLF", "‘a’\r\nb\r\nc", "'a'\nb\nc", "'a' b\nc", "‘a’ b\r\nc", Unicode},
		{"mixed endings between two lines", "a\nb\r\nc\nd\r\n", "a\nb\nc\nd\n", "x\nb\nc\ny\n", "x\nb\r\nc\ny\r\n", LineEndings},
		{"endings of changed lines", "a\nb\r\nc\n", "a\nb\nc\n", "a1\nb1\nc1\n", "a1\nb1\r\nc1\n", LineEndings},
		{"CRLF in one text alone", "a b\n“c”\n", "a b\r\n\"c\"", "a b\n\"d\"", "a b\n“d”\n", Unicode},
		{"a line break in Markdown", "one  \ntwo\n", "one\ntwo", "1\ntwo", "1  \ntwo\n", Trailing},
		{"spaces that Old has too", "one  \ntwo \n", "one \ntwo", "one \n2", "one  \n2 \n", Trailing},
		{"spaces that are to go", "one\t\ntwo \n", "one \ntwo", "one\ntwo", "one\ntwo \n", Trailing},
		{"spaces that become the space before a word", "one\ntwo\n", "one \ntwo", "one more\ntwo", "one more\ntwo\n", Trailing},
		{"a word before the spaces", "one  \ntwo\n", "one\ntwo", "one // x\ntwo", "one // x  \ntwo\n", Trailing},
		{"spaces in the last line", "one  \ntwo\t\n", "one\ntwo ", "one\n2 ", "one  \n2\t\n", Trailing},
		{"spaces in the last line that are to go", "one  \ntwo\t\n", "one\ntwo ", "one\ntwo", "one  \ntwo\n", Trailing},
		{"spaces in the last line that are no longer last", "one  \ntwo\t\n", "one\ntwo ", "one\ntwo x", "one  \ntwo x\n", Trailing},
		{"blank lines with spaces", "\t\ta\n\t\n\t\tb\n", "a\n\nb\n", "x\n\nb\n", "\t\tx\n\t\n\t\tb\n", Indentation},
		{"a blank line with spaces that goes", "\t\ta\n \n\t\tb\n", "a\n\nb\n", "a\nb\n", "\t\ta\n\t\tb\n", Indentation},
		{"a blank line last", "\t\ta\n\t\tb\n   \n", "a\nb\n    ", "a\nc\n    ", "\t\ta\n\t\tc\n   \n", Indentation},
		{"UTF-16", "\xff\xfe\x1c\x20a\x00\x1d\x20", `"a"`, `"b"`, "\xff\xfe\x1c\x20b\x00\x1d\x20", Unicode},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := apply(t, c.content, Edit{Old: c.old, New: c.new})
			require.NoError(t, err)
			require.Equal(t, c.want, string(res.Content))
			require.Equal(t, c.how, res.Done[0].Map)
		})
	}
	res, err := apply(t, "‘a’ – ‘b’\n'a' — 'b'\n", Edit{Old: "'a' - 'b'", New: "'a' - 'c'", All: true})
	require.NoError(t, err)
	require.Equal(t, "‘a’ – ‘c’\n'a' — 'c'\n", string(res.Content), "each place keeps its own")
	_, err = apply(t, "‘a’\n", Edit{Old: "'a'", New: "'a'"})
	var bad *Error
	require.ErrorAs(t, err, &bad)
	require.Equal(t, Nothing, bad.Reason)
}

// TestSharedLegacy is about bytes that the encoding has no character for, and about two codes for one.
func TestSharedLegacy(t *testing.T) {
	for _, c := range []struct{ encoding, content, old, new, want string }{
		{"gbk", "\xd6\xd0\xff x\n", "中\ufffd x", "中\ufffd y", "\xd6\xd0\xff y\n"},
		{"shift_jis", "\x87\x90 \x81\xe0 a\n", "≒ ≒ a", "≒ ≒ b", "\x87\x90 \x81\xe0 b\n"},
		{"iso-2022-jp", "\x1b$BF|K\\8l\x1b(B\n", "日本語", "月本人", "\x1b$B7nK\\?M\x1b(B\n"}, // one escape sequence for all
	} {
		text := New([]byte(c.content), textfile.Info{Encoding: c.encoding, NoBOM: true})
		res, err := text.Apply(t.Context(), []Edit{{Old: c.old, New: c.new}}, limit)
		require.NoError(t, err, c.content)
		require.Equal(t, c.want, string(res.Content))
	}
}

// spelled returns a text as a file may have it that a map takes for the same, and each character of the text with its
// form in the file.
func spelled(random *rand.Rand, how Map, text []string) (file string, forms []string) {
	other := map[Map]map[string][]string{
		LineEndings: {"\n": {"\n", "\r\n"}},
		Trailing:    {"\n": {"\n", " \n", "\t \n", "  \r\n"}},
		Unicode:     {`"`: {`"`, "“", "”"}, "'": {"'", "’"}, "-": {"-", "–", "—"}, "é": {"é", "e\u0301"}, " ": {" ", "\u00a0"}, "\n": {"\n", "\r\n"}},
	}[how]
	for _, c := range text {
		if list := other[c]; list != nil {
			c = list[random.IntN(len(list))]
		}
		forms = append(forms, c)
	}
	return strings.Join(forms, ""), forms
}

// TestSharedProperty edits random texts through each map. What the file holds then reads as New does. What is in front of
// the first change and behind the last, and the lines that stay, keep their bytes; only where changes add or remove
// lines, they may be taken for others that are the same.
func TestSharedProperty(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	alphabet := []string{"a", "b", "c", `"`, "'", "-", "é", " x", "\n", "\n"}
	some := func(most int, of []string) (list []string) {
		for range random.IntN(most) {
			list = append(list, of[random.IntN(len(of))])
		}
		return list
	}
	changed := map[Map]int{}
	for range testkit.Some(40_000) {
		how := []Map{LineEndings, Trailing, Unicode}[random.IntN(3)]
		inLine := random.IntN(2) == 0
		changes := alphabet
		if inLine {
			changes = alphabet[:len(alphabet)-2]
		}
		head, tail := append([]string{"s"}, some(8, alphabet)...), append(some(8, alphabet), "e")
		kept := append(append([]string{"\n"}, some(6, alphabet)...), "\n")
		one, newOne := append(some(3, changes), "1"), append(some(3, changes), "3")
		two, newTwo := append(some(3, changes), "2"), append(some(3, changes), "4")
		old := slices.Concat(head, one, kept, two, tail)
		file, forms := spelled(random, how, old)
		e := Edit{Old: strings.Join(old, ""), New: strings.Join(slices.Concat(head, newOne, kept, newTwo, tail), "")}
		text := New([]byte("begin\n"+file+"\nend\n"), textfile.Info{Encoding: textfile.UTF8})
		res, err := text.Apply(context.Background(), []Edit{e}, limit)
		require.NoError(t, err)
		if res.Done[0].Map == Exact || e.Old == e.New {
			continue
		}
		changed[res.Done[0].Map]++
		got, ok := strings.CutPrefix(string(res.Content), "begin\n")
		require.True(t, ok)
		got, ok = strings.CutSuffix(got, "\nend\n")
		require.True(t, ok)
		f := map[Map]fold{LineEndings: text.endings, Trailing: text.trailing, Unicode: text.unicode}[res.Done[0].Map]
		require.Equal(t, string(foldAll(f, []byte(e.New))), string(foldAll(f, []byte(got))), "%q in %q", e, file)
		if !inLine {
			continue
		}
		front, behind := strings.Join(forms[:len(head)], ""), strings.Join(forms[len(old)-len(tail):], "")
		require.True(t, strings.HasPrefix(got, front), "%q of %q: %q", front, file, got)
		require.True(t, strings.HasSuffix(got, behind), "%q of %q: %q", behind, file, got)
		middle := strings.Join(forms[len(head)+len(one)+1:len(old)-len(tail)-len(two)-1], "")
		require.Contains(t, got[len(front):len(got)-len(behind)], middle, "of %q: %q, %q", file, got, e)
	}
	for how, n := range changed {
		require.Greater(t, n, testkit.Some(40_000)/20, how)
	}
	require.Len(t, changed, 3)
}

// TestSharedBounds has more changes than there is room for, and a text over maxShared: less is shared then.
func TestSharedBounds(t *testing.T) {
	all := Edit{Old: "'a' 'b'\n", New: "'c' 'd'\n", All: true}
	content := strings.Repeat("‘a’ ‘b’\n", MostPlaces)
	text := New([]byte(content), textfile.Info{Encoding: textfile.UTF8})
	res, err := text.Apply(t.Context(), []Edit{all}, limit)
	require.NoError(t, err)
	require.Contains(t, string(res.Content[:20]), "‘c’ ‘d’\n")
	require.Contains(t, string(res.Content[len(res.Content)-20:]), "‘c' 'd’\n")

	long := strings.Repeat("x", maxShared/2)
	res, err = apply(t, "‘a’\n‘b’ "+long+"\n‘c’\n", Edit{Old: "'a'\n'b' " + long + "\n'c'", New: "'a'\n'd' " + long + "\n'c'"})
	require.NoError(t, err)
	require.Equal(t, "‘a’\n'd' "+long+"\n‘c’\n", string(res.Content))
}
