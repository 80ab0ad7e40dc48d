package workspace

import (
	"os"
	"path/filepath"
	"strings"
)

const separator = string(filepath.Separator)

// splitVolume divides an absolute path behind the root of its volume, which is "/", or on
// Windows as C:\ or \\server\share\.
func splitVolume(abs string) (root, rest string) {
	volume := filepath.VolumeName(abs)
	return volume + separator, strings.TrimPrefix(abs[len(volume):], separator)
}

// withVolume returns a path from the root of dir's volume, if it begins with a separator and
// names no volume, as \a does on Windows. Any other is returned as it is.
func withVolume(dir, name string) string {
	if name != "" && os.IsPathSeparator(name[0]) && !filepath.IsAbs(name) {
		return filepath.VolumeName(dir) + name
	}
	return name
}

// Under returns the path of something below a directory, relative to it. Both paths are
// absolute and clean. On Windows, names that mean a device, such as CON, or a stream of a
// file, such as a.txt:b, are not below any directory.
func Under(dir, abs string) (rel string, ok bool) {
	n := len(strings.TrimSuffix(dir, separator))
	if len(abs) <= n || !os.IsPathSeparator(abs[n]) || !sameName(abs[:n], dir[:n]) {
		return "", false
	}
	rel = abs[n+1:]
	return rel, filepath.IsLocal(rel)
}

// Within reports whether a path is a directory or below it, as Under does.
func Within(dir, abs string) bool {
	_, below := Under(dir, abs)
	return below || sameName(dir, abs)
}
