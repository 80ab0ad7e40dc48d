package filepatch

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/changereport"
	"github.com/spillway-go/spillway/internal/edit"
	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/mend"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/patch"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/size"
)

// Section is what a patch does to one file.
type Section struct {
	change.Change
	patch patch.File
	done  patch.Result
	then  []byte // what the patch makes of the content that was last shown; nil if that is not known
}

// Planned returns the change that the section makes.
func (s *Section) Planned() change.Change { return s.Change }

// Maps says for each hunk how its lines differ from the file. It is nil if none differ.
func (s *Section) Maps() (maps []string) {
	if s.exact() {
		return nil
	}
	for _, m := range s.done.Maps {
		maps = append(maps, string(m))
	}
	return maps
}

// exact reports whether no map was needed.
func (s *Section) exact() bool {
	return !slices.ContainsFunc(s.done.Maps, func(m edit.Map) bool { return m != edit.Exact })
}

// Report says what was done to the file, and what of that may surprise the reader; and what else has changed in it since
// it was last shown.
func (s *Section) Report(done change.Done) (line string, since changereport.File) {
	p := notice.Patched{Name: quote.Value(s.Name), Created: done.Created, Deleted: done.Changed && s.Remove,
		Same: !done.Changed, Format: changereport.Format(s.Change), Stale: done.WasStale, NotOfForm: s.NotOfForm()}
	if p.Stale {
		p.Since, since = changereport.Since(s.Change, s.then)
	}
	if s.To != nil {
		p.To = quote.Value(s.To.Name)
	}
	p.Added, p.Removed = done.Lines()
	hunk := func(i int) string { return said(s.patch.Hunks[i]) }
	p.Differed = notice.DifferedIn(s.done.Maps, func(hunks []int) string { return "T" + hunk(hunks[0])[1:] })
	for i, l := range s.done.Left {
		if l.Places > 0 {
			p.Left = append(p.Left, notice.OtherEndings("The text of "+hunk(i), l.Places, l.Line, l.CRLF, "its lines"))
		}
	}
	return p.Line(), since
}

// about returns an error for the section.
func (s *Section) about(err error) error { return about(s.patch, err) }

// refused makes an error for the section.
func (s *Section) refused(code config.Code, format string, args ...any) error {
	return s.about(fault.Errorf(code, format, args...))
}

// allowed returns nil, or the error for what cannot be done with the file as it is.
func (s *Section) allowed(ctx context.Context, missing func(context.Context, string) *fault.Error) error {
	name := quote.Value(s.Name)
	switch {
	case s.patch.Op == patch.Add && s.Info != nil:
		return s.refused(fault.InvalidInput, "%s exists already, and Add File is for new files. Use Update File", name)
	case s.patch.Op == patch.Add:
		return nil
	case s.Info == nil:
		return s.about(missing(ctx, s.Name))
	case s.patch.Op == patch.Update && len(s.patch.Hunks) > 0 && s.Kind.Binary:
		return s.refused(fault.IsBinary, "%s is %s, not text", name, s.Kind.What())
	case (s.patch.Op == patch.Delete || s.To != nil) && s.IsLink():
		return s.refused(fault.InvalidInput, "%s is a link, and the file that it leads to would be deleted. "+
			"Name that file, or use bash for the link", name)
	}
	return s.MayChange()
}

// apply decides what becomes of the file.
func (s *Section) apply(ctx context.Context, editTool bool) (err error) {
	switch {
	case s.patch.Op == patch.Add:
		s.Content, s.Known = []byte(s.patch.Content), true
		return nil
	case s.patch.Op == patch.Delete && s.Changed:
		return &change.StaleError{File: s.File}
	case len(s.patch.Hunks) == 0 && !s.Remove:
		s.Content, s.then = s.File.Content, s.Seen()
		return nil
	case len(s.patch.Hunks) == 0:
		return nil
	}
	text := s.EditText()
	s.done, err = s.hunks(ctx, s.File, text)
	s.Content = s.done.Content
	if s.Changed && ctx.Err() == nil && (err != nil || !s.asShown(ctx)) {
		return &change.StaleError{File: s.File}
	}
	if err != nil {
		return s.explain(ctx, text, err, editTool)
	}
	if err := s.KeepsMasked(text, s.Content); err != nil {
		return s.about(err)
	}
	if s.Remove && len(edit.New(s.Content, s.Kind).Body()) > 0 {
		return s.refused(fault.InvalidInput,
			"%s has more lines than the patch removes. Remove all of them, or use *** Delete File", quote.Value(s.Name))
	}
	if s.Remove {
		s.Content = nil
	}
	return nil
}

// hunks returns what the hunks make of the text of the file, as it is or was. A section that moves the file need not
// change it.
func (s *Section) hunks(ctx context.Context, f *change.File, text *edit.Text) (patch.Result, error) {
	done, err := patch.Apply(ctx, text, s.patch.Hunks, f.MaxBytes())
	if same, ok := errors.AsType[*edit.Error](err); ok && same.Reason == edit.Nothing && s.patch.To != "" {
		done.Content, err = f.Content, nil
	}
	return done, err
}

// asShown reports whether the hunks are for lines that have not changed since they were shown.
func (s *Section) asShown(ctx context.Context) bool {
	shown := s.Seen()
	if shown == nil {
		return s.exact()
	}
	then := s.As(shown)
	was, err := s.hunks(ctx, then, then.EditText())
	s.then = was.Content
	return err == nil && slices.Equal(was.Maps, s.done.Maps)
}

// explain returns the error for hunks that were refused, with the lines of the file that help to mend them.
func (s *Section) explain(ctx context.Context, text *edit.Text, err error, editTool bool) error {
	if missing, ok := errors.AsType[*patch.MissingError](err); ok {
		return s.missing(ctx, text, missing, editTool)
	}
	name := quote.Value(s.Name)
	if _, ok := errors.AsType[*patch.Error](err); ok {
		return fault.Errorf(fault.InvalidInput, "%w (%s). Nothing was changed", err, name)
	}
	bad, ok := errors.AsType[*edit.Error](err)
	if !ok {
		return err
	}
	switch bad.Reason {
	case edit.Nothing:
		return s.refused(fault.InvalidInput, "%s would not change: the same lines are removed and added", name)
	case edit.Masked:
		return s.about(s.InSecret(text, bad))
	case edit.Encoding:
		return s.refused(fault.InvalidInput, "%s is in an encoding of one byte per character, which cannot hold the added "+
			"text. Use ASCII alone, or convert the file to UTF-8 first", name)
	}
	return s.refused(fault.TooLarge, "%s would be over the limit of %s", name, size.File(s.MaxBytes()))
}

// missing returns the error for a hunk whose lines are not in the file.
func (s *Section) missing(ctx context.Context, text *edit.Text, hunk *patch.MissingError, editTool bool) error {
	h := &mend.Hints{File: s.File, Text: text}
	err := h.Missing(ctx, edit.Edit{Old: hunk.Old, New: hunk.New, Lines: true}, mend.Names{
		Old: fmt.Sprintf("line %d of the patch: the old text", hunk.Line), New: "its new text",
		None: " Nothing was changed.",
	})
	if what := s.InPatch(); what != "" && editTool {
		err = fault.Errorf(fault.NotFound, "%w. A patch changes %s", err, what)
	}
	return h.Refusal(err)
}
