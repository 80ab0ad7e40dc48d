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
	sink    *sink
	stats   textfile.Stats
	secrets *mask.File
}

// ending is where a page ends, and what follows it.
type ending struct {
	page     truncation.Result
	notices  []notice.Notice
	last     notice.Notice // names the lines of a page that is counted from the end
	next     place         // where to continue; zero at the end of the file
	linesCut int
	whole    seen.Lines // what was shown exactly
}

// place is a line and, in a line that is shown in pieces, a character.
type place struct{ line, column int }

func (r *reader) page(ctx context.Context, v view) (outcome, error) {
	s := sheet{reader: r, view: v, sink: r.newSink(v)}
	text, secrets := r.masked(v)
	from := v.span
	if s.sink.shows != nil {
		from.Column = 1 // count characters as they are shown
	}
	stats, index, err := text.ReadPage(ctx, from, s.sink)
	if s.sink.shows != nil {
		s.sink.nuls.Met = s.sink.shows.close(&stats)
	}
	s.stats, s.secrets = stats, secrets
	switch {
	case err != nil && !errors.Is(err, ctx.Err()) && !errors.Is(err, textfile.ErrChanged):
		return outcome{Result: s.known()}, err
	case err != nil:
		return s.outcome(ctx), err
	case v.span.Line > max(stats.Lines, 1) || stats.SkippedChars < v.span.Column-1:
		return outcome{Result: s.known(), index: index}, beyond(v.span, stats)
	}
	out := s.outcome(ctx)
	out.index = index
	return out, nil
}

