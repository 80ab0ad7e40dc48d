package tools

import (
	"cmp"
	"context"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/late"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/session"
	"github.com/spillway-go/spillway/internal/workspace"
)

// foresight is what is known of a call before it is made. It is computed only if there are rules, Ask or Guard,
// because it costs a look at the file system.
type foresight struct {
	part.Call // without what only the call itself knows

	places  []string       // where the call may go: the real paths behind Paths
	plan    *change.Plan   // for a call that changes files; else nil
	state   *session.State // for a command: the state that an earlier one left; else nil
	preview func(ctx context.Context) (string, error)
}

// keep returns a context that holds the call to the preview: if the files have changed since, the call fails as stale.
func (f *foresight) keep(ctx context.Context) context.Context {
	ctx = workspace.Keep(ctx, f.places)
	if f.plan != nil {
		ctx = f.plan.Expect(ctx)
	}
	if f.Line != nil {
		ctx = f.state.Judge(ctx)
	}
	return ctx
}

func (f *foresight) previewed(tool string, closed func() bool) func(context.Context) (string, error) {
	return func(ctx context.Context) (text string, err error) {
		defer recovered("the preview of "+tool, &err)
		if closed() {
			return "", errorf(CodeDenied, "the suite is closed")
		}
		if text, err = late.Leave(workspace.Keep(ctx, f.places), late.Patience, f.preview); err != nil {
			return "", failure(err, "")
		}
		return text, nil
	}
}

// add notes that the call uses a path, shown under that name.
func (f *foresight) add(name string, at workspace.Path, use config.Use) {
	f.Paths = append(f.Paths, config.PathUse{Name: name, Path: at.Abs, Use: use})
	f.places = append(f.places, at.Abs)
	path := part.Path{Name: name, Writes: writes(use)}
	if at.Name != name {
		path.Written = at.Name
	}
	if at.Correction != nil { // a refusal must not reveal the real name
		path.Shown = at.Correction.Written
	}
	f.Named = append(f.Named, path)
}

func writes(u config.Use) bool { return u != config.UseRead && u != config.UseList }

// leadsNowhere notes a path at which the call will fail, even if a link leads somewhere by then. Only rules see it, as
// written.
func (f *foresight) leadsNowhere(written string, use config.Use) {
	if written != "" {
		f.Named = append(f.Named, part.Path{Name: written, Writes: writes(use)})
	}
}

// place resolves a path for reading, like paths.resolve.
func (p *paths) place(f *foresight, name string, use config.Use) (shown string) {
	path, err := p.Workspace.Find(cmp.Or(name, "."))
	if err != nil {
		f.leadsNowhere(path.Name, use)
		return path.Name
	}
	f.add(p.Workspace.Shown(path.Abs), path, use)
	return p.Workspace.Shown(path.Abs)
}

// foresee predicts a call that reads one file or directory. said is a format for a line with its name.
func (p *paths) foresee(name string, use config.Use, said string) *foresight {
	f := &foresight{}
	where := show(p.place(f, name, use))
	if where == "." {
		where = "the workspace"
	}
	f.preview = func(ctx context.Context) (string, error) {
		_, err := p.resolve(ctx, name)
		return strings.Replace(said, "%s", where, 1), err
	}
	return f
}
