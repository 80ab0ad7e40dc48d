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

// sink takes a page twice over: whole lines, and the beginning of the first one
// for the case that it does not fit.
type sink struct {
	lines   *listing.Writer
	piece   *truncation.Writer
	begun   bool                 // piece has the first line, as far as there is room
	cutter  *textfile.LineCutter // in front of lines; nil keeps lines whole
	w       io.Writer            // the first of those in front of lines
	nuls    quote.NULWriter      // in front of these
	shows   *printed             // in front of all, for the raw output of a command; else nil
	prefix  string               // of the first line
	invalid []byte               // of the page from the first part on that is not UTF-8
}

// sink makes a sink for lines from that number on.
func (r *reader) sink(line int) *sink {
	cfg := r.Limits
	s := &sink{lines: listing.NewWriter(r.room.Lines, r.room.Bytes)}
	s.w = s.lines
	if cfg.LineNumbers {
		s.prefix = textfile.LinePrefix(line)
		s.w = textfile.NewNumberer(s.w, line)
	}
	if cfg.MaxLineChars > 0 {
		s.cutter = textfile.NewLineCutter(s.w, cfg.MaxLineChars, "...")
		s.w = s.cutter
	}
	piece := truncation.AtMost(min(cfg.PieceBytes, notice.PieceBytes(r.room.Bytes), r.room.Bytes-len(s.prefix)))
	limits := truncation.Limits{Bytes: piece}
	s.piece = truncation.Policy{Strategy: truncation.HeadChars, Limits: limits, Unmarked: true}.NewWriter()
	s.nuls.W = legible{s}
	if r.printed && r.rendered == nil {
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

// legible receives what a sink was written, without NUL bytes.
type legible struct{ *sink }

func (s legible) Write(p []byte) (int, error) {
	s.begin(p)
	return s.w.Write(p)
}

// begin takes what belongs to the first line.
func (s *sink) begin(p []byte) {
	if s.begun {
		return
	}
	if i := bytes.IndexByte(p, '\n'); i >= 0 {
		p, s.begun = p[:i], true
	}
	s.piece.Write(p)
}

func (s *sink) Full() bool { return s.lines.Full() }

// notValid returns the notice for what a page cannot show as it is in the file.
func (r *reader) notValid(page *truncation.Result, s *sink) notice.Notice {
	if !strings.ContainsRune(page.Text, utf8.RuneError) {
		return ""
	}
	bad := notice.NotValid{Encoding: r.kind.Encoding, Path: r.argument()}
	if r.isUTF8() {
		if s.invalid == nil {
			return "" // the file itself has U+FFFD
		}
		if bad.Encoding = textfile.UTF8; r.rendered == nil {
			bad.Likely = textfile.GuessFile(r.file, s.invalid)
		}
	}
	return bad.Notice()
}
