package notebook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/notebook"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/tools"
)

// book is a notebook as Jupyter writes it.
const book = `{
 "cells": [
  {
   "cell_type": "markdown",
   "source": [
    "# Prices\n",
    "of “apples”\n",
    "and \"pears\""
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
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
    "print(n, \"apples\")\n",
    "x = 'a\\tb'"
   ]
  },
  {
   "cell_type": "code",
   "outputs": [],
   "source": []
  },
  {
   "cell_type": "code",
   "outputs": [],
   "source": "y = 1"
  }
 ],
 "nbformat": 4
}
`

// notRun returns a book whose second cell has not run.
func notRun(book string) string {
	from, to := strings.Index(book, `"execution_count": 1`), strings.Index(book, `"source": [
    "print`)
	if to < 0 {
		to = strings.Index(book, `"source": []`)
	}
	return book[:from] + "\"execution_count\": null,\n   \"outputs\": [],\n   " + book[to:]
}

// editBook edits a.ipynb. An empty new_string is given, too.
func editBook(t testing.TB, s *tools.Suite, p tools.EditParams) tools.Result {
	t.Helper()
	args := map[string]any{"path": "a.ipynb", "cell": p.Cell, "replace_all": p.ReplaceAll}
	if args["edits"] = p.Edits; len(p.Edits) == 0 {
		args["old_string"], args["new_string"] = p.OldString, p.NewString
	}
	return call(t, s, "edit", args)
}

