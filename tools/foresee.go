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

// foresight is what is known of a call before it is made. Nothing of it is looked at where there are no rules, no Ask
// and no Guard.
type foresight struct {
	part.Call // without what the call says of itself

	places  []string       // where the call may go: the real paths of Paths
	plan    *change.Plan   // of a call that changes files; else nil
	state   *session.State // of a command: what an earlier one has left; else nil
	preview func(ctx context.Context) (string, error)
}

// keep returns a context that keeps the call to what was foreseen: what then happens is what the preview has shown, or
// the call is stale.
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

// previewed returns the preview for whoever is asked.
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

// add notes that a call uses the place of a path, which is shown by that name.
func (f *foresight) add(name string, at workspace.Path, use config.Use) {
	f.Paths = append(f.Paths, config.PathUse{Name: name, Path: at.Abs, Use: use})
	f.places = append(f.places, at.Abs)
	path := part.Path{Name: name, Writes: writes(use)}
	if at.Name != name {
		path.Written = at.Name
	}
	if at.Correction != nil { // a refusal does not say what the name is
		path.Shown = at.Correction.Written
	}
	f.Named = append(f.Named, path)
}

// writes reports whether a use changes a file.
func writes(u config.Use) bool { return u != config.UseRead && u != config.UseList }

// leadsNowhere notes a path with which the call will fail, wherever a link leads it by then. Only rules see it, as it is
// written.
func (f *foresight) leadsNowhere(written string, use config.Use) {
	if written != "" {
		f.Named = append(f.Named, part.Path{Name: written, Writes: writes(use)})
	}
}

// place resolves a path that is to be read, as paths.resolve does.
func (p *paths) place(f *foresight, name string, use config.Use) (shown string) {
	path, err := p.Workspace.Find(cmp.Or(name, "."))
	if err != nil {
		f.leadsNowhere(path.Name, use)
		return path.Name
	}
	f.add(p.Workspace.Shown(path.Abs), path, use)
	return p.Workspace.Shown(path.Abs)
}

// foresee foresees a call that reads one file or directory. said is a line with the place of its name.
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
