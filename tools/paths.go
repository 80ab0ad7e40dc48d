package tools

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/workspace"
)

// resolve finds what a path means. "" is the workspace.
func (s *Suite) resolve(ctx context.Context, name string) (workspace.Path, error) {
	if name == "" {
		name = "."
	}
	p, err := s.ws.Find(name)
	if err == nil {
		return p, nil
	}
	return p, s.unresolved(ctx, p, name, err)
}

// unresolved is the error for a path that leads nowhere, with the names of paths
// that are alike.
func (s *Suite) unresolved(ctx context.Context, p workspace.Path, name string, err error) error {
	e := failure(err, name)
	if e.Code == CodeNotFound {
		if s.ws.Gone() {
			e.Message = goneMessage
			return e
		}
		if near := s.nearest(ctx, p.Name, nearestNames); len(near) > 0 {
			e.Message = show(name) + " does not exist. Did you mean " + strings.Join(near, " or ") + "?"
		}
	}
	return e
}

// goneMessage is what a model is told when there is no workspace any more.
const goneMessage = "the workspace does not exist any more"

// lineRange matches a path with lines of the file behind it, as compilers, grep
// and people write them: a.go:12, a.go:12:5, a.go:12-40, a.go#L12-L40.
var lineRange = regexp.MustCompile(`^(.+?)(?::|#L)([0-9]{1,9})(?:-L?([0-9]{1,9})|:[0-9]{1,9})?\s*$`)

// locate finds the file that the path of p means. Where there is none, lines
// behind the path are taken for offset and limit. What the call gives wins: an offset
// moves the beginning and leaves the end, unless it goes on behind that or counts from
// the end of the file. There is no line 0: it stands for the beginning.
func (s *Suite) locate(p *ReadParams) (workspace.Path, error) {
	path, err := s.ws.Find(p.Path)
	escapes := errors.Is(err, workspace.ErrEscape) // as a.go:12 does on Windows, where it names a stream
	if !workspace.Missing(err) && !escapes {
		return path, err
	}
	m := lineRange.FindStringSubmatch(p.Path)
	if m == nil {
		return path, err
	}
	file, err2 := s.ws.Find(m[1])
	if workspace.Missing(err2) || err2 != nil && escapes {
		return path, err
	}
	p.Path = m[1]
	first, _ := strconv.Atoi(m[2])
	last, err := strconv.Atoi(m[3])
	if err == nil && last < first { // both ends are meant, whichever comes first
		first, last = last, first
	}
	if p.Offset == 0 {
		p.Offset = max(first, 1)
	}
	if last = max(last, 1); err == nil && p.Limit == 0 && 0 < p.Offset && p.Offset <= last {
		p.Limit = last - p.Offset + 1
	}
	return file, err2
}
