package tools

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/internal/workspace"
	"github.com/spillway-go/spillway/truncation"
)

const readDescription = `Read a file. Shows at most {Read.MaxLines} lines or {Read.MaxBytes}, whichever comes first; a notice at the end ` +
	`says how to continue with offset. A file over {MaxFileBytes} needs an offset or a limit. PNG, JPEG, GIF and WebP files are shown as images.`

// ReadParams are the arguments of read.
type ReadParams struct {
	Path   string `json:"path" jsonschema:"the file to read, relative to the workspace or absolute"`
	Offset int    `json:"offset,omitempty" jsonschema:"line to start at, counted from 1; -N starts N lines before the end; default 1" arg:"signed"`
	Limit  int    `json:"limit,omitempty" jsonschema:"lines to show at most; default {Read.MaxLines}"`
	Column int    `json:"column,omitempty" jsonschema:"character of the first line to start at, counted from 1, to read a very long line in pieces; default 1"`
}

// ReadResult is the result of read.
type ReadResult struct {
	Text   string  `json:"-"` // the lines, with a notice where there are more
	Images []Image `json:"-"` // the picture, if the file is one

	Truncation   *truncation.Result `json:"truncation,omitempty"` // if a limit of the tool ended the page
	TotalLines   int                `json:"totalLines"`           // lines of the file; 0 of an image
	NextOffset   int                `json:"nextOffset,omitempty"` // line to continue at; 0 if there is no more
	NextColumn   int                `json:"nextColumn,omitempty"` // character of it to continue at, if not its first
	LinesCut     int                `json:"linesTruncated,omitempty"`
	Encoding     string             `json:"encoding,omitempty"`    // utf-8, utf-8-bom, utf-16le or utf-16be
	LineEndings  string             `json:"lineEndings,omitempty"` // lf, crlf or mixed, in the first 8 KiB
	FinalNewline bool               `json:"finalNewline"`          // the last line ends in a newline
	Image        *ImageInfo         `json:"image,omitempty"`
}

func (r ReadResult) result() Result { return Result{Text: r.Text, Images: r.Images, Details: r} }

func (s *Suite) doRead(ctx context.Context, p ReadParams) (ReadResult, error) {
	path, err := s.resolve(p.Path)
	if err != nil {
		return ReadResult{}, err
	}
	f, info, err := path.OpenFile()
	if err != nil {
		return ReadResult{}, failure(err, p.Path)
	}
	defer f.Close()
	head := make([]byte, textfile.SniffLen)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return ReadResult{}, failure(err, p.Path)
	}
	kind := textfile.Sniff(head[:n])
	if isImage(kind.Type) {
		return s.readImage(f, path.Name, info.Size(), kind)
	}
	if kind.Binary {
		return ReadResult{}, s.binary(path.Name, kind)
	}
	if max := s.cfg.MaxFileBytes; info.Size() > max && p.Offset == 0 && p.Limit == 0 && p.Column == 0 && !s.isSpill(path) {
		return ReadResult{}, errorf(TooLarge, "%s is %s, over the limit of %s for a whole file. Search it with grep, or read a part of it with offset and limit (offset=-100 is its last 100 lines)",
			show(path.Name), truncation.FormatSize(info.Size()), truncation.FormatSize(max))
	}
	r := reader{suite: s, params: p, file: f, kind: kind, name: path.Name, size: info.Size()}
	res, err := r.page(ctx)
	if err != nil {
		return res, failure(err, p.Path)
	}
	return res, nil
}

// binary is the error for a file that is no text.
func (s *Suite) binary(name string, kind textfile.Info) error {
	what := kind.Name
	if what == "" {
		what = "a binary file"
	}
	if s.tool("bash") == nil {
		return errorf(IsBinary, "%s is %s, not text, and cannot be shown", show(name), what)
	}
	return errorf(IsBinary, "%s is %s, not text. Use bash: %s", show(name), what, truncation.DumpCommand(name))
}

// isSpill reports whether a file is a full output that was spilled, which can be
// read whatever its size.
func (s *Suite) isSpill(p workspace.Path) bool {
	return within(s.spill.Path(), p.Abs)
}

func within(dir, abs string) bool {
	return abs == dir || strings.HasPrefix(abs, dir+string(os.PathSeparator))
}

// reader reads a page of one file.
type reader struct {
	suite  *Suite
	params ReadParams
	file   io.ReadSeeker
	kind   textfile.Info
	name   string
	size   int64
}

func (r *reader) text() (io.Reader, error) {
	_, err := r.file.Seek(0, io.SeekStart)
	return r.kind.Reader(r.file), err
}

// span is the part of the file that the call asks for. Counting from the end
// needs the number of lines, which is a pass of its own.
func (r *reader) span(ctx context.Context) (textfile.Span, error) {
	span := textfile.Span{Line: max(r.params.Offset, 1), Column: max(r.params.Column, 1), Lines: r.params.Limit}
	if r.params.Offset >= 0 {
		return span, nil
	}
	text, err := r.text()
	if err != nil {
		return span, err
	}
	total, err := textfile.CountLines(ctx, text)
	span.Line = max(total+r.params.Offset+1, 1)
	return span, err
}

