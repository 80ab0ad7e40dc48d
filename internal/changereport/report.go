// Package changereport makes the text of a call that changes files: what was done, the diffs that fit, and notices. If
// nothing was done, it shows the lines that say why.
package changereport

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/diff"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/truncation"
)

// MaxLineChars is the number of characters after which a line is cut.
const MaxLineChars = 500

// Limits are the limits of a text without its notices.
type Limits struct{ Lines, Bytes int }

type Report struct {
	Limits  Limits
	Read    bool            // the suite has the tool read
	Notices []notice.Notice // of the call
	Names   []notice.Notice // about corrected paths; dropped if there is no room
}

// File is the shown part of a changed file.
type File struct {
	Name    string
	Title   string         // names it above its diff; "" is Name
	Diff    *diff.Diff     // nil if the headline says enough
	Secrets []mask.Finding // secrets that Diff does not show
}

// Text is what a model is told.
type Text struct {
	truncation.Result        // Text includes notices, which do not count
	Files             []File // files with a diff
	Large             bool   // a diff is too large to show
	LinesCut          bool   // some lines are shown in part
}

func Of(c change.Change, done change.Done) File {
	f := File{Name: c.NewName()}
	if done.Changed && !done.Created && !c.Remove && (!done.Binary || c.To != nil) {
		f.Diff, f.Secrets = done.Diff, done.Redacted
	}
	return f
}

func Format(c change.Change) notice.Format {
	if c.Remove {
		return notice.Format{}
	}
	kind := c.NewKind()
	if kind.Binary {
		return notice.Format{}
	}
	return notice.Format{Encoding: kind.Encoding, LineEndings: textfile.LineEndings(c.NewText())}
}

// Since returns what else has changed in a file since it was last shown: its place, for the line about the call, and
// the changes. then is the result of the same edits on the content that was shown; nil if unknown.
func Since(c change.Change, then []byte) (at string, shown File) {
	if then == nil || c.Remove {
		return "", File{}
	}
	before, _ := c.File.As(then).Shown()
	shown = File{Name: c.NewName(), Title: quote.Value(c.NewName()) + ", since it was last shown"}
	if shown.Diff, shown.Secrets = c.Diff(before, c.NewText()); len(shown.Diff.Changes) == 0 {
		return "", File{} // only a secret changed
	}
	return notice.At(shown.Diff.Changes), shown
}

func (f File) title() string {
	if f.Title != "" {
		return f.Title
	}
	return quote.Value(f.Name)
}

// Refusal is an error that changed nothing, with the lines that help to correct the call.
type Refusal struct {
	Err   error
	Lines []string
	Cut   bool // a line was longer
}

func (r *Refusal) Error() string { return r.Err.Error() }

func (r *Refusal) Unwrap() error { return r.Err }

// Refused returns the error for a call that changes nothing, and the text beside it, or nil.
func (r Report) Refused(err error) (*Text, error) {
	if stale, ok := errors.AsType[*change.StaleError](err); ok {
		return r.stale(stale.File)
	}
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		text := r.text(strings.Join(refusal.Lines, "\n"), refusal.Cut, nil)
		return &text, refusal.Err
	}
	return nil, err
}

// stale shows the changes of a file since it was last shown. It returns nil if they are unknown.
func (r Report) stale(f *change.File) (text *Text, err error) {
	err = f.Stale(func(d *diff.Diff) bool {
		t := r.Text("", File{Name: f.Name, Diff: d})
		text = &t
		return !t.Large && !t.Truncated && !t.LinesCut
	})
	return text, err
}

// Text returns what the model is told about changes: a headline, which may have several lines, the diffs, bounded, and
// the notices.
func (r Report) Text(headline string, files ...File) Text { return r.text(headline, false, files) }

// text is Text for a headline whose lines may be cut.
func (r Report) text(headline string, cut bool, files []File) Text {
	files = slices.DeleteFunc(slices.Clone(files), func(f File) bool { return f.Diff == nil })
	shown, linesCut := r.whole(headline, files)
	t := Text{Result: shown, Files: files, LinesCut: cut || linesCut && !shown.Truncated}
	left := notice.Changes{Shown: shown.OutputLines, Total: shown.TotalLines}
	if shown.Truncated && len(files) > 0 {
		e := excerpt{limits: r.Limits, shown: shown}
		if e.begin(headline) {
			left = e.of(files)
			t.Result, t.LinesCut = e.shown, e.linesCut
		}
	}
	var secrets []mask.Finding
	for _, f := range files {
		secrets = append(secrets, f.Secrets...)
		t.Large = t.Large || f.Diff.Large
	}
	notices := append(slices.Clone(r.Notices), notice.Redacted(mask.Summary(secrets)))
	if t.Large {
		notices = append(notices, notice.ChangesNotShown(diff.MaxLines, r.Read))
	}
	if shown.Truncated {
		notices = append(notices, left.Notice(r.Read))
	}
	if t.LinesCut {
		notices = append(notices, notice.LongLines{Max: MaxLineChars}.Notice())
	}
	t.Result.Text = notice.Append(t.Result.Text, notice.Fit(append(notices, r.Names...)...)...)
	return t
}

// whole returns the beginning of a headline and diffs, and whether one of their lines is cut.
func (r Report) whole(headline string, files []File) (shown truncation.Result, cut bool) {
	w := truncation.Policy{Strategy: truncation.Head, Unmarked: true, Limits: truncation.Limits{
		Lines: truncation.AtMost(r.Limits.Lines), Bytes: truncation.AtMost(r.Limits.Bytes)}}.NewWriter()
	w.WriteString(headline)
	begun := headline != ""
	put := func(text string) {
		if begun {
			w.WriteString("\n")
		}
		begun = true
		w.WriteString(text)
	}
	for _, f := range files {
		if len(files) > 1 || f.Title != "" {
			put("--- " + f.title())
		}
		f.Diff.Print(func(sign string, line []byte) {
			text, c := diffLine(sign, line)
			cut = cut || c
			put(text)
		})
	}
	return w.Result(), cut
}

// diffLine returns a line of a diff as shown, and whether it is cut.
func diffLine(sign string, line []byte) (text string, cut bool) {
	text, cut = quote.Cut(shownEnd(line), MaxLineChars, quote.CutMark)
	return sign + quote.ShowNULs(string(text)), cut
}

// shownEnd returns a line without its newline. It makes a carriage return before it visible, because a line may differ
// only in that.
func shownEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	if text, ok := bytes.CutSuffix(line, []byte("\r")); ok {
		return append(text[:len(text):len(text)], `\r`...)
	}
	return line
}

func Written(c change.Change, done change.Done) string {
	w := notice.Written{Name: quote.Value(c.Name), Lines: diff.Lines(c.NewText()), Bytes: int64(len(c.Content)),
		Was: c.Kind, Now: c.NewKind(), Created: done.Created, Same: !done.Changed, Asked: c.Encoding != "",
		NotOfForm: c.NotOfForm()}
	if w.Was.Encoding == w.Now.Encoding {
		w.Format = Format(c)
	}
	w.Added, w.Removed = done.Lines()
	if w.Was.Encoding == textfile.UTF8 && !w.Was.Binary && !utf8.Valid(c.File.Content) {
		w.Invalid, w.Likely = true, textfile.Guess(c.File.Content)
	}
	return w.Line()
}
