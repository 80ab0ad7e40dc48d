package page

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

// reader reads a page of one file.
type reader struct {
	*Viewer
	Request
	room     room
	path     workspace.Path
	file     *os.File
	info     fs.FileInfo // when it was opened
	kind     textfile.Info
	printed  bool           // the file is the raw output of a command
	record   *seen.Recorder // of what is read
	whole    seen.Lines     // that are shown whole
	receipts Receipts       // nil if what was shown before does not matter

	text     textfile.File
	secrets  *mask.File // that text is read from; nil where nothing is redacted
	form     Format     // that shows the file; nil if it is shown as it is
	rendered *rendering // what that shows; nil before
	// tell adds to a page, which begins at a line, what there is to say of the file.
	tell    func(res *Result, first int) notice.Notice
	fromEnd bool          // text is the last lines of the file
	end     notice.Notice // which lines a page shows that is counted from the end
	guessed bool          // the encoding is that of kind because the file looks like it
	notUTF8 bool          // what was read is not
}

// show reads what the request asks for.
func (r *reader) show(ctx context.Context) (Result, error) {
	if r.form != nil {
		if err := r.render(ctx); err != nil {
			return Result{}, err
		}
	}
	switch {
	case r.Digest:
		return r.digest(ctx)
	case r.rendered != nil:
		return r.renderedPage(ctx)
	}
	return r.read(ctx)
}

// read returns the page. What is remembered of the file is used, unless it turns
// out that the file is being changed.
func (r *reader) read(ctx context.Context) (Result, error) {
	var text io.ReaderAt = r.file
	if r.info.Size() == 0 {
		text = textfile.Unsized(text, r.path.Name, r.MaxFileBytes)
	}
	r.record = seen.Record(text, r.info)
	if r.info.Size() < textfile.Large { // a larger one is read in parts at once
		text = r.record
	}
	if r.kind.Encoding != textfile.UTF8 {
		text.ReadAt(make([]byte, 3), 0) // the byte order mark, which is left out of the text
	}
	whole := textfile.NewFile(text, r.info.Size(), r.kind)
	index := r.Counts.Get(r.key(), r.info)
	if index != nil {
		r.text = whole.With(index)
		res, err := r.page(ctx, r.span(index))
		if !errors.Is(err, textfile.ErrChanged) && r.unchanged() {
			return res, err
		}
	}
	if r.Offset >= 0 && r.info.Size() < textfile.Large {
		r.text = whole
		return r.page(ctx, r.span(nil))
	}
	if r.Offset < 0 {
		if last, ok, err := r.last(ctx, whole); ok || err != nil {
			return last, err
		}
	}
	index, err := whole.Count(ctx)
	if err != nil {
		return Result{}, err
	}
	r.remember(index)
	r.text = whole.With(index)
	res, err := r.page(ctx, r.span(index))
	if errors.Is(err, textfile.ErrChanged) {
		err = nil // it was cut off: this is what was there
	}
	return res, err
}

// last reads from the end, where that is cheaper than to count the lines. It
// cannot say what the number of a line is, so ok is false where that is needed.
func (r *reader) last(ctx context.Context, whole textfile.File) (res Result, ok bool, err error) {
	if r.Column > 0 || r.Limits.LineNumbers {
		return res, false, nil
	}
	r.text, r.fromEnd, err = whole.Last(ctx, -r.Offset)
	if !r.fromEnd || err != nil {
		return res, false, err
	}
	defer func() { r.fromEnd = false }()
	res, err = r.page(ctx, textfile.Span{Line: 1, Column: 1, Lines: r.Limit})
	return res, res.NextColumn == 0 && res.LinesCut == 0, err
}

// span returns the part of the file that the call asks for. Only an index says where
// lines that are counted from the end are.
func (r *reader) span(index *textfile.Index) textfile.Span {
	span := textfile.Span{Line: max(r.Offset, 1), Column: max(r.Column, 1), Lines: r.Limit}
	if r.Offset < 0 {
		span.Line = max(index.Lines()+r.Offset+1, 1)
	}
	return span
}

