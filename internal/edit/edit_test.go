package edit

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/stretchr/testify/require"
)

const limit = 20_000_000

// apply makes edits of a file.
func apply(t testing.TB, content string, edits ...Edit) (*Result, error) {
	t.Helper()
	return New([]byte(content), textfile.Sniff([]byte(content))).Apply(context.Background(), edits, limit)
}

func TestApply(t *testing.T) {
	for _, c := range []struct {
		name, content, old, new, want string
		how                           Map
	}{
		{"a word", "one two\n", "two", "three", "one three\n", Exact},
		{"nothing of New is special", "price\n", "price", `$1 \1 & \n %d ${x}`, `$1 \1 & \n %d ${x}` + "\n", Exact},
		{"a line goes", "a\nb\nc\n", "b\n", "", "a\nc\n", Exact},
		{"no final newline", "a\nb", "b", "c", "a\nc", Exact},
		{"a final newline that is not there", "a\nb", "b\n", "c\n", "a\nc", LineEndings},
		{"a final CRLF that is not there", "a\r\nb", "b\r\n", "c\r\n", "a\r\nc", LineEndings},
		{"a line behind a last line without an ending", "a\nb", "b\n", "b\nc\n", "a\nb\nc", LineEndings},
		{"line feeds for CRLF", "a\r\nb\r\nc\r\n", "a\nb\n", "a\nx\ny\n", "a\r\nx\r\ny\r\nc\r\n", LineEndings},
		{"one line becomes two in CRLF", "a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n", Exact},
		{"one line becomes two behind the last CRLF", "a\r\nb", "b", "x\ny", "a\r\nx\r\ny", Exact},
		{"CRLF where lines end in LF", "a\nb\n", "a\r\nb\r\n", "x\r\nb\r\n", "x\nb\n", LineEndings},
		{"CRLF on purpose", "a\nb\n", "a\n", "a\r\n", "a\r\nb\n", Exact},
		{"LF on purpose", "a\r\nb\r\n", "a\r\n", "a\n", "a\nb\r\n", Exact},
		{"mixed endings stay", "a\nb\r\nc\nd\r\n", "b\nc\nd\n", "b\nx\nd\n", "a\nb\r\nx\nd\r\n", LineEndings},
		{"an ending like that of the line", "a\nb\r\nc\n", "b", "x\ny", "a\nx\r\ny\r\nc\n", Exact},
		{"lone CR ends lines where no LF does", "a\rb\rc\r", "a\nb", "a\nx\ny", "a\rx\ry\rc\r", LineEndings},
		{"CRLF in Old where CR ends lines", "a\rb\r", "a\r\nb\r\n", "a\r\nx\r\n", "a\rx\r", LineEndings},
		{"a CR first", "\rb", "\nb", "\nx\ny", "\rx\ry", LineEndings},
		{"an ending like that of the empty line", "a\n\nb\r\nc\r\n", "\n\nb", "\nx\nb", "a\nx\nb\r\nc\r\n", Exact},
		{"lone CR is a character elsewhere", "a\rb\nc\n", "b\nc", "x\ny", "a\rx\ny\n", Exact},
		{"spaces at line ends", "if x {  \n\ty()\t\n}\n", "if x {\n\ty()\n}", "if x {\n\tz()\n}", "if x {  \n\tz()\t\n}\n", Trailing},
		{"spaces at line ends of Old", "if x {\n\ty()\n}\n", "if x { \n\ty()  ", "if x { \n\tz()", "if x {\n\tz()\n}\n", Trailing},
		{"the indentation of the line behind", "a \n    b\n", "a\n    ", "x\n    ", "x \n    b\n", Trailing},
		{"spaces at the ends of lines that end in CR", "a \rb\t\rc\r", "a\nb\n", "x\nb\n", "x \rb\t\rc\r", Trailing},
		{"quotes", "say “hello” – now…\n", `say "hello" - now...`, "bye", "bye\n", Unicode},
		{"quotes in lines that stay", "say “hello”\nbye\n", "say \"hello\"\nbye\n", "say \"hello\"\nx\n", "say “hello”\nx\n", Unicode},
		{"all quotes and dashes", "‘’‚‛“”„‟‐‑‒–—―−…\n", `''''""""-------...`, "x", "x\n", Unicode},
		{"all spaces", "a\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000b\n", "a" + strings.Repeat(" ", 15) + "b", "x", "x\n", Unicode},
		{"a no-break space", "a\u00a0b\n", "a b", "x", "x\n", Unicode},
		{"composition", "cafe\u0301 e\n", "café e", "x", "x\n", Unicode},
		{"decomposition", "café\n", "cafe\u0301", "x", "x\n", Unicode},
		{"quotes and CRLF", "‘a’\r\nb\r\n", "'a'\nb", "x\ny", "x\r\ny\r\n", Unicode},
		{"indented deeper", "\t\tif x {\n\t\t\ty()\n\t\t}\n", "if x {\n\ty()\n}", "if x {\n\tz()\n\n\tw()\n}", "\t\tif x {\n\t\t\tz()\n\n\t\t\tw()\n\t\t}\n", Indentation},
		{"indented less", "  a:\n    b\n", "      a:\n        b\n", "      a:\n        c\n        d\n", "  a:\n    c\n    d\n", Indentation},
		{"spaces for tabs", "\tif x {\n\t\ty()\n\t}\n", "    if x {\n        y()\n    }\n", "    if x {\n        z()\n            w()\n    }\n", "\tif x {\n\t\tz()\n\t\t\tw()\n\t}\n", Indentation},
		{"two spaces for tabs", "a:\n\tb\n\t\tc\n", "a:\n  b\n    c\n", "a:\n  b\n    d\n", "a:\n\tb\n\t\td\n", Indentation},
		{"tabs for spaces", "a:\n  b\n    c\n", "a:\n\tb\n\t\tc\n", "a:\n\tb\n\t\tc\n\t\t\td\n", "a:\n  b\n    c\n      d\n", Indentation},
		{"spaces for tabs, and indented less", "\tfor {\n\t\ta\n\t}\n", "for {\n    a\n}", "for {\n    if a {\n        b\n    }\n}", "\tfor {\n\t\tif a {\n\t\t\tb\n\t\t}\n\t}\n", Indentation},
		{"the first new line is the deepest", "  a:\n  b\n", "    a:\n    b\n", "      a:\n    b\n", "    a:\n  b\n", Indentation},
		{"tabs of one of two widths", "\t\t\ta\n\t\t\t  b\n", "        a\n          b\n", "        a\n          c\n", "\t\t\ta\n\t\t\t  c\n", Indentation},
		{"spaces for one tab of several", "\t\ta\n", "    a\n", "    b\n        c\n", "\t\tb\n\t\t\t\tc\n", Indentation},
		{"indentation and CRLF", "\ta\r\n\t\tb\r\n", "a\n\tb\n", "a\n\tc\n\td\n", "\ta\r\n\t\tc\r\n\t\td\r\n", Indentation},
		{"blank lines first", "\n\n\t\ta\n\n\t\t\tb\n", "\na\n\n\tb\n", "\nx\n\n\tb\n", "\n\n\t\tx\n\n\t\t\tb\n", Indentation},
		{"lines that are indented go", "\t\ta\n\t\tb\nc\n", "\ta\n\tb\n", "", "c\n", Indentation},
		{"spaces in one line, quotes in another", "f(“a”)\nb \t\nc\n", "f(\"a\")\nb\nc\n", "f(\"a\")\nx\nc\n", "f(“a”)\nx \t\nc\n", Loose},
		{"the same in one line", "say(‘a’)  \nb\n", "say('a')\nb\n", "say('a')\nc\n", "say(‘a’)  \nc\n", Loose},
		{"the same with CRLF, and accents composed", "caf\u00e9 –  \r\nb\t\r\n", "cafe\u0301 -\nb\n", "cafe\u0301 -\nc\n", "caf\u00e9 –  \r\nc\t\r\n", Loose},
		{"a no-break space at a line end", "a\u00a0\n‘b’\n", "a\n'b'\n", "a\n'c'\n", "a\u00a0\n‘c’\n", Loose},
		{"spaces in Old, quotes in the text", "“a”\nb\n", "\"a\"  \nb\t", "\"a\"  \nc", "“a”\nc\n", Loose},
		{"an indented line after both", "“a” \n\tb\n", "\"a\"\n\t", "\"a\"\n\t\t", "“a” \n\t\tb\n", Loose},
		{"UTF-8 with a mark", "\xef\xbb\xbfa\nb\n", "a", "ä", "\xef\xbb\xbfä\nb\n", Exact},
		{"UTF-16LE", "\xff\xfea\x00\r\x00\n\x00b\x00\r\x00\n\x00", "a\nb", "a\n€😀\nb", "\xff\xfea\x00\r\x00\n\x00\xac\x20\x3d\xd8\x00\xde\r\x00\n\x00b\x00\r\x00\n\x00", LineEndings},
		{"UTF-16BE, half a pair, an odd byte", "\xfe\xff\x00a\xd8\x00\x00b\x00", "b", "c", "\xfe\xff\x00a\xd8\x00\x00c\x00", Exact},
		{"Latin-1", "caf\xe9\nna\xefve x\n", "ve x", "ve y", "caf\xe9\nna\xefve y\n", Exact},
		{"a broken byte in UTF-8", "äöü \xff x\n", "x", "ß", "äöü \xff ß\n", Exact},
		{"as many broken bytes as characters", "ä \xff x\n", "x", "ß", "ä \xff ß\n", Exact},
		{"a pair in UTF-16", "\xff\xfea\x00\x3d\xd8\x00\xde", "😀", "x", "\xff\xfea\x00x\x00", Exact},
		{"behind a pair in UTF-16", "\xff\xfe\x3d\xd8\x00\xdea\x00", "a", "x", "\xff\xfe\x3d\xd8\x00\xdex\x00", Exact},
		{"lone CR behind an empty line", "\na\rb\nc\n", "b\nc", "x\ny", "\na\rx\ny\n", Exact},
		{"NUL", "a\x00b c\n", "c", "d", "a\x00b d\n", Exact},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := apply(t, c.content, Edit{Old: c.old, New: c.new})
			require.NoError(t, err)
			require.Equal(t, c.want, string(res.Content))
			require.Equal(t, c.how, res.Done[0].Map)
			require.Len(t, res.Done[0].Places, 1)
		})
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, content string
		edits         []Edit
		reason        Reason
		count         int
	}{
		{"nowhere", "a\n", []Edit{{Old: "b", New: "c"}}, Missing, 0},
		{"nearly", "func total() int\n", []Edit{{Old: "func totl() int", New: "c"}}, Missing, 0},
		{"twice", "a a\n", []Edit{{Old: "a", New: "b"}}, Several, 2},
		{"overlapping", "aaa\n", []Edit{{Old: "aa", New: "b"}}, Several, 2},
		{"twice but for spaces", "a \nb\na\t\nb\n", []Edit{{Old: "a\nb", New: "c"}}, Several, 2},
		{"one exactly is not several others", "“a” \"a\"\n", []Edit{{Old: `"a"`, New: "b"}, {Old: `"a"`, New: "c"}}, Overlap, 0},
		{"edits that overlap", "abc\n", []Edit{{Old: "ab", New: "x"}, {Old: "bc", New: "y"}}, Overlap, 0},
		{"twice but for spaces and quotes", "“a” \nb\n‘a’\n“a”\t\nb\n", []Edit{{Old: "\"a\"\nb\n", New: "c"}}, Several, 2},
		{"other words, spaces and quotes", "“a” \nb\n", []Edit{{Old: "\"a\"\nc\n", New: "c"}}, Missing, 0},
		{"indentation, spaces and quotes", "\t“a” \n\tb\n", []Edit{{Old: "\"a\"\nb\n", New: "c"}}, Missing, 0},
		{"two indentations", "\ta\n\tb\n\t\ta\n\t\tb\n", []Edit{{Old: "a\nb\n", New: "x"}}, Several, 2},
		{"half of a composed character", "e\u0301\n", []Edit{{Old: "e\u0302", New: "x"}}, Missing, 0},
		{"a part of what stands for three dots", "a…\n", []Edit{{Old: "“a.", New: "x"}}, Missing, 0},
		{"what begins within three dots", "…“x”\n", []Edit{{Old: `.."x"`, New: "x"}}, Missing, 0},
		{"what ends within three dots", "“x”…\n", []Edit{{Old: `"x"..`, New: "x"}}, Missing, 0},
		{"lines not all shifted alike", "\ta\n\tb\n", []Edit{{Old: "a\n  b\n", New: "x"}}, Missing, 0},
		{"new lines that cannot be shifted", "a\n  b\n", []Edit{{Old: "    a\n      b\n", New: "  x\n"}}, Missing, 0},
		{"nothing changes", "a\r\nb\n", []Edit{{Old: "a\nb", New: "a\nb"}}, Nothing, 0},
		{"what Latin-1 has no byte for", "caf\xe9 x\n", []Edit{{Old: "x", New: "€"}}, Encoding, 0},
		{"what windows-1252 has no byte for, behind a euro sign", "\x80 x\n", []Edit{{Old: "x", New: "é"}}, Encoding, 0},
		{"what UTF-16 cannot hold", "\xff\xfea\x00", []Edit{{Old: "a", New: "\xff"}}, Encoding, 0},
		{"half of a character in UTF-16", "\xff\xfe\xac\x20", []Edit{{Old: "\x82", New: "x"}}, Missing, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := apply(t, c.content, c.edits...)
			var bad *Error
			require.ErrorAs(t, err, &bad)
			require.Equal(t, c.reason, bad.Reason, "%+v", bad)
			require.ErrorContains(t, err, "edit 1 is refused")
			if c.count > 0 {
				require.Equal(t, c.count, bad.Count)
				require.Len(t, bad.Places, c.count)
			}
		})
	}
}

