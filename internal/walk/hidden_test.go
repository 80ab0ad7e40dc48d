package walk

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/stretchr/testify/require"
)

// Of a directory of usual size, all names are known before its entries are judged; one with more is judged while it is
// read. Either way every hidden entry counts once, however often the directory is read.
func TestHides(t *testing.T) {
	for _, n := range []int{0, 1, 100, maxUnjudged - 1, maxUnjudged, maxUnjudged + 300} {
		for _, room := range []int{40 << 10, maxHeld} {
			dir, shown := t.TempDir(), []string{}
			for i := range n {
				name := fmt.Sprintf("%05d", i*7919%100_003)
				if i%10 == 3 {
					name = "h" + name
				} else {
					shown = append(shown, name)
				}
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
			}
			slices.Sort(shown)
			root, err := os.OpenRoot(dir)
			require.NoError(t, err)
			tree, asked := Open(root), 0
			tree.room = room
			tree.Hides = func(dir string, names iter.Seq[string]) (workspace.EntryHides, *workspace.UnreadError) {
				asked++
				require.Equal(t, ".", dir)
				require.True(t, room < maxHeld || (n < maxUnjudged) == (names != nil))
				if names != nil {
					require.Len(t, slices.Collect(names), n)
				}
				return func(name string, isDir bool) bool { return strings.HasPrefix(name, "h") }, &workspace.UnreadError{}
			}
			for range 2 {
				asked = 0
				var walked []string
				_, err = tree.Walk(context.Background(), dir, Options{}, func(e Entry) error {
					walked = append(walked, strings.Clone(e.Name))
					return nil
				})
				require.NoError(t, err)
				require.Equal(t, 1, asked)
				require.Equal(t, len(shown), len(walked))
				require.True(t, slices.Equal(shown, walked))
				require.Equal(t, n-len(shown), tree.Hidden())
				require.Equal(t, 1, tree.Unread().Dirs)
			}
			page, total, err := tree.Page(context.Background(), ".", CompareFold, len(shown)/2, 10)
			require.NoError(t, err)
			require.Equal(t, len(shown), total)
			for i, e := range page {
				require.Equal(t, shown[len(shown)/2+i], e.Name)
			}
			tree.Close()
		}
	}
}
