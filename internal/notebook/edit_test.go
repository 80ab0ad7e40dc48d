package notebook

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEdited replaces the b of a cell's source, in whatever form that is.
func TestEdited(t *testing.T) {
	for _, c := range []struct{ name, source, new, want string }{
		{"a string", `"ab"`, "x\ny", `"ax\ny"`},
		{"a list", `["a\n", "b\n", "c"]`, "x\ny", `["a\n", "x\n", "y\n", "c"]`},
		{"without spaces", `["a\n","b\n","c"]`, "x\ny", `["a\n","x\n","y\n","c"]`},
		{"one line", `["b"]`, "x\ny", `["x\n", "y"]`},
		{"one line, on its own", "[\n\t\"b\"\n]", "x\ny", "[\n\t\"x\\n\",\n\t\"y\"\n]"},
		{"all of a string", `"b"`, "", `""`},
		{"all of a list", `["b"]`, "", `[]`},
		{"escapes beside it", `"\u00e9\/b\u0041\ud83d\ude00"`, "é", `"\u00e9\/\u00e9\u0041\ud83d\ude00"`},
		{"upper case and half a pair", `"\u00E9\ud800b"`, "😀", `"\u00E9\ud800\ud83d\ude00"`},
		{"characters beside it", `"éb"`, "ü\u2028\x01", "\"éü\u2028\\u0001\""},
		{"a backslash in front of a u", `"\\u00e9b"`, "é", `"\\u00e9é"`},
		{"every escape", `"b"`, "\b\f\n\r\t\"\\/\x00", `"\b\f\n\r\t\"\\/\u0000"`},
		{"empty strings", `["", "a\n", "", "b", ""]`, "x", `["", "a\n", "", "x", ""]`},
		{"what is not a line", `["a", 1, ["b", null]]`, "x", `["ax"]`},
		{"lines that are not strings", `["a\n", {"k": "b"}]`, "", `["a\n", "k"]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := `{"cells": [{"source": ` + c.source + `, "outputs": []}]}`
			book, err := Parse(t.Context(), []byte(data))
			require.NoError(t, err)
			from := book.Cells[0].Start + strings.IndexByte(book.Text[book.Cells[0].Start:], 'b')
			got, err := book.Edited([]byte(data), []Change{{from, from + 1, c.new}})
			require.NoError(t, err)
			require.Equal(t, `{"cells": [{"source": `+c.want+`, "outputs": []}]}`, string(got))
		})
	}
}

// TestEditedStyle fills empty cells in the style of the others.
func TestEditedStyle(t *testing.T) {
	for _, c := range []struct{ other, empty, want string }{
		{"[\n  \"a\\n\",\n  \"b\"\n ]", `[]`, "[\n  \"x\\n\",\n  \"y\"\n ]"},
		{"[\n  \"a\"\n ]", `[]`, "[\n  \"x\\n\",\n  \"y\"\n ]"},
		{`["a\n","b"]`, `[""]`, `["x\n","y"]`},
		{`"a"`, `[]`, `["x\n", "y"]`},
		{`["a\n", "b"]`, `""`, `"x\ny"`},
		{`["a\n",  "b"]`, `["c"]`, "[\"x\\n\",  \"yc\"]"},
	} {
		data := `{"cells": [{"source": ` + c.empty + `}, {"source": ` + c.other + `}]}`
		book, err := Parse(t.Context(), []byte(data))
		require.NoError(t, err)
		at := book.Cells[0].Start
		got, err := book.Edited([]byte(data), []Change{{at, at, "x\ny"}})
		require.NoError(t, err)
		require.Equal(t, `{"cells": [{"source": `+c.want+`}, {"source": `+c.other+`}]}`, string(got))
	}
}

func TestSource(t *testing.T) {
	for _, c := range []struct{ cell, want string }{
		{`{"source": "a"}`, `"a"`},
		{`{"Source" :  ["a"] , "source2": "b"}`, `["a"]`},
		{`{"source": "b", "source": "a"}`, `"a"`},
		{`{"source": "a", "source": null}`, `"a"`},
		{`{"metadata": {"source": "b"}, "source": []}`, `[]`},
		{`{"metadata": {}}`, ""},
		{`{"source": 1}`, ""},
		{`null`, ""},
	} {
		data := []byte(`{"cells": [ {"source": "x"}, ` + c.cell + ` ]}`)
		book, err := Parse(t.Context(), data)
		require.NoError(t, err)
		from, to, ok := book.Source(data, 1)
		require.Equal(t, c.want != "", ok, c.cell)
		require.Equal(t, c.want, string(data[from:to]))
	}
}

func TestEditedRefused(t *testing.T) {
	data := []byte(`{"cells": [{"source": "a"}, {}]}`)
	book, err := Parse(t.Context(), data)
	require.NoError(t, err)
	for want, c := range map[string]Change{
		"no cell has byte 0":                  {0, 1, "x"},
		"cell 1: the text is not valid UTF-8": {book.Cells[0].Start, book.Cells[0].End, "\xff"},
		"cell 2: it has no editable source":   {book.Cells[1].Start, book.Cells[1].End, "x"},
	} {
		_, err := book.Edited(data, []Change{c})
		require.EqualError(t, err, want)
	}
}

func TestCheck(t *testing.T) {
	require.NoError(t, Check([]byte("{}\n")))
	require.EqualError(t, Check([]byte("{\n\"a\": x\n}")), "line 2: invalid character 'x' looking for beginning of value")
	require.EqualError(t, Check(nil), "line 1: unexpected end of JSON input")
	require.EqualError(t, Check([]byte("{}\n{}")), "line 2: invalid character '{' after top-level value")
}