// TestEditNotebook edits cells as read shows them (RooCodeInc/Roo-Code#4956).
func TestEditNotebook(t *testing.T) {
	t.Parallel()
	one := func(old, new string) tools.EditParams { return tools.EditParams{OldString: old, NewString: new} }
	in := func(cell int, old, new string) tools.EditParams {
		return tools.EditParams{OldString: old, NewString: new, Cell: cell}
	}
	for _, tt := range []struct {
		name     string
		edit     tools.EditParams
		old, new string // what the JSON has in place of what it had
		want     string
	}{
		{"a word", one("# Prices", "# Costs"), `"# Prices\n"`, `"# Costs\n"`, "Edited a.ipynb, cell 1: 1 line added, 1 removed.\n@@ "},
		{"quotes, backslashes and tabs", one("print(n, \"apples\")", "print(\"a\\tb\", '\t')\r"), `print(n, \"apples\")`, `print(\"a\\tb\", '\t')\r`, ", cell 2:"},
		{"the first line ending of a cell, as given", one("y = 1", "y = 1\r\nz"), `"y = 1"`, `"y = 1\r\nz"`, ", cell 4:"},
		{"what is shown", one("y = 1", "y = 1\n\"z\""), `"y = 1"`, `"y = 1\n\"z\""`,
			"Edited a.ipynb, cell 4: 1 line added.\n@@ -14,3 +14,4 @@\n \n --- cell 4, code ---\n y = 1\n+\"z\""},
		{"two lines that read shows", one("\"apples\")\nx = 'a\\tb'", "\"pears\")\nx = 'c'\nz = 2"), "apples\\\")\\n\",\n    \"x = 'a\\\\tb'\"", "pears\\\")\\n\",\n    \"x = 'c'\\n\",\n    \"z = 2\"", ", cell 2:"},
		{"the last line", one("x = 'a\\tb'\n", "x = 1\n"), `"x = 'a\\tb'"`, `"x = 1"`, ", cell 2:"},
		{"a line behind the last", one("x = 'a\\tb'\n", "x = 'a\\tb'\ny\n"), `"x = 'a\\tb'"`, "\"x = 'a\\\\tb'\\n\",\n    \"y\"", ", cell 2:"},
		{"the last line goes", one("\nx = 'a\\tb'", ""), "\\n\",\n    \"x = 'a\\\\tb'\"", `"`, ", cell 2:"},
		{"through a map", one(`of "apples"`, `of red "apples"`), "of “apples”", "of red “apples”", "Unicode punctuation"},
		{"a source that is one string", one("y = 1", "y = 1\n\"z\""), `"y = 1"`, `"y = 1\n\"z\""`, ", cell 4:"},
		{"an empty cell", in(3, "", "a\nb"), `[],
   "source": []`, "[],\n   \"source\": [\n    \"a\\n\",\n    \"b\"\n   ]", "Edited a.ipynb, cell 3:"},
		{"a cell that becomes empty", in(2, "print(n, \"apples\")\nx = 'a\\tb'", ""), "[\n    \"print(n, \\\"apples\\\")\\n\",\n    \"x = 'a\\\\tb'\"\n   ]", "[]", ", cell 2:"},
		{"what is in an output too", in(2, "apples", "pears"), `print(n, \"apples`, `print(n, \"pears`, ", cell 2:"},
		{"in all cells", tools.EditParams{OldString: "apples", NewString: "figs", ReplaceAll: true}, "", "",
			"Edited a.ipynb in 2 places, cells 1 and 2: 2 lines added, 2 removed. Outputs from before the edit were cleared.\n"},
		{"in all cells, and in the output of another", tools.EditParams{OldString: "3", NewString: "4", ReplaceAll: true}, "", "", "It was edited as JSON"},
		{"the JSON, as grep shows it", one(`    "# Prices\n",`, `    "# Costs\n",`), `"# Prices\n"`, `"# Costs\n"`, "It was edited as JSON, because no cell source holds old_string exactly."},
		{"what is in no cell", one(`"execution_count": 1`, `"execution_count": null`), `"execution_count": 1`, `"execution_count": null`, "It was edited as JSON"},
		{"what only an output has, as JSON", one("3 apples", "4 apples"), "3 apples", "4 apples", "It was edited as JSON"},
		{"JSON and a plain word", tools.EditParams{Edits: []tools.Replacement{{OldString: `"nbformat": 4`, NewString: `"nbformat": 5`}, {OldString: "# Prices", NewString: "# Costs"}}}, "", "", "Edited a.ipynb in 2 places: 2 lines"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSuite(t, config.Config{}, map[string]string{"a.ipynb": book})
			res := editBook(t, s, tt.edit)
			require.False(t, res.IsError, res.Text)
			require.Contains(t, res.Text, tt.want)
			after := contents(t, s.Workspace())["a.ipynb"]
			require.True(t, json.Valid([]byte(after)))
			if tt.old != "" {
				want := strings.Replace(book, tt.old, tt.new, 1)
				if strings.Contains(res.Text, ", cell 2:") {
					want = notRun(want)
				}
				require.Equal(t, want, after)
				require.Equal(t, strings.Contains(res.Text, ", cell 2:"), strings.Contains(res.Text, "Outputs from before the edit were cleared."))
			}
		})
	}
}

