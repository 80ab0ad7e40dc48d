package fileedit_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/fileedit"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/spill"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

// newFiles returns the files of a workspace with one of that name.
func newFiles(t *testing.T, name, content string) *change.Files {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	ws, err := workspace.New(dir, workspace.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { ws.Close() })
	return &change.Files{Workspace: ws, Seen: new(seen.Store), Spill: spill.NewDirBelow(ws.AllowOwn(".clarvis")),
		SpillName: ".clarvis", MaxFileBytes: 1000, Journal: new(change.Journal)}
}

// made makes the edits of a call in the file.
func made(ctx context.Context, t *testing.T, files *change.Files, name string, call fileedit.Call) (*fileedit.Made, error) {
	set, f, err := files.Open(t.Context(), name, workspace.AsFound)
	require.NoError(t, err)
	t.Cleanup(set.End)
	return call.Make(ctx, f)
}

// Edits that are refused, and why.
func TestRefused(t *testing.T) {
	big := strings.Repeat("x", 1000)
	one := func(old, new string) []edit.Edit { return []edit.Edit{{Old: old, New: new}} }
	for _, tt := range []struct {
		name, content string
		edits         []edit.Edit
		want          string
	}{
		{"a", "f(a)  \nf(b)\nf(a) \n", one("f(a)\n", "g"), "old_string is in a 2 times, but for white space at line ends, at lines 1 and 3. "},
		{"a", "a\n", one("a", big), "a would be over the limit of 1000B. Change less of it"},
	} {
		_, err := made(t.Context(), t, newFiles(t, tt.name, tt.content), tt.name, fileedit.Call{Edits: tt.edits})
		require.ErrorContains(t, err, tt.want)
	}
}

// The end of the context is not taken for a file that has changed, nor for a text that is not there.
func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	files := newFiles(t, "a", strings.Repeat("a\n", 300))
	_, err := made(ctx, t, files, "a", fileedit.Call{Edits: []edit.Edit{{Old: "none", New: "b"}}})
	require.ErrorIs(t, err, context.Canceled)
}

// An edit is of text that was shown if it is found there as it is now: in as many places, and by the same map.
func TestStale(t *testing.T) {
	for _, tt := range []struct {
		shown, now string
		stale      bool
	}{
		{"x\na\n", "y\na\n", false},
		{"x\na\n", "a\na\n", true},
		{"x\na  \n", "y\na\n", true},
		{"x\n", "y\na\n", true},
	} {
		files := newFiles(t, "a", tt.shown)
		set, f, err := files.Open(t.Context(), "a", workspace.AsFound)
		require.NoError(t, err)
		_, err = set.Commit(t.Context(), change.Change{File: f, Content: f.Content})
		require.NoError(t, err)
		set.End()
		require.NoError(t, os.WriteFile(filepath.Join(files.Workspace.Dir(), "a"), []byte(tt.now), 0o644))
		_, err = made(t.Context(), t, files, "a", fileedit.Call{Edits: []edit.Edit{{Old: "a\n", New: "b\n", All: true}}})
		var stale *change.StaleError
		if tt.stale {
			require.ErrorAs(t, err, &stale, tt)
		} else {
			require.NoError(t, err, tt)
		}
	}
}

// Four edits that need the same map are counted, not named.
func TestManyEditsDiffer(t *testing.T) {
	files := newFiles(t, "a", "a  \nb  \nc  \nd  \n")
	call := fileedit.Call{}
	for _, text := range []string{"a", "b", "c", "d"} {
		call.Edits = append(call.Edits, edit.Edit{Old: text + "\n", New: text + text + "\n"})
	}
	done, err := made(t.Context(), t, files, "a", call)
	require.NoError(t, err)
	headline, _ := done.Report(t.Context(), change.Done{})
	require.Equal(t, "Edited a in 4 places: no line changed. old_string of 4 edits differed from the file in white space at "+
		"line ends.", headline)
}
