package workspace

import (
	"os"
	"path/filepath"
	"strings"
)

const separator = string(filepath.Separator)

// splitVolume splits an absolute path after the root of its volume, which is "/" or, on Windows,
// of the form C:\ or \\server\share\.
func splitVolume(abs string) (root, rest string) {
	volume := filepath.VolumeName(abs)
	return volume + separator, strings.TrimPrefix(abs[len(volume):], separator)
}

// withVolume adds the volume of dir to a path that begins with a separator but has no volume,
// such as \a on Windows. It returns any other path unchanged.
func withVolume(dir, name string) string {
	if name != "" && os.IsPathSeparator(name[0]) && !filepath.IsAbs(name) {
		return filepath.VolumeName(dir) + name
	}
	return name
}

// Under returns abs relative to dir, if it is below dir. Both paths are absolute and clean. On
// Windows, the name of a device, such as CON, or of a stream of a file, such as a.txt:b, is not
// below any directory.
func Under(dir, abs string) (rel string, ok bool) {
	n := len(strings.TrimSuffix(dir, separator))
	if len(abs) <= n || !os.IsPathSeparator(abs[n]) || !sameName(abs[:n], dir[:n]) {
		return "", false
	}
	rel = abs[n+1:]
	return rel, filepath.IsLocal(rel)
}

// Within reports whether abs is dir or, as in Under, below it.
func Within(dir, abs string) bool {
	_, below := Under(dir, abs)
	return below || sameName(dir, abs)
}
