package hint

import (
	"errors"
	"path"
	"path/filepath"
	"strings"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/glob"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// BadGlob returns the error for a glob that does not compile, or that goes up from the searched directory.
func BadGlob(argument, pattern string, start workspace.Path, err error) error {
	e, ok := errors.AsType[*glob.Error](err)
	if !ok {
		return fault.Errorf(fault.InvalidInput, "%s: %w", argument, err)
	}
	advice := "Globs look like *.go or src/**/*.ts"
	if up := strings.TrimPrefix(filepath.ToSlash(pattern), "./"); strings.HasPrefix(up, "../") && e.Pattern == pattern {
		dir, rest := path.Join(start.Name, "."), up
		for strings.HasPrefix(rest, "../") && dir != "." && !path.IsAbs(dir) {
			dir, rest = path.Dir(dir), rest[len("../"):]
		}
		if advice = "Directories above the workspace are not searched"; !strings.HasPrefix(rest, "../") {
			advice = "Use path=" + quote.Value(dir) + " " + argument + "=" + quote.Value(rest)
		}
	}
	return fault.Errorf(fault.InvalidInput, "%s %s: %s. %s", argument, quote.Value(e.Pattern), e.Reason, advice)
}

// likeRegexp returns a suggestion for a glob that matches nothing and looks like a regular expression; "" for others.
func likeRegexp(pattern string) string {
	meant, looks := glob.OfRegexp(pattern)
	switch {
	case !looks:
		return ""
	case meant == "":
		return ". It is a glob, not a regular expression: * stands for any characters, ? for one, {a,b} for a or b"
	}
	return ". It is a glob, not a regular expression: try " + quote.Value(meant)
}

// Taken says how a glob was understood.
func Taken(pattern string, r glob.Reading) notice.Notice {
	switch r.How {
	case glob.Respelled:
		return notice.GlobRespelled(quote.Written(pattern), quote.Value(r.Pattern))
	case glob.Alike:
		return notice.GlobAlike(quote.Value(pattern))
	}
	return notice.GlobLiterally(quote.Value(pattern))
}

// Used says how a glob of a filter was understood.
func Used(use glob.Use) notice.Notice {
	switch {
	case !use.Exclude:
		return Taken(use.Pattern, use.Reading)
	case use.How == glob.Literally:
		return notice.GlobExcludes(quote.Value("!" + use.Pattern))
	}
	use.Reading.Pattern = "!" + use.Reading.Pattern
	return Taken("!"+use.Pattern, use.Reading)
}
