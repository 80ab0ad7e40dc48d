package tools

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/patch"
	"github.com/spillway-go/spillway/internal/workspace"
)

const applyPatchDescription = `Change files by a patch: all of it happens, or nothing. A patch is
*** Begin Patch
*** Update File: path/to/file
@@ class or function that the lines below are in
 a line that stays, with a space in front
-a line that goes
+a line that comes
*** Add File: path/to/new
+each line of it
*** Delete File: path/to/old
*** End Patch
*** Move to: new/path, behind Update File, moves a file. An @@ line begins each place that changes; about 3 lines that stay, in front and behind, show which it is. Unified diffs are taken too.`

// ApplyPatchParams are the arguments of apply_patch.
type ApplyPatchParams struct {
	Patch string `json:"patch" jsonschema:"the patch, from *** Begin Patch to *** End Patch, or a unified diff" arg:"text"`
}

// ApplyPatchResult is the result of apply_patch.
type ApplyPatchResult struct {
	Bounds

	Text string `json:"-"` // what was done, and the differences; of a patch that failed the lines that help

	Files []FileChange `json:"files,omitempty"` // in the order of the patch
}

func (r ApplyPatchResult) result() Result { return Result{Text: r.Text, Details: r} }

func (s *Suite) doApplyPatch(ctx context.Context, p ApplyPatchParams) (ApplyPatchResult, error) {
	a := patching{sections: map[string]*patched{}}
	files, err := patch.Parse(p.Patch)
	if err != nil {
		return a.res, errorf(CodeInvalidInput, "%w. Nothing was changed", err)
	}
	for _, f := range files[:min(len(files), maxOpened)] { // before the turn, which may take a while to come
		if err := s.reachable(ctx, f); err != nil {
			return a.res, err
		}
	}
	if a.turn, err = s.turn(ctx, share{Lines: s.cfg.Edit.MaxLines, Bytes: s.cfg.Edit.MaxBytes}); err != nil {
		return a.res, err
	}
	defer a.end()
	err = a.run(ctx, files)
	return a.res, err
}

// reachable returns nil, or the error for a section of the patch whose paths lead nowhere.
func (s *Suite) reachable(ctx context.Context, f patch.File) error {
	_, err := s.target(ctx, f.Path)
	if err == nil && f.To != "" {
		_, err = s.target(ctx, f.To)
	}
	return about(f, err)
}

// patching is one call of apply_patch.
type patching struct {
	*turn
	sections map[string]*patched // by the absolute path
	order    []*patched
	res      ApplyPatchResult
}

// patched is what a patch does with one file.
type patched struct {
	patch.File
	*original
	to      *original // where it is moved, or nil
	content []byte    // what it becomes
	maps    []edit.Map
}

func (a *patching) run(ctx context.Context, files []patch.File) error {
	for _, f := range files {
		if err := a.add(ctx, f); err != nil {
			return err
		}
	}
	for _, s := range a.order {
		if err := a.prepare(ctx, s); err != nil {
			return err
		}
	}
	// What is removed comes last: until then everything can be undone as it was.
	var changes, removed []change
	for _, s := range a.order {
		switch {
		case s.Op == patch.Delete:
			removed = append(removed, change{original: s.original, remove: true})
		case s.to != nil:
			changes = append(changes, change{original: s.to, content: s.content, mode: s.Info.Mode()})
			removed = append(removed, change{original: s.original, remove: true})
		default:
			changes = append(changes, change{original: s.original, content: s.content})
		}
	}
	done, err := a.commit(ctx, append(changes, removed...)...)
	if err != nil {
		return err
	}
	a.tell(done)
	return nil
}

// add opens the file of a section of the patch, and checks that it may be done.
func (a *patching) add(ctx context.Context, f patch.File) error {
	target, err := a.suite.target(ctx, f.Path)
	if err != nil {
		return about(f, err)
	}
	before := a.sections[target.Abs]
	if before != nil && before.Op == patch.Update && f.Op == patch.Update && before.To == "" && f.To == "" {
		before.Hunks = append(before.Hunks, f.Hunks...)
		return nil
	}
	o, err := a.open(ctx, f.Path)
	if err != nil {
		return about(f, err)
	}
	s := &patched{File: f, original: o}
	if err := a.claim(o, s); err != nil {
		return err
	}
	a.order = append(a.order, s)
	if err := a.allowed(ctx, s); err != nil {
		return err
	}
	if f.To == "" {
		return nil
	}
	if s.to, err = a.open(ctx, f.To); err != nil {
		return about(f, err)
	}
	if err := a.claim(s.to, s); err != nil {
		return err
	}
	if s.to.Info != nil {
		return a.refused(s, CodeInvalidInput, "%s exists already, and nothing is moved onto a file. Move to another path, or delete that one first", show(s.to.Name))
	}
	return nil
}