func TestEditNotebookRefused(t *testing.T) {
	t.Parallel()
	// The second cell is what the first looks like in JSON.
	twins := `{"cells": [{"cell_type": "code", "source": ["\"a\"\n", "b"]}, {"cell_type": "code", "source": ["a"]}]}`
	for _, tt := range []struct {
		name, file string
		edit       tools.EditParams
		want       string
	}{
		{"an output", book, tools.EditParams{OldString: "--- output of cell 2: stdout ---\n3 apples", NewString: "x"},
			"invalid_input: old_string is not within one cell source of a.ipynb, but at line 10 of what read shows. Headings, outputs and text across cells cannot be edited"},
		{"two cells", book, tools.EditParams{OldString: "\"pears\"\n\n--- cell 2", NewString: "x"}, "old_string is not within one cell source of a.ipynb, but at line 4"},
		{"another cell", book, tools.EditParams{OldString: "# Prices", NewString: "x", Cell: 2}, "not_found: old_string is not in cell 2 of a.ipynb, but in cell 1"},
		{"no such cell", book, tools.EditParams{OldString: "a", NewString: "x", Cell: 5}, "invalid_input: a.ipynb has 4 cells, and cell is 5. Give a number that read shows"},
		{"a cell that is not empty", book, tools.EditParams{NewString: "x", Cell: 1}, "invalid_input: old_string is empty, which only fills an empty cell, but cell 1 of a.ipynb has a source. Give the text to replace, or edit_mode=replace to replace all of it"},
		{"a cell of a text", "text\n", tools.EditParams{OldString: "text", NewString: "x", Cell: 1}, "invalid_input: a.ipynb cannot be read as a notebook: it has no cells. Leave cell out"},
		{"in two cells", `{"cells": [{"source": "a"}, {"source": "a"}]}`, tools.EditParams{OldString: "a", NewString: "x"}, "or set replace_all, or give cell"},
		{"JSON that does not parse", book, tools.EditParams{OldString: `"nbformat": 4`, NewString: `"nbformat": 4,`},
			"invalid_input: a.ipynb would no longer be valid JSON: line 40: invalid character '}'"},
		{"a cell, or the JSON of another", twins, tools.EditParams{OldString: `"a"`, NewString: "x"},
			"invalid_input: old_string is in cell 1 of a.ipynb, and elsewhere in its JSON, at line 1. Give more of the text around it, or cell=1"},
		{"a cell and the JSON", book, tools.EditParams{Edits: []tools.Replacement{{OldString: `"nbformat": 4`, NewString: `"nbformat": 5`}, {OldString: "# Prices", NewString: `"x"`}}},
			"invalid_input: old_string of edit 2 is in a cell of a.ipynb, and old_string of edit 1 only in its JSON. No edit was made. Make two calls"},
		{"nowhere", book, tools.EditParams{Edits: []tools.Replacement{{OldString: `"nbformat": 4`, NewString: `"nbformat": 5`}, {OldString: "of peaches", NewString: "x"}}},
			"not_found: old_string of edit 2 is not in a.ipynb, and neither is anything like it. No edit was made."},
		{"nothing changes", book, tools.EditParams{OldString: "y = 1", NewString: "y = 1"}, "a.ipynb would not change"},
		{"no source", `{"cells": [{"cell_type": "code"}]}`, tools.EditParams{NewString: "x", Cell: 1}, "invalid_input: a.ipynb cannot be edited like that: cell 1: it has no editable source. Nothing was changed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSuite(t, config.Config{}, map[string]string{"a.ipynb": tt.file})
			res := editBook(t, s, tt.edit)
			require.True(t, res.IsError, res.Text)
			require.Contains(t, res.Text, tt.want)
			require.Equal(t, tt.file, contents(t, s.Workspace())["a.ipynb"])
		})
	}
	s := newSuite(t, config.Config{}, map[string]string{"a.txt": "a\n"})
	res := call(t, s, "edit", tools.EditParams{Path: "a.txt", OldString: "a", NewString: "b", Cell: 1})
	require.Contains(t, res.Text, "invalid_input: cell is for notebooks (.ipynb in UTF-8), and a.txt is not one. Leave cell out")
	s = newSuite(t, config.Config{MaxFileBytes: 1024}, map[string]string{"a.ipynb": book})
	res = call(t, s, "edit", tools.EditParams{Path: "a.ipynb", OldString: "y = 1", NewString: strings.Repeat("\"", 400)})
	require.Contains(t, res.Text, "too_large: a.ipynb would be over the limit of 1KB")
}

