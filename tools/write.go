package tools

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/truncation"
)

const writeDescription = `Create a file, or replace all that one holds. Missing directories are made. To change a part of a file, edit it instead.`

// WriteParams are the arguments of write.
type WriteParams struct {
	Path    string `json:"path" jsonschema:"the file to write, relative to the workspace or absolute"`
	Content string `json:"content" jsonschema:"all that the file is to hold" arg:"text"`
}

// WriteResult is the result of write.
type WriteResult struct {
	Bounds
	FileChange

	Text string `json:"-"` // what was done, and the difference

	Encoding    string `json:"encoding,omitempty"`    // utf-8, utf-8-bom, utf-16le or utf-16be: that of the file before, if it was text
	LineEndings string `json:"lineEndings,omitempty"` // lf, crlf, mixed or cr, as the content has them
}

func (r WriteResult) result() Result { return Result{Text: r.Text, Details: r} }

func (s *Suite) doWrite(ctx context.Context, p WriteParams) (WriteResult, error) {
	var res WriteResult
	if most := s.cfg.MaxFileBytes; int64(len(p.Content)) > most {
		return res, errorf(CodeTooLarge, "content is %s, over the limit of %s for files that are changed here", notice.FileSize(int64(len(p.Content))), notice.FileSize(most))
	}
	t, o, err := s.turnFor(ctx, share{Lines: s.cfg.Write.MaxLines, Bytes: s.cfg.Write.MaxBytes}, p.Path)
	if err != nil {
		return res, err
	}
	defer t.end()
	if err := t.mayChange(o); err != nil {
		return res, err
	}
	if o.changed {
		res.Text, err = t.stale(o, &res.Bounds)
		return res, err
	}
	content, err := o.encode(p.Content)
	if err != nil {
		return res, err
	}
	if res.FileChange, err = t.commitOne(ctx, o, content); err != nil {
		return WriteResult{}, err
	}
	now := sniffed(content)
	res.Encoding, res.LineEndings = now.Encoding, now.LineEndings
	res.Text = t.report(&res.Bounds, o.written(res.FileChange, content, now), res.FileChange)
	return res, nil
}

// byteOrderMark is what a content may begin with, and an encoded one does anyway.
const byteOrderMark = "\ufeff"

// encode returns a content as the file is to hold it: in the encoding that it has.
func (o *original) encode(content string) ([]byte, error) {
	if o.kind.Encoding == textfile.UTF8 || o.kind.Encoding == "" {
		return []byte(content), nil
	}
	encoded, err := o.kind.Encode([]byte(strings.TrimPrefix(content, byteOrderMark)))
	if err != nil {
		return nil, errorf(CodeInvalidInput, "%s is in %s, which cannot hold the content: %w. Leave it out", show(o.Name), o.kind.Encoding, err)
	}
	return encoded, nil
}

// written says what was done to the file, and what is not as it was besides the lines.
func (o *original) written(c FileChange, content []byte, now textfile.Info) string {
	size := fmt.Sprintf("%s, %s", notice.Count(lines(string(textOf(content))), "line"), truncation.FormatSize(int64(len(content))))
	switch {
	case c.Created:
		return sentences(fmt.Sprintf("Created %s (%s)", show(o.Name), size))
	case c.Before == "":
		return sentences(fmt.Sprintf("%s holds that already (%s). Nothing was written", show(o.Name), size))
	}
	var was, ends string
	switch {
	case o.kind.Binary:
		was = fmt.Sprintf("It was %s before, and not text", kindName(o.kind))
	case now.Binary:
		was = fmt.Sprintf("It is %s now", kindName(now))
	case now.Encoding == o.kind.Encoding && now.Encoding != textfile.UTF8:
		was = fmt.Sprintf("It is in %s, as before", now.Encoding)
	case now.Encoding != textfile.UTF8:
		was = fmt.Sprintf("It is in %s now", now.Encoding)
	case !utf8.Valid(o.content):
		was = "It was not valid UTF-8 before, and is now"
	}
	if o.kind.LineEndings != now.LineEndings && o.kind.LineEndings != "" && now.LineEndings != "" {
		ends = fmt.Sprintf("Its line endings were %s and are %s now, as in content", o.kind.LineEndings, now.LineEndings)
	}
	return sentences(fmt.Sprintf("Wrote %s: %s (%s)", show(o.Name), c.linesChanged(), size), was, ends)
}