func TestSeveralEdits(t *testing.T) {
	res, err := apply(t, "a b a\nc\n", Edit{Old: "c", New: "a"}, Edit{Old: "a", New: "cc", All: true})
	require.NoError(t, err)
	require.Equal(t, "cc b cc\na\n", string(res.Content))
	require.Equal(t, []Done{{Places: []Span{{6, 7}}}, {Places: []Span{{0, 1}, {4, 5}}}}, res.Done)

	res, err = apply(t, "aaaaa\n", Edit{Old: "aa", New: "b", All: true})
	require.NoError(t, err)
	require.Equal(t, "bba\n", string(res.Content))

	res, err = apply(t, "\ta\n\tb\n\t\ta\n\t\tb\n", Edit{Old: "a\nb\n", New: "x\n", All: true})
	require.NoError(t, err)
	require.Equal(t, "\tx\n\t\tx\n", string(res.Content))
}

// TestOtherEndings is about places that are not exactly like Old, but for their line endings would be.
func TestOtherEndings(t *testing.T) {
	for _, c := range []struct {
		name, content string
		edit          Edit
		want          string
		left          []Span
	}{
		{"all", "a\nb\n--\na\r\nb\r\n", Edit{Old: "a\nb", New: "c\nd", All: true}, "c\nd\n--\na\r\nb\r\n", []Span{{7, 11}}},
		{"the last line, without an ending", "a\nb\na", Edit{Old: "a\n", New: "x\n", All: true}, "x\nb\na", []Span{{4, 5}}},
		{"places of whole lines are what a hunk wants", "a\nb\n--\na\r\nb\r\n", Edit{Old: "a\nb\n", New: "c\n", Lines: true}, "c\n--\na\r\nb\r\n", nil},
		{"in front of it and behind", "a\nb\na\r\nb\na\nb\n", Edit{Old: "a\r\nb", New: "x"}, "a\nb\nx\na\nb\n", []Span{{0, 3}, {9, 12}}},
		{"an ending of which a part was found", "a\r\nb\nc\n", Edit{Old: "\nb", New: "\nx"}, "a\r\nx\nc\n", nil},
		{"at the end", "a\r\nb\na\n", Edit{Old: "a\n", New: "x\n", All: true}, "a\r\nb\nx\n", []Span{{0, 3}}},
		{"beside it", "a\r\na\na\r\n", Edit{Old: "a\n", New: "x\n"}, "a\r\nx\na\r\n", []Span{{0, 3}, {5, 8}}},
		{"one line", "a\r\na\n", Edit{Old: "a", New: "x", All: true}, "x\r\nx\n", nil},
		{"none are mixed", "a\r\nb\r\n", Edit{Old: "a\r\nb", New: "x"}, "x\r\n", nil},
		{"both were found", "a\nb\na\r\nb\r\n", Edit{Old: "a\r\nb\n", New: "x\n", All: true}, "x\nx\r\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := apply(t, c.content, c.edit)
			require.NoError(t, err)
			require.Equal(t, c.want, string(res.Content))
			require.Equal(t, c.left, res.Done[0].Left)
		})
	}
	res, err := apply(t, "a\nb\na\r\nb\r\na\r\nb\r\n", Edit{Old: "a\nb", New: "x"}, Edit{Old: "a\r\nb", New: "y", From: 4, To: 8})
	require.NoError(t, err)
	require.Equal(t, "x\ny\r\na\r\nb\r\n", string(res.Content))
	require.Equal(t, []Span{{10, 14}}, res.Done[0].Left, "what another edit of the call replaces is not left")
}

