package tools

import (
	"cmp"
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/change"
	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/page"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/workspace"
)

const writeDescription = `Create a file, or replace the whole content of one. Creates missing directories. To ` +
	`change part of a file, edit it instead.`

// WriteParams are the arguments of write.
type WriteParams struct {
	Path    string `json:"path" jsonschema:"the file to write, relative to the workspace or absolute"`
	Content string `json:"content" jsonschema:"the whole content of the file" arg:"text"`

	Encoding string `json:"encoding,omitempty" jsonschema:"encoding to write in, such as windows-1252 or shift_jis; default the file's own if that is UTF-16, else UTF-8"`
}

// WriteResult is the result of write.
type WriteResult struct {
	Bounds
	FileChange

	Text string `json:"-"` // what was done, the difference, and notices

	Encoding    string `json:"encoding,omitempty"`    // of the file now: utf-8, utf-8-bom, utf-16le, utf-16be, or the one that the call asked for
	LineEndings string `json:"lineEndings,omitempty"` // lf, crlf, mixed or cr, as the content has them; "" if it has none
	Unread      bool   `json:"unread,omitempty"`      // lines are gone that the file had, though not all of it was read before
}

func (r *WriteResult) result() Result { return Result{Text: r.Text, Details: *r} }

func (r *WriteResult) parts() (*string, *Bounds) { return &r.Text, &r.Bounds }

func (cs *changes) write(ctx context.Context, p WriteParams) (WriteResult, error) {
	var res WriteResult
	if most := cs.cfg.MaxFileBytes; int64(len(p.Content)) > most {
		return res, errorf(CodeTooLarge, "content is %s, over the limit of %s for files that are changed here",
			size.File(int64(len(p.Content))), size.File(most))
	}
	if err := cs.noPlaceholder("content", p.Content); err != nil {
		return res, err
	}
	encoding, err := hint.Encoding(p.Encoding)
	if err != nil {
		return res, err
	}
	set, f, err := cs.files.Open(ctx, p.Path, workspace.AsNew)
	if err != nil {
		return res, err
	}
	defer set.End()
	if err := f.MayChange(); err != nil {
		return res, err
	}
	report := cs.report(cs.cfg.Write.MaxLines, cs.cfg.Write.MaxBytes)
	if f.Changed {
		res.Text, err = report.stale(&res.Bounds, f)
		return res, err
	}
	if _, err := f.DecodeAs(encoding); err != nil {
		return res, err
	}
	if err := cmp.Or(cs.inForm(f), cs.secretsGone(f)); err != nil {
		return res, err
	}
	c, err := f.Encode(p.Content)
	if err != nil {
		return res, err
	}
	if err := staysJSON(c); err != nil {
		return res, err
	}
	c.Known = true
	if res.FileChange, err = commitOne(ctx, set, c); err != nil {
		return WriteResult{}, err
	}
	if res.Unread = res.LinesRemoved > 0 && !f.WasRead() && !page.IsImage(f.Kind.Type); res.Unread {
		report.notices = append(report.notices, notice.Unread(res.LinesRemoved, res.Before, report.read))
	}
	now := c.NewKind()
	res.Encoding, res.LineEndings = now.Encoding, now.LineEndings
	res.Text = report.text(&res.Bounds, res.written(c), res.FileChange)
	return res, nil
}

// written says what was done to a file that was written as a whole, and what is not as it was besides the lines.
func (done FileChange) written(c change.Change) string {
	name, was, now := show(c.Name), c.Kind, c.NewKind()
	size := fmt.Sprintf("%s, %s", notice.Count(change.Lines(c.NewText()), "line"), size.Format(int64(len(c.Content))))
	var kind, ends string
	switch {
	case done.Created && c.Encoding != "" && !now.Binary:
		kind = fmt.Sprintf("It is in %s", now.Encoding)
	case done.Created:
	case was.Binary:
		kind = fmt.Sprintf("It was %s before, and not text", was.What())
	case now.Binary:
		kind = fmt.Sprintf("It is %s now", now.What())
	case now.Encoding == was.Encoding && now.Encoding != textfile.UTF8:
		kind = fmt.Sprintf("It is in %s, as before", now.Encoding)
	case now.Encoding != textfile.UTF8:
		kind = fmt.Sprintf("It is in %s now", now.Encoding)
	case was.Encoding != textfile.UTF8:
		kind = fmt.Sprintf("It was in %s before, and is in utf-8 now", was.Encoding)
	case !utf8.Valid(c.File.Content):
		kind = "It was not valid UTF-8 before, and is now"
		if likely := textfile.Guess(c.File.Content); likely != "" && c.Encoding == "" {
			kind += fmt.Sprintf(". It looked like %s: use encoding=%[1]s to write it in that", likely)
		}
	}
	switch {
	case done.Created:
		return sentences(fmt.Sprintf("Created %s (%s)", name, size), kind, notJSON(c))
	case !done.changed:
		return sentences(fmt.Sprintf("%s holds that already (%s). Nothing was written", name, size))
	}
	if was.LineEndings != now.LineEndings && was.LineEndings != "" && now.LineEndings != "" {
		ends = fmt.Sprintf("Its line endings were %s and are %s now, as in content", was.LineEndings, now.LineEndings)
	}
	return sentences(fmt.Sprintf("Wrote %s: %s (%s)", name, done.linesChanged(), size), kind, ends, notJSON(c))
}
