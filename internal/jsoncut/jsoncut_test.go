package jsoncut

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// scan writes a text in pieces of that many bytes.
func scan(text string, piece int) (*Document, bool) {
	var s Scanner
	for len(text) > piece {
		s.Write([]byte(text[:piece]))
		text = text[piece:]
	}
	s.Write([]byte(text))
	return s.Document()
}

func cut(t testing.TB, text string, size int) Cut {
	d, ok := scan(text, math.MaxInt)
	require.True(t, ok, "%.80s", text)
	return d.Cut(Room{Lines: math.MaxInt, Bytes: size})
}

// list returns a document with so many elements, of which each makes one.
func list(n int, element func(i int) string) string {
	var b strings.Builder
	b.WriteString(`{"kind": "List", "items": [`)
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(element(i))
	}
	b.WriteString(`], "total": 1e3}`)
	return b.String()
}

func TestCut(t *testing.T) {
	ordinary := func(i int) string { return fmt.Sprintf(`{"name": "pod-%d", "status": "Running", "restarts": 0}`, i) }
	text := list(480, func(i int) string {
		if i == 333 {
			return `{"name": "pod-333", "status": "Pending", "restarts": 0}`
		}
		return ordinary(i)
	})
	want := `{
 "kind": "List",
 "items": [
  {"name": "pod-0", "status": "Running", "restarts": 0},
  {"name": "pod-1", "status": "Running", "restarts": 0},
  "[331 left out: $.items[2..332]]",
  {"name": "pod-333", "status": "Pending", "restarts": 0},
  "[145 left out: $.items[334..478]]",
  {"name": "pod-479", "status": "Running", "restarts": 0}
 ],
 "total": 1e3
}`
	c := cut(t, text, 4<<10)
	require.Equal(t, want, c.Text)
	require.Equal(t, "$.items[2..332]", c.Left)
	flat := Room{Lines: 1, Bytes: 4 << 10}
	d, _ := scan(text, math.MaxInt)
	require.NotContains(t, d.Cut(flat).Text, "\n")
	require.Contains(t, d.Cut(flat).Text, "Pending")
}

// A part on a long line is named with its column, from which the rest of the line can be read; a part on lines of its
// own is not.
func TestColumn(t *testing.T) {
	element := func(i int) string { return fmt.Sprintf(`{"id": %d, "städt": "ü界"}`, i) }
	text := "{\n" + list(480, element)[1:]
	for _, piece := range []int{1, 2, 3, 7, math.MaxInt} {
		d, _ := scan(text, piece)
		c := d.Cut(Room{Lines: math.MaxInt, Bytes: 1 << 10})
		require.Equal(t, "$.items[2..478]", c.Left)
		require.Equal(t, 2, c.Line)
		line := []rune(strings.Split(text, "\n")[c.Line-1])
		require.True(t, strings.HasPrefix(strings.TrimLeft(string(line[c.Column-1:]), "}, "), element(2)), "%d", c.Column)
	}
	for _, short := range []string{strings.ReplaceAll(text, "}, ", "},\n"), list(480, element)} {
		require.Zero(t, cut(t, short, 1<<10).Column)
	}
	short := list(480, func(i int) string { return strings.Repeat("\n", i%3) + "1" })
	require.Zero(t, cut(t, short, 100).Column)
}

// What stands out is shown wherever it is, however it says so.
func TestStandsOut(t *testing.T) {
	for name, tt := range map[string]struct{ ordinary, other string }{
		"another value":      {`{"n": %d, "phase": "Running"}`, `{"n": %d, "phase": "Odd"}`},
		"null":               {`{"n": %d, "address": "10.0.0.1"}`, `{"n": %d, "address": null}`},
		"another key":        {`{"n": %d, "a": 1}`, `{"n": %d, "a": 1, "reasoning": "x"}`},
		"a key less":         {`{"n": %d, "a": 1, "b": 2}`, `{"n": %d, "a": 1}`},
		"another kind":       {`{"n": %d, "a": [1]}`, `{"n": %d, "a": "none"}`},
		"an error":           {`{"n": %d, "error": null}`, `{"n": %d, "error": {"text": "boom"}}`},
		"errors":             {`{"n": %d, "errors": []}`, `{"n": %d, "errors": ["boom"]}`},
		"no success":         {`{"n": %d, "ok": true}`, `{"n": %d, "ok": false}`},
		"a code":             {`{"n": %d, "exitCode": 0}`, `{"n": %d, "exitCode": 3}`},
		"a status":           {`{"n": %d, "status": 200}`, `{"n": %d, "status": 503}`},
		"deep":               {`{"n": %d, "a": [{"b": {"c": "up"}}]}`, `{"n": %d, "a": [{"b": {"c": "sleeping"}}]}`},
		"a message":          {`{"n": %d, "log": "all well"}`, `{"n": %d, "log": "Error: cannot open the ledger"}`},
		"among many values":  {`{"n": %d, "took": 1.5}`, `{"n": %d, "took": 1.5, "result": "timed_out"}`},
		"a failure by words": {`{"n": %d, "x": "Success"}`, `{"n": %d, "x": "CrashLoopBackOff"}`},
	} {
		t.Run(name, func(t *testing.T) {
			for _, at := range []int{3, 40, 700, 997} {
				text := list(1000, func(i int) string {
					if i == at {
						return fmt.Sprintf(tt.other, i)
					}
					return fmt.Sprintf(tt.ordinary, i)
				})
				c := cut(t, text, 2<<10)
				require.Contains(t, c.Text, fmt.Sprintf(`"n": %d`, at), c.Text)
				require.True(t, json.Valid([]byte(c.Text)))
				require.Less(t, strings.Count(c.Text, `"n": `), 8, "the others are left out")
			}
		})
	}
}

