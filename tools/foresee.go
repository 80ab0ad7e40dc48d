package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/patch"
	"github.com/spillway-go/spillway/internal/preview"
	"github.com/spillway-go/spillway/internal/rules"
	"github.com/spillway-go/spillway/internal/workspace"
)

// foreseen is what the rules judge of a call besides its arguments.
type foreseen struct {
	line      *commandline.Line // of a command; else nil
	place     func(dir, path string) (name string, ok bool)
	paths     []rules.Path // that the arguments name
	readsOnly bool         // the call changes nothing and runs nothing, although its tool may

	readOnly  []string // as in rules.Call, of a command
	protected func(name string) (root string)
	terminal  bool
}

// foresight is what is known of a call before it is made. Nothing of it is looked at where there are no rules, no Ask
// and no Guard.
type foresight struct {
	foreseen
	uses     []config.PathUse
	commands []config.Command
	places   []string     // where the call may go: the real paths of uses
	plan     *change.Plan // of a call that changes files; else nil
	state    any          // of a command: what an earlier one has left, as stateFor wants it; else nil
	preview  func(ctx context.Context) (string, error)
}

// keep returns a context that keeps the call to what was foreseen: what then happens is what the preview has shown, or
// the call is stale.
func (f *foresight) keep(ctx context.Context) context.Context {
	ctx = workspace.Keep(ctx, f.places)
	if f.plan != nil {
		ctx = f.plan.Expect(ctx)
	}
	if f.state != nil {
		ctx = context.WithValue(ctx, judgedState{}, f.state)
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
		show := abandoned(patience, func(ctx context.Context, _ struct{}) (string, error) { return f.preview(ctx) })
		if text, err = show(workspace.Keep(ctx, f.places), struct{}{}); err != nil {
			return "", failure(err, "")
		}
		return text, nil
	}
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
func rehearsed[P, R any](
	cs *changes, method func(context.Context, P) (R, error), params P, files ...patch.File,
) *foresight {
	f := &foresight{plan: &change.Plan{}}
	for _, file := range files[:min(len(files), change.MaxFiles)] {
		switch {
		case file.Op == patch.Delete || file.To != "":
			cs.target(f, file.Path, config.UseRemove, workspace.AsFound)
		default:
			cs.target(f, file.Path, config.UseChange, cs.naming(files, file.Path, file.Op == patch.Add))
		}
		if file.To != "" {
			cs.target(f, file.To, config.UseChange, cs.naming(files, file.To, true))
		}
	}
	f.preview = func(ctx context.Context) (string, error) {
		changes, err := f.plan.Rehearse(ctx, func(ctx context.Context) error {
			_, err := method(ctx, params)
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

func (s *searches) foreseeGrep(_ context.Context, p GrepParams) *foresight {
	return s.paths.foresee(p.Path, config.UseRead, "Search %s for "+show(p.Pattern))
}

func (s *searches) foreseeFind(_ context.Context, p FindParams) *foresight {
	return s.paths.foresee(p.Path, config.UseList, "List what matches "+show(p.Pattern)+" in %s")
}

func (s *searches) foreseeLs(_ context.Context, p LsParams) *foresight {
	return s.paths.foresee(p.Path, config.UseList, "List %s")
}

func (cs *changes) foreseeWrite(_ context.Context, p WriteParams) *foresight {
	return rehearsed(cs, cs.write, p, patch.File{Path: p.Path, Op: patch.Add})
}

func (cs *changes) foreseeEdit(_ context.Context, p EditParams) *foresight {
	file := patch.File{Path: p.Path}
	if p.naming() == workspace.AsNew {
		file.Op = patch.Add
	}
	return rehearsed(cs, cs.edit, p, file)
}

func (cs *changes) foreseePatch(_ context.Context, p ApplyPatchParams) *foresight {
	files, _ := patch.Parse(p.Patch) // the call returns the error
	return rehearsed(cs, cs.applyPatch, p, files...)
}
