package page

import (
	"context"
	"errors"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/fault"
	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/seen"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/truncation"
)

// sheet is a page that was read, on its way into a result.
type sheet struct {
	*reader
	view
	sink  *sink
	stats textfile.Stats
	page  truncation.Result
	end   notice.Notice // which lines of a file they are that are counted from its end
	out   outcome
}

// page reads a page.
func (r *reader) page(ctx context.Context, v view) (outcome, error) {
	s := sheet{reader: r, view: v, sink: r.newSink(v), out: outcome{Result: Result{
		Encoding: v.encoding, LineEndings: r.kind.LineEndings,
	}}}
	text, secrets := r.masked(v)
	from := v.span
	if s.sink.shows != nil {
		from.Column = 1 // characters count as they are shown
	}
	stats, index, err := text.ReadPage(ctx, from, s.sink)
	if s.sink.shows != nil {
		s.sink.nuls.Met = s.sink.shows.close(&stats)
	}
	s.out.TotalLines, s.out.FinalNewline = stats.Lines, stats.FinalNewline
	switch {
	case err != nil && !errors.Is(err, ctx.Err()) && !errors.Is(err, textfile.ErrChanged):
		return s.out, err
	case err == nil:
		s.out.index = index
		if v.span.Line > max(stats.Lines, 1) || stats.SkippedChars < v.span.Column-1 {
			return s.out, beyond(v.span, stats)
		}
	}
	s.out.notUTF8 = v.rendered == nil && s.sink.invalid != nil
	s.stats = stats
	s.finish(ctx, secrets)
	if v.fromEnd {
		s.out.TotalLines = -1
	}
	return s.out, err
}

// beyond returns the error for a page that starts behind the end.
func beyond(span textfile.Span, stats textfile.Stats) error {
	if span.Line > max(stats.Lines, 1) {
		total := notice.Count(stats.Lines, "line")
		return fault.Errorf(fault.InvalidInput, "Offset %d is beyond end of file (%s total)", span.Line, total)
	}
	return fault.Errorf(fault.InvalidInput, "Column %d is beyond the end of line %d (%d characters)",
		span.Column, span.Line, stats.SkippedChars)
}

// finish words the result.
func (s *sheet) finish(ctx context.Context, secrets *mask.File) {
	res := &s.out.Result
	if s.stats.Empty {
		s.out.whole = seen.AllLines(0)
		res.Text = notice.Append("(empty file)", s.corrected)
		return
	}
	s.page = s.sink.lines.Result()
	s.page.TotalLines, s.page.TotalChars = s.stats.Lines, -1
	s.page.TotalBytes = int(s.info.Size())
	if s.rendered != nil {
		s.page.TotalBytes = len(s.rendered.text)
	}
	s.page.TotalBytes = max(s.page.TotalBytes, s.page.OutputBytes) // a file of /proc has no size
	what := s.lines
	if s.page.FirstLineExceedsLimit {
		what = s.longLine
	}
	notices := what()
	if s.fromEnd {
		s.page.TotalLines = -1
	}
	page, nuls, invalid := &s.page, s.sink.nuls.Met, s.sink.invalid != nil
	res.Whole, res.Page = page, page.Text
	res.Limited = !page.Truncated && res.NextOffset != 0
	res.Secrets = secrets.Between(s.stats.FirstRead, s.span.Line, s.span.Line+page.OutputLines-1)
	first := []notice.Notice{s.failed, notice.NULsIn(page.Text, nuls), "", notice.Redacted(mask.Summary(res.Secrets))}
	if s.rendered != nil {
		first[0] = s.showImages(ctx, s.rendered, res, s.span.Line)
	}
	if invalid || s.encoding != textfile.UTF8 {
		first[2] = s.notValid()
	}
	var format notice.Notice
	var told []Note
	if plain := s.kind.Encoding == textfile.UTF8 && s.kind.LineEndings == "lf"; s.rendered == nil && !plain {
		format, told = s.format(len(page.Text))
	}
	notices = append(append(first, notices...), format, s.corrected)
	res.Text = notice.Append(page.Text, append(notices, s.end)...)
	if s.receipts != nil && !invalid && !nuls && !page.LastLinePartial && s.rendered == nil && !s.fromEnd &&
		res.LinesCut == 0 && s.Column <= 0 && res.Page != "" {
		s.repeat(res, s.span.Line, notices)
	}
	res.Notes = append(res.Notes, told...)
}

// lines completes a page of whole lines, or of the beginnings of lines, and returns its notices.
func (s *sheet) lines() (notices []notice.Notice) {
	res, page, first := &s.out.Result, &s.page, s.span.Line
	if s.sink.cutter != nil {
		most, at := s.Limits.MaxLineChars, 0
		if res.LinesCut, at = s.sink.cutter.First(page.OutputLines); res.LinesCut > 0 {
			column := most + 1
			if at == 0 {
				column += s.span.Column - 1
			}
			notices = append(notices, notice.CutLines(res.LinesCut, most, first+at, column, s.argument))
		}
	}
	if res.LinesCut == 0 && s.span.Column <= 1 && !s.fromEnd {
		s.out.whole = seen.SomeLines(first, page.OutputLines, s.stats.Lines)
	}
	shown := notice.Page{First: first, Last: first + page.OutputLines - 1, Total: s.stats.Lines,
		By: page.TruncatedBy, MaxBytes: page.MaxBytes,
		FromEnd: s.fromEnd, Rendered: s.rendered != nil, Path: s.argument}
	if shown.Last >= s.stats.Lines {
		if s.stats.FinalNewline && page.NewlineDropped {
			page.Text += "\n" // so that the pages put together are the file, to the byte
		}
		if s.Offset < 0 && first > 1 && !s.Limits.LineNumbers && !s.fromEnd && s.rendered == nil {
			s.end = shown.End()
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

// longLine completes a page whose first line does not fit: nothing but a notice, or a
// piece of the line if the call asks for one or has other files to show.
func (s *sheet) longLine() []notice.Notice {
	res, page := &s.out.Result, &s.page
	// A byte that is not valid takes three in the text.
	length := max(int(s.stats.LineBytes), page.LongLineBytes)
	line := notice.LongLine{Line: s.span.Line, Bytes: length, MaxBytes: page.MaxBytes, Path: s.path.Name,
		Argument: s.argument}
	res.NextOffset = s.span.Line
	if s.Column == 0 && !s.room.ofSeveral {
		res.NextColumn = 1
		if s.HasBash() && s.rendered == nil && s.isUTF8() { // sed counts bytes
			return []notice.Notice{line.UseBash()}
		}
		return []notice.Notice{line.UseColumn()}
	}
	piece, prefix := s.sink.piece(), s.sink.prefix
	page.Text = prefix + piece.Text
	page.OutputLines, page.OutputBytes = 1, len(prefix)+piece.OutputBytes
	page.OutputChars = utf8.RuneCountInString(prefix) + piece.OutputChars
	page.LastLinePartial, page.FirstLineExceedsLimit = true, false
	res.NextColumn = s.span.Column + piece.OutputChars
	return []notice.Notice{line.Piece(s.span.Column, res.NextColumn-1)}
}

func (s *sheet) isUTF8() bool { return s.encoding == textfile.UTF8 || s.encoding == textfile.UTF8BOM }
