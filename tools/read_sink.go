package tools

import (
	"bytes"
	"fmt"
	"io"

	"github.com/spillway-go/spillway/internal/notice"
	"github.com/spillway-go/spillway/truncation"
)

// sink takes a page twice over: whole lines, and the beginning of the first one
// for the case that it does not fit.
type sink struct {
	lines   *headWriter
	piece   *truncation.Writer
	begun   bool        // piece has the first line, as far as there is room
	cutter  *lineCutter // in front of lines; nil keeps lines whole
	w       io.Writer   // the first of those in front of lines
	prefix  string      // of the first line
	invalid []byte      // of the page from the first part on that is not UTF-8
}

// sink makes a sink for lines from that number on.
func (r *reader) sink(line int) *sink {
	cfg := r.cfg.Read
	s := &sink{lines: newHead(r.room.Lines, r.room.Bytes)}
	s.w = s.lines
	if cfg.LineNumbers {
		s.prefix = linePrefix(line)
		s.w = &numberer{w: s.w, line: line}
	}
	if cfg.MaxLineChars > 0 {
		s.cutter = &lineCutter{w: s.w, maxChars: cfg.MaxLineChars, marker: "..."}
		s.w = s.cutter
	}
	piece := truncation.AtMost(min(notice.PieceBytes(r.room.Bytes), r.room.Bytes-len(s.prefix)))
	s.piece = truncation.Policy{Strategy: truncation.HeadChars, Limits: truncation.Limits{Bytes: piece}, Unmarked: true}.NewWriter()
	return s
}

func (s *sink) Write(p []byte) (int, error) {
	s.begin(p)
	s.checkValid(p)
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

// numberer puts the number in front of each line.
type numberer struct {
	w      io.Writer
	line   int  // number of the line at hand
	inside bool // its number was written
}

// linePrefix returns a line's number as cat -n prints it.
func linePrefix(line int) string { return fmt.Sprintf("%6d\t", line) }

func (n *numberer) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		if !n.inside {
			n.inside = true
			if _, err := io.WriteString(n.w, linePrefix(n.line)); err != nil {
				return 0, err
			}
		}
		part := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			part = rest[:i+1]
			n.line++
			n.inside = false
		}
		if _, err := n.w.Write(part); err != nil {
			return 0, err
		}
		rest = rest[len(part):]
	}
	return len(p), nil
}
