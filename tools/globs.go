package tools

import (
	"errors"
	"path"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/glob"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/workspace"
)

// badGlob returns the error for a glob, the argument of that name, that cannot be compiled, or
// that goes up from the directory that is searched.
func badGlob(key, pattern string, start workspace.Path, err error) error {
	e, ok := errors.AsType[*glob.Error](err)
	if !ok {
		return errorf(CodeInvalidInput, "%s: %w", key, err)
	}
	advice := "Globs look like *.go or src/**/*.ts"
	if up := strings.TrimPrefix(filepath.ToSlash(pattern), "./"); strings.HasPrefix(up, "../") && e.Pattern == pattern {
		dir, rest := path.Join(start.Name, "."), up
		for strings.HasPrefix(rest, "../") && dir != "." && !path.IsAbs(dir) {
			dir, rest = path.Dir(dir), rest[len("../"):]
		}
		if advice = "What is above the workspace is not searched"; !strings.HasPrefix(rest, "../") {
			advice = "Use path=" + show(dir) + " " + key + "=" + show(rest)
		}
	}
	return errorf(CodeInvalidInput, "%s %s: %s. %s", key, show(e.Pattern), e.Reason, advice)
}

// likeRegexp returns what to say of a glob that matches nothing, and looks like a regular
// expression.
func likeRegexp(pattern string) string {
	meant, looks := glob.OfRegexp(pattern)
	switch {
	case !looks:
		return ""
	case meant == "":
		return ". It is a glob, not a regular expression: * stands for any characters, ? for one, {a,b} for either of two"
	}
	return ". It is a glob, not a regular expression: try " + show(meant)
}

// taken says what a glob was taken for.
func taken(pattern string, r glob.Reading) notice.Notice {
	switch r.How {
	case glob.Respelled:
		return notice.GlobRespelled(asWritten(pattern), show(r.Pattern))
	case glob.Alike:
		return notice.GlobAlike(show(pattern))
	}
	return notice.GlobLiterally(show(pattern))
}

// used says what a glob of a filter was taken for.
func used(use glob.Use) notice.Notice {
	switch {
	case !use.Exclude:
		return taken(use.Pattern, use.Reading)
	case use.How == glob.Literally:
		return notice.GlobExcludes(show("!" + use.Pattern))
	}
	use.Reading.Pattern = "!" + use.Reading.Pattern
	return taken("!"+use.Pattern, use.Reading)
}

// ifRoom returns a notice if the others leave room for it.
func ifRoom(n notice.Notice, others ...notice.Notice) notice.Notice {
	if len(n) > notice.Room(others...) {
		return ""
	}
	return n
}
