package filepatch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/filepatch"
	"github.com/spillway-go/spillway/internal/redact"
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
			"line 6 of the patch: a is also in line 2 of the patch. Say in one section what becomes of a file. Nothing was changed"},
		{"*** Update File: a\n@@\n-a\n+" + strings.Repeat("x", 1000),
			"line 2 of the patch: a would be over the limit of 1000B. Nothing was changed"},
	} {
		dir := t.TempDir()
		for _, name := range []string{"a", "b"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(name+"\n"), 0o644))
		}
		ws, err := workspace.New(dir, workspace.Options{})
		require.NoError(t, err)
		defer ws.Close()
		p := filepatch.Patch{Files: &change.Files{
			Workspace: ws, Seen: new(seen.Store), Spill: spill.NewDirBelow(ws.AllowOwn(".clarvis")), SpillName: ".clarvis",
			MaxFileBytes: 1000, Redact: redact.New(redact.Options{Kinds: true}),
		}}
		if err = p.Read(t.Context(), "*** Begin Patch\n"+tt.patch+"\n*** End Patch"); err == nil {
			set, begun := p.Files.Begin(t.Context())
			require.NoError(t, begun)
			_, err = p.Apply(t.Context(), set)
			set.End()
		}
		require.EqualError(t, err, tt.want)
	}
}
