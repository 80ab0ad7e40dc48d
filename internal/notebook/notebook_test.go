package notebook

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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
