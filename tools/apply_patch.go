package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/notebook"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/patch"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/workspace"
)

const applyPatchDescription = `Change files with a patch. All of it is applied, or nothing. A patch is
*** Begin Patch
*** Update File: path/to/file
@@ class or function that the lines below are in
 a line that stays, after a space
-a line to remove
+a line to add
*** Add File: path/to/new
+each line of the new file
*** Delete File: path/to/old
*** End Patch
*** Move to: new/path, on the line after Update File, moves the file. ` +
	`Each place that changes begins with an @@ line; about 3 unchanged lines before and after it show which place is ` +
	`meant. Unified diffs are accepted too.`

// ApplyPatchParams are the arguments of apply_patch.
type ApplyPatchParams struct {
	Patch string `json:"patch" jsonschema:"the patch, from *** Begin Patch to *** End Patch, or a unified diff" arg:"text"`
}

// ApplyPatchResult is the result of apply_patch.
type ApplyPatchResult struct {
	Bounds

	Text string `json:"-"` // what was done, and the differences; if the patch failed, the lines that help

	Files []FileChange `json:"files,omitempty"` // what became of each file, in the order of the patch
}

func (r *ApplyPatchResult) result() Result { return Result{Text: r.Text, Details: *r} }

func (r *ApplyPatchResult) parts() (*string, *Bounds) { return &r.Text, &r.Bounds }

func (cs *changes) applyPatch(ctx context.Context, p ApplyPatchParams) (ApplyPatchResult, error) {
	a := patching{changes: cs, sections: map[string]*patchSection{},
		report: cs.report(cs.cfg.Edit.MaxLines, cs.cfg.Edit.MaxBytes)}
	files, err := patch.Parse(p.Patch)
	a.all = files
	if err != nil {
		return a.res, errorf(CodeInvalidInput, "%w. Nothing was changed", err)
	}
	for _, f := range files[:min(len(files), change.MaxFiles)] { // before the lock, which may take a while to come
		_, err := cs.files.Target(ctx, f.Path, cs.naming(files, f.Path, f.Op == patch.Add))
		if err == nil && f.To != "" {
			_, err = cs.files.Target(ctx, f.To, cs.naming(files, f.To, true))
		}
		if err == nil {
			err = cs.noPlaceholderIn(f)
		}
		if err != nil {
			return a.res, about(f, err)
		}
	}
	if a.set, err = cs.files.Begin(ctx); err != nil {
		return a.res, err
	}
	defer a.set.End()
	err = a.run(ctx, files)
	return a.res, err
}

// naming returns what a path of a patch may be. A new one may look like a file that the patch removes or moves away.
func (cs *changes) naming(files []patch.File, name string, isNew bool) workspace.Naming {
	if !isNew {
		return workspace.AsFound
	}
	_, err := cs.paths.ws.TargetAs(name, workspace.AsNew)
	twin, ok := errors.AsType[*workspace.TwinError](err)
	if ok && slices.ContainsFunc(files, func(f patch.File) bool {
		if f.Op != patch.Delete && f.To == "" {
			return false
		}
		gone, err := cs.paths.ws.TargetAs(f.Path, workspace.AsFound)
		return err == nil && gone.Abs == twin.Like.Abs
	}) {
		return workspace.AsWritten
	}
	return workspace.AsNew
}

// patching is one call of apply_patch.
type patching struct {
	*changes
	all      []patch.File
	set      *change.Set
	report   changeReport
	sections map[string]*patchSection // by the absolute path
	order    []*patchSection
	res      ApplyPatchResult
}

// patchSection is what a patch does with one file.
type patchSection struct {
	change.Change
	patch patch.File
	done  patch.Result
}

func (a *patching) run(ctx context.Context, files []patch.File) error {
	for _, f := range files {
		if err := a.add(ctx, f); err != nil {
			return err
		}
	}
	var changes []change.Change
	for _, s := range a.order {
		if err := a.prepare(ctx, s); err != nil {
			return err
		}
		if err := staysJSON(s.Change); err != nil {
			return about(s.patch, err)
		}
		changes = append(changes, s.Change)
	}
	done, err := a.set.Commit(ctx, changes...)
	if err != nil {
		return err
	}
	a.describe(done)
	return nil
}

