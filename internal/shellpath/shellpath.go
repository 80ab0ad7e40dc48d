// Package shellpath finds the places that the paths of a command line mean.
package shellpath

import (
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/workspace"
)

// Finder finds the places that a command line means.
type Finder struct {
	dir  string // where it starts, without links; "" if unknown
	home string // of the commands; "" if there is none
}

// New returns a finder for a line that starts in a directory, with an environment. dir is "" if unknown.
func New(dir string, env []string) (f Finder) {
	if dir != "" {
		f.dir, _ = workspace.Place(dir, "")
	}
	for _, v := range env {
		if value, ok := strings.CutPrefix(v, "HOME="); ok {
			f.home = value
		}
	}
	return f
}

// Find returns where a path leads in a directory, both as in the command line; "" if unknown.
func (f Finder) Find(dir, path string) string {
	abs := f.dir
	for _, name := range []string{dir, path} {
		rest, tilde := strings.CutPrefix(name, "~")
		switch {
		case tilde && (rest != "" && rest[0] != '/' || f.home == ""): // of another user, or unknown
			return ""
		case tilde:
			name = f.home + rest
		}
		if abs == "" && !filepath.IsAbs(name) {
			return ""
		}
		place := workspace.Place
		if abs == f.dir && abs != "" {
			place = workspace.PlaceIn
		}
		var ok bool
		if abs, ok = place(abs, name); !ok {
			return ""
		}
	}
	return abs
}