// claim notes which section is about a file. There may be one.
func (a *patching) claim(o *original, s *patched) error {
	if before := a.sections[o.Abs]; before != nil {
		return a.refused(s, CodeInvalidInput, "%s is also in line %d of the patch. Say in one section what becomes of a file", show(o.Name), before.Line)
	}
	a.sections[o.Abs] = s
	return nil
}

// refused returns the error for a section of the patch.
func (a *patching) refused(s *patched, code Code, format string, args ...any) error {
	return about(s.File, errorf(code, format, args...))
}

// about returns an error for a section of the patch: it names the line, and says that nothing was
// changed.
func about(f patch.File, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Code == CodeAborted {
		return err
	}
	message := fmt.Sprintf("line %d of the patch: %s", f.Line, e.Message)
	if !strings.Contains(message, "nothing was changed") {
		if !strings.HasSuffix(message, "?") {
			message += "."
		}
		message += " Nothing was changed"
	}
	return &Error{Code: e.Code, Message: message, Err: e.Err}
}

// allowed returns nil, or the error for what cannot be done with a file as it is.
func (a *patching) allowed(ctx context.Context, s *patched) error {
	name := show(s.Name)
	switch {
	case s.Op == patch.Add && s.Info != nil:
		return a.refused(s, CodeInvalidInput, "%s exists already, and Add File is for new ones. Use Update File", name)
	case s.Op == patch.Add:
		return nil
	case s.Info == nil:
		_, err := a.suite.resolve(ctx, s.Name)
		missing, ok := errors.AsType[*Error](err)
		if !ok {
			return a.refused(s, CodeNotFound, "%s does not exist", name) // a link to nothing
		}
		return a.refused(s, missing.Code, "%s", missing.Message)
	case s.Op == patch.Update && len(s.Hunks) > 0 && s.kind.Binary:
		return a.refused(s, CodeIsBinary, "%s is %s, not text", name, kindName(s.kind))
	case (s.Op == patch.Delete || s.To != "") && a.isLink(s.original):
		return a.refused(s, CodeInvalidInput, "%s is a link, and what would go is the file that it leads to. Name that, or use bash for the link", name)
	}
	return a.mayChange(s.original)
}

// isLink reports whether the last element of the path to a file is a link.
func (a *patching) isLink(o *original) bool {
	dir, err := a.suite.ws.Resolve(workspace.Quote(path.Dir(o.Name)))
	return err != nil || !strings.EqualFold(o.Abs, filepath.Join(dir.Abs, path.Base(o.Name)))
}

// prepare decides what becomes of a file.
func (a *patching) prepare(ctx context.Context, s *patched) (err error) {
	switch {
	case s.Op == patch.Add:
		s.content = []byte(s.Content)
		return nil
	case s.Op == patch.Delete && s.changed:
		a.res.Text, err = a.stale(s.original, &a.res.Bounds)
		return err
	case len(s.Hunks) == 0:
		s.content = s.original.content
		return nil
	}
	text := edit.New(s.original.content, s.kind)
	s.content, s.maps, err = patch.Apply(ctx, text, s.Hunks, a.suite.cfg.MaxFileBytes)
	if s.changed && ctx.Err() == nil && (err != nil || !a.asShown(ctx, s)) {
		a.res.Text, err = a.stale(s.original, &a.res.Bounds)
		return err
	}
	if err != nil {
		return a.explain(ctx, s, text, err)
	}
	if left := len(edit.New(s.content, s.kind).Body()); s.Op == patch.Delete && left > 0 {
		return a.refused(s, CodeInvalidInput, "%s has more than the lines that go. Remove all of them, or use *** Delete File", show(s.Name))
	}
	return nil
}

