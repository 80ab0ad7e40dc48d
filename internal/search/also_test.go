package search_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/match"
	"github.com/spillway-go/spillway/internal/search"
	"github.com/stretchr/testify/require"
)

// TestAlso compares a search for several patterns with one for each of them, in files in UTF-8 and another encoding.
func TestAlso(t *testing.T) {
	words := []string{"one", "two", "déjà"}
	files := many(200, func(i int) string {
		text := strings.Repeat("x\n", i%5)
		for bit, word := range words {
			if i>>bit&1 == 1 {
				text += word + "\n"
			}
		}
		if i%11 == 0 {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "é", "\xe9"), "à", "\xe0") // Windows-1252
		}
		return text + strings.Repeat("z\n", i%3)
	})
	f := tree(t, files)
	for _, q := range []search.Query{{}, {Multiline: true}, {Count: true, Most: 1}, {Around: search.Around{Before: 1}}} {
		q.Matcher, q.MaxBytes, q.NonASCII = query(t, "x").Matcher, 1<<20, true
		q.Also = []*match.Matcher{query(t, "one").Matcher, query(t, "d.j.$").Matcher}
		got, alone, want, lacking := map[string]int{}, map[string]int{}, map[string]int{}, 0
		stats, err := q.Tree(t.Context(), f, func(f search.File, l search.Line) bool { got[f.Path]++; return true })
		require.NoError(t, err)
		for name := range files {
			file, err := os.Open(filepath.Join(f.Abs, name))
			require.NoError(t, err)
			info, err := file.Stat()
			require.NoError(t, err)
			in := func(q search.Query, to map[string]int) (lines int) {
				_, err := q.File(t.Context(), file, info.Size(), func(search.Line) bool { lines++; return true })
				require.NoError(t, err)
				_, err = file.Seek(0, 0)
				require.NoError(t, err)
				if lines > 0 && to != nil {
					to[name] = lines
				}
				return lines
			}
			in(q, alone)
			first := q
			first.Also = nil
			if in(first, want) > 0 {
				for _, m := range q.Also {
					first.Matcher = m
					if in(first, nil) == 0 {
						delete(want, name)
						lacking++
						break
					}
				}
			}
			require.NoError(t, file.Close())
		}
		require.NotEmpty(t, want)
		require.Equal(t, want, got, fmt.Sprint(q.Multiline, q.Count))
		require.Equal(t, want, alone)
		require.Equal(t, lacking, stats.Lacking)
	}
}
