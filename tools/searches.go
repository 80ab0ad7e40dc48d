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
	mayRead func() func(path string) (may, asked bool) // nil if every file may be read: see grep.Options
	told    *told.Store
	sawPart func(name string) // records that lines of a file were shown
}

// first returns a function that reports, once for each reader and path, that the reader was not told yet what the
// search left out.
func (s *searches) first(ctx context.Context, path string) func(kind string, set told.Set) bool {
	return func(kind string, set told.Set) bool {
		return firstTime(ctx, s.told, told.Message{Path: path, Kind: kind, Set: set})
	}
}
