package report

import (
	"strings"

	"github.com/spillway-go/spillway/truncation"
)

// excerpt is a text as a page has it: both ends, where it is too long.
type excerpt struct {
	head, tail string
	gap        int // bytes between them
}

func (e excerpt) size() int { return len(e.head) + len(e.tail) }

// cut makes an excerpt hold at most most bytes.
func (e excerpt) cut(most int) excerpt {
	total := e.size()
	if total <= most {
		return e
	}
	limits := func(n int) truncation.Limits { return truncation.Limits{Bytes: truncation.AtMost(n)} }
	head := truncation.Policy{Strategy: truncation.HeadChars, Limits: limits(most / 2), Unmarked: true}
	tail := truncation.Policy{Strategy: truncation.TailChars, Limits: limits(most / 2), Unmarked: true}
	last := e.tail
	if e.gap == 0 {
		last = e.head + e.tail // one text
		e.head = last
	}
	e.head, e.tail = strings.Clone(head.Cut(e.head)), strings.Clone(tail.Cut(last))
	e.gap += total - e.size()
	return e
}

// texts are the results and arguments of a page. Where they become too much, each may be half as long as before.
type texts struct {
	most int // bytes of each
	room int // bytes of all
	used int
	kept []*Call
}

// keep keeps what the page shows of a call.
func (t *texts) keep(c *Call, text string, args arguments) {
	c.args = args.pretty()
	c.text = excerpt{head: strings.ToValidUTF8(text, "\uFFFD")}
	if missing := c.Bytes - len(text); missing > 0 { // the record has the beginning
		c.text.gap = missing
	}
	t.kept = append(t.kept, c)
	t.used += t.shorten(c)
	for t.used > t.room && t.most > 1 {
		t.most /= 2
		t.used = 0
		for _, c := range t.kept {
			t.used += t.shorten(c)
		}
	}
}

// shorten cuts what a call has to the length that each may have, and returns its size.
func (t *texts) shorten(c *Call) int {
	c.text = c.text.cut(t.most)
	size, room := c.text.size(), t.most
	for i := range c.args {
		a := &c.args[i]
		if len(a.Text) > room {
			short := excerpt{head: a.Text}.cut(2 * room).head
			a.Gap += len(a.Text) - len(short)
			a.Text = short
		}
		room -= len(a.Text)
		size += len(a.Text) + len(a.Name)
	}
	return size
}

// The kinds of segments of a text.
const (
	plain   = iota // what a tool returned
	bracket        // what the tool says itself
	left           // in place of bytes that the page does not have: their number
)

// segment is a part of a text.
type segment struct {
	Kind  int    `json:"k,omitempty"`
	Text  string `json:"t,omitempty"`
	Bytes int    `json:"b,omitempty"`
}