// add opens the file of a section of the patch, and checks that it may be done.
func (a *patching) add(ctx context.Context, f patch.File) error {
	naming := a.naming(a.all, f.Path, f.Op == patch.Add)
	target, err := a.files.Target(ctx, f.Path, naming)
	if err != nil {
		return about(f, err)
	}
	before := a.sections[target.Abs]
	if before != nil && before.patch.Op == patch.Update && f.Op == patch.Update && before.patch.To == "" && f.To == "" {
		before.patch.Hunks = append(before.patch.Hunks, f.Hunks...)
		return nil
	}
	file, err := a.set.Open(ctx, f.Path, naming)
	if err != nil {
		return about(f, err)
	}
	a.report.corrected(file)
	s := &patchSection{patch: f, Change: change.Change{File: file, Remove: f.Op == patch.Delete}}
	if err := a.claim(file, s); err != nil {
		return err
	}
	a.order = append(a.order, s)
	if f.To != "" {
		if s.To, err = a.set.Open(ctx, f.To, a.naming(a.all, f.To, true)); err != nil {
			return about(f, err)
		}
		if s.To.Abs == s.Abs { // by another path: it stays there
			s.To = nil
		}
	}
	if err := a.allowed(ctx, s); err != nil || s.To == nil {
		return err
	}
	if err := a.claim(s.To, s); err != nil {
		return err
	}
	if s.To.Info != nil {
		return s.refused(CodeInvalidInput, "%s exists already, and nothing is moved onto a file. Move to another path, or "+
			"delete that one first", show(s.To.Name))
	}
	return nil
}

// claim notes which section is about a file. There may be one.
func (a *patching) claim(f *change.File, s *patchSection) error {
	if before := a.sections[f.Abs]; before != nil {
		return s.refused(CodeInvalidInput, "%s is also in line %d of the patch. Say in one section what becomes of a file",
			show(f.Name), before.patch.Line)
	}
	a.sections[f.Abs] = s
	return nil
}

// refused returns the error for a section of the patch.
func (s *patchSection) refused(code Code, format string, args ...any) error {
	return about(s.patch, errorf(code, format, args...))
}

