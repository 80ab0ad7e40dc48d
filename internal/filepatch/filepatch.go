// Package filepatch applies a patch to files, or says why it cannot.
package filepatch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/advice"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/part"
	"github.com/spillway-go/spillway/internal/patch"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/workspace"
)

// Patch is a patch for files.
type Patch struct {
	Files   *change.Files
	Missing func(ctx context.Context, name string) *fault.Error // the error for a file that does not exist
	Edit    bool                                                // there is the tool edit

	parts    []patch.File
	sections map[string]*Section // by the absolute path
	order    []*Section
}

// Read reads the patch, and checks what it can before the files are locked.
func (p *Patch) Read(ctx context.Context, text string) (err error) {
	if p.parts, err = patch.Parse(text); err != nil {
		return fault.Errorf(fault.InvalidInput, "%w. Nothing was changed", err)
	}
	for _, f := range p.parts[:min(len(p.parts), change.MaxFiles)] {
		_, err := p.Files.Target(ctx, f.Path, p.naming(f.Path, f.Op == patch.Add))
		if err == nil && f.To != "" {
			_, err = p.Files.Target(ctx, f.To, p.naming(f.To, true))
		}
		if err == nil {
			err = p.noPlaceholder(f)
		}
		if err != nil {
			return about(f, err)
		}
	}
	return nil
}

// noPlaceholder refuses lines that would write a placeholder into a file, or remove one from it. Lines that stay may
// have placeholders: they are found as they were shown, and are not written.
func (p *Patch) noPlaceholder(f patch.File) error {
	if err := p.Files.NoPlaceholder("the patch", f.Content); err != nil {
		return err
	}
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			if l.Op == ' ' {
				continue
			}
			if err := p.Files.NoPlaceholder(said(h), l.Text); err != nil {
				return err
			}
		}
	}
	return nil
}

// said names a hunk.
func said(h patch.Hunk) string { return fmt.Sprintf("the hunk in line %d of the patch", h.Line) }

func (p *Patch) naming(name string, isNew bool) workspace.Naming {
	return naming(p.Files.Workspace, p.parts, name, isNew)
}

// Targets returns the files that a patch would change, as far as it can be read.
func Targets(ws *workspace.Workspace, text string) (list []part.Target) {
	files, _ := patch.Parse(text) // the call returns the error
	for _, f := range files[:min(len(files), change.MaxFiles)] {
		if f.Op == patch.Delete || f.To != "" {
			list = append(list, part.Target{Path: f.Path, Use: config.UseRemove, Naming: workspace.AsFound})
		} else {
			as := naming(ws, files, f.Path, f.Op == patch.Add)
			list = append(list, part.Target{Path: f.Path, Use: config.UseChange, Naming: as})
		}
		if f.To != "" {
			list = append(list, part.Target{Path: f.To, Use: config.UseChange, Naming: naming(ws, files, f.To, true)})
		}
	}
	return list
}

// naming returns which files a path of a patch may name. A new path may look like a file that the patch removes or
// moves away.
func naming(ws *workspace.Workspace, files []patch.File, name string, isNew bool) workspace.Naming {
	if !isNew {
		return workspace.AsFound
	}
	_, err := ws.TargetAs(name, workspace.AsNew)
	twin, ok := errors.AsType[*workspace.TwinError](err)
	if ok && slices.ContainsFunc(files, func(f patch.File) bool {
		if f.Op != patch.Delete && f.To == "" {
			return false
		}
		gone, err := ws.TargetAs(f.Path, workspace.AsFound)
		return err == nil && gone.Abs == twin.Like.Abs
	}) {
		return workspace.AsWritten
	}
	return workspace.AsNew
}

// Apply applies the patch to the files, which it opens in a set. The error may be a [change.StaleError] or a
// changereport.Refusal; the files that were opened are returned with it.
func (p *Patch) Apply(ctx context.Context, set *change.Set) ([]*Section, error) {
	p.sections = map[string]*Section{}
	for _, f := range p.parts {
		if err := p.open(ctx, set, f); err != nil {
			return p.order, err
		}
	}
	for _, s := range p.order {
		if err := s.apply(ctx, p.Edit); err != nil {
			return p.order, err
		}
		if err := s.KeepsForm(); err != nil {
			return p.order, s.about(err)
		}
	}
	return p.order, nil
}

// open opens the file of a part of the patch, and checks that it may be done.
func (p *Patch) open(ctx context.Context, set *change.Set, f patch.File) error {
	naming := p.naming(f.Path, f.Op == patch.Add)
	target, err := p.Files.Target(ctx, f.Path, naming)
	if err != nil {
		return about(f, err)
	}
	before := p.sections[target.Abs]
	if before != nil && before.patch.Op == patch.Update && f.Op == patch.Update && before.patch.To == "" && f.To == "" {
		before.patch.Hunks = append(before.patch.Hunks, f.Hunks...)
		return nil
	}
	file, err := set.Open(ctx, f.Path, naming)
	if err != nil {
		return about(f, err)
	}
	s := &Section{patch: f, Change: change.Change{File: file, Remove: f.Op == patch.Delete}}
	if err := p.claim(file, s); err != nil {
		return err
	}
	p.order = append(p.order, s)
	if f.To != "" {
		if s.To, err = set.Open(ctx, f.To, p.naming(f.To, true)); err != nil {
			return about(f, err)
		}
		if s.To.Abs == s.Abs { // by another path: it stays there
			s.To = nil
		}
	}
	if err := s.allowed(ctx, p.Missing); err != nil || s.To == nil {
		return err
	}
	if err := p.claim(s.To, s); err != nil {
		return err
	}
	if s.To.Info != nil {
		return s.refused(fault.InvalidInput, "%s exists already, and a move does not replace a file. Move to another path, or "+
			"delete that one first", quote.Value(s.To.Name))
	}
	return nil
}

// claim notes which section is about a file. There may be one.
func (p *Patch) claim(f *change.File, s *Section) error {
	if before := p.sections[f.Abs]; before != nil {
		return s.refused(fault.InvalidInput, "%s is also in line %d of the patch. Give each file one section",
			quote.Value(f.Name), before.patch.Line)
	}
	p.sections[f.Abs] = s
	return nil
}

// about returns an error for a part of the patch: it names the line, and says that nothing was changed.
func about(f patch.File, err error) error {
	e := *advice.Of(advice.Reading, err, f.Path)
	if e.Code == fault.Aborted {
		return &e
	}
	e.Message = fmt.Sprintf("line %d of the patch: %s", f.Line, e.Message)
	if strings.Contains(e.Message, "nothing was changed") {
		return &e
	}
	return e.With("Nothing was changed")
}
