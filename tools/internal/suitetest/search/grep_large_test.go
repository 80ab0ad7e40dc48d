package search_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// A multiline search holds a file whole, so that the limit counts wherever the file is: in a
// directory, named, or in the spill directory, whose files have no limit otherwise.
func TestMultilineIsLimited(t *testing.T) {
	t.Parallel()
	const limit = 1024
	ws := t.TempDir()
	for _, dir := range []string{"d", ".clarvis"} {
		require.NoError(t, os.Mkdir(filepath.Join(ws, dir), 0o700))
		for name, size := range map[string]int{"fits": limit, "large": limit + 1} {
			text := "begin\nend\n" + strings.Repeat("x", size-len("begin\nend\n"))
			require.NoError(t, os.WriteFile(filepath.Join(ws, dir, name), []byte(text), 0o600))
		}
	}
	s := newSuite(t, config.Config{Workspace: ws, MaxFileBytes: limit}, nil)
	for _, dir := range []string{"d", ".clarvis"} {
		search := tools.GrepParams{Pattern: `begin\nend`, Path: dir, Multiline: true}
		res, err := s.Grep(t.Context(), search)
		require.NoError(t, err)
		require.Equal(t, [2]int{1, 1}, [2]int{res.Matches, res.SkippedLarge}, dir)

		search.Path = dir + "/fits"
		res, err = s.Grep(t.Context(), search)
		require.NoError(t, err)
		require.Equal(t, 1, res.Matches)

		search.Path = dir + "/large"
		_, err = s.Grep(t.Context(), search)
		var failed *tools.Error
		require.ErrorAs(t, err, &failed)
		require.Equal(t, tools.CodeTooLarge, failed.Code)
		require.Contains(t, failed.Message, "is 1.0KB, over the limit of 1KB for a multiline search")
	}
}