func TestLines(t *testing.T) {
	res, err := apply(t, "xa\na\nb", Edit{Old: "a\n", New: "c\n", Lines: true})
	require.NoError(t, err)
	require.Equal(t, "xa\nc\nb", string(res.Content))

	text := New([]byte("a\nb\na\n"), textfile.Info{})
	res, err = text.Apply(context.Background(), []Edit{{Old: "a\n", New: "c\n", Lines: true, From: 2}, {New: "d\n", From: 2, To: 2}}, limit)
	require.NoError(t, err)
	require.Equal(t, "a\nd\nb\nc\n", string(res.Content))

	res, err = apply(t, "a\nb\n\ta\n\tb\n", Edit{Old: "  a\n  b\n", New: "  c\n", Lines: true, From: 4})
	require.NoError(t, err)
	require.Equal(t, "a\nb\n\tc\n", string(res.Content))
}

func TestBounds(t *testing.T) {
	many := strings.Repeat("ab\n", MostPlaces)
	res, err := apply(t, many, Edit{Old: "a", New: "c", All: true})
	require.NoError(t, err)
	require.Len(t, res.Done[0].Places, MostPlaces)
	all := func(old string) Edit { return Edit{Old: old, New: "c", All: true} }
	for _, c := range []struct {
		name, content string
		edits         []Edit
		edit, count   int
	}{
		{"one more", many + "a", []Edit{all("a")}, 0, MostPlaces + 1},
		{"many more", many, []Edit{all("\n"), all("b")}, 1, MostPlaces},
		{"one place more", many + "c", []Edit{all("a"), {Old: "c", New: "d"}}, 1, 1},
		{"of text that overlaps itself", strings.Repeat("a", 2*MostPlaces+2), []Edit{all("aa")}, 0, MostPlaces + 1},
		{"indented, with tabs for spaces", strings.Repeat("\t\ta\n\t\t\tb\n", MostPlaces+1), []Edit{all("a\n    b\n")}, 0, MostPlaces + 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := apply(t, c.content, c.edits...)
			var bad *Error
			require.ErrorAs(t, err, &bad)
			require.Equal(t, TooMany, bad.Reason)
			require.Equal(t, c.edit, bad.Edit)
			require.Equal(t, c.count, bad.Count)
		})
	}
	var bad *Error
	_, err = apply(t, many+"a", Edit{Old: "a", New: "c"})
	require.ErrorAs(t, err, &bad)
	require.Equal(t, Several, bad.Reason)
	require.Equal(t, MostPlaces+1, bad.Count)
	_, err = apply(t, strings.Repeat("a\n", 1000), Edit{Old: "a", New: strings.Repeat("b", limit/1000), All: true})
	require.ErrorAs(t, err, &bad)
	require.Equal(t, TooLarge, bad.Reason)
}

