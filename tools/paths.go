package tools

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/spillway-go/spillway/internal/redact"
	"github.com/spillway-go/spillway/internal/suggest"
	"github.com/spillway-go/spillway/internal/workspace"
)

// paths is what the paths of a call mean, and how paths are shown.
type paths struct {
	ws     *workspace.Workspace
	spills string           // the spill directory
	redact *redact.Redactor // or nil
}

// masked returns what is shown of a path relative to the workspace, in as many bytes.
func (p *paths) masked(path string) string {
	shown, _ := p.redact.String(path)
	return shown
}

// secret returns the error for a path of a call that has a secret in it. Whether there is such a file would tell a guess
// of its name from another.
func (p *paths) secret(name string) *Error {
	if kind := p.redact.InName(strings.TrimPrefix(name, p.ws.Dir())); kind != "" {
		return errorf(CodeInvalidInput, "the path has a secret in it (%s), and no file is looked for by one. Use another "+
			"path, or ask the user to rename the file", kind)
	}
	return nil
}

// resolve finds what a path means. "" is the workspace. The error for one that leads
// nowhere has the names of paths that are alike.
func (p *paths) resolve(ctx context.Context, name string) (workspace.Path, error) {
	name = cmp.Or(name, ".")
	if bad := p.secret(name); bad != nil {
		return workspace.Path{Name: name}, bad
	}
	find := p.ws.Find
	if workspace.Keeps(ctx) {
		find = p.ws.FindReal
	}
	path, err := find(name)
	if err == nil && !workspace.Kept(ctx, path.Abs) {
		err = errorf(CodeStale, "%s leads elsewhere since this call was allowed. Make the call again", show(name))
	}
	if err == nil {
		return path, nil
	}
	e := failure(err, name)
	if e.Code != CodeNotFound {
		return path, e
	}
	if p.ws.Gone() {
		e.Message = workspace.ErrGone.Error()
		return path, e
	}
	var near []string
	for _, like := range suggest.Paths(ctx, p.ws, path.Name, func(path string) bool { return p.redact.InName(path) != "" }) {
		near = append(near, show(like))
	}
	if len(near) > 0 {
		e.Message = show(name) + " does not exist. Did you mean " + strings.Join(near, " or ") + "?"
	}
	return path, e
}

// missing returns the error for a file that does not exist, be it a link to nothing.
func (p *paths) missing(ctx context.Context, name string) *Error {
	if _, err := p.resolve(ctx, name); err != nil {
		return failure(err, name)
	}
	return errorf(CodeNotFound, "%s does not exist", show(name))
}

// lineRange matches a path with lines of the file behind it, as compilers, grep
// and people write them: a.go:12, a.go:12:5, a.go:12-40, a.go#L12-L40.
var lineRange = regexp.MustCompile(`^(.+?)(?::|#L)([0-9]{1,9})(?:-L?([0-9]{1,9})|:[0-9]{1,9})?\s*$`)

// takeLines takes lines behind the path for offset and limit, if only so there is
// such a file. What the call gives wins: an offset moves the beginning and leaves the
// end, unless it goes on behind that or counts from the end of the file. There is no
// line 0: it stands for the beginning.
func (p *ReadParams) takeLines(ws *workspace.Workspace) {
	m := lineRange.FindStringSubmatch(p.Path)
	if m == nil {
		return
	}
	_, err := ws.Find(p.Path)
	escapes := errors.Is(err, workspace.ErrEscape) // as a.go:12 does on Windows, where it names a stream
	if !workspace.Missing(err) && !escapes {
		return
	}
	if _, err := ws.Find(m[1]); workspace.Missing(err) || err != nil && escapes {
		return
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
}

// shown returns how the absolute path of a file is shown: relative to the workspace, where commands start, if it is
// in there.
func (p *paths) shown(abs string) string {
	if rel, err := filepath.Rel(p.ws.Dir(), abs); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(abs)
}

// isSpill reports whether a file is a full output that was spilled, which can be read whatever its size.
func (p *paths) isSpill(path workspace.Path) bool { return workspace.Within(p.spills, path.Abs) }
