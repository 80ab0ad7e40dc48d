package calls_test

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/need"
	"github.com/spillway-go/spillway/internal/testkit"
	"github.com/spillway-go/spillway/tools"
	"github.com/stretchr/testify/require"
)

// TestListsAreTheText: what a program gets of grep, find and ls is what the model sees,
// but for quotes, and names are those of files.
func TestListsAreTheText(t *testing.T) {
	t.Parallel()
	need.Name(t, "new\nline\"*")
	for seed := range int64(testkit.Some(60)) {
		r := rand.New(rand.NewSource(seed))
		cfg := randomLimits(r)
		cfg.Workspace = t.TempDir()
		files := randomTree(t, r, cfg.Workspace)
		s := newSuite(t, cfg, nil)
		ctx := t.Context()

		found, err := s.Find(ctx, tools.FindParams{Pattern: "*", Limit: r.Intn(8)})
		require.NoError(t, err)
		body, _ := noticeOf(found.Text)
		if len(files) > 0 {
			require.Len(t, found.Entries, len(linesOf(body)), "seed %d: %q", seed, found.Text)
		}
		for _, e := range found.Entries {
			path := e.Path
			info, err := os.Lstat(filepath.Join(cfg.Workspace, path))
			require.NoError(t, err, "seed %d", seed)
			require.Equal(t, info.IsDir(), strings.HasSuffix(path, "/"), path)
		}

		dir, err := s.Ls(ctx, tools.LsParams{Limit: r.Intn(8)})
		require.NoError(t, err)
		for _, name := range dir.Names {
			_, err := os.Lstat(filepath.Join(cfg.Workspace, name))
			require.NoError(t, err, "seed %d", seed)
		}

		p := tools.GrepParams{Pattern: "a|ä", Context: r.Intn(3), Limit: r.Intn(8), OutputMode: []string{"", "files_with_matches", "count"}[r.Intn(3)]}
		grep, err := s.Grep(ctx, p)
		require.NoError(t, err)
		if grep.Matches == 0 {
			require.Empty(t, grep.Lines)
			continue
		}
		body, _ = noticeOf(grep.Text)
		var shown []string
		for _, line := range linesOf(body) {
			if line != "--" {
				shown = append(shown, line)
			}
		}
		require.Len(t, grep.Lines, len(shown), "seed %d: %q", seed, grep.Text)
		for i, line := range grep.Lines {
			path := `"`
			if !strings.HasPrefix(shown[i], path) {
				path = line.Path
			}
			want := ""
			switch {
			case line.Count > 0:
				want = fmt.Sprintf(":%d", line.Count)
			case line.Line > 0 && line.Match:
				want = fmt.Sprintf(":%d: %s", line.Line, string([]rune(line.Text)))
			case line.Line > 0:
				want = fmt.Sprintf("-%d- %s", line.Line, string([]rune(line.Text)))
			}
			require.True(t, strings.HasPrefix(shown[i], path), "seed %d: %q, %+v", seed, shown[i], line)
			if len(shown) > 1 || len(shown[i]) < cfg.MaxBytes { // one that does not fit is cut
				require.True(t, strings.HasSuffix(shown[i], want), "seed %d: %q, %+v", seed, shown[i], line)
			}
			require.FileExists(t, filepath.Join(cfg.Workspace, line.Path), "seed %d", seed)
		}
		s.Close()
	}
}
