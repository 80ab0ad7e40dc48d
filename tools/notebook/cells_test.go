package notebook_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
)

// TestEditCellsForms changes cells of files in several forms.
func TestEditCellsForms(t *testing.T) {
	t.Parallel()
	insert := tools.EditParams{Path: "a.ipynb", Cell: 1, EditMode: "insert", NewString: "b", CellType: "raw"}
	const one = `{"cells":[{"source":["a"]}],"nbformat":4}`
	const two = `{"cells":[{"source":["a"]},{"cell_type":"raw","metadata":{},"source":["b"]}],"nbformat":4}`
	for _, tt := range []struct{ name, file, want, after string }{
		{"minified", one, "Edited a.ipynb, cell 2 inserted: ", two},
		{"a byte order mark", "\ufeff" + one, ", cell 2 inserted: ", "\ufeff" + two},
		{"UTF-16", "\xff\xfe{\x00}\x00", "edit_mode is for notebooks (.ipynb in UTF-8), and a.ipynb is not one", ""},
		{"trailing garbage", one + "]", "a.ipynb cannot be read as a notebook: ", ""},
		{"a second value", one + "{}", "a.ipynb cannot be read as a notebook: ", ""},
		{"empty", "", "a.ipynb cannot be read as a notebook: ", ""},
		{"20MB", strings.Replace(one, `"nbformat"`, `"x":"`+strings.Repeat("x", 20<<20)+`","nbformat"`, 1), "too_large", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSuite(t, config.Config{}, map[string]string{"a.ipynb": tt.file})
			res := call(t, s, "edit", insert)
			require.Contains(t, res.Text, tt.want)
			require.Equal(t, tt.after == "", res.IsError)
			if tt.after == "" {
				tt.after = tt.file
			}
			require.True(t, tt.after == contents(t, s.Workspace())["a.ipynb"])
		})
	}
}

// TestEditCellsOutputs replaces text that is in outputs, too, of which those of edited cells go.
func TestEditCellsOutputs(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{}, map[string]string{"a.ipynb": `{"cells": [
		{"source": "fig", "outputs": [{"name": "stdout", "text": "fig"}]}, {"source": "x", "outputs": [{"name": "stdout", "text": "fig"}]}]}`})
	res := call(t, s, "edit", tools.EditParams{Path: "a.ipynb", OldString: "fig", NewString: "nut", ReplaceAll: true})
	require.Contains(t, res.Text, "cleared. old_string stays in 1 place outside of cell sources, such as outputs.")
}

// An insert is a change of the file for rules and previews, and what it makes is what the preview showed.
func TestEditCellsRules(t *testing.T) {
	t.Parallel()
	var shown string
	cfg := config.Config{Guard: func(ctx context.Context, c config.Call) (err error) {
		shown, err = c.Preview(ctx)
		return err
	}}
	insert := tools.EditParams{Path: "a.ipynb", EditMode: "insert", NewString: "new"}
	data := `{"cells": [], "nbformat": 4, "nbformat_minor": 5}`
	s := newSuite(t, cfg, map[string]string{"a.ipynb": data})
	require.False(t, call(t, s, "edit", insert).IsError)
	require.Contains(t, shown, "+"+contents(t, s.Workspace())["a.ipynb"], "with the same id")

	s = newSuite(t, config.Config{Rules: config.Rules{Deny: []string{"edit(*.ipynb)"}}}, map[string]string{"a.ipynb": data})
	require.True(t, call(t, s, "edit", insert).IsError)
	require.Equal(t, data, contents(t, s.Workspace())["a.ipynb"])
}

// A secret stays one, whatever cells come and go around it.
func TestEditCellsSecrets(t *testing.T) {
	t.Parallel()
	data := `{"cells": [{"cell_type": "code", "source": ["x = 1"]}, {"cell_type": "code", "source": ["token = \"` + tokenValue + `\"\n"]}]}`
	s := newSuite(t, config.Config{Redact: config.RedactSecrets}, map[string]string{"a.ipynb": data})
	for _, p := range []tools.EditParams{{Cell: 2, EditMode: "insert", NewString: "y"}, {Cell: 2, EditMode: "move", ToCell: 1}, {Cell: 2, EditMode: "delete"}} {
		p.Path = "a.ipynb"
		res := call(t, s, "edit", p)
		require.False(t, res.IsError, "%s: %s", p.EditMode, res.Text)
		require.NotContains(t, res.Text, tokenValue)
	}
	for _, p := range []tools.EditParams{{Cell: 1, EditMode: "replace", NewString: "y"}, {Cell: 1, EditMode: "delete"}} {
		p.Path = "a.ipynb"
		require.Contains(t, call(t, s, "edit", p).Text, "would no longer be redacted", "as for other edits")
	}
	require.Contains(t, contents(t, s.Workspace())["a.ipynb"], tokenValue)
}