// sink takes a page twice over: whole lines, and the beginning of the first one
// for the case that it does not fit.
type sink struct {
	lines  *truncation.HeadWriter
	piece  *truncation.HeadCharsWriter
	cutter *truncation.LineCutter // in front of lines; nil keeps lines whole
}

func (s sink) Write(p []byte) (int, error) {
	if !s.piece.Full() {
		s.piece.Write(p)
	}
	if s.cutter != nil {
		return s.cutter.Write(p)
	}
	return s.lines.Write(p)
}

// Full waits for the end of a first line that does not fit, to know its length.
func (s sink) Full() bool { return s.lines.Full() && !s.lines.InFirstLine() }

func (r *reader) page(ctx context.Context) (ReadResult, error) {
	res := ReadResult{Encoding: r.kind.Encoding, LineEndings: r.kind.LineEndings}
	span, err := r.span(ctx)
	if err != nil {
		return res, err
	}
	text, err := r.text()
	if err != nil {
		return res, err
	}
	cfg := r.suite.cfg.Read
	s := sink{
		lines: truncation.NewHeadWriter(truncation.Limits{Lines: cfg.MaxLines, Bytes: cfg.MaxBytes}),
		piece: truncation.NewHeadCharsWriter(truncation.Limits{Bytes: truncation.PieceBytes(cfg.MaxBytes)}),
	}
	if cfg.MaxLineChars > 0 {
		s.cutter = truncation.NewLineCutter(s.lines, cfg.MaxLineChars, "...")
	}
	stats, err := textfile.ReadPage(ctx, text, span, s)
	if s.cutter != nil {
		s.cutter.Close()
	}
	res.TotalLines, res.FinalNewline = stats.Lines, stats.FinalNewline
	if err == nil {
		err = beyond(span, stats)
	}
	if err != nil && !errors.Is(err, ctx.Err()) {
		return res, err
	}
	r.finish(&res, span, stats, s)
	return res, err
}

// beyond is the error for a page that starts behind the end.
func beyond(span textfile.Span, stats textfile.Stats) error {
	switch {
	case span.Line > max(stats.Lines, 1):
		lines := "lines"
		if stats.Lines == 1 {
			lines = "line"
		}
		return errorf(InvalidInput, "Offset %d is beyond end of file (%d %s total)", span.Line, stats.Lines, lines)
	case stats.SkippedChars < span.Column-1:
		return errorf(InvalidInput, "Column %d is beyond the end of line %d (%d characters)", span.Column, span.Line, stats.SkippedChars)
	}
	return nil
}

// finish fills in the text and its notice.
func (r *reader) finish(res *ReadResult, span textfile.Span, stats textfile.Stats, s sink) {
	if stats.Empty {
		res.Text = "(empty file)"
		return
	}
	page := s.lines.Result()
	page.TotalLines, page.TotalBytes = stats.Lines, int(r.size)
	if page.Truncated {
		res.Truncation = &page
	}
	if page.FirstLineExceedsLimit {
		r.longLine(res, span, stats, s, &page)
		return
	}
	last := span.Line + page.OutputLines - 1
	cut, first := truncation.Notice(""), 0
	if s.cutter != nil {
		if res.LinesCut, first = s.cutter.Cut(page.OutputLines); res.LinesCut > 0 {
			column := r.suite.cfg.Read.MaxLineChars
			if first == 0 {
				column += span.Column - 1
			}
			cut = truncation.CutLines(res.LinesCut, r.suite.cfg.Read.MaxLineChars, span.Line+first, column+1)
		}
	}
	if last >= stats.Lines {
		if stats.FinalNewline && page.NewlineDropped {
			page.Text += "\n" // so that the pages put together are the file, to the byte
		}
		res.Text = truncation.Append(page.Text, cut)
		return
	}
	res.NextOffset = last + 1
	shown := truncation.Page{First: span.Line, Last: last, Total: stats.Lines, By: page.TruncatedBy, MaxBytes: page.MaxBytes}
	if page.Truncated || page.NewlineDropped {
		page.Text += "\n" // an empty last line is not to be taken for the blank line before the notice
	}
	more := shown.More()
	if page.Truncated {
		more = shown.Lines()
	}
	res.Text = truncation.Append(page.Text, cut, more)
}

// longLine is a page whose first line does not fit: nothing but a notice, or a
// piece of the line if the call asks for one.
func (r *reader) longLine(res *ReadResult, span textfile.Span, stats textfile.Stats, s sink, page *truncation.Result) {
	line := truncation.LongLine{Line: span.Line, Bytes: stats.Skipped + page.LongLineBytes, MaxBytes: page.MaxBytes, Path: r.name}
	res.NextOffset = span.Line
	if r.params.Column == 0 {
		res.NextColumn = 1
		notice := line.UseColumn()
		if r.suite.tool("bash") != nil {
			notice = line.UseBash()
		}
		res.Text = truncation.Append("", notice)
		return
	}
	piece := s.piece.Result()
	page.OutputLines, page.OutputBytes, page.LastLinePartial = 1, piece.OutputBytes, true
	page.FirstLineExceedsLimit = false
	last := span.Column + s.piece.Chars() - 1
	res.NextColumn = last + 1
	res.Text = truncation.Append(piece.Text, line.Piece(span.Column, last))
}
