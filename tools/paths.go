package tools

import (
	"cmp"
	"context"
	"io/fs"
	"math"
	"strings"

	"github.com/spillway-go/spillway/internal/advice"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/spelling"
	"github.com/spillway-go/spillway/internal/suggest"
	"github.com/spillway-go/spillway/internal/tree"
	"github.com/spillway-go/spillway/internal/workspace"
)

// paths resolves the paths of a call, and says how they are shown.
type paths struct{ tree.Place }

// resolve finds the file of a path; "" is the workspace. The error for a missing one suggests similar names.
func (p *paths) resolve(ctx context.Context, name string) (workspace.Path, error) {
	name = cmp.Or(name, ".")
	if !p.Redact.Off() {
		// An answer about this file would confirm a guess of the secret in its name.
		if kind := p.Redact.InName(strings.TrimPrefix(name, p.Workspace.Dir())); kind != "" {
			return workspace.Path{Name: name}, errorf(CodeInvalidInput, "the path has a secret in it (%s), and such a path is not "+
				"read. Use another path, or ask the user to rename the file", kind)
		}
	}
	path, err := p.Workspace.Find(name)
	if err == nil && path.Correction != nil && p.Redact.InName(path.Name) != "" {
		path, err = workspace.Path{Name: name}, fs.ErrNotExist // the reason of a refusal would confirm it
	}
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
	if p.Workspace.Gone() {
		e.Message = workspace.ErrGone.Error()
		return path, e
	}
	near := suggest.Paths(ctx, p.Workspace, spelling.WithoutLines(path.Name), func(path string) bool { return p.Redact.InName(path) != "" })
	if len(near) > 0 {
		e.Message = advice.Missing(name, near).Message
	}
	return path, e
}

// missing returns the error for a file that does not exist, or a link to nothing.
func (p *paths) missing(ctx context.Context, name string) *fault.Error {
	if _, err := p.resolve(ctx, name); err != nil {
		e := failure(err, name)
		return &fault.Error{Code: e.Code, Message: e.Message, Err: e.Err}
	}
	return advice.Missing(name, nil)
}

// maxCount bounds the numbers of a call, so that sums of a few of them do not overflow.
const maxCount = math.MaxInt >> 3