func (r *reader) isUTF8() bool {
	return r.kind.Encoding == textfile.UTF8 || r.kind.Encoding == textfile.UTF8BOM
}

func (r *reader) unchanged() bool {
	info, err := r.file.Stat()
	return err == nil && textfile.Unchanged(r.info, info)
}

func (r *reader) remember(index *textfile.Index) {
	if index != nil && !r.fromEnd && r.rendered == nil && r.unchanged() {
		r.Counts.Put(r.key(), r.info, index)
	}
}

// key returns what the file is remembered by: in another encoding its lines are other ones.
func (r *reader) key() string {
	if r.Encoding == "" {
		return r.path.Abs
	}
	return r.path.Abs + "\x00" + r.kind.Encoding
}

func (r *reader) page(ctx context.Context, span textfile.Span) (Result, error) {
	res := Result{Encoding: r.kind.Encoding, LineEndings: r.kind.LineEndings}
	s := r.sink(span.Line)
	text := r.text
	if !r.Redact.Off() && r.rendered == nil {
		r.secrets = r.masked(text)
		text = text.Through(r.secrets)
	}
	from := span
	if s.shows != nil {
		from.Column = 1 // characters count as they are shown
	}
	stats, index, err := text.ReadPage(ctx, from, s)
	if s.shows != nil {
		s.nuls.Met = s.shows.close(&stats)
	}
	if err == nil {
		r.remember(index)
		err = beyond(span, stats)
	}
	res.TotalLines, res.FinalNewline = stats.Lines, stats.FinalNewline
	if err != nil && !errors.Is(err, ctx.Err()) && !errors.Is(err, textfile.ErrChanged) {
		return res, err
	}
	r.notUTF8 = s.invalid != nil
	r.finish(&res, span, stats, s)
	if r.fromEnd {
		res.TotalLines = -1
	}
	return res, err
}

// beyond returns the error for a page that starts behind the end.
func beyond(span textfile.Span, stats textfile.Stats) error {
	switch {
	case span.Line > max(stats.Lines, 1):
		total := notice.Count(stats.Lines, "line")
		return fault.Errorf(fault.InvalidInput, "Offset %d is beyond end of file (%s total)", span.Line, total)
	case stats.SkippedChars < span.Column-1:
		return fault.Errorf(fault.InvalidInput, "Column %d is beyond the end of line %d (%d characters)", span.Column, span.Line,
			stats.SkippedChars)
	}
	return nil
}

func (r *reader) finish(res *Result, span textfile.Span, stats textfile.Stats, s *sink) {
	if stats.Empty {
		r.whole = seen.AllLines(0)
		res.Text = notice.Append("(empty file)", corrected(r.path, r.taken))
		return
	}
	page := s.lines.Result()
	page.TotalLines, page.TotalChars = stats.Lines, -1
	total := int(r.info.Size())
	if r.rendered != nil {
		total = len(r.rendered.text)
	}
	page.TotalBytes = max(total, page.OutputBytes) // a file of /proc has no size
	var notices []notice.Notice
	if page.FirstLineExceedsLimit {
		notices = r.longLine(res, &page, span, stats, s)
	} else {
		notices = r.lines(res, &page, span, stats, s)
	}
	if r.fromEnd {
		page.TotalLines = -1
	}
	res.Whole, res.Page = &page, page.Text
	res.Limited = !page.Truncated && res.NextOffset != 0
	res.Secrets = r.secrets.Between(stats.FirstRead, span.Line, span.Line+page.OutputLines-1)
	first := []notice.Notice{"", notice.NULsIn(page.Text, s.nuls.Met), r.notValid(&page, s), notice.Redacted(mask.Summary(res.Secrets))}
	if r.tell != nil {
		first[0] = r.tell(res, span.Line)
	}
	format, told := r.format(len(page.Text))
	notices = append(append(first, notices...), format, corrected(r.path, r.taken))
	res.Text = notice.Append(page.Text, append(notices, r.end)...)
	if r.receipts != nil && s.invalid == nil && !s.nuls.Met && !page.LastLinePartial && r.rendered == nil {
		r.repeat(res, span.Line, notices)
	}
	res.Shown = append(res.Shown, told...)
}

