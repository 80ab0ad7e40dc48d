package page

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/workspace"
)

// reader reads one file.
type reader struct {
	*Viewer
	Request
	room      room
	path      workspace.Path
	file      *os.File
	info      fs.FileInfo // when the file was opened
	kind      textfile.Info
	guessed   bool          // the encoding in kind is a guess
	form      Format        // the format that shows the file; nil to show it as it is
	printed   bool          // the file is the raw output of a command
	receipts  Receipts      // nil if lines are always shown
	corrected notice.Notice // what was corrected in the path
	argument  string        // the file's name in notices, if they need one
}

// view is a text to show a part of: the file, or what a format makes of it.
type view struct {
	text     textfile.File
	span     textfile.Span
	encoding string
	rendered *rendering    // the format's result that text belongs to; nil for the file itself
	failed   notice.Notice // why no format shows the file
	fromEnd  bool          // text is the end of the file, and the number of lines before it is unknown
}

// outcome is a result with further facts about the file.
type outcome struct {
	Result
	whole   seen.Lines      // shown whole
	notUTF8 bool            // the file was taken for UTF-8, but is not
	index   *textfile.Index // of the text; nil if it was not read to its end
}

// show shows what the request asks for. It decodes the file if that turns out not to be UTF-8.
func (r *reader) show(ctx context.Context) (Result, error) {
	file := io.ReaderAt(r.file)
	if r.info.Size() == 0 {
		file = textfile.Unsized(file, r.path.Name, r.MaxFileBytes)
	}
	record := seen.Record(file, r.info)
	out, err := r.read(ctx, file, record)
	if err == nil && out.notUTF8 {
		decoded, err := r.decoded()
		switch {
		case err != nil:
			return out.Result, err
		case decoded.guessed && !r.guessed:
			return decoded.show(ctx)
		}
	}
	if err == nil && !r.Digest {
		version := record.Version()
		version.Lines = out.whole
		r.Seen.Put(r.path.Abs, version)
	}
	return out.Result, err
}

// read shows the file, and records it unless it is too large.
func (r *reader) read(ctx context.Context, file io.ReaderAt, record *seen.Recorder) (outcome, error) {
	v := view{encoding: r.kind.Encoding}
	if r.form != nil {
		var err error
		if v.rendered, v.failed, err = r.render(ctx, record); err != nil {
			return outcome{}, err
		}
	}
	switch {
	case v.rendered != nil:
		if r.kind.Binary {
			v.encoding = textfile.UTF8
		}
		v.text = v.rendered.file()
	case r.Digest:
		v.text = textfile.NewFile(file, r.info.Size(), r.kind)
	default:
		if r.info.Size() < textfile.Large { // larger ones are read in parallel parts
			file = record
		}
		if r.kind.Encoding != textfile.UTF8 {
			file.ReadAt(make([]byte, 3), 0) // the byte order mark is read and dropped
		}
		v.text = textfile.NewFile(file, r.info.Size(), r.kind)
		if r.Offset < 0 || r.info.Size() >= textfile.MinCached {
			return r.remembered(ctx, v)
		}
	}
	if r.Digest {
		return r.digest(ctx, v)
	}
	if v.rendered != nil {
		index, err := v.text.Count(ctx)
		if err != nil {
			return outcome{}, err
		}
		return r.page(ctx, r.at(v, index))
	}
	return r.page(ctx, r.at(v, nil))
}

// remembered returns a page of the file. It uses what is remembered of the file, unless the file turns out to be
// changing.
func (r *reader) remembered(ctx context.Context, whole view) (outcome, error) {
	key := r.path.Abs
	if r.Encoding != "" { // the file has other lines in that encoding
		key += "\x00" + r.kind.Encoding
	}
	if index := r.Counts.Get(key, r.info); index != nil {
		out, err := r.page(ctx, r.at(whole, index))
		if !errors.Is(err, textfile.ErrChanged) && r.unchanged() {
			return out, err
		}
	}
	if r.Offset >= 0 && r.info.Size() < textfile.Large {
		out, err := r.page(ctx, r.at(whole, nil))
		if out.index != nil && r.unchanged() {
			r.Counts.Put(key, r.info, out.index)
		}
		return out, err
	}
	if r.Offset < 0 {
		if last, ok, err := r.last(ctx, whole); ok || err != nil {
			return last, err
		}
	}
	index, err := whole.text.Count(ctx)
	if err != nil {
		return outcome{}, err
	}
	if r.unchanged() {
		r.Counts.Put(key, r.info, index)
	}
	out, err := r.page(ctx, r.at(whole, index))
	if errors.Is(err, textfile.ErrChanged) {
		err = nil // it was cut off: this is what was there
	}
	return out, err
}

// last reads from the end, if that is cheaper than to count the lines. It does not know line numbers, so ok is false
// if they are needed.
func (r *reader) last(ctx context.Context, v view) (out outcome, ok bool, err error) {
	if r.Column > 0 || r.Limits.LineNumbers {
		return out, false, nil
	}
	v.text, v.fromEnd, err = v.text.Last(ctx, -r.Offset)
	if !v.fromEnd || err != nil {
		return out, false, err
	}
	v.span = textfile.Span{Line: 1, Column: 1, Lines: r.Limit}
	out, err = r.page(ctx, v)
	return out, out.NextColumn == 0 && out.LinesCut == 0, err
}

// at returns the requested part of a text. An index, which may be nil, is needed to find lines that count from the
// end.
func (r *reader) at(v view, index *textfile.Index) view {
	v.span = textfile.Span{Line: max(r.Offset, 1), Column: max(r.Column, 1), Lines: r.Limit}
	if index != nil {
		v.text = v.text.With(index)
	}
	if r.Offset < 0 {
		v.span.Line = max(index.Lines()+r.Offset+1, 1)
	}
	return v
}

func (r *reader) unchanged() bool {
	info, err := r.file.Stat()
	return err == nil && textfile.Unchanged(r.info, info)
}

// masked returns a text without its secrets, and these; nil if nothing is redacted.
func (r *reader) masked(v view) (textfile.File, *mask.File) {
	switch {
	case v.rendered != nil:
		return v.text, v.rendered.secrets
	case r.Redact.Off():
		return v.text, nil
	}
	wide := r.kind.Encoding == textfile.UTF16LE || r.kind.Encoding == textfile.UTF16BE
	secrets := r.Redact.File(v.text.Reader(), wide, r.kind.NoBOM)
	return v.text.Through(secrets), secrets
}