// A map from names is cut as an array is.
func TestMap(t *testing.T) {
	var b strings.Builder
	b.WriteString("{")
	for i := range 500 {
		if i > 0 {
			b.WriteString(",")
		}
		missing := ""
		if i == 444 {
			missing = `, "missing": true`
		}
		fmt.Fprintf(&b, `"package-%d": {"version": "1.%d", "resolved": "https://r.example/%d"%s}`, i, i, i, missing)
	}
	b.WriteString("}")
	c := cut(t, b.String(), 4<<10)
	require.Contains(t, c.Text, `"package-444"`)
	require.Contains(t, c.Text, "keys left out]")
}

// Strings keep both ends, escapes and characters stay whole, numbers and names stay as they are written.
func TestScalars(t *testing.T) {
	long := "begin " + strings.Repeat(`😀\ud83d\ude00\n\\é`, 5000) + " end"
	c := cut(t, `{"z": 1.50, "a": -0.0E+07, "long": "`+long+`", "u": "\u00e9"}`, 1<<10)
	var got struct{ Long string }
	require.NoError(t, json.Unmarshal([]byte(c.Text), &got))
	require.True(t, strings.HasPrefix(got.Long, "begin 😀"))
	require.True(t, strings.HasSuffix(got.Long, " end"))
	require.Contains(t, got.Long, "bytes left out]")
	require.NotContains(t, got.Long, "\uFFFD", "no half of a pair")
	require.True(t, strings.HasPrefix(c.Text, "{\n \"z\": 1.50,\n \"a\": -0.0E+07,\n"), c.Text)
	require.Contains(t, c.Text, `"u": "\u00e9"`)
	c = cut(t, `[`+strings.Repeat("7", 5000)+`]`, 100)
	require.Equal(t, `["[number of 5,000 digits left out]"]`, c.Text)
}

func TestNotADocument(t *testing.T) {
	for _, text := range []string{
		"", "x", `"text"`, "12", "[1] x", "{}{}", "{\"a\":1}\n{\"a\":2}\n", "[1,]", `{"a":}`, `{a:1}`, "[01]", "[1.]",
		"[1e]", "[-]",
		`["\x"]`, `["\u12g4"]`, "[\"a\nb\"]", "[tru]", "[nul", "[1 2]", "{1:2}", "[}", "{]", "[[]", strings.Repeat("[", 1e6),
		strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1),
	} {
		_, ok := scan(text, math.MaxInt)
		require.False(t, ok, "%.40s", text)
	}
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	c := cut(t, deep, 1<<10)
	require.True(t, json.Valid([]byte(c.Text)))
	require.LessOrEqual(t, len(c.Text), 1<<10)
}

// The line that is named is where the part begins: in the text, or in what Indent makes of it.
func TestLine(t *testing.T) {
	text := list(300, func(i int) string { return fmt.Sprintf(`{"id": %d, "tags": ["a", "b"], "of": {}}`, i) })
	var pretty bytes.Buffer
	require.NoError(t, Indent(&pretty, strings.NewReader(text)))
	require.True(t, json.Valid(pretty.Bytes()))
	var a, b bytes.Buffer
	require.NoError(t, json.Compact(&a, []byte(text)))
	require.NoError(t, json.Compact(&b, pretty.Bytes()))
	require.Equal(t, a.String(), b.String())

	line := func(text string, n int) string { return strings.Join(strings.Split(text, "\n")[n-1:n+2], "\n") }
	d, _ := scan(text, 7)
	c := d.Cut(Room{math.MaxInt, 2 << 10})
	require.True(t, d.OneLine)
	require.Equal(t, "$.items[2..298]", c.Left)
	require.Contains(t, line(pretty.String(), c.Line), `"id": 2,`)
	d, _ = scan(pretty.String(), 7)
	require.False(t, d.OneLine)
	c = d.Cut(Room{math.MaxInt, 2 << 10})
	require.Contains(t, line(pretty.String(), c.Line), `"id": 2,`)
}

// Deep nesting does not make a file of the square of its size, and one that grows too much is given up.
func TestIndentIsBounded(t *testing.T) {
	var out bytes.Buffer
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	require.NoError(t, Indent(&out, strings.NewReader(deep)))
	require.Less(t, out.Len(), 2<<20)
	many := strings.Repeat("[", 100) + strings.Repeat("0,", 1e6) + "0" + strings.Repeat("]", 100)
	require.ErrorIs(t, Indent(&out, strings.NewReader(many)), errLarge)
}

