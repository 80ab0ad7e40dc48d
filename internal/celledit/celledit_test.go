package celledit_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/celledit"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/fileedit"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

// made replaces a text in a notebook of at most 1000 bytes.
func made(ctx context.Context, t *testing.T, content, old, by string) (*fileedit.Made, error) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.ipynb"), []byte(content), 0o644))
	ws, err := workspace.New(dir, workspace.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { ws.Close() })
	files := &change.Files{Workspace: ws, Seen: &seen.Store{}, Spill: spill.NewDirBelow(ws.AllowOwn(".clarvis")),
		SpillName: ".clarvis", MaxFileBytes: 1000, Journal: &change.Journal{}, Redact: mask.New(mask.Nothing{})}
	set, f, err := files.Open(t.Context(), "a.ipynb", workspace.AsFound)
	require.NoError(t, err)
	t.Cleanup(set.End)
	return fileedit.Call{Edits: []edit.Edit{{Old: old, New: by}}, Open: celledit.Open}.Make(ctx, f)
}

const small = `{"cells":[{"cell_type":"code","source":["a"]}]}`

func TestTooLarge(t *testing.T) {
	_, err := made(t.Context(), t, small, "a", strings.Repeat("x", 1000))
	require.ErrorContains(t, err, "a.ipynb would be over the limit of 1000B. Change less of it")
}

// The end of the context is not taken for a file that has changed, nor for a text that is not there.
func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, content := range []string{strings.Repeat("a\n", 300), small} {
		_, err := made(ctx, t, content, "none", "b")
		require.ErrorIs(t, err, context.Canceled)
	}
}

// A notebook that becomes JSON that read does not show as one keeps its secrets, too, and is shown as it is.
func TestNoNotebookAnyMore(t *testing.T) {
	done, err := made(t.Context(), t, small, `"cells"`, `"rows"`)
	require.NoError(t, err)
	require.Equal(t, `{"rows":[{"cell_type":"code","source":["a"]}]}`, string(done.Content))
}

// A notebook with more text than read shows of a file is edited as the JSON that read shows then.
func TestTooLong(t *testing.T) {
	many := `{"cells":[{"source":["a"]},` + strings.Repeat("{},", 80) + `{}]}`
	done, err := made(t.Context(), t, many, `"source":["a"]`, `"source":["b"]`)
	require.NoError(t, err)
	require.Equal(t, strings.Replace(many, "a", "b", 1), string(done.Content))
	_, err = made(t.Context(), t, many, "cell 7", "b")
	require.ErrorContains(t, err, "old_string is not in a.ipynb")
}
