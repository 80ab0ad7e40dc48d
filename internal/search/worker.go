package search

import (
	"context"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spillway-go/spillway/internal/mask"
	"github.com/spillway-go/spillway/internal/textfile"
)

type worker struct {
	*Searcher
	others others // nil if there are none
	visit  Visit  // w.collect, allocated once
	found  found  // in the current file
	text   []byte // memory shared by the found lines

	utf8  Visit // w.visitUTF8, allocated once
	next  Visit // called by visitUTF8
	shown int   // the number of the last line passed to next
}

func (g *Group) worker() *worker {
	w := &worker{Searcher: g.New()}
	if len(g.query.Also) > 0 {
		w.others = g.others()
	}
	w.printed = g.query.Printed
	w.visit, w.utf8 = w.collect, w.visitUTF8
	return w
}

// search searches a file. If the file turns out not to be UTF-8, and clearly is in another encoding, the search
// continues in that one. If there is doubt, it continues in the raw bytes.
func (w *worker) search(ctx context.Context, f io.Reader, size int64, visit Visit) error {
	defer func() { w.found.inPieces, w.found.notUTF8 = w.inPieces, w.notUTF8 }()
	most := w.group.query.MaxBytes
	whole, ok := f.(io.ReaderAt)
	if !ok || size == 0 || size > most || w.group.query.Encoding != "" {
		return w.searchText(ctx, f, size, visit)
	}
	w.next, w.shown, w.stops, w.stopped = visit, 0, true, false
	err := w.searchText(ctx, f, size, w.utf8)
	w.stops = false
	if !w.stopped || err != nil && err != ErrBinary {
		return err
	}
	shown := w.shown
	if w.encoding = textfile.Sure(whole, size, most); w.encoding == "" && err != nil {
		return err
	}
	w.stopped = false
	w.found.decoded = w.encoding
	defer func() { w.encoding = "" }()
	return w.searchText(ctx, io.NewSectionReader(whole, 0, size), size, func(l Line) bool {
		return l.Number <= shown || visit(l)
	})
}

// visitUTF8 visits a line, unless it is to be shown and is not valid.
func (w *worker) visitUTF8(l Line) bool {
	if !w.group.query.Count && !w.isValid(l.Text) {
		w.stopped = true
		return false
	}
	w.shown = l.Number
	return w.next(l)
}

// searchText searches a file in one encoding.
func (w *worker) searchText(ctx context.Context, f io.Reader, size int64, visit Visit) error {
	if secrets := w.group.query.Redact; !secrets.Off() {
		// Mask even before the first match: a pattern that also matches a placeholder would reveal secrets otherwise.
		shown := &masked{Reader: secrets.Reader(f, strings.HasPrefix(w.group.query.Encoding, "utf-16"))}
		f, visit = shown, shown.withRedacted(visit)
	}
	if w.group.query.Only {
		visit = w.withMatches(visit)
	}
	if w.group.query.Multiline {
		return w.Spans(ctx, f, w.group.query.MaxBytes, w.group.query.Around, visit)
	}
	if size == 0 { // such as a file in /proc, which may be endless
		f = &bounded{f, w.group.query.MaxBytes}
	}
	return w.Lines(ctx, f, size, w.group.query.Around, visit)
}

// withMatches makes visit see each match of a line instead of the line.
func (w *worker) withMatches(visit Visit) Visit {
	return func(l Line) bool {
		before, at := l.Before, 0
		for start, end := range w.lines.InLine(l.Text) {
			before, at = before+utf8.RuneCount(l.Text[at:start]), start
			if start == end {
				continue
			}
			one := Line{Number: l.Number, Text: l.Text[start:end], Before: before, Begins: 1, Lines: 1, Only: true}
			if one.locate(0, end-start); !visit(one) {
				return false
			}
		}
		return true
	}
}

type masked struct {
	mask.Reader
	found []mask.Finding // secrets read so far; one list, because one for each line is slow
}

func (m *masked) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	m.found = m.Findings()
	return n, err
}

// withRedacted adds to each line the secrets in it.
func (m *masked) withRedacted(visit Visit) Visit {
	before := 0 // number of secrets that end before the line; lines come in order
	return func(l Line) bool {
		for before < len(m.found) && m.found[before].LastLine < l.Number {
			before++
		}
		for _, f := range m.found[before:] {
			if f.Line > l.Number {
				break
			}
			l.Redacted = append(l.Redacted, f)
		}
		return visit(l)
	}
}

// collect keeps a line for the visit, or only counts its matches. After Most matches, other matches in the line of the
// last one are still shown, so only a match in another line ends the search.
func (w *worker) collect(l Line) bool {
	f := &w.found
	enough := f.matches >= w.group.query.Most && l.Begins > 0 && !l.GoesOn
	f.matches += l.Begins
	if w.group.query.Count {
		return f.matches < w.group.query.Most
	}
	l.Bytes = max(l.Bytes, len(l.Text))
	switch {
	case l.Match() && l.Bytes > 2*w.group.query.Text:
		l.shorten(w.lines, w.group.query.Text)
	case !l.Match():
		l.Text = l.Text[:min(l.Bytes, w.group.query.Text)]
	}
	f.bytes += len(l.Text) + lineCost
	if f.bytes > maxFound {
		f.more = true
		return false
	}
	l.Text = w.keep(l.Text)
	f.lines = append(f.lines, l)
	return !enough
}

// keep copies text. Lines share memory, because most are short.
func (w *worker) keep(text []byte) []byte {
	if len(text) > cap(w.text)-len(w.text) {
		w.text = make([]byte, 0, max(len(text), 4<<10))
	}
	start := len(w.text)
	w.text = append(w.text, text...)
	return w.text[start:len(w.text):len(w.text)]
}