// TestNotebookStaysJSON is about changes of the whole file.
func TestNotebookStaysJSON(t *testing.T) {
	t.Parallel()
	s := patchSuite(t, config.Config{}, map[string]string{"a.ipynb": book, "broken.ipynb": "{\n\"cells\": [\n", "b.json": "{"})
	write := func(path, content string) string {
		return call(t, s, "write", tools.WriteParams{Path: path, Content: content}).Text
	}
	patch := func(body string) string {
		return call(t, s, "apply_patch", map[string]any{"patch": "*** Begin Patch\n" + body + "*** End Patch"}).Text
	}
	const refused = "a.ipynb would no longer be valid JSON: "
	require.Contains(t, write("a.ipynb", "{\"cells\": [\n"), "invalid_input: "+refused+"line 2: unexpected end of JSON input; nothing was changed")
	require.Contains(t, patch("*** Update File: a.ipynb\n@@\n- \"nbformat\": 4\n+ nbformat: 4\n"), "invalid_input: line 2 of the patch: "+refused)
	require.Contains(t, patch("*** Update File: a.ipynb\n@@\n-# Prices\n+# Costs\n"), "A patch changes the JSON of a notebook; edit changes its cells")
	require.Equal(t, book, contents(t, s.Workspace())["a.ipynb"])
	require.Contains(t, write("new.ipynb", "x = 1\n"), "Created new.ipynb (1 line, 6B). It is not valid JSON, which a notebook must be: line 1: invalid character 'x'")
	require.Contains(t, patch("*** Add File: other.ipynb\n+x\n"), "Created other.ipynb (1 line). It is not valid JSON, which a notebook must be: line 1:")
	require.Contains(t, patch("*** Update File: b.json\n*** Move to: b.ipynb\n"), "Moved b.json to b.ipynb. It is not valid JSON")
	require.Contains(t, write("broken.ipynb", "{\n\"cells\": [}\n"), "It is not valid JSON, which a notebook must be: line 2:")
	require.NotContains(t, write("broken.ipynb", book), "JSON,")
	require.NotContains(t, patch("*** Update File: a.ipynb\n@@\n- \"nbformat\": 4\n+ \"nbformat\": 5\n"), "JSON,")
	require.Contains(t, patch("*** Delete File: a.ipynb\n"), "Deleted a.ipynb")
	res := call(t, s, "edit", tools.EditParams{Path: "new.ipynb", OldString: "x = 1", NewString: "{"})
	require.Contains(t, res.Text, "Edited new.ipynb", "one that was no JSON may be mended step by step")
}

// A file that has changed elsewhere is edited; one whose cell has changed is not.
func TestEditNotebookStale(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a.ipynb": book})
	rewrite := func(content string) {
		require.NoError(t, os.WriteFile(s.Workspace()+"/a.ipynb", []byte(content), 0o600))
	}
	call(t, s, "read", tools.ReadParams{Path: "a.ipynb"})
	for _, r := range [][2]string{{"y = 1", "y = 2"}, {"# Prices", "# Costs"}} {
		rewrite(strings.Replace(contents(t, s.Workspace())["a.ipynb"], r[0], r[1], 1))
		res := call(t, s, "edit", tools.EditParams{Path: "a.ipynb", OldString: "# Costs", NewString: "# Bills"})
		require.True(t, res.IsError)
		call(t, s, "read", tools.ReadParams{Path: "a.ipynb"})
	}
	rewrite(strings.Replace(contents(t, s.Workspace())["a.ipynb"], "y = 2", "y = 3", 1))
	res := call(t, s, "edit", tools.EditParams{Path: "a.ipynb", OldString: "# Costs", NewString: "# Bills"})
	require.Contains(t, res.Text, "Edited a.ipynb, cell 1: 1 line added, 1 removed. It has also changed elsewhere since it was last shown.")
}

