package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

type keepKey struct{}

// Keep returns a context for a call that may go only to these places, by their absolute paths without links. It was
// allowed for them, and a link that is swapped meanwhile must not lead it elsewhere.
func Keep(ctx context.Context, places []string) context.Context {
	return context.WithValue(ctx, keepKey{}, places)
}

// Kept reports whether a call may go to a place, by its absolute path without links. Without [Keep] it may go
// anywhere.
func Kept(ctx context.Context, abs string) bool {
	places, ok := ctx.Value(keepKey{}).([]string)
	return !ok || slices.Contains(places, abs)
}

// Place returns where a path of a command leads that runs in the absolute directory dir: absolute, without links, and
// whether it exists or not. Unlike Resolve it also looks at what may not be read, because commands do. ok is false if
// the path goes through more links than the system follows, or up from a directory that does not exist, or if only the
// shell knows where it begins.
func Place(dir, path string) (abs string, ok bool) {
	if len(dir)+len(path) > MaxPath || strings.Contains(path, "\x00") {
		return "", false
	}
	if path = filepath.FromSlash(path); path != withVolume(dir, path) {
		return "", false // a shell on Windows has its own root
	}
	if !filepath.IsAbs(path) {
		path = dir + string(filepath.Separator) + path // not cleaned: ".." starts at the target of a link
	}
	at, rest := splitVolume(path)
	return follow(at, split(rest))
}

// PlaceIn is [Place] for an existing directory that Place returned, whose links need not be followed again.
func PlaceIn(dir, path string) (abs string, ok bool) {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) || len(dir)+len(path) > MaxPath ||
		strings.Contains(path, "\x00") || path != withVolume(dir, path) {
		return Place(dir, path)
	}
	return follow(dir, split(path))
}

// follow returns where names lead in a directory without links in its path.
func follow(at string, todo []string) (abs string, ok bool) {
	for links := 0; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		switch name {
		case ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		target, err := os.Readlink(next)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				_, err = os.Lstat(next)
			}
			if err != nil {
				return filepath.Join(next, filepath.Join(todo...)), !slices.Contains(todo, "..")
			}
			at = next
			continue
		}
		if links++; links > maxLinks {
			return "", false
		}
		if target = withVolume(at, target); filepath.IsAbs(target) {
			at, target = splitVolume(target)
		}
		todo = append(split(target), todo...)
	}
	return at, true
}
