package edit

import (
	"bytes"
	"strings"
)

// change is an edit, prepared for all of its places. Lines that Old and New begin or end with alike stay as
// the file has them.
type change struct {
	t          *Text
	edit       Edit
	text       string // New without these lines
	head, tail int    // the number of them
	literal    bool   // line endings are as New has them
	forms      map[string]string
	next       int  // the line ending behind the last place
	behind     bool // next is the last one, and in front of it
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

// lines returns the lines of a text of the caller's, with their endings.
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
	unended := strings.HasSuffix(c.edit.Old, "\n") && at.End > at.Start && body[at.End-1] != c.t.end
	if unended { // the last line of the file was matched as if it had an ending
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
		text = c.ended(text, at)
	}
	return splice{place: p.Span, at: at, text: text}
}

// ended returns a text whose lines end as those around a place do.
func (c *change) ended(text string, at Span) string {
	ending := c.ending(at.Start)
	if ending == "" {
		return text
	}
	if form, ok := c.forms[ending+text]; ok {
		return form
	}
	form := strings.ReplaceAll(text, "\r\n", "\n")
	if ending == "\r" {
		form = strings.ReplaceAll(form, "\r", "\n")
	}
	form = strings.ReplaceAll(form, "\n", ending)
	c.forms[ending+text] = form
	return form
}

// ending returns how the line that a place is in ends, or else the one before it. Places are asked for
// from left to right.
func (c *change) ending(at int) string {
	body, end := c.t.body, []byte{c.t.end}
	if c.next < at && !c.behind {
		if i := bytes.Index(body[at:], end); i >= 0 {
			c.next = at + i
		} else {
			c.next, c.behind = bytes.LastIndex(body, end), true
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
