package tools

import (
	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/told"
)

// searches is what grep, find and ls share.
type searches struct {
	cfg     *config.Config
	paths   *paths
	tools   *toolset
	mayRead func() func(path string) (may, asked bool) // nil where every file may be read: see grep.Options
	told    *told.Store
	sawPart func(name string) // notes that lines of a file were shown
}