// The secrets of a notebook are neither shown nor changed.
func TestEditNotebookSecrets(t *testing.T) {
	t.Parallel()
	data := `{"cells": [{"cell_type": "code", "source": ["token = \"` + tokenValue + `\"\n", "x = 1"]}]}`
	s := newSuite(t, config.Config{Redact: config.RedactSecrets}, map[string]string{"a.ipynb": data})
	res := editBook(t, s, tools.EditParams{OldString: "x = 1", NewString: "x = 2"})
	require.Contains(t, res.Text, "Edited a.ipynb, cell 1")
	require.Contains(t, res.Text, " token = ")
	require.NotContains(t, res.Text, tokenValue)
	require.Equal(t, strings.Replace(data, "x = 1", "x = 2", 1), contents(t, s.Workspace())["a.ipynb"])
	res = editBook(t, s, tools.EditParams{OldString: "token = \"" + tokenValue, NewString: "y = \""})
	require.True(t, res.IsError, res.Text)
	require.Contains(t, contents(t, s.Workspace())["a.ipynb"], tokenValue)

	// A secret that is one by its name stays masked, whether a cell is edited, filled, or the JSON.
	data = `{"cells": [{"cell_type": "code", "source": []}, {"cell_type": "code", "source": ["password = 'k7Qw2zXv9LpT4mRs'\n", "x = 1"]}]}`
	s = newSuite(t, config.Config{Redact: config.RedactSecrets}, map[string]string{"a.ipynb": data})
	for _, p := range []tools.EditParams{
		{OldString: "password = '", NewString: "note = '"},
		{OldString: `["password = '`, NewString: `["note = '`},
	} {
		res = editBook(t, s, p)
		require.True(t, res.IsError, res.Text)
		require.Contains(t, res.Text, "would no longer be redacted")
		require.Equal(t, data, contents(t, s.Workspace())["a.ipynb"])
	}
	res = editBook(t, s, tools.EditParams{Cell: 1, NewString: "y = 1"})
	require.False(t, res.IsError, res.Text)
	res = editBook(t, s, tools.EditParams{OldString: "x = 1", NewString: "x = 2"})
	require.False(t, res.IsError, res.Text)
	require.NotContains(t, res.Text, "k7Qw2zXv9LpT4mRs")
}

// The preview of an edit shows what the edit does.
func TestEditNotebookPreview(t *testing.T) {
	t.Parallel()
	var shown string
	cfg := config.Config{Guard: func(ctx context.Context, c config.Call) (err error) {
		shown, err = c.Preview(ctx)
		return err
	}}
	s := newSuite(t, cfg, map[string]string{"a.ipynb": book})
	call(t, s, "edit", tools.EditParams{Path: "a.ipynb", OldString: "y = 1", NewString: "y = \"1\""})
	require.Contains(t, shown, "+   \"source\": \"y = \\\"1\\\"\"\n")
}

var notASCII = regexp.MustCompile(`[^\x00-\x7f]`)

// jupyter writes a random notebook with these sources.
func jupyter(random *rand.Rand, sources []string) string {
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	compact, ascii, list := random.IntN(3) == 0, random.IntN(2) == 0, random.IntN(3) > 0
	indent := pick("\n ", "\n  ", "\n\t")
	if compact {
		indent = pick("", " ")
	}
	quote := func(s string) string {
		data, _ := json.Marshal(s)
		text := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(data))
		if !ascii {
			return text
		}
		return notASCII.ReplaceAllStringFunc(text, func(r string) string {
			var out string
			for _, u := range utf16.Encode([]rune(r)) {
				out += fmt.Sprintf(`\u%04x`, u)
			}
			return out
		})
	}
	var cells []string
	for i, source := range sources {
		value := quote(source)
		if list {
			var lines []string
			for line := range strings.Lines(source) {
				lines = append(lines, quote(line))
			}
			value = "[" + strings.Join(lines, ","+indent) + "]"
			if len(lines) > 0 && !compact {
				value = "[" + indent + strings.Join(lines, ","+indent) + indent + "]"
			}
		}
		cells = append(cells, pick(`{"cell_type": "code", "outputs": [{"text": ["out\n"]}], "source": `+value+`}`,
			`{"source":`+value+`,"id":"`+fmt.Sprint(i)+`", "cell_type":"markdown"}`))
	}
	return pick("", "\ufeff") + `{"nbformat":4, "cells":[` + indent + strings.Join(cells, ","+indent) + indent + "]}" + pick("", "\n")
}

