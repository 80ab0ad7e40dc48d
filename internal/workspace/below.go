package workspace

import (
	"path/filepath"
	"strings"
)

// Prefix returns what the names of what is in the directory begin with: nothing, or its name and a slash.
func (p Path) Prefix() string {
	if p.Name == "." {
		return ""
	}
	return strings.TrimSuffix(p.Name, "/") + "/"
}

// Relative makes an absolute glob relative to the directory, if it is below it.
func (p Path) Relative(glob string) string {
	if rest, ok := Under(p.Abs, filepath.FromSlash(glob)); ok {
		return filepath.ToSlash(rest)
	}
	return glob
}
