package tools

import (
	"context"

	"github.com/spillway-go/spillway/internal/changereport"
	"github.com/spillway-go/spillway/internal/hint"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/page"
	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/internal/workspace"
)

const writeDescription = `Create a file, or replace the whole content of one. Creates missing directories. To ` +
	`change part of a file, edit it instead.`

// WriteParams are the arguments of write.
type WriteParams struct {
	Path    string `json:"path" jsonschema:"the file to write, relative to the workspace or absolute"`
	Content string `json:"content" jsonschema:"the whole content of the file" arg:"text"`

	Encoding string `json:"encoding,omitempty" jsonschema:"encoding to write in, such as windows-1252 or shift_jis; default the file's own if that is clear, else UTF-8"`
}

// WriteResult is the result of write. Its Text says what was done, and has a diff and notices.
type WriteResult struct {
	Shown
	FileChange

	Encoding    string `json:"encoding,omitempty"`    // of the new file, as in ReadResult
	LineEndings string `json:"lineEndings,omitempty"` // lf, crlf, mixed or cr; "" if the content has none
	Unread      bool   `json:"unread,omitempty"`      // lines are gone, and not all of the file had been read
}

func (cs *changes) write(ctx context.Context, p WriteParams) (res WriteResult, err error) {
	if most := cs.cfg.MaxFileBytes; int64(len(p.Content)) > most {
		return res, errorf(CodeTooLarge, "content is %s, over the limit of %s for files that are changed here",
			size.File(int64(len(p.Content))), size.File(most))
	}
	if err := cs.files.NoPlaceholder("content", p.Content); err != nil {
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
	report := cs.report(cs.cfg.Edit.MaxLines, cs.cfg.Edit.MaxBytes)
	c, err := f.Rewrite(p.Content, encoding)
	if err != nil {
		shown, err := report.Refused(err)
		res.reported(shown)
		return res, err
	}
	done, err := set.Commit(ctx, c)
	if err != nil {
		return res, err
	}
	res.FileChange = fileChange(c, done[0])
	if res.Unread = res.LinesRemoved > 0 && !f.WasRead() && !page.IsImage(f.Kind.Type); res.Unread {
		report.Notices = append(report.Notices, notice.Unread(res.LinesRemoved, res.Before, report.Read))
	}
	now := c.NewKind()
	res.Encoding, res.LineEndings = now.Encoding, now.LineEndings
	shown := report.Text(changereport.Written(c, done[0]), changereport.Of(c, done[0]))
	res.reported(&shown)
	return res, nil
}
