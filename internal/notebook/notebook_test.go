package notebook

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func parsed(t testing.TB, data []byte) Notebook {
	t.Helper()
	n, err := Parse(t.Context(), data)
	require.NoError(t, err)
	return n
}

func parse(t *testing.T, data string) (Notebook, error) {
	t.Helper()
	return Parse(t.Context(), []byte(data))
}

func TestParse(t *testing.T) {
	book, err := parse(t, `{"nbformat": 4, "metadata": {"a": [1, {}]}, "cells": [
		{"cell_type": "markdown", "source": ["# Title\n", "and text"]},
		{"cell_type": "code", "execution_count": 3, "source": "plot()\n", "outputs": [
			{"output_type": "stream", "name": "stdout", "text": ["10%\r100%\n", "\u001b[31mred\u001b[0m\n"]},
			{"output_type": "display_data", "data": {"image/png": "QUJD", "text/plain": "<Figure>"}},
			{"output_type": "execute_result", "data": {"text/html": "<b>4</b>", "text/plain": ["4"]}},
			{"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": ["a\n", "b"]},
			{"output_type": "error", "ename": "KeyError", "evalue": "'x'"}]},
		{"cell_type": "code", "execution_count": null, "source": 7, "outputs": 8}]}`)
	require.NoError(t, err)
	require.Equal(t, `--- cell 1, markdown ---
# Title
and text

--- cell 2, code [3] ---
plot()

--- output of cell 2: stdout ---
100%
red

--- output of cell 2: image/png ---

--- output of cell 2 ---
4

--- output of cell 2: ValueError ---
a
b

--- output of cell 2: KeyError ---
KeyError: 'x'

--- cell 3, code ---
`, book.Text)
	require.Equal(t, []Image{{Line: 12, Type: "image/png", Base64: "QUJD"}}, book.Images)
	require.Equal(t, "--- output of cell 2: image/png ---", strings.Split(book.Text, "\n")[book.Images[0].Line-1])
	book, err = parse(t, `{"cells": []}`)
	require.NoError(t, err)
	require.Equal(t, "(no cells)\n", book.Text)
}

func TestNotANotebook(t *testing.T) {
	for _, data := range []string{"", "[]", "1", "{}", `{"worksheets": []}`, `{"cells": {}}`, `{"cells": [`, `{"cells": [{}`, `{"cells": [{}]`, `{"cells": [7]}`, `{"a": }`,
		`{"cells": ` + strings.Repeat("[", 100_000)} {
		_, err := parse(t, data)
		require.Error(t, err, "%.40s", data)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := Parse(ctx, []byte(`{"cells": [{}]}`))
	require.ErrorIs(t, err, context.Canceled)
}

// What is shown of a notebook has bounds.
func TestBounds(t *testing.T) {
	book, err := parse(t, `{"cells": [`+strings.Repeat("{},", MaxCells-1)+`{}]}`)
	require.NoError(t, err)
	require.False(t, book.CellsLeft)
	book, err = parse(t, `{"cells": [`+strings.Repeat("{},", MaxCells)+`{}]}`)
	require.NoError(t, err)
	require.True(t, book.CellsLeft)
	require.Equal(t, MaxCells, strings.Count(book.Text, "--- cell "))
	long, _ := json.Marshal("first" + strings.Repeat("x", 10*MaxOutput) + "last")
	book, err = parse(t, `{"cells": [{"outputs": [{"name": "stdout", "text": `+string(long)+`}`+strings.Repeat(`, {"name": "x"}`, maxOutputs)+`]}]}`)
	require.NoError(t, err)
	require.Contains(t, book.Text, "first")
	require.Contains(t, book.Text, "last\n")
	require.Less(t, len(book.Text), MaxOutput+100*(maxOutputs+2))
	require.Equal(t, maxOutputs, strings.Count(book.Text, "--- output of cell 1"))
	require.Contains(t, book.Text, "--- cell 1 has more than 100 outputs: raw=true has all ---\n")
}

// Images are at their lines, whatever stands before them.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"cells": [{"cell_type": "a\nb", "source": "x", "outputs": [{"data": {"image/png": "QUJD"}}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		book, err := Parse(t.Context(), data)
		if err != nil {
			return
		}
		require.True(t, json.Valid(data) || book.CellsLeft)
		lines := strings.Split(book.Text, "\n")
		for _, img := range book.Images {
			require.Contains(t, lines[img.Line-1], ": "+img.Type+" ---")
		}
	})
}

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
			book := parsed(t, []byte(data))
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
		book := parsed(t, []byte(data))
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
		book := parsed(t, data)
		from, to, ok := book.Source(data, 1)
		require.Equal(t, c.want != "", ok, c.cell)
		require.Equal(t, c.want, string(data[from:to]))
	}
}

func TestEditedRefused(t *testing.T) {
	data := []byte(`{"cells": [{"source": "a"}, {}]}`)
	book := parsed(t, data)
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
