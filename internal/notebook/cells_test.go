package notebook

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
)

// nbformat returns the schema of a version of the format, such as 4.5.
func nbformat(t testing.TB, version string) *jsonschema.Resolved {
	t.Helper()
	data, err := os.ReadFile("testdata/nbformat/nbformat.v" + version + ".schema.json")
	require.NoError(t, err)
	// The validator takes no definitions within others, and no draft 4, of which it knows all that is used here.
	var all map[string]any
	require.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(string(data), "#/definitions/misc/", "#/definitions/")), &all))
	definitions := all["definitions"].(map[string]any)
	maps.Copy(definitions, definitions["misc"].(map[string]any))
	delete(definitions, "misc")
	delete(all, "$schema")
	data, err = json.Marshal(all)
	require.NoError(t, err)
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal(data, &s))
	schema, err := s.Resolve(nil)
	require.NoError(t, err)
	return schema
}

// valid returns the error of a notebook that does not fit its schema.
func valid(schema *jsonschema.Resolved, data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	return schema.Validate(v)
}

// jupyter is a notebook as Jupyter writes it, in nbformat 4.4.
const jupyter = `{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "# Prices\n",
    "of apples"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "metadata": {
    "tags": [ "x" ]
   },
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "3 apples\n"
     ]
    }
   ],
   "source": [
    "print(n)"
   ]
  }
 ],
 "metadata": {"b": 1.0, "a": "\u00e9"},
 "nbformat": 4,
 "nbformat_minor": 4
}
`

// withIDs is the same notebook in nbformat 4.5.
var withIDs = strings.NewReplacer(`"nbformat_minor": 4`, `"nbformat_minor": 5`, "markdown\",\n", "markdown\",\n   \"id\": \"one\",\n",
	"1,\n   \"meta", "1,\n   \"id\": \"two\",\n   \"meta").Replace(jupyter)

func TestNbformatSchema(t *testing.T) {
	for version, data := range map[string]string{"4.4": jupyter, "4.5": withIDs} {
		schema := nbformat(t, version)
		require.NoError(t, valid(schema, []byte(data)))
		for old, bad := range map[string]string{`"outputs": [`: `"outpts": [`, `"metadata": {}`: `"metadata": []`,
			`"execution_count": 1`: `"execution_count": "1"`, `"markdown"`: `"heading"`, `"stream"`: `"steam"`} {
			require.Error(t, valid(schema, []byte(strings.Replace(data, old, bad, 1))), "the validator sees %s", bad)
		}
	}
	require.Error(t, valid(nbformat(t, "4.5"), []byte(strings.Replace(withIDs, `"one"`, `"o n e"`, 1))))
	require.Error(t, valid(nbformat(t, "4.4"), []byte(strings.Replace(jupyter, "markdown\",\n", "markdown\",\n   \"id\": \"one\",\n", 1))))
}