// about returns an error for a section of the patch: it names the line, and says that nothing was
// changed.
func about(f patch.File, err error) error {
	e := failure(err, f.Path)
	if e.Code == CodeAborted {
		return e
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
func (a *patching) allowed(ctx context.Context, s *patchSection) error {
	name := show(s.Name)
	switch {
	case s.patch.Op == patch.Add && s.Info != nil:
		return s.refused(CodeInvalidInput, "%s exists already, and Add File is for new ones. Use Update File", name)
	case s.patch.Op == patch.Add:
		return nil
	case s.Info == nil:
		return about(s.patch, a.paths.missing(ctx, s.Name))
	case s.patch.Op == patch.Update && len(s.patch.Hunks) > 0 && s.Kind.Binary:
		return s.refused(CodeIsBinary, "%s is %s, not text", name, s.Kind.What())
	case (s.patch.Op == patch.Delete || s.To != nil) && s.IsLink():
		return s.refused(CodeInvalidInput, "%s is a link, and what would go is the file that it leads to. "+
			"Name that, or use bash for the link", name)
	}
	return s.MayChange()
}

// prepare decides what becomes of a file.
func (a *patching) prepare(ctx context.Context, s *patchSection) (err error) {
	switch {
	case s.patch.Op == patch.Add:
		s.Content, s.Known = []byte(s.patch.Content), true
		return nil
	case s.patch.Op == patch.Delete && s.Changed:
		a.res.Text, err = a.report.stale(&a.res.Bounds, s.File)
		return err
	case len(s.patch.Hunks) == 0 && !s.Remove:
		s.Content = s.File.Content
		return nil
	case len(s.patch.Hunks) == 0:
		return nil
	}
	text := a.hidden(edit.New(s.File.Content, s.Kind))
	s.done, err = a.applied(ctx, s, text)
	s.Content = s.done.Content
	if s.Changed && ctx.Err() == nil && (err != nil || !a.asShown(ctx, s)) {
		a.res.Text, err = a.report.stale(&a.res.Bounds, s.File)
		return err
	}
	if err != nil {
		return a.explain(ctx, s, text, err)
	}
	if err := a.stillHidden(s.File, text, s.Content); err != nil {
		return about(s.patch, err)
	}
	if s.Remove && len(edit.New(s.Content, s.Kind).Body()) > 0 {
		return s.refused(CodeInvalidInput,
			"%s has more than the lines that go. Remove all of them, or use *** Delete File", show(s.Name))
	}
	if s.Remove {
		s.Content = nil
	}
	return nil
}

// applied returns what the hunks make of a text. A section that moves a file need not change it.
func (a *patching) applied(ctx context.Context, s *patchSection, text *edit.Text) (patch.Result, error) {
	done, err := patch.Apply(ctx, text, s.patch.Hunks, a.cfg.MaxFileBytes)
	if same, ok := errors.AsType[*edit.Error](err); ok && same.Reason == edit.Nothing && s.patch.To != "" {
		done.Content, err = s.File.Content, nil
	}
	return done, err
}

// asShown reports whether the hunks are for lines that have not changed since they were shown.
func (a *patching) asShown(ctx context.Context, s *patchSection) bool {
	shown := s.Seen()
	if shown == nil {
		return s.exact()
	}
	then, err := a.applied(ctx, s, a.hidden(edit.New(shown, s.KindOf(shown))))
	return err == nil && slices.Equal(then.Maps, s.done.Maps)
}

// exact reports whether no map was needed.
func (s *patchSection) exact() bool {
	return !slices.ContainsFunc(s.done.Maps, func(m edit.Map) bool { return m != edit.Exact })
}

// explain returns the error for hunks that were refused.
func (a *patching) explain(ctx context.Context, s *patchSection, text *edit.Text, err error) error {
	var missing *patch.MissingError
	var hunk *patch.Error
	var content *edit.Error
	switch {
	case errors.As(err, &missing):
		h := hints{file: s.File, text: text}
		found := h.missing(ctx, edit.Edit{Old: missing.Old, New: missing.New, Lines: true},
			fmt.Sprintf("line %d of the patch: the text that stays or goes", missing.Line), "what the hunk makes of it",
			" Nothing was changed.")
		a.res.Text = a.report.text(&a.res.Bounds, strings.Join(h.lines, "\n"))
		if notebook.IsName(s.Name) && a.tools.has("edit") {
			found = errorf(CodeNotFound, "%w. A patch is for the JSON of a notebook; edit is for its cells", found)
		}
		return found
	case errors.As(err, &hunk):
		return errorf(CodeInvalidInput, "%w (%s). Nothing was changed", err, show(s.Name))
	case errors.As(err, &content) && content.Reason == edit.Nothing:
		return s.refused(CodeInvalidInput, "%s would be as it is: the same lines go and come", show(s.Name))
	case errors.As(err, &content) && content.Reason == edit.Hidden:
		return about(s.patch, inSecret(s.File, text, content))
	case errors.As(err, &content) && content.Reason == edit.Encoding:
		return s.refused(CodeInvalidInput, "%s is in an encoding with one byte for a character, which cannot hold what "+
			"comes. Use ASCII alone, or convert the file to UTF-8 first", show(s.Name))
	case errors.As(err, &content):
		return s.refused(CodeTooLarge, "%s would be over the limit of %s", show(s.Name), size.File(a.cfg.MaxFileBytes))
	}
	return err
}

// describe says what was done: a line for each file, and the differences.
func (a *patching) describe(done []change.Done) {
	var headline []string
	var shown []FileChange
	for i, s := range a.order {
		f := fileChange(s.Change, done[i])
		if !s.exact() {
			for _, m := range s.done.Maps {
				f.Maps = append(f.Maps, string(m))
			}
		}
		a.res.Files = append(a.res.Files, f)
		headline = append(headline, s.headline(f))
		if f.diff != nil && f.LinesAdded+f.LinesRemoved > 0 {
			shown = append(shown, f)
		}
	}
	a.res.Text = a.report.text(&a.res.Bounds, strings.Join(headline, "\n"), shown...)
}

// headline says what was done to a file, and what of it may be a surprise.
func (s *patchSection) headline(f FileChange) string {
	name := show(s.Name)
	var said []string
	switch {
	case f.Created:
		said = append(said, fmt.Sprintf("Created %s (%s)", name, notice.Count(f.LinesAdded, "line")))
	case f.Removed:
		said = append(said, fmt.Sprintf("Deleted %s (%s)", name, notice.Count(f.LinesRemoved, "line")))
	case s.To != nil && f.LinesAdded+f.LinesRemoved == 0:
		said = append(said, fmt.Sprintf("Moved %s to %s", name, show(s.To.Name)))
	case s.To != nil:
		said = append(said, fmt.Sprintf("Moved %s to %s: %s", name, show(s.To.Name), f.linesChanged()))
	case !f.changed:
		said = append(said, fmt.Sprintf("%s stays as it is", name))
	default:
		said = append(said, fmt.Sprintf("Updated %s: %s", name, f.linesChanged()))
	}
	if f.WasStale {
		said = append(said, "It has changed since it was last shown, but not there")
	}
	hunk := func(i int) string { return fmt.Sprintf("the hunk in line %d of the patch", s.patch.Hunks[i].Line) }
	said = append(said, differed(s.done.Maps, func(hunks []int) string { return "T" + hunk(hunks[0])[1:] })...)
	for i, l := range s.done.Left {
		if l.Places > 0 {
			said = append(said, otherEndings("The text of "+hunk(i), l.Places, l.Line, l.CRLF, "its lines"))
		}
	}
	return sentences(append(said, notJSON(s.Change))...)
}