// TestLimit has a content of exactly the limit, and one over it.
func TestLimit(t *testing.T) {
	for _, c := range []struct{ encoding, content, new, want string }{
		{"utf-8", "one two\n", "three", "one three\n"},
		{"utf-8", "two\n", "three four", "three four\n"},
		{"utf-16le", "t\x00w\x00o\x00", "12", "1\x002\x00"},
		{"iso-2022-jp", "two\n", "日", "\x1b$BF|\x1b(B\n"}, // longer than in UTF-8
	} {
		text := New([]byte(c.content), textfile.Info{Encoding: c.encoding, NoBOM: true})
		edits := []Edit{{Old: "two", New: c.new}}
		res, err := text.Apply(t.Context(), edits, int64(len(c.want)))
		require.NoError(t, err)
		require.Equal(t, c.want, string(res.Content))
		_, err = text.Apply(t.Context(), edits, int64(len(c.want)-1))
		var bad *Error
		require.ErrorAs(t, err, &bad)
		require.Equal(t, TooLarge, bad.Reason, c.encoding)
	}
}

func TestFind(t *testing.T) {
	text := New([]byte(strings.Repeat("a \n", 12)), textfile.Info{})
	first, count, how, err := text.Find(t.Context(), Edit{Old: "a\n"})
	require.NoError(t, err)
	require.Equal(t, 12, count)
	require.Len(t, first, maxListed)
	require.Equal(t, Span{0, 3}, first[0])
	require.Equal(t, Trailing, how)
}

