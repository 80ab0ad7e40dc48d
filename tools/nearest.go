package tools

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spillway-go/spillway/internal/nearest"
	"github.com/spillway-go/spillway/internal/walk"
)

const (
	// mostNearest is the number of paths that are suggested for a missing one.
	mostNearest = 3
	// nearestNames is the number of names that are looked at, which takes about 35 ms.
	nearestNames = 50_000
	// nearestTime bounds the search for them where the file system is slow.
	nearestTime = 250 * time.Millisecond
)

// nearest suggests existing paths for a missing one: those that end in it, as
// src/net/http for net/http; then those whose names are like its own, beside it, and then
// anywhere in the workspace. It looks at so many names, and the rest of a batch, and no
// longer than the context.
func (p *paths) nearest(ctx context.Context, missing string, most int) []string {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	count := func() {
		if most--; most == 0 {
			stop()
		}
	}
	dir, base := path.Split(missing)
	// No more than half of a short name may differ, or anything is like it.
	beside := nearest.New(base, min(max(2, len(base)/3), len(base)/2), mostNearest)
	p.inTree(path.Clean(dir+"."), func(tree *walk.Tree, _ string) {
		tree.ReadDir(ctx, ".", func(name string, _ fs.FileMode) error {
			count()
			if name != base { // a link to nothing
				beside.Offer(dir, strings.Clone(name))
			}
			return nil
		})
	})
	below, anywhere := nearest.New(base, 0, mostNearest), nearest.New(base, max(1, len(base)/3), mostNearest)
	p.inTree(".", func(tree *walk.Tree, abs string) {
		tree.Walk(ctx, abs, walk.Options{}, func(e walk.Entry) error {
			count()
			switch {
			case e.Name == base && strings.HasSuffix("/"+e.Dir, "/"+dir) && e.Dir != dir:
				below.Offer(e.Dir, e.Name)
			case e.Dir != dir && len(base) > 1:
				anywhere.Offer(e.Dir, e.Name)
			}
			return nil
		})
	})
	var shown []string
	for _, name := range slices.Concat(below.Names(), beside.Names(), anywhere.Names()) {
		if len(shown) < mostNearest {
			shown = append(shown, show(name))
		}
	}
	return shown
}

// inTree looks into a directory, if it can be opened.
func (p *paths) inTree(name string, look func(tree *walk.Tree, abs string)) {
	dir, err := p.ws.Resolve(name)
	if err != nil {
		return
	}
	if tree, err := openTree(dir); err == nil {
		defer tree.Close()
		look(tree, dir.Abs)
	}
}
