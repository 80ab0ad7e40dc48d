package tools

import (
	"context"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/told"
)

// searches is what grep, find and ls share.
type searches struct {
	cfg     config.Config
	paths   *paths
	tools   *toolset
	mayRead func() func(path string) (may, asked bool) // nil where every file may be read: see grep.Options
	told    *told.Store
	sawPart func(name string) // notes that lines of a file were shown
}

// first returns what reports whether the reader of ctx was not told yet what a search of a path left out, and notes that
// it is now.
func (s *searches) first(ctx context.Context, path string) func(kind string, set told.Set) bool {
	return func(kind string, set told.Set) bool {
		return firstTime(ctx, s.told, told.Message{Path: path, Kind: kind, Set: set})
	}
}