// TestEditNotebookProperty edits random notebooks: the source of one cell becomes what edit makes of it as a text, and
// everything else stays, byte by byte.
func TestEditNotebookProperty(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(21, 22))
	parts := []string{"a", "b", "x = 1", `"`, `\`, `\n`, "\t", "\n", "\n", "é", "“", "😀", "<", " "}
	ending := "\n"
	some := func(most int) string {
		var b strings.Builder
		for range random.IntN(most) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		return strings.ReplaceAll(b.String(), "\n", ending)
	}
	type plain struct {
		Cells []map[string]any `json:"cells"`
	}
	sources := func(data string) (list []string, rest string) {
		var p plain
		require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(data, "\ufeff")), &p), "%s", data)
		for _, c := range p.Cells {
			text := ""
			switch v := c["source"].(type) {
			case string:
				text = v
			case []any:
				for _, line := range v {
					text += line.(string)
				}
			}
			list = append(list, text)
			delete(c, "source")
		}
		return list, fmt.Sprint(p)
	}
	s := newSuite(t, config.Config{}, nil)
	path := s.Workspace() + "/a.ipynb"
	edited := 0
	for range testkit.Some(800) {
		var before []string
		ending = []string{"\n", "\n", "\r\n"}[random.IntN(3)]
		for range 1 + random.IntN(3) {
			before = append(before, some(12))
		}
		data := jupyter(random, before)
		i := random.IntN(len(before))
		runes := []rune(before[i])
		if len(runes) == 0 {
			continue
		}
		from := random.IntN(len(runes))
		old, new := string(runes[from:from+1+random.IntN(len(runes)-from)]), some(5)
		if random.IntN(3) == 0 { // through a map
			old = strings.NewReplacer("“", `"`, "\r\n", "\n", "\n", " \n").Replace(old)
		}
		text := edit.New([]byte(before[i]), textfile.Info{Encoding: textfile.UTF8})
		want, err := text.Apply(t.Context(), []edit.Edit{{Old: old, New: new}}, 1<<20)
		if err != nil {
			continue
		}
		require.NoError(t, os.WriteFile(path, []byte(data), 0o600))
		call(t, s, "read", tools.ReadParams{Path: "a.ipynb", Again: true})
		res := editBook(t, s, tools.EditParams{OldString: old, NewString: new, Cell: i + 1})
		if strings.HasSuffix(old, "\n") && strings.HasPrefix(res.Text, "invalid_input: old_string is in a.ipynb") {
			continue // read shows a newline more
		}
		require.False(t, res.IsError, "%s\n%q -> %q in %s", res.Text, old, new, data)
		after := contents(t, s.Workspace())["a.ipynb"]
		bare, mark := strings.CutPrefix(data, "\ufeff")
		book, err := notebook.Parse(t.Context(), []byte(bare))
		require.NoError(t, err)
		start, end, ok := book.Source([]byte(bare), i)
		require.True(t, ok)
		ran := regexp.MustCompile(`\["out\\n"\]\}\], "source": $`)
		prefix := bare[:start]
		if old != new && ran.MatchString(prefix) {
			prefix = prefix[:strings.LastIndex(prefix, `[{"text"`)] + `[], "source": `
		}
		require.True(t, strings.HasPrefix(strings.TrimPrefix(after, "\ufeff"), prefix), "%s: %s", data, after)
		require.True(t, strings.HasSuffix(after, bare[end:]), "%s: %s", data, after)
		require.Equal(t, mark, strings.HasPrefix(after, "\ufeff"))
		if strings.Contains(bare, `\u`) && !notASCII.MatchString(bare) {
			require.False(t, notASCII.MatchString(strings.TrimPrefix(after, "\ufeff")), "%s: %s", data, after)
		}
		got, rest := sources(after)
		was, wasRest := sources(data)
		require.Equal(t, before, was)
		want2 := slices.Clone(before)
		want2[i] = string(want.Content)
		require.Equal(t, want2, got, "%q -> %q in %s: %s", old, new, data, after)
		if prefix != bare[:start] {
			_, wasRest = sources(prefix + bare[start:])
		}
		require.Equal(t, wasRest, rest)
		edited++
	}
	require.Greater(t, edited, testkit.Some(800)/3)
}
