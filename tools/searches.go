package tools

import (
	"context"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/told"
	"github.com/spillway-go/spillway/internal/tree"
)

// searches is what grep, find and ls share.
type searches struct {
	cfg     config.Config
	paths   *paths
	place   tree.Place
	tools   *toolset
	mayRead func() func(path string) (may, asked bool) // nil where every file may be read: see grep.Options
	told    *told.Store
	sawPart func(name string) // notes that lines of a file were shown
}

// telling tells the reader of a call what a search of a path left out.
type telling struct {
	store        *told.Store
	reader, path string
	notes        *notes // of the call
}

// first returns what tells the reader of ctx what a search of a path left out.
func (s *searches) first(ctx context.Context, path string) func(kind string, set told.Set) bool {
	return func(kind string, set told.Set) bool {
		return telling{s.told, readerOf(ctx), path, notesOf(ctx)}.first(kind, set)
	}
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
	t.notes.add(note{undo: func() { t.store.Drop(m) }, kept: true})
	return true
}
