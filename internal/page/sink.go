package page

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/listing"
	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/textfile"
	"github.com/spillway-go/spillway/truncation"
)

// sink takes a page twice: whole lines, and the beginning of the first line in case it does not fit.
type sink struct {
	lines   *listing.Writer
	first   []byte               // the beginning of the first line, as much as a piece may need
	begun   bool                 // first is complete
	most    int                  // bytes of the piece
	cutter  *textfile.LineCutter // writes to lines; nil keeps lines whole
	w       io.Writer            // writes to cutter or lines
	nuls    quote.NULWriter      // writes to w
	shows   *printed             // writes to all of these, for raw output of a command; else nil
	prefix  string               // of the first line
	invalid []byte               // the page from the first invalid UTF-8 on
}

func (r *reader) newSink(v view) *sink {
	cfg := r.Limits
	s := &sink{lines: listing.NewWriter(r.room.Lines, r.room.Bytes)}
	s.w = s.lines
	if cfg.LineNumbers {
		s.prefix = textfile.LinePrefix(v.span.Line)
		s.w = textfile.NewNumberer(s.w, v.span.Line)
	}
	if cfg.MaxLineChars > 0 {
		s.cutter = textfile.NewLineCutter(s.w, cfg.MaxLineChars, "...")
		s.w = s.cutter
	}
	s.most = max(min(cfg.PieceBytes, notice.PieceBytes(r.room.Bytes), r.room.Bytes-len(s.prefix)), 0)
	s.nuls.W = legible{s}
	if r.printed && v.rendered == nil {
		s.shows = newPrinted(&s.nuls, r.Column)
	}
	return s
}

func (s *sink) Write(p []byte) (int, error) {
	if s.invalid == nil && !utf8.Valid(p) {
		s.invalid = slices.Clone(p[:min(len(p), textfile.SniffLen)])
	}
	if s.shows != nil {
		return s.shows.Write(p)
	}
	return s.nuls.Write(p)
}

// legible receives the text of a sink without NUL bytes.
type legible struct{ *sink }

func (s legible) Write(p []byte) (int, error) {
	if !s.begun {
		line := p
		if i := bytes.IndexByte(p, '\n'); i >= 0 {
			line, s.begun = p[:i], true
		}
		// One character more than the piece has, because its limit may split one.
		s.first = append(s.first, line[:min(len(line), s.most+utf8.UTFMax-len(s.first))]...)
	}
	return s.w.Write(p)
}

func (s *sink) Full() bool { return s.lines.Full() }

// piece returns the shown part of a first line that does not fit.
func (s *sink) piece() truncation.Result {
	limits := truncation.Limits{Bytes: truncation.AtMost(s.most)}
	return truncation.Policy{Strategy: truncation.HeadChars, Limits: limits, Unmarked: true}.Truncate(string(s.first))
}

// notValid returns the notice about invalid bytes in the text of a page.
func (s *sheet) notValid(text string) notice.Notice {
	if !strings.ContainsRune(text, utf8.RuneError) {
		return ""
	}
	bad := notice.NotValid{Encoding: s.encoding, Path: s.argument}
	if s.isUTF8() {
		if s.sink.invalid == nil {
			return "" // the file itself has U+FFFD
		}
		if bad.Encoding = textfile.UTF8; s.rendered == nil {
			bad.Likely = textfile.GuessFile(s.file, s.sink.invalid)
		}
	}
	return bad.Notice()
}