// TestInserted compares a new cell with how the notebook is written.
func TestInserted(t *testing.T) {
	book := func(data string) Notebook {
		book := parsed(t, []byte(data))
		return book
	}
	made := "{\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n   \"metadata\": {},\n   \"outputs\": [],\n   \"source\": [\n" +
		"    \"x = \\\"\\u00e9\\\"\\n\",\n    \"y\"\n   ]\n  }"
	const source = "x = \"é\"\ny"
	b := book(jupyter)
	first, _ := b.span([]byte(jupyter), 0)
	require.Equal(t, jupyter[:first]+made+",\n  "+jupyter[first:], string(b.Inserted([]byte(jupyter), 0, "code", source)))
	for i, c := range b.Cells {
		require.Equal(t, jupyter[:c.to]+",\n  "+made+jupyter[c.to:], string(b.Inserted([]byte(jupyter), i+1, "code", source)))
	}
	require.Contains(t, string(b.Inserted([]byte(jupyter), 1, "raw", "")), "{\n   \"cell_type\": \"raw\",\n   \"metadata\": {},\n   \"source\": []\n  }")

	for _, c := range []struct{ name, data, want string }{
		{"no cells", "{\n\t\"cells\": [],\n\t\"nbformat\": 4\n}",
			"{\n\t\"cells\": [\n\t\t{\n\t\t\t\"cell_type\": \"raw\",\n\t\t\t\"metadata\": {},\n\t\t\t\"source\": [\n\t\t\t\t\"a\\n\",\n\t\t\t\t\"b\"\n\t\t\t]\n\t\t}\n\t],\n\t\"nbformat\": 4\n}"},
		{"no cells, with CRLF", "{\r\n \"cells\": [\r\n ]\r\n}",
			"{\r\n \"cells\": [\r\n  {\r\n   \"cell_type\": \"raw\",\r\n   \"metadata\": {},\r\n   \"source\": [\r\n    \"a\\n\",\r\n    \"b\"\r\n   ]\r\n  }\r\n ]\r\n}"},
		{"minified", `{"cells":[],"nbformat":4}`, `{"cells":[{"cell_type":"raw","metadata":{},"source":["a\n","b"]}],"nbformat":4}`},
		{"a line a cell", "{\"cells\": [\n {\"source\": \"x\"}\n]}",
			"{\"cells\": [\n {\"cell_type\": \"raw\", \"metadata\": {}, \"source\": \"a\\nb\"},\n {\"source\": \"x\"}\n]}"},
		{"ids by use", `{"cells":[{"id":"x","source":[]}]}`, `{"cells":[{"cell_type":"raw","id":"ID","metadata":{},"source":["a\n","b"]},{"id":"x","source":[]}]}`},
		{"two lists", `{"cells":[{"source":"z"}],"cells":[]}`, `{"cells":[{"source":"z"}],"cells":[{"cell_type":"raw","metadata":{},"source":["a\n","b"]}]}`},
	} {
		b := book(c.data)
		got := string(b.Inserted([]byte(c.data), 0, "raw", "a\nb"))
		if after := book(got); strings.Contains(c.want, `"ID"`) {
			ids, _ := after.ids([]byte(got))
			delete(ids, "x")
			for id := range ids {
				got = strings.Replace(got, id, "ID", 1)
			}
		}
		require.Equal(t, c.want, got, c.name)
	}
}

func TestDeletedAndMoved(t *testing.T) {
	const data = "\n{\"cells\": [ {\"a\":1} , null,\n{\"c\": [3]}\t] }"
	b, err := Parse(t.Context(), []byte(data))
	require.NoError(t, err)
	require.Equal(t, "\n{\"cells\": [ null,\n{\"c\": [3]}\t] }", string(b.Deleted([]byte(data), 0)))
	require.Equal(t, "\n{\"cells\": [ {\"a\":1} , {\"c\": [3]}\t] }", string(b.Deleted([]byte(data), 1)))
	require.Equal(t, "\n{\"cells\": [ {\"a\":1} , null\t] }", string(b.Deleted([]byte(data), 2)))
	require.Equal(t, "\n{\"cells\": [ null , {\"c\": [3]},\n{\"a\":1}\t] }", string(b.Moved([]byte(data), 0, 2)))
	require.Equal(t, "\n{\"cells\": [ {\"c\": [3]} , {\"a\":1},\nnull\t] }", string(b.Moved([]byte(data), 2, 0)))
	one := []byte("{\"cells\": [\n{}\n]}")
	b, err = Parse(t.Context(), one)
	require.NoError(t, err)
	require.Equal(t, `{"cells": []}`, string(b.Deleted(one, 0)))
}

// TestEditedClears edits cells that have run.
func TestEditedClears(t *testing.T) {
	const data = `{"cells": [{"outputs": [ {"text": "a"} ], "execution_count":7, "source": "b", "outputs": [ ], "metadata": {"outputs": [1]}}]}`
	b := parsed(t, []byte(data))
	require.True(t, b.HasRun([]byte(data), 0))
	c := b.Cells[0]
	got, err := b.Edited([]byte(data), []Change{{c.Start, c.End, "x"}})
	require.NoError(t, err)
	require.Equal(t, `{"cells": [{"outputs": [], "execution_count":null, "source": "x", "outputs": [ ], "metadata": {"outputs": [1]}}]}`, string(got))
	got, err = b.Edited([]byte(data), []Change{{c.Start, c.End, "b"}})
	require.NoError(t, err)
	require.Equal(t, data, string(got), "nothing changed")
}