// lines completes a page of whole lines, or of the beginnings of lines, and returns its notices.
func (r *reader) lines(
	res *Result, page *truncation.Result, span textfile.Span, stats textfile.Stats, s *sink,
) (notices []notice.Notice) {
	if s.cutter != nil {
		most, first := r.Limits.MaxLineChars, 0
		if res.LinesCut, first = s.cutter.First(page.OutputLines); res.LinesCut > 0 {
			column := most + 1
			if first == 0 {
				column += span.Column - 1
			}
			notices = append(notices, notice.CutLines(res.LinesCut, most, span.Line+first, column, r.argument()))
		}
	}
	if res.LinesCut == 0 && span.Column <= 1 && !r.fromEnd {
		r.whole = seen.SomeLines(span.Line, page.OutputLines, stats.Lines)
	}
	shown := notice.Page{First: span.Line, Last: span.Line + page.OutputLines - 1, Total: stats.Lines,
		By: page.TruncatedBy, MaxBytes: page.MaxBytes,
		FromEnd: r.fromEnd, Rendered: r.rendered != nil, Path: r.argument()}
	if shown.Last >= stats.Lines {
		if stats.FinalNewline && page.NewlineDropped {
			page.Text += "\n" // so that the pages put together are the file, to the byte
		}
		if r.Offset < 0 && span.Line > 1 && !r.Limits.LineNumbers && !r.fromEnd && r.rendered == nil {
			r.end = shown.End()
		}
		return notices
	}
	res.NextOffset = shown.Next()
	if page.Truncated || page.NewlineDropped {
		page.Text += "\n" // ends the last line, or an empty one would look like the space before the notice
	}
	if page.Truncated {
		return append(notices, shown.Lines())
	}
	return append(notices, shown.More())
}

// argument returns the file as notices name it, if they have to.
func (r *reader) argument() string {
	if !r.room.ofSeveral {
		return ""
	}
	return quote.Name(r.path.Name)
}

// longLine completes a page whose first line does not fit: nothing but a notice, or a
// piece of the line if the call asks for one or has other files to show.
func (r *reader) longLine(
	res *Result, page *truncation.Result, span textfile.Span, stats textfile.Stats, s *sink,
) []notice.Notice {
	// A byte that is not valid takes three in the text.
	length := max(int(stats.LineBytes), page.LongLineBytes)
	line := notice.LongLine{Line: span.Line, Bytes: length, MaxBytes: page.MaxBytes, Path: r.path.Name,
		Argument: r.argument()}
	res.NextOffset = span.Line
	if r.Column == 0 && !r.room.ofSeveral {
		res.NextColumn = 1
		if r.HasBash() && r.rendered == nil && r.isUTF8() { // sed counts bytes
			return []notice.Notice{line.UseBash()}
		}
		return []notice.Notice{line.UseColumn()}
	}
	piece := s.piece.Result()
	page.Text = s.prefix + piece.Text
	page.OutputLines, page.OutputBytes = 1, len(s.prefix)+piece.OutputBytes
	page.OutputChars = utf8.RuneCountInString(s.prefix) + piece.OutputChars
	page.LastLinePartial, page.FirstLineExceedsLimit = true, false
	res.NextColumn = span.Column + piece.OutputChars
	return []notice.Notice{line.Piece(span.Column, res.NextColumn-1)}
}

// masked returns what a text of the file is read from, without its secrets.
func (r *reader) masked(text textfile.File) *mask.File {
	wide := r.kind.Encoding == textfile.UTF16LE || r.kind.Encoding == textfile.UTF16BE
	return r.Redact.File(text.Reader(), wide, r.kind.NoBOM)
}