// What is held of a document does not grow with it.
func TestMemory(t *testing.T) {
	for name, element := range map[string]func(i int) string{
		"strings": func(i int) string { return fmt.Sprintf(`"%d%s"`, i, strings.Repeat("x", 30)) },
		"objects": func(i int) string { return fmt.Sprintf(`{"a%d": {"b%d": [%d, "%d"]}, "error": "%d"}`, i, i, i, i, i) },
		"deep":    func(i int) string { return strings.Repeat(`{"a":[`, 40) + fmt.Sprint(i) + strings.Repeat("]}", 40) },
		"arrays":  func(i int) string { return "[" + strings.Repeat(fmt.Sprintf(`{"a":%d},`, i), 50) + "{}]" },
		"wide": func(i int) string {
			return strings.Repeat("["+strings.Repeat(`["`+strings.Repeat("x", 99)+`"],`, 40)+"[]],", 20) + "0"
		},
	} {
		t.Run(name, func(t *testing.T) {
			var s Scanner
			s.Write([]byte("["))
			for i := 0; s.values < maxValues-3000; i++ {
				if i > 0 {
					s.Write([]byte(","))
				}
				s.Write([]byte(element(i)))
				require.LessOrEqual(t, s.size, keptBytes+64<<10)
			}
			require.Equal(t, s.root.bytes(), s.size, "what is counted is what is held")
			s.Write([]byte("]"))
			d, ok := s.Document()
			require.True(t, ok)
			require.True(t, json.Valid([]byte(d.Cut(Room{math.MaxInt, 4 << 10}).Text)))
			require.LessOrEqual(t, s.paths.count, maxPaths)
		})
	}
}

func FuzzCut(f *testing.F) {
	f.Add(`{"a": [1, 2, {"b": null, "c": "\u00e9\\"}], "error": "x"}`, uint8(3), uint16(40), uint8(4))
	f.Add(`[[[[]]], -0.5e+10, true, false, "`+strings.Repeat("é", 900)+`"]`, uint8(1), uint16(300), uint8(1))
	oks := list(60, func(i int) string { return fmt.Sprintf(`{"name": %d, "ok": %v}`, i, i != 7) })
	f.Add(oks, uint8(50), uint16(900), uint8(200))
	f.Add(strings.Repeat("[", 70)+"1"+strings.Repeat("]", 70), uint8(9), uint16(64), uint8(90))
	f.Fuzz(func(t *testing.T, text string, piece uint8, size uint16, lines uint8) {
		if !utf8.ValidString(text) {
			t.Skip() // package truncation makes it valid
		}
		d, ok := scan(text, math.MaxInt)
		start := strings.TrimLeft(text, " \t\r\n")
		is := json.Valid([]byte(text)) && start != "" && (start[0] == '{' || start[0] == '[')
		require.Equal(t, is, ok)
		pieces, okPieces := scan(text, int(piece)+1)
		require.Equal(t, ok, okPieces)
		if !ok {
			return
		}
		room := Room{Lines: int(lines) + 1, Bytes: int(size)}
		c := d.Cut(room)
		require.Equal(t, c, pieces.Cut(room))
		require.LessOrEqual(t, len(c.Text), room.Bytes)
		require.Less(t, strings.Count(c.Text, "\n"), room.Lines)
		require.True(t, utf8.ValidString(c.Text))
		require.True(t, c.Text == "" && size < 2 || json.Valid([]byte(c.Text)), "%q", c.Text)
		var pretty, a, b bytes.Buffer
		require.NoError(t, Indent(&pretty, strings.NewReader(text)))
		require.NoError(t, json.Compact(&a, []byte(text)))
		require.NoError(t, json.Compact(&b, pretty.Bytes()))
		require.Equal(t, a.String(), b.String())
	})
}

// What is kept of a document with many values stays within its bound, and what stands out is kept.
func TestKeptIsBounded(t *testing.T) {
	array := func(element string) string { return "[" + strings.Repeat(element+",", 57) + element + "]" }
	object := func(element string) string {
		var b strings.Builder
		for i := range 58 {
			fmt.Fprintf(&b, `,"key%d":%s`, i, element)
		}
		return "{" + b.String()[1:] + "}"
	}
	for _, wrap := range []func(string) string{array, object} {
		inner := wrap(wrap("0"))
		text := wrap(inner)
		at := strings.LastIndex(text, inner)
		text = text[:at] + `{"error":"no room"}` + text[at+len(inner):]
		var s Scanner
		for rest := text; rest != ""; rest = rest[min(len(rest), 1000):] {
			s.Write([]byte(rest[:min(len(rest), 1000)]))
			require.LessOrEqual(t, s.size, keptBytes)
		}
		doc, ok := s.Document()
		require.True(t, ok)
		require.Less(t, s.keep(), keptKids, "it was tightened")
		cut := doc.Cut(Room{Lines: 100, Bytes: 3000})
		require.True(t, json.Valid([]byte(cut.Text)), cut.Text)
		require.Contains(t, cut.Text, "no room")
	}
}
