package filepatch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/changereport"
	"github.com/spillway-go/spillway/internal/filepatch"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

// Patches that are refused, and why.
func TestRefused(t *testing.T) {
	for _, tt := range []struct{ patch, want string }{
		{"*** Add File: new\n+key = [redacted: GitHub token]", "line 2 of the patch: the patch holds [redacted: GitHub token], " +
			"which stands for a secret in what you were shown and is not in the file. Nothing was changed. Leave the secret as " +
			"it is and change only what is around it, or ask the user to make this change. Nothing was changed"},
		{"*** Update File: a\n@@\n-a\n+b\n*** Update File: b\n*** Move to: a\n@@\n-b\n+c",
			"line 6 of the patch: a is also in line 2 of the patch. Give each file one section. Nothing was changed"},
		{"*** Update File: a\n@@\n-a\n+" + strings.Repeat("x", 1000),
			"line 2 of the patch: a would be over the limit of 1000B. Nothing was changed"},
	} {
		p := newPatch(t, map[string]string{"a": "a\n", "b": "b\n"})
		require.EqualError(t, applied(t, p, tt.patch), tt.want)
	}
}

// newPatch returns a patch for files of a workspace, of at most 1000 bytes each.
func newPatch(t *testing.T, files map[string]string) *filepatch.Patch {
	dir := t.TempDir()
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	ws, err := workspace.New(dir, workspace.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { ws.Close() })
	return &filepatch.Patch{Files: &change.Files{
		Workspace: ws, Seen: new(seen.Store), Spill: spill.NewDirBelow(ws.AllowOwn(".clarvis")), SpillName: ".clarvis",
		MaxFileBytes: 1000, Redact: mask.New(mask.Nothing{}), Journal: new(change.Journal),
	}}
}

// applied returns the error of a patch.
func applied(t *testing.T, p *filepatch.Patch, text string) error {
	if err := p.Read(t.Context(), "*** Begin Patch\n"+text+"\n*** End Patch"); err != nil {
		return err
	}
	set, err := p.Files.Begin(t.Context())
	require.NoError(t, err)
	defer set.End()
	_, err = p.Apply(t.Context(), set)
	return err
}

// The lines nearest to those of a hunk are cut where they are long, which is said, and a file that edit changes in
// another form is better edited.
func TestMissing(t *testing.T) {
	long := strings.Repeat("x", 600)
	p := newPatch(t, map[string]string{"a.ipynb": "b\n" + long + "\n"})
	p.Edit = true
	p.Files.Form = func(name string) *change.Form {
		return &change.Form{InPatch: "the JSON of a notebook; edit changes its cells"}
	}
	var refusal *changereport.Refusal
	require.ErrorAs(t, applied(t, p, "*** Update File: a.ipynb\n@@\n-b\n-"+long+"y\n"), &refusal)
	require.True(t, refusal.Cut)
	require.EqualError(t, refusal, "line 3 of the patch: the old text is not in a.ipynb. Nothing was changed. "+
		"The nearest lines follow; line 2 is the first to differ. Copy it from them. A patch changes the JSON of a notebook; "+
		"edit changes its cells")
}
