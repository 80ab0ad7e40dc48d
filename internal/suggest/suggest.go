// Package suggest finds the paths of a workspace that are most similar to one that does not exist.
package suggest

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/nearest"
	"github.com/spillway-go/spillway/internal/walk"
	"github.com/spillway-go/spillway/internal/workspace"
)

const (
	Most = 3
	// maxNames bounds the names that are examined, which takes about 35 ms.
	maxNames = 50_000
	// maxTime bounds the search on a slow file system.
	maxTime = time.Second
)

// Paths suggests existing paths for a missing one: those that end in it, as src/net/http for net/http; then similar
// names beside it, and then nearer ones anywhere in the workspace. It looks at 50,000 names, and for no longer than a
// second. It does not suggest paths for which leave returns true.
func Paths(ctx context.Context, ws *workspace.Workspace, missing string, leave func(path string) bool) []string {
	ctx, stop := context.WithTimeout(ctx, maxTime)
	defer stop()
	return paths(ctx, ws, missing, maxNames, leave)
}

func paths(ctx context.Context, ws *workspace.Workspace, missing string, most int, leave func(string) bool) []string {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	count := func() {
		most--
		if most == 0 {
			stop()
		}
	}
	dir, base := path.Split(missing)
	// No more than half of a short name may differ, or anything would be similar.
	beside := nearest.Files(dir, base, min(max(2, len(base)/3), len(base)/2), Most)
	inTree(ws, path.Clean(dir+"."), func(tree *walk.Tree, _ string) {
		var hides workspace.EntryHides
		if tree.Hides != nil {
			hides, _ = tree.Hides(".", nil)
		}
		tree.ReadDir(ctx, ".", func(name string, kind fs.FileMode) error {
			count()
			hidden := hides != nil && hides(name, kind.IsDir())
			if name != base && !hidden && !leave(dir+name) { // a link to nothing
				beside.Offer(dir, strings.Clone(name))
			}
			return nil
		})
	})
	below, anywhere := nearest.New(base, 0, Most), nearest.Files(dir, base, max(1, len(base)/3), Most)
	inTree(ws, ".", func(tree *walk.Tree, abs string) {
		tree.Walk(ctx, abs, walk.Options{}, func(e walk.Entry) error {
			count()
			switch {
			case leave(e.Path()):
			case e.Name == base && strings.HasSuffix("/"+e.Dir, "/"+dir) && e.Dir != dir:
				below.Offer(e.Dir, e.Name)
			case e.Dir != dir && len(base) > 1:
				anywhere.Offer(e.Dir, e.Name)
			}
			return nil
		})
	})
	names := slices.Concat(below.Names(), beside.Names(), anywhere.Better(beside))
	return names[:min(len(names), Most)]
}

func inTree(ws *workspace.Workspace, name string, look func(tree *walk.Tree, abs string)) {
	path, err := ws.Resolve(name)
	if err != nil {
		return
	}
	if dir, err := path.OpenDir(); err == nil {
		tree := walk.Open(dir)
		defer tree.Close()
		tree.Hides = ws.HiddenIn(path.Abs)
		look(tree, path.Abs)
	}
}
