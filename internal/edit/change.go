package edit

import (
	"bytes"
	"strings"
)

// change is an edit, prepared for all of its places. Lines that both Old and New begin or end with stay as they are
// in the file.
type change struct {
	t          *Text
	edit       Edit
	text       string            // New without these lines
	head, tail int               // the number of these lines
	literal    bool              // New's line endings are written as they are
	forms      map[string]string // text with other line endings
	next       int               // the first line ending after the last place, or else the last before it
	last       bool              // next is the last line ending of the body
}

func (t *Text) change(e Edit, how Map) *change {
	c := &change{t: t, edit: e, next: -1, forms: map[string]string{}}
	from, to := t.lines(e.Old), t.lines(e.New)
	for c.head < min(len(from), len(to)) && from[c.head] == to[c.head] {
		c.head++
	}
	for c.tail < min(len(from), len(to))-c.head && from[len(from)-1-c.tail] == to[len(to)-1-c.tail] {
		c.tail++
	}
	c.text = strings.Join(to[c.head:len(to)-c.tail], "")
	c.literal = !strings.ContainsAny(e.New, "\r\n") || how == Exact && strings.ContainsRune(e.Old+e.New, '\r')
	return c
}

// lines returns the lines of Old or New, with their endings.
func (t *Text) lines(text string) (lines []string) {
	for len(text) > 0 {
		n := strings.IndexAny(text, "\n"+string(t.end)) + 1
		if n == 0 {
			n = len(text)
		} else if strings.HasPrefix(text[n-1:], "\r\n") {
			n++
		}
		lines = append(lines, text[:n])
		text = text[n:]
	}
	return lines
}

// splice returns the change at a place.
func (c *change) splice(p place) splice {
	body, at, end := c.t.body, p.Span, []byte{c.t.end}
	text := c.text
	if strings.HasSuffix(c.edit.Old, "\n") && at.End > at.Start && body[at.End-1] != c.t.end {
		// The last line of the file matched as if it had an ending.
		text = strings.TrimSuffix(strings.TrimSuffix(c.edit.New, "\n"), "\r")
	} else {
		for range c.head {
			line, _, _ := bytes.Cut(body[at.Start:at.End], end)
			at.Start = min(at.Start+len(line)+1, at.End)
		}
		for range c.tail {
			line := bytes.TrimSuffix(body[at.Start:at.End], end)
			at.End = at.Start + bytes.LastIndex(line, end) + 1
		}
	}
	text = p.shift.apply(text)
	if !c.literal {
		text = c.withEndings(text, at)
	}
	return splice{place: p.Span, at: at, text: text}
}

// withEndings returns a text with the line endings of the lines around a place.
func (c *change) withEndings(text string, at Span) string {
	ending := c.ending(at.Start)
	if ending == "" {
		return text
	}
	if form, ok := c.forms[ending+text]; ok {
		return form
	}
	form := strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", ending)
	c.forms[ending+text] = form
	return form
}

// ending returns the ending of the line that a place is in, or else of the line before it. It is called for one place
// after the other, from left to right.
func (c *change) ending(at int) string {
	body, end := c.t.body, []byte{c.t.end}
	if c.next < at && !c.last {
		if i := bytes.Index(body[at:], end); i >= 0 {
			c.next = at + i
		} else {
			c.next, c.last = bytes.LastIndex(body, end), true
		}
	}
	switch {
	case c.next < 0:
		return ""
	case c.next > 0 && body[c.next] == '\n' && body[c.next-1] == '\r':
		return "\r\n"
	}
	return string(end)
}
