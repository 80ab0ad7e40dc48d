package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/preview"
	"github.com/spillway-go/spillway/internal/workspace"
)

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
		if len(p.Paths) > 0 { // with several paths, each can fail on its own
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

// rehearsed predicts a call that changes files by running it without its effects, so that the preview cannot differ
// from the call.
func rehearsed[P, R any](
	cs *changes, method func(context.Context, P) (R, error), params P, targets ...part.Target,
) *foresight {
	f := &foresight{plan: &change.Plan{}}
	for _, t := range targets {
		cs.target(f, t.Path, t.Use, t.Naming)
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
		return preview.Changes(changes, cs.paths.Workspace.Shown, limits), nil
	}
	return f
}

// target finds a file to change, or to create if there is none.
func (cs *changes) target(f *foresight, name string, use config.Use, naming workspace.Naming) {
	target, err := cs.paths.Workspace.TargetAs(name, naming)
	twin, isTwin := errors.AsType[*workspace.TwinError](err)
	switch {
	case isTwin: // the call fails, and may describe the existing file only if that may be changed
		f.Named = append(f.Named, part.Path{Name: twin.Name, Writes: true, Written: target.Name, Shown: target.Name})
		return
	case err != nil:
		f.leadsNowhere(target.Name, use)
		return
	case target.Info == nil && use == config.UseChange:
		use = config.UseCreate
	}
	f.add(cs.paths.Workspace.Shown(target.Abs), target.Path, use)
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
	return rehearsed(cs, cs.write, p, part.Target{Path: p.Path, Use: config.UseChange, Naming: workspace.AsNew})
}

func (cs *changes) foreseeEdit(_ context.Context, p EditParams) *foresight {
	return rehearsed(cs, cs.edit, p, part.Target{Path: p.Path, Use: config.UseChange, Naming: p.naming()})
}
