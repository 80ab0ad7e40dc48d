package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/filepatch"
	"github.com/spillway-go/spillway/internal/patch"
	"github.com/spillway-go/spillway/internal/preview"
	"github.com/spillway-go/spillway/internal/rules"
	"github.com/spillway-go/spillway/internal/workspace"
)

// foresight is what is known of a call before it is made. Nothing of it is looked at where there are no rules, no Ask
// and no Guard.
type foresight struct {
	foreseen
	uses     []config.PathUse
	commands []config.Command
	places   []string     // where the call may go: the real paths of uses
	plan     *change.Plan // of a call that changes files; else nil
	state    *kept        // of a command: what an earlier one has left; else nil
	preview  func(ctx context.Context) (string, error)
}

// foresees sets what each tool foresees.
func (s *Suite) foresees() {
	s.read.sees = s.pages.foresee
	s.grep.sees = func(_ context.Context, p GrepParams) *foresight {
		return s.paths.foresee(p.Path, config.UseRead, "Search %s for "+show(p.Pattern))
	}
	s.find.sees = func(_ context.Context, p FindParams) *foresight {
		return s.paths.foresee(p.Path, config.UseList, "List what matches "+show(p.Pattern)+" in %s")
	}
	s.ls.sees = func(_ context.Context, p LsParams) *foresight {
		return s.paths.foresee(p.Path, config.UseList, "List %s")
	}
	s.write.sees = func(_ context.Context, p WriteParams) *foresight {
		return rehearsed(&s.changes, s.write, p, patch.File{Path: p.Path, Op: patch.Add})
	}
	s.edit.sees = func(_ context.Context, p EditParams) *foresight {
		file := patch.File{Path: p.Path}
		if p.naming() == workspace.AsNew {
			file.Op = patch.Add
		}
		return rehearsed(&s.changes, s.edit, p, file)
	}
	s.patch.sees = func(_ context.Context, p ApplyPatchParams) *foresight {
		files, _ := patch.Parse(p.Patch) // the call returns the error
		return rehearsed(&s.changes, s.patch, p, files...)
	}
	s.bash.sees = s.shell.foresee
	s.job.sees = s.shell.foreseeJob
}

// foresee fills in what the tool foresees of a call. The context that it returns keeps the call to that.
func (b *binding[P, R]) foresee(ctx context.Context, params any, call *config.Call) (context.Context, *foreseen) {
	sees := abandoned(patience, func(ctx context.Context, p P) (*foresight, error) { return b.sees(ctx, p), nil })
	f, err := sees(ctx, params.(P))
	if err != nil { // ctx has ended
		return ctx, &foreseen{}
	}
	call.Paths, call.Commands = f.uses, f.commands
	call.Preview = func(ctx context.Context) (text string, err error) {
		defer recovered("the preview of "+b.name, &err)
		if b.calls.isClosed() {
			return "", errorf(CodeDenied, "the suite is closed")
		}
		show := abandoned(patience, func(ctx context.Context, _ struct{}) (string, error) { return f.preview(ctx) })
		if text, err = show(workspace.Keep(ctx, f.places), struct{}{}); err != nil {
			return "", failure(err, "")
		}
		return text, nil
	}
	if ctx = workspace.Keep(ctx, f.places); f.plan != nil {
		ctx = f.plan.Expect(ctx)
	}
	if b.name == "bash" {
		ctx = context.WithValue(ctx, judgedState{}, f.state)
	}
	return ctx, &f.foreseen
}

// add notes that a call uses the place of a path, which is shown by that name.
func (f *foresight) add(name string, at workspace.Path, use config.Use) {
	f.uses = append(f.uses, config.PathUse{Name: name, Path: at.Abs, Use: use})
	f.places = append(f.places, at.Abs)
	path := rules.Path{Name: name, Writes: writes(use)}
	if at.Name != name {
		path.Written = at.Name
	}
	if at.Correction != nil { // a refusal does not say what the name is
		path.Shown = at.Correction.Written
	}
	f.paths = append(f.paths, path)
}

// writes reports whether a use changes a file.
func writes(u config.Use) bool { return u != config.UseRead && u != config.UseList }

// leadsNowhere notes a path with which the call will fail, wherever a link leads it by then. Only rules see it, as it is
// written.
func (f *foresight) leadsNowhere(written string, use config.Use) {
	if written != "" {
		f.paths = append(f.paths, rules.Path{Name: written, Writes: writes(use)})
	}
}

// place resolves a path that is to be read, as paths.resolve does.
func (p *paths) place(f *foresight, name string, use config.Use) (shown string) {
	path, err := p.ws.FindReal(cmp.Or(name, "."))
	if err != nil {
		f.leadsNowhere(path.Name, use)
		return path.Name
	}
	f.add(p.shown(path.Abs), path, use)
	return p.shown(path.Abs)
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

func (s *pages) foresee(ctx context.Context, p ReadParams) *foresight {
	f := &foresight{}
	var shown []string
	names := p.Paths
	if p.Path != "" || len(names) == 0 {
		names = append([]string{p.Path}, names...)
	}
	for _, name := range names {
		if ctx.Err() != nil {
			break
		}
		if name != "" {
			shown = append(shown, show(s.paths.place(f, name, config.UseRead)))
		}
	}
	f.preview = func(ctx context.Context) (string, error) {
		if len(p.Paths) > 0 { // each of them can fail by itself
			return "Read " + strings.Join(shown, ", "), ctx.Err()
		}
		if p.Path == "" {
			_, err := s.read(ctx, p)
			return "", err
		}
		_, err := s.paths.resolve(ctx, p.Path)
		return fmt.Sprintf("Read %s", strings.Join(shown, "")), err
	}
	return f
}

// rehearsed foresees a call that changes files, by making it without its effects.
func rehearsed[P any, R outcome](cs *changes, tool *binding[P, R], params P, files ...patch.File) *foresight {
	f := &foresight{plan: &change.Plan{}}
	for _, file := range files[:min(len(files), change.MaxFiles)] {
		switch {
		case file.Op == patch.Delete || file.To != "":
			cs.target(f, file.Path, config.UseRemove, workspace.AsFound)
		default:
			cs.target(f, file.Path, config.UseChange, filepatch.Naming(cs.paths.ws, files, file.Path, file.Op == patch.Add))
		}
		if file.To != "" {
			cs.target(f, file.To, config.UseChange, filepatch.Naming(cs.paths.ws, files, file.To, true))
		}
	}
	f.preview = func(ctx context.Context) (string, error) {
		changes, err := f.plan.Rehearse(ctx, func(ctx context.Context) error {
			_, err := tool.method(ctx, params)
			return err
		})
		if err != nil {
			return "", err
		}
		limits := preview.Limits{Lines: cs.cfg.MaxLines, Bytes: cs.cfg.MaxBytes}
		return preview.Changes(changes, cs.paths.shown, limits), nil
	}
	return f
}

// target finds a file that is to be changed, or created where there is none.
func (cs *changes) target(f *foresight, name string, use config.Use, naming workspace.Naming) {
	target, err := cs.paths.ws.TargetAs(name, naming)
	twin, isTwin := errors.AsType[*workspace.TwinError](err)
	switch {
	case isTwin: // the call fails, and says what there is only if that may be changed
		f.paths = append(f.paths, rules.Path{Name: twin.Name, Writes: true, Written: target.Name, Shown: target.Name})
		return
	case err != nil:
		f.leadsNowhere(target.Name, use)
		return
	case target.Info == nil && use == config.UseChange:
		use = config.UseCreate
	}
	f.add(cs.paths.shown(target.Abs), target.Path, use)
}
