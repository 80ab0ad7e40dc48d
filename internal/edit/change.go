package edit

import (
	"bytes"
	"strings"

	"github.com/spillway-go/spillway/internal/diff"
)

// change is an edit, prepared for all of its places. What Old and New share stays as it is in the file: lines that
// both begin or end with and, if Old is not exactly what is there, every shared character. Writing more of an exact
// match again changes nothing.
type change struct {
	t       *Text
	edit    Edit
	how     Map
	coarse  bool // share only the common beginning and end
	literal bool // write New's line endings unchanged
	same    bool // Old is exactly what is there, so only whole lines are shared:
	head    int  // bytes of the common beginning
	tail    int  // bytes of the common end
	drafts  map[draftKey]*draft
	forms   map[string]string // texts with other line endings
	at      []int             // a buffer
	next    int               // the first line ending after the last place, or else the last before it
	last    bool              // next is the last line ending of the body
}

// draft is an edit adapted to a place.
type draft struct {
	from, to *units
	runs     []run
}

// draftKey is what distinguishes the drafts for two places.
type draftKey struct {
	shift
	unended bool // the last line of the file matched as if it had an ending
}

func (t *Text) change(e Edit, how Map, coarse bool) *change {
	c := &change{t: t, edit: e, how: how, coarse: coarse, next: -1,
		drafts: map[draftKey]*draft{}, forms: map[string]string{},
		literal: !strings.ContainsAny(e.New, "\r\n") || how == Exact && strings.ContainsRune(e.Old+e.New, '\r'),
		same:    how == Exact && (coarse || t.info.Legacy() == nil)}
	if c.same {
		c.head, c.tail = diff.Common([]byte(e.Old), []byte(e.New))
	}
	return c
}

// fold returns the fold under which a place equals Old, once Old is indented like the file.
func (c *change) fold() fold {
	switch c.how {
	case LineEndings:
		return c.t.endings
	case Trailing, Indentation: // the latter ignores white space in blank lines
		return c.t.trailing
	case Unicode:
		return c.t.unicode
	case Loose:
		return c.t.loose
	}
	return func(text []byte, at int) (int, []byte, bool) { return len(text) - at, text[at:], true }
}

func (c *change) draft(p place) *draft {
	old, end := c.edit.Old, p.End
	key := draftKey{unended: strings.HasSuffix(old, "\n") && end > p.Start && c.t.body[end-1] != c.t.end}
	if p.shift != nil {
		key.shift = *p.shift
	}
	d, ok := c.drafts[key]
	if !ok {
		d = c.newDraft(p.shift.apply(old), p.shift.apply(c.edit.New), key.unended)
		c.drafts[key] = d
	}
	return d
}

func (c *change) newDraft(from, to string, unended bool) *draft {
	if unended {
		from, to = withoutEnding(from), withoutEnding(to)
	}
	f, literal, large := c.fold(), c.how == Trailing || c.how == Loose, len(from)+len(to) > maxShared
	d := &draft{from: inCharacters(from, f, literal, large), to: inCharacters(to, f, literal, large)}
	if c.coarse {
		d.runs = outer(d.from, d.to)
	} else {
		d.runs = runs(d.from, d.to)
	}
	return d
}

func withoutEnding(text string) string {
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
}

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

func (c *change) splices(list []splice, p place) []splice {
	put := func(at Span, text string) {
		if !c.literal {
			text = c.withEndings(text, at)
		}
		list = append(list, splice{place: p.Span, at: at, text: text})
	}
	if c.same {
		put(Span{p.Start + c.head, p.End - c.tail}, c.edit.New[c.head:len(c.edit.New)-c.tail])
		return list
	}
	d := c.draft(p)
	at, changes := c.boundaries(d, p.Span), d.runs
	if len(list) > MostPlaces { // each takes some 100 bytes
		changes = outer(d.from, d.to)
	}
	if c.how != Exact {
		changes = widened(changes, at)
	}
	if len(changes) == 0 { // the place is the same already
		changes = []run{{}}
	}
	for _, r := range changes {
		put(Span{at[r.from], at[r.to]}, d.to.text[d.to.start(r.newFrom):d.to.start(r.newTo)])
	}
	return list
}

// boundaries returns where each unit of Old begins in the body, and where the last one ends; -1 for a boundary inside
// something that the fold changes.
func (c *change) boundaries(d *draft, p Span) []int {
	n := len(d.from.ends)
	c.at = append(c.at[:0], p.Start)
	if c.how == Exact {
		for _, end := range d.from.ends {
			c.at = append(c.at, p.Start+end)
		}
		return c.at
	}
	places := cursor{fold: c.fold(), text: c.t.body[p.Start:]}
	for i := range n {
		at, ok := places.find(d.from.folded[i])
		if at += p.Start; !ok {
			at = -1
		}
		c.at = append(c.at, min(at, p.End))
	}
	c.at[n] = p.End
	return c.at
}

// withEndings returns a text with the line endings around a place.
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

// ending returns the ending of the line of a place, or else of the line before it. It must be called from left to
// right.
func (c *change) ending(at int) string {
	body, end := c.t.body, []byte{c.t.end}
	if c.next < at && !c.last {
		if i := bytes.Index(body[at:], end); i >= 0 {
			c.next = at + i
		} else {
			c.next, c.last = bytes.LastIndex(body, end), true
		}
	}
	next := c.next
	if part, _ := c.t.part(Span{at, at}); part.Added && next == part.End-1 {
		if next = bytes.LastIndex(body[part.Start:next], end); next >= 0 {
			next += part.Start
		}
	}
	switch {
	case next < 0:
		return ""
	case next > 0 && body[next] == '\n' && body[next-1] == '\r':
		return "\r\n"
	}
	return string(end)
}