func TestView(t *testing.T) {
	v := View{Number: func(n int) int { return n + 10 }, NotRun: func(n int) bool { return n == 2 }}
	b, err := v.Parse(t.Context(), []byte(jupyter))
	require.NoError(t, err)
	require.Equal(t, "--- cell 11, markdown ---\n# Prices\nof apples\n\n--- cell 12, code ---\nprint(n)\n", b.Text)
}

func TestNewID(t *testing.T) {
	first := newID(nil, "x")
	require.Regexp(t, "^[0-9a-f]{8}$", first)
	require.NotEqual(t, first, newID(map[string]bool{first: true}, "x"))
}

// FuzzCells makes any sequence of changes: the notebook stays valid, all other cells stay byte by byte, and cells have
// the numbers that the calls gave them.
func FuzzCells(f *testing.F) {
	f.Add(uint8(0), "\x00\x00\x01\x01\x03\x12\x02\x00", "a\n\"é\\")
	f.Add(uint8(7), "\x01\x00\x01\x00\x01\x00\x00\x00\x02\x00", "😀\r\n")
	f.Add(uint8(2), "\x01\x00\x01\x00\x00\x00\x00\x01\x03\x10\x02\x01", "")
	schemas := []*jsonschema.Resolved{nbformat(f, "4.4"), nbformat(f, "4.5")}
	f.Fuzz(func(t *testing.T, form uint8, calls, source string) {
		source = strings.ToValidUTF8(source, "")
		data, schema := []byte(jupyter), schemas[form&1]
		if form&1 != 0 {
			data = []byte(withIDs)
		}
		switch form >> 1 % 4 {
		case 1:
			data = []byte(strings.ReplaceAll(string(data), "\n", "\r\n"))
		case 2:
			data = []byte(strings.ReplaceAll(string(data), "\n", "\n\t"))
		case 3:
			var v json.RawMessage = data
			data, _ = json.Marshal(v)
		}
		for calls = calls[:min(len(calls), 128)]; len(calls) > 1; calls = calls[2:] { // each costs more than the one before
			book, err := Parse(t.Context(), data)
			require.NoError(t, err)
			n, k := len(book.Cells), int(calls[1])
			var want []string // the JSON of each cell; "" for one that is new or edited
			for i := range n {
				want = append(want, string(book.Cell(data, i)))
			}
			at, to, text := k%max(n, 1), k>>4%max(n, 1), source
			switch op := calls[0] % 4; {
			case op == 0 || n == 0:
				at = k % (n + 1)
				kind := []string{"code", "markdown", "raw"}[k%3]
				data, want = book.Inserted(data, at, kind, source), slices.Insert(want, at, "")
			case op == 1:
				data, want = book.Deleted(data, at), slices.Delete(want, at, at+1)
			case op == 2:
				c := book.Cells[at]
				data, err = book.Edited(data, []Change{{c.Start, c.End, source}})
				require.NoError(t, err)
				if want[at] = ""; c.Added { // its last line has no line break, and still has none
					text = strings.TrimSuffix(text, "\n")
				}
			default:
				moved := want[at]
				data, want = book.Moved(data, at, to), slices.Insert(slices.Delete(want, at, at+1), to, moved)
			}
			require.NoError(t, valid(schema, data), "%s", data)
			after := parsed(t, data)
			require.Len(t, after.Cells, len(want))
			for i, w := range want {
				require.Contains(t, after.Text, fmt.Sprintf("--- cell %d, ", i+1))
				if w != "" {
					require.Equal(t, w, string(after.Cell(data, i)))
					continue
				}
				require.False(t, after.HasRun(data, i))
				got := after.source(data, after.Cells[i])
				require.NotNil(t, got)
				require.Equal(t, text, got.text)
			}
		}
	})
}