// ending is a context that ends when it has been looked at a number of times.
type ending struct {
	context.Context
	looks, most int
}

func (e *ending) Err() error {
	e.looks++
	if e.looks > e.most {
		return context.Canceled
	}
	return nil
}

// TestContextOfManyPlaces counts how often the context is looked at, in each of the loops that go through the places.
func TestContextOfManyPlaces(t *testing.T) {
	text := New([]byte(strings.Repeat("ab\n", MostPlaces)), textfile.Info{})
	edits := []Edit{{Old: "a", New: "c", All: true}}
	all := &ending{context.Background(), 0, 1 << 30}
	_, err := text.Apply(all, edits, limit)
	require.NoError(t, err)
	require.Greater(t, all.looks, 3*(MostPlaces/checkEvery))
	step := 20
	if testing.Short() {
		step = 170
	}
	for most := 0; most < all.looks; most += step {
		_, err := text.Apply(&ending{context.Background(), 0, most}, edits, limit)
		require.Equal(t, context.Canceled, err)
	}
	lines := New([]byte(strings.Repeat("abc\n", 10*checkEvery)), textfile.Info{})
	all.looks = 0
	lines.nearest(all, "xyz")
	require.GreaterOrEqual(t, all.looks, 10)
}

func TestContext(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	text := New([]byte("a\n"), textfile.Info{})
	_, err := text.Apply(ctx, []Edit{{Old: "a", New: "b"}}, limit)
	require.True(t, errors.Is(err, context.Canceled))
	_, err = text.Explain(ctx, Edit{Old: "c", New: "b"})
	require.True(t, errors.Is(err, context.Canceled))
}
