package notebook_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/spillway-go/spillway/tools/notebook"
)

const twoCells = "{\"cells\": [\n{\"cell_type\": \"code\", \"source\": [\"a = 1\\n\", \"b = 2\"]}\n], \"nbformat\": 4}\n"

func suite(t *testing.T, parts ...tools.Part) *tools.Suite {
	s, err := tools.New(config.Config{Workspace: t.TempDir()}, parts...)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	require.NoError(t, os.WriteFile(filepath.Join(s.Workspace(), "a.ipynb"), []byte(twoCells), 0o600))
	return s
}

// schemaOf returns the names of a tool's arguments, and its description.
func schemaOf(t *testing.T, s *tools.Suite, name string) (arguments map[string]json.RawMessage, description string) {
	for _, tool := range s.Tools() {
		if tool.Name() == name {
			var schema struct{ Properties map[string]json.RawMessage }
			require.NoError(t, json.Unmarshal(tool.Schema(), &schema))
			return schema.Properties, tool.Description()
		}
	}
	t.Fatal(name)
	return nil, ""
}

// Without the part a notebook is text like any other, and nothing that a model is told names cells.
func TestWithoutThePart(t *testing.T) {
	s := suite(t)
	for tool, left := range map[string][]string{"read": {"raw"}, "edit": {"cell", "edit_mode", "cell_type", "to_cell"}} {
		arguments, description := schemaOf(t, s, tool)
		require.NotContains(t, description, "notebook")
		with, described := schemaOf(t, suite(t, notebook.Part()), tool)
		require.Contains(t, described, "notebook")
		for _, name := range left {
			require.NotContains(t, arguments, name)
			require.Contains(t, with, name)
		}
	}
	for arguments, want := range map[string]string{
		`{"path": "a.ipynb", "cell_number": 1, "new_source": ""}`: "this suite edits a notebook as its JSON text",
		`{"path": "a.ipynb", "cell_index": 1, "new_source": ""}`:  "edit has no argument cell_index. Its arguments are path, old_string, ",
	} {
		res, err := s.Call(t.Context(), "edit", json.RawMessage(arguments))
		require.NoError(t, err)
		require.Contains(t, res.Text, want)
		require.NotContains(t, res.Text, "Use cell")
	}
	page, err := s.Read(t.Context(), tools.ReadParams{Path: "a.ipynb"})
	require.NoError(t, err)
	require.Equal(t, twoCells, page.Text)
	_, err = s.Edit(t.Context(), tools.EditParams{Path: "a.ipynb", Cell: 1, EditMode: "delete"})
	require.EqualError(t, err, "invalid_input: this suite edits a notebook as its JSON text, without cell, edit_mode, cell_type "+
		"and to_cell (they need the part tools/notebook). Nothing was changed. Leave them out")
	res, err := s.Edit(t.Context(), tools.EditParams{Path: "a.ipynb", OldString: "[\n{", NewString: "[{"})
	require.NoError(t, err)
	require.Contains(t, res.Text, "Edited a.ipynb: 1 line added, 2 removed.")
	made, err := s.Write(t.Context(), tools.WriteParams{Path: "a.ipynb", Content: "{"})
	require.NoError(t, err)
	require.NotContains(t, made.Text, "JSON")
}

// A notebook in another encoding is shown as text, and one that is broken with the reason.
func TestNotShownAsCells(t *testing.T) {
	s := suite(t, notebook.Part())
	for content, want := range map[string]string{
		"\xff\xfe{\x00}\x00": "{}",
		"{}":                 "[Shown as plain text, because it cannot be read as a notebook: it has no cells]",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(s.Workspace(), "b.ipynb"), []byte(content), 0o600))
		res, err := s.Read(t.Context(), tools.ReadParams{Path: "b.ipynb"})
		require.NoError(t, err)
		require.Contains(t, res.Text, want)
	}
}

// What stands out in a notebook is looked for in its cells.
func TestDigest(t *testing.T) {
	s := suite(t, notebook.Part())
	res, err := s.Read(t.Context(), tools.ReadParams{Path: "a.ipynb", Show: "digest"})
	require.NoError(t, err)
	require.Equal(t, "--- cell 1, code ---\na = 1\nb = 2\n", res.Page)
}