// asShown reports whether the hunks are for lines that have not changed since they were shown.
func (a *patching) asShown(ctx context.Context, s *patched) bool {
	shown := s.known.Content
	if shown == nil {
		return s.exact()
	}
	was := edit.New(shown, sniffed(shown))
	_, maps, err := patch.Apply(ctx, was, s.Hunks, a.suite.cfg.MaxFileBytes)
	return err == nil && slices.Equal(maps, s.maps)
}

// exact reports whether no map was needed.
func (s *patched) exact() bool {
	return !slices.ContainsFunc(s.maps, func(m edit.Map) bool { return m != edit.Exact })
}

// explain returns the error for hunks that were refused.
func (a *patching) explain(ctx context.Context, s *patched, text *edit.Text, err error) error {
	var missing *patch.MissingError
	var hunk *patch.Error
	var content *edit.Error
	switch {
	case errors.As(err, &missing):
		e := editing{turn: a.turn, original: s.original, text: text}
		found := e.missing(ctx, edit.Edit{Old: missing.Old, New: missing.New, Lines: true},
			fmt.Sprintf("line %d of the patch: the text that stays or goes", missing.Line), "what the hunk makes of it", " Nothing was changed.")
		a.res.Text = a.report(&a.res.Bounds, strings.Join(e.listing, "\n"))
		return found
	case errors.As(err, &hunk):
		return errorf(CodeInvalidInput, "%w (%s). Nothing was changed", err, show(s.Name))
	case errors.As(err, &content) && content.Reason == edit.Nothing:
		return a.refused(s, CodeInvalidInput, "%s would be as it is: the same lines go and come", show(s.Name))
	case errors.As(err, &content) && content.Reason == edit.Encoding:
		return a.refused(s, CodeInvalidInput, "%s is in an encoding with one byte for a character, which cannot hold what comes. Use ASCII alone, or convert the file to UTF-8 first", show(s.Name))
	case errors.As(err, &content):
		return a.refused(s, CodeTooLarge, "%s would be over the limit of %s", show(s.Name), notice.FileSize(a.suite.cfg.MaxFileBytes))
	}
	return err
}

// tell tells what was done: a line for each file, and the differences.
func (a *patching) tell(done []FileChange) {
	made := map[string]FileChange{}
	for _, c := range done {
		made[c.Path] = c
	}
	var headline []string
	var shown []FileChange
	for _, s := range a.order {
		f := made[s.Name]
		if s.to != nil {
			f = s.moved(f)
		}
		if !s.exact() {
			for _, m := range s.maps {
				f.Maps = append(f.Maps, string(m))
			}
		}
		a.res.Files = append(a.res.Files, f)
		headline = append(headline, s.headline(f))
		if f.diff != nil && f.LinesAdded+f.LinesRemoved > 0 {
			shown = append(shown, f)
		}
	}
	a.res.Text = a.report(&a.res.Bounds, strings.Join(headline, "\n"), shown...)
}

// moved returns the change of a file that was moved. gone is that of the path that it had.
func (s *patched) moved(gone FileChange) FileChange {
	f := FileChange{Path: s.to.Name, Before: gone.Before, WasStale: gone.WasStale, MovedFrom: s.Name}
	f.compare(diff.New(textOf(s.original.content), textOf(s.content)))
	return f
}

// headline says what was done to a file, and what of it may be a surprise.
func (s *patched) headline(f FileChange) string {
	name := show(s.Name)
	var said []string
	switch {
	case f.Created:
		said = append(said, fmt.Sprintf("Created %s (%s)", name, notice.Count(f.LinesAdded, "line")))
	case f.Removed:
		said = append(said, fmt.Sprintf("Deleted %s (%s)", name, notice.Count(f.LinesRemoved, "line")))
	case s.to != nil && f.LinesAdded+f.LinesRemoved == 0:
		said = append(said, fmt.Sprintf("Moved %s to %s", name, show(s.to.Name)))
	case s.to != nil:
		said = append(said, fmt.Sprintf("Moved %s to %s: %s", name, show(s.to.Name), f.linesChanged()))
	default:
		said = append(said, fmt.Sprintf("Updated %s: %s", name, f.linesChanged()))
	}
	if f.WasStale {
		said = append(said, "It has changed since it was last shown, but not there")
	}
	return sentences(append(said, differed(s.maps, func(hunks []int) string {
		return fmt.Sprintf("The hunk in line %d of the patch", s.Hunks[hunks[0]].Line)
	})...)...)
}
