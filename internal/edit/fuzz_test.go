package edit

import (
	"bytes"
	"context"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
)

// atom is a byte of a text as a map sees it, and the part of the text that it stands for.
type atom struct {
	b          byte
	start, end int
}

var (
	endingsSlow  = regexp.MustCompile(`\r\n`)
	trailingSlow = regexp.MustCompile(`[ \t]*(\r\n|\n)|[ \t]+$`)
)

// atoms is the slow definition of two maps: what matches is a newline, or nothing at the end.
func atoms(text string, changes *regexp.Regexp) (list []atom) {
	at := 0
	plain := func(to int) {
		for ; at < to; at++ {
			list = append(list, atom{text[at], at, at + 1})
		}
	}
	for _, m := range changes.FindAllStringIndex(text, -1) {
		plain(m[0])
		if s := text[m[0]:m[1]]; strings.HasSuffix(s, "\n") {
			blanks := len(s) - len(strings.TrimLeft(s, " \t"))
			list = append(list, atom{'\n', m[0] + blanks, m[1]})
		}
		at = m[1]
	}
	plain(len(text))
	if len(list) > 0 && list[len(list)-1].b != '\n' || len(list) == 0 {
		list = append(list, atom{'\n', len(text), len(text)})
	}
	return list
}

// slow finds all places of old, the slow way.
func slow(body, old string) (how Map, places []Span) {
	for i := 0; i+len(old) <= len(body); i++ {
		if body[i:i+len(old)] == old {
			places = append(places, Span{i, i + len(old)})
		}
	}
	if len(places) > 0 {
		return Exact, places
	}
	for _, m := range []struct {
		how     Map
		changes *regexp.Regexp
	}{{LineEndings, endingsSlow}, {Trailing, trailingSlow}} {
		pattern := m.changes.ReplaceAllStringFunc(old, func(s string) string {
			return strings.TrimLeft(strings.TrimLeft(s, " \t"), "\r")
		})
		ends := false
		if last := old[strings.LastIndexByte(old, '\n')+1:]; m.how == Trailing && strings.Trim(last, " \t") == "" {
			pattern += last
		} else {
			ends = m.how == Trailing && last != strings.TrimRight(last, " \t")
		}
		list := atoms(body, m.changes)
		for i := 0; i+len(pattern) <= len(list); i++ {
			ok := true
			for j := range len(pattern) {
				ok = ok && list[i+j].b == pattern[j]
			}
			if !ok || pattern == "" {
				continue
			}
			at := Span{list[i].start, list[i+len(pattern)-1].end}
			if ends {
				rest := strings.TrimLeft(body[at.End:], " \t")
				if rest != "" && rest[0] != '\n' && !strings.HasPrefix(rest, "\r\n") {
					continue
				}
				at.End = len(body) - len(rest)
			}
			places = append(places, at)
		}
		if len(places) > 0 {
			return m.how, places
		}
	}
	return none, nil
}

// none is no map that slow knows.
const none Map = "none"

// check compares an edit with the slow definition, where that has one, and with what must hold of every edit.
func check(t *testing.T, content, old, new string) {
	t.Helper()
	text := New([]byte(content), textfile.Sniff([]byte(content)))
	res, err := text.Apply(context.Background(), []Edit{{Old: old, New: new}}, 1<<20)
	body := string(text.Body())
	how, places := slow(body, old)
	utf8 := text.order == nil && text.end == '\n'
	var bad *Error
	if err != nil {
		require.ErrorAs(t, err, &bad)
		if utf8 && old != "" {
			require.True(t, bad.Reason != Missing || how == none, "%v", places)
			require.True(t, bad.Reason != Several || bad.Count == len(places) || how == none, "%v %v", bad, places)
		}
		return
	}
	done := res.Done[0]
	require.Len(t, done.Places, 1)
	at := done.Places[0]
	if utf8 && old != "" && len(places) > 0 {
		require.Equal(t, how, done.Map)
		require.Equal(t, places, done.Places)
	}
	front, behind := text.raw[:text.bom+text.rawSize(text.body[:at.Start])], text.rawSize(text.body[at.End:])+text.rawSlack()
	require.True(t, bytes.HasPrefix(res.Content, front), "what is in front of the place has changed")
	require.True(t, bytes.HasSuffix(res.Content, text.raw[len(text.raw)-behind:]), "what is behind the place has changed")
	if done.Map != Exact || old == "" || text.order != nil || strings.ContainsAny(new, "\r\n") {
		return
	}
	require.Equal(t, body[:at.Start]+new+body[at.End:], string(res.Content[text.bom:]))
	back := New(res.Content, text.info)
	if new == "" || back.singleByte || strings.Contains(old, "\n") != strings.Contains(old, "\r") {
		return // no place, an encoding that may not hold Old, or endings that Old does not decide
	}
	res, err = back.Apply(context.Background(), []Edit{{Old: new, New: old, From: at.Start, To: at.Start + len(new)}}, 1<<20)
	require.NoError(t, err)
	require.Equal(t, content, string(res.Content), "the inverse edit gives the bytes back")
}

// rawSlack is the byte behind the last character of UTF-16.
func (t *Text) rawSlack() int {
	if t.order == nil {
		return 0
	}
	return (len(t.raw) - t.bom) % 2
}

func FuzzApply(f *testing.F) {
	for _, s := range []string{"a\nb\n", "a \r\nb", "\xff\xfea\x00b\x00c", "caf\xe9", "\xef\xbb\xbf“a”\n\tb", "a\rb", "\ta\n\t\tb\n"} {
		f.Add(s, "a", "x\ny")
		f.Add(s, "a\nb", "a\nc")
		f.Add(s, "\"a\"\n", "")
	}
	f.Fuzz(func(t *testing.T, content, old, new string) {
		if len(content)*len(old) < 1<<16 { // or the slow definition is all that runs
			check(t, content, old, new)
		}
	})
}

// TestAgainstSlow edits many small texts of few characters, in which there is much to be confused.
func TestAgainstSlow(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(most int, parts ...string) string {
		var b strings.Builder
		for range random.IntN(most) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		return b.String()
	}
	for range testkit.Some(60_000) {
		check(t, text(14, "a", "b", " ", "\t", "\n", "\r\n", "é", "“"), text(6, "a", "b", " ", "\n", "\r\n", "é", `"`), text(4, "x", "a", "\n", "\r\n", "ü"))
	}
}

// TestIndex compares the search with its definition, also on words that repeat themselves.
func TestIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range testkit.Some(20_000) {
		pattern := bytes.Repeat([]byte("ab"), random.IntN(40))
		pattern = append(pattern, "aab"[:random.IntN(4)]...)
		var text []byte
		for range random.IntN(5) {
			text = append(append(text, pattern...), "aabb"[random.IntN(4)])
		}
		var got, want []int
		index(text, pattern, func(at int) bool { got = append(got, at); return true })
		for i := range text {
			if len(pattern) > 0 && bytes.HasPrefix(text[i:], pattern) {
				want = append(want, i)
			}
		}
		require.Equal(t, want, got, "%q in %q", pattern, text)
	}
}

func TestStable(t *testing.T) {
	for r := rune(0x80); r < 0x10000; r++ {
		text := string(r)
		if r < 0xd800 && stable([]byte(text)) > 0 {
			require.True(t, norm.NFC.IsNormalString(text) && norm.NFC.PropertiesString(text).BoundaryBefore() && plain(r) == "", "%U", r)
		}
	}
}
