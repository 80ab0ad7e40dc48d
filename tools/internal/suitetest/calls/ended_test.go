package calls_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// TestAnAbortedSearchFindsNothingOut: whether there are matches is not known then.
func TestAnAbortedSearchFindsNothingOut(t *testing.T) {
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("d%d/f", i)] = "text\n"
	}
	s := newSuite(t, config.Config{}, files)
	for tool, args := range map[string]string{"grep": `{"pattern":"nowhere\\n","glob":"nothing"}`, "find": `{"pattern":"d0/nowhere"}`} {
		res, err := s.Call(testkit.EndsAfter(t.Context(), 2), tool, json.RawMessage(args))
		require.ErrorIs(t, err, context.Canceled, tool)
		require.True(t, strings.HasPrefix(res.Text, "aborted: "), "%s: %q", tool, res.Text)
		require.NotContains(t, res.Text, "found", tool)
	}
}

// TestAPathThatIsCutSaysSo: else it would be taken for the path.
func TestAPathThatIsCutSaysSo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	path := strings.Repeat(strings.Repeat("é", 100)+"/", 7)
	require.NoError(t, root.MkdirAll(path, 0o755))
	path += "file"
	require.NoError(t, root.WriteFile(path, []byte("text\n"), 0o644))
	s := newSuite(t, config.Config{Workspace: dir, MaxBytes: 1024}, nil)
	for _, test := range []struct {
		tool string
		args map[string]any
	}{
		{"grep", map[string]any{"pattern": "text"}},
		{"grep", map[string]any{"pattern": "text", "context": 1}},
		{"grep", map[string]any{"pattern": "text", "output_mode": "files_with_matches"}},
		{"grep", map[string]any{"pattern": "text", "output_mode": "count"}},
		{"find", map[string]any{"pattern": "file"}},
		{"find", map[string]any{"pattern": "file", "sort": "mtime"}},
	} {
		res := call(t, s, test.tool, test.args)
		body, _ := noticeOf(res.Text)
		body = strings.TrimRight(body, "\n")
		require.LessOrEqual(t, len(body), 1024, "%s %v", test.tool, test.args)
		require.Greater(t, len(body), 1024-4, "%s %v", test.tool, test.args)
		shown, ok := strings.CutSuffix(body, "...")
		require.True(t, ok, "%s %v: %q", test.tool, test.args, res.Text)
		require.True(t, strings.HasPrefix(path, shown), "%s %v: %q", test.tool, test.args, res.Text)
		var d struct {
			Truncation struct{ OutputBytes, OutputLines int }
		}
		require.NoError(t, json.Unmarshal([]byte(encode(t, res.Details)), &d))
		require.Equal(t, len(shown), d.Truncation.OutputBytes)
		require.Equal(t, 1, d.Truncation.OutputLines)
		switch details := res.Details.(type) {
		case tools.GrepResult:
			require.Equal(t, path, details.Lines[0].Path)
		case tools.FindResult:
			require.Equal(t, []tools.FindEntry{{Path: path}}, details.Entries)
		}
	}
}

// TestEachOfSeveralFilesSaysWhatItLacks: as the result of all of them does.
func TestEachOfSeveralFilesSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	s := newSuite(t, config.Config{Read: config.Read{MaxLineChars: 10}}, map[string]string{"f": strings.Repeat("x", 20), "g": "short", "h": "one\ntwo\n", "empty": ""})
	details := call(t, s, "read", map[string]any{"paths": []string{"f", "g", "h", "empty"}, "limit": 1}).Details.(tools.ReadResult)
	for i, path := range []string{"f", "g", "h", "empty"} {
		alone := call(t, s, "read", map[string]any{"path": path, "limit": 1}).Details.(tools.ReadResult)
		inner := details.Files[i].Result
		require.Equal(t, alone.Truncated, inner.Truncated, path)
		require.Equal(t, alone.CharsRemoved, inner.CharsRemoved, path)
		require.Equal(t, alone.LinesCut, inner.LinesCut, path)
		require.Equal(t, alone.More, inner.More, path)
		require.Equal(t, alone.Strategy, inner.Strategy, path)
	}
	require.True(t, details.Files[0].Result.Truncated)
	require.False(t, details.Files[1].Result.Truncated)
	require.True(t, details.Files[2].Result.More)
}
