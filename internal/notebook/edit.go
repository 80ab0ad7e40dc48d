package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Change replaces a part of a notebook's text, which is in the source of one cell.
type Change struct {
	Start, End int
	Text       string
}

// ErrNoSource is the error for a cell without a source.
var ErrNoSource = errors.New("it has no editable source")

// Source returns the part of the JSON that holds the source of a cell, of those of the notebook.
func (b *Notebook) Source(data []byte, cell int) (from, to int, ok bool) {
	s := b.source(data, b.Cells[cell])
	if s == nil {
		return 0, 0, false
	}
	return s.from, s.from + len(s.raw), true
}

// In returns the index of the cell whose source has a part of the text, or -1.
func (b *Notebook) In(start, end int) int {
	i, _ := slices.BinarySearchFunc(b.Cells, end, func(c Cell, end int) int { return c.End - end })
	if i == len(b.Cells) || start < b.Cells[i].Start {
		return -1
	}
	return i
}

// Edited returns the JSON, data, of a notebook after changes of its text, which are in order. Only bytes of the sources
// that change are others then, and cells with such a source have no outputs and no execution count.
func (b *Notebook) Edited(data []byte, changes []Change) ([]byte, error) {
	var parts []part
	lists := sync.OnceValue(func() style { return b.lists(data) })
	for len(changes) > 0 {
		i := b.In(changes[0].Start, changes[0].End)
		if i < 0 {
			return nil, fmt.Errorf("no cell has byte %d", changes[0].Start)
		}
		n := 1
		for n < len(changes) && changes[n].Start <= b.Cells[i].End {
			n++
		}
		s := b.source(data, b.Cells[i])
		if s == nil {
			return nil, fmt.Errorf("cell %d: %w", i+1, ErrNoSource)
		}
		raw, err := s.edited(b.Cells[i].within(changes[:n]), s.style(lists))
		if err != nil {
			return nil, fmt.Errorf("cell %d: %w", i+1, err)
		}
		if !bytes.Equal(raw, s.raw) {
			parts = append(parts, part{s.from, s.from + len(s.raw), string(raw)})
			parts = append(parts, b.results(data, i)...)
		}
		changes = changes[n:]
	}
	return replaced(data, parts), nil
}

// within returns changes as those of the source itself: a last line that has no newline there stays without one.
func (c Cell) within(changes []Change) (list []Change) {
	size := c.End - c.Start
	if c.Added {
		size--
	}
	last := Change{Start: -1}
	for _, ch := range changes {
		ch.Start, ch.End = ch.Start-c.Start, ch.End-c.Start
		switch {
		case ch.End <= size:
			list = append(list, ch)
			continue
		case last.Start < 0 && ch.Start > size: // behind the newline, which stays
			last = Change{Start: size, End: size, Text: "\n"}
		case last.Start < 0:
			last = Change{Start: ch.Start, End: size}
		}
		last.Text += ch.Text
	}
	if last.Start < 0 {
		return list
	}
	last.Text = strings.TrimSuffix(last.Text, "\n")
	return append(list, last)
}

// edited returns a source after changes. What stays keeps its bytes.
func (s *source) edited(changes []Change, st style) ([]byte, error) {
	var want strings.Builder
	w := sourceWriter{source: s, style: st, last: -1}
	at := 0 // the next character
	keep := func(end int) {
		for ; at < len(s.chars) && s.chars[at].at < end; at++ {
			w.keep(at)
		}
	}
	done := 0
	for _, c := range changes {
		keep(c.Start)
		want.WriteString(s.text[done:c.Start] + c.Text)
		done = c.End
		for at < len(s.chars) && s.chars[at].at < c.End {
			at++
		}
		for _, r := range c.Text {
			w.add(r)
		}
	}
	keep(len(s.text))
	want.WriteString(s.text[done:])
	if raw := w.done(); s.is(raw, want.String()) {
		return raw, nil
	}
	w = sourceWriter{source: s, style: st, last: -1}
	if s.raw[0] == '[' { // it holds more than strings
		w.open, w.next, w.shut = `["`, `", "`, `"]`
	}
	for _, r := range want.String() {
		w.add(r)
	}
	if raw := w.done(); s.is(raw, want.String()) {
		return raw, nil
	}
	return nil, errors.New("the text is not valid UTF-8")
}

// is reports whether a value is a source of that text.
func (s *source) is(raw []byte, text string) bool {
	return json.Valid(raw) && newSource(0, raw).text == text
}

// sourceWriter writes a source.
type sourceWriter struct {
	*source
	style
	out   []byte
	last  int  // the character that was written last if it was kept, or else -1
	ended bool // the last one ends a line
}

// begin writes what is in front of a character that is written next: i is its index, or -1 for a new one.
func (w *sourceWriter) begin(i int) {
	switch {
	case w.out == nil:
		w.out = append(w.out, w.open...)
	case i > 0 && w.last == i-1:
		w.out = append(w.out, w.raw[w.chars[i-1].to:w.chars[i].from]...)
	case w.ended:
		w.out = append(w.out, w.next...)
	}
	w.last = i
}

func (w *sourceWriter) keep(i int) {
	w.begin(i)
	c := w.chars[i]
	w.out = append(w.out, w.raw[c.from:c.to]...)
	w.ended = w.text[c.at] == '\n'
}

func (w *sourceWriter) add(r rune) {
	w.begin(-1)
	w.out = w.appendEscaped(w.out, r)
	w.ended = r == '\n'
}

// done returns the source. One without text is an empty string or list.
func (w *sourceWriter) done() []byte {
	switch {
	case w.out != nil:
		return append(w.out, w.shut...)
	case w.raw[0] == '"':
		return []byte(`""`)
	}
	return []byte("[]")
}

// Check returns nil for JSON, or an error that names the line where it is wrong.
func Check(data []byte) error {
	var value json.RawMessage
	err := json.Unmarshal(data, &value)
	if bad, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("line %d: %w", bytes.Count(data[:min(int(bad.Offset), len(data))], []byte("\n"))+1, err)
	}
	return err
}