// known returns what is known of the file, whatever part is shown.
func (s *sheet) known() Result {
	res := Result{
		Encoding: s.encoding, LineEndings: s.kind.LineEndings, TotalLines: s.stats.Lines, FinalNewline: s.stats.FinalNewline,
	}
	if s.fromEnd {
		res.TotalLines = -1
	}
	return res
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

// outcome words the result.
func (s *sheet) outcome(ctx context.Context) outcome {
	out := outcome{Result: s.known(), notUTF8: s.rendered == nil && s.sink.invalid != nil}
	if s.stats.Empty {
		out.whole = seen.AllLines(0)
		out.Text = notice.Append("(empty file)", s.corrected)
		return out
	}
	end := s.end()
	page, nuls, invalid := &end.page, s.sink.nuls.Met, s.sink.invalid != nil
	out.whole, out.Whole, out.Page, out.LinesCut = end.whole, page, page.Text, end.linesCut
	out.NextOffset, out.NextColumn = end.next.line, end.next.column
	out.Limited = !page.Truncated && out.NextOffset != 0
	out.Secrets = s.secrets.Between(s.stats.FirstRead, s.span.Line, s.span.Line+page.OutputLines-1)
	first := []notice.Notice{s.failed, notice.NULsIn(page.Text, nuls), "", notice.Redacted(mask.Summary(out.Secrets))}
	if s.rendered != nil {
		out.Images, first[0] = s.showImages(ctx, s.rendered, s.span.Line, out.NextOffset)
	}
	if invalid || s.encoding != textfile.UTF8 {
		first[2] = s.notValid(page.Text)
	}
	var format notice.Notice
	if plain := s.kind.Encoding == textfile.UTF8 && s.kind.LineEndings == "lf"; s.rendered == nil && !plain {
		format, out.Notes = s.format(len(page.Text))
	}
	notices := append(append(first, end.notices...), format, s.corrected)
	out.Text = notice.Append(page.Text, append(notices, end.last)...)
	if out.Output = notice.OutputIn(out.Text, 0, page.Text, page); out.TotalLines > 0 {
		for i := range out.Output {
			out.Output[i].Line = s.span.Line
		}
	}
	if s.receipts != nil && !invalid && !nuls && !page.LastLinePartial && s.rendered == nil && !s.fromEnd &&
		out.LinesCut == 0 && s.Column <= 0 && out.Page != "" {
		var shown Note
		shown, out.Text, out.Receipt = s.repeat(out.Result, s.span.Line, notices)
		out.Notes = append([]Note{shown}, out.Notes...)
		if out.Receipt != nil {
			out.Output = out.Receipt.output()
		}
	}
	return out
}

func (s *sheet) end() ending {
	page := s.sink.lines.Result()
	page.TotalLines, page.TotalChars = s.stats.Lines, -1
	page.TotalBytes = int(s.info.Size())
	if s.rendered != nil {
		page.TotalBytes = len(s.rendered.text)
	}
	page.TotalBytes = max(page.TotalBytes, page.OutputBytes) // a file in /proc has no size
	if page.FirstLineExceedsLimit {
		return s.longLine(page)
	}
	return s.lines(page)
}

// lines is the end of a page of whole lines, or of the beginnings of lines.
func (s *sheet) lines(page truncation.Result) (e ending) {
	first := s.span.Line
	if s.sink.cutter != nil {
		most, at := s.Limits.MaxLineChars, 0
		if e.linesCut, at = s.sink.cutter.First(page.OutputLines); e.linesCut > 0 {
			column := most + 1
			if at == 0 {
				column += s.span.Column - 1
			}
			e.notices = append(e.notices, notice.CutLines(e.linesCut, most, first+at, column, s.argument))
		}
	}
	if e.linesCut == 0 && s.span.Column <= 1 && !s.fromEnd {
		e.whole = seen.SomeLines(first, page.OutputLines, s.stats.Lines)
	}
	shown := notice.Page{First: first, Last: first + page.OutputLines - 1, Total: s.stats.Lines,
		By: page.TruncatedBy, MaxBytes: page.MaxBytes,
		FromEnd: s.fromEnd, Rendered: s.rendered != nil, Path: s.argument}
	switch {
	case shown.Last < s.stats.Lines:
		e.next.line = shown.Next()
		if page.Truncated || page.NewlineDropped {
			page.Text += "\n" // otherwise an empty last line would look like the space before the notice
		}
		said := shown.More()
		if page.Truncated {
			said = shown.Lines()
		}
		e.notices = append(e.notices, said)
	case s.Offset < 0 && first > 1 && !s.Limits.LineNumbers && !s.fromEnd && s.rendered == nil:
		e.last = shown.End()
		fallthrough
	default:
		if s.stats.FinalNewline && page.NewlineDropped {
			page.Text += "\n" // so that all pages together are the file, to the byte
		}
	}
	if s.fromEnd {
		page.TotalLines = -1
	}
	e.page = page
	return e
}

// longLine is the end of a page whose first line does not fit: only a notice, or a piece of the line if the call asks
// for one or has other files to show.
func (s *sheet) longLine(page truncation.Result) ending {
	// An invalid byte takes three in the text.
	length := max(int(s.stats.LineBytes), page.LongLineBytes)
	line := notice.LongLine{Line: s.span.Line, Bytes: length, MaxBytes: page.MaxBytes, Path: s.path.Name,
		Argument: s.argument}
	if s.fromEnd {
		page.TotalLines = -1
	}
	if s.Column == 0 && !s.room.ofSeveral {
		said := line.UseColumn()
		if s.HasBash() && s.rendered == nil && s.isUTF8() { // sed counts bytes
			said = line.UseBash()
		}
		return ending{page: page, notices: []notice.Notice{said}, next: place{s.span.Line, 1}}
	}
	piece, prefix := s.sink.piece(), s.sink.prefix
	page.Text = prefix + piece.Text
	page.OutputLines, page.OutputBytes = 1, len(prefix)+piece.OutputBytes
	page.OutputChars = utf8.RuneCountInString(prefix) + piece.OutputChars
	page.LastLinePartial, page.FirstLineExceedsLimit = true, false
	next := place{s.span.Line, s.span.Column + piece.OutputChars}
	return ending{page: page, notices: []notice.Notice{line.Piece(s.span.Column, next.column-1)}, next: next}
}

func (s *sheet) isUTF8() bool { return s.encoding == textfile.UTF8 || s.encoding == textfile.UTF8BOM }
