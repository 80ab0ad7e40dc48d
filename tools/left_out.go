package tools

import (
	"context"
	"sync"

	"github.com/spillway-go/spillway/internal/told"
)

// telling tells the reader of a call what a search of a path left out.
type telling struct {
	store        *told.Store
	reader, path string
	call         *unshown // nil if nothing cuts the text of the call
}

func (s *searches) telling(ctx context.Context, path string) telling {
	call, _ := ctx.Value(unshownKey{}).(*unshown)
	return telling{s.told, readerOf(ctx), path, call}
}

// first reports whether the reader was not told of a set yet, and notes that it is now.
func (t telling) first(kind string, set told.Set) bool {
	m := told.Message{Reader: t.reader, Path: t.path, Kind: kind, Set: set}
	if t.reader == nobody {
		return true
	}
	if !t.store.First(m) {
		return false
	}
	t.call.note(func() { t.store.Drop(m) })
	return true
}

// unshown takes back what a call noted as told, for a wrapper that does not show all of its text.
type unshown struct {
	outer *unshown // of a wrapper around that one
	mu    sync.Mutex
	undo  []func()
}

type unshownKey struct{}

// withUnshown returns a context for a call of which the text may be cut.
func withUnshown(ctx context.Context) (context.Context, *unshown) {
	outer, _ := ctx.Value(unshownKey{}).(*unshown)
	u := &unshown{outer: outer}
	return context.WithValue(ctx, unshownKey{}, u), u
}

// note notes how to take back one thing, in all wrappers.
func (u *unshown) note(undo func()) {
	for ; u != nil; u = u.outer {
		u.mu.Lock()
		u.undo = append(u.undo, undo)
		u.mu.Unlock()
	}
}

// takeBack takes back what was noted.
func (u *unshown) takeBack() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, undo := range u.undo {
		undo()
	}
	u.undo = nil
}
