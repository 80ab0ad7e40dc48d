package redact

import (
	"bytes"
	"slices"

	"github.com/spillway-go/spillway/internal/mask"
)

// pipe masks a stream: through lenses, by one stage after the other. The later one sees what the first has masked.
type pipe struct {
	engine *engine
	begun  bool   // the lenses are known
	head   []byte // the first byte, while it may be that of a byte order mark
	lenses []lens
	stages []*stage
	found  *sink
	next   *pipe // masks what this one lets through, which may be in another form; or nil
}

func (e *engine) pipe() *pipe {
	p := &pipe{engine: e, found: &sink{most: mask.MaxFindings}}
	switch {
	case e.known != nil && e.kinds:
		p.stages = append(p.stages, &stage{finder: wider{e.known, kinds()}, found: p.found, learn: e.learn, wide: true})
	case e.known != nil:
		p.stages = append(p.stages, &stage{finder: e.known, found: p.found})
	}
	if e.kinds {
		p.stages = append(p.stages, &stage{finder: kinds(), found: p.found, learn: e.learn})
	}
	if e.parts != nil {
		p.stages = append(p.stages, &stage{finder: e.parts, found: p.found})
	}
	p.found.raw = p.raw
	return p
}

var byteOrderMarks = []string{"\xff\xfe", "\xfe\xff"}

// byteOrder returns the place of the low byte in a unit of a text that begins with a byte order mark.
func byteOrder(text []byte) (low int, ok bool) {
	low = slices.IndexFunc(byteOrderMarks, func(m string) bool { return bytes.HasPrefix(text, []byte(m)) })
	return low, low >= 0
}

// plain reports whether a whole text needs no lens.
func (p *pipe) plain(text []byte) bool {
	_, isWide := byteOrder(text)
	return !isWide && bytes.IndexByte(text, escape) < 0
}

// raw returns the offset in the stream of one in what the stages see.
func (p *pipe) raw(visible int64, end bool) int64 {
	for _, l := range slices.Backward(p.lenses) {
		visible = l.raw(visible, end)
	}
	return visible
}

// pipeOf returns a pipe for a text that a call takes to be UTF-16 without a byte order mark if utf16 is set. What it is
// may be something else: the secrets of a text in ASCII are masked too, and of one in the other byte order.
func (e *engine) pipeOf(utf16 bool) *pipe {
	p := e.pipe()
	if utf16 {
		for low := range slices.Backward(byteOrderMarks) {
			p.then(&wideText{low: low}, &terminal{})
		}
	}
	return p
}

// then has a pipe with these lenses mask what p lets through, ahead of those that do already. p gets its findings too.
func (p *pipe) then(lenses ...lens) {
	next := p.engine.pipe()
	next.begun, next.lenses, next.found.to, next.next = true, lenses, p.found, p.next
	p.next = next
}

// begin chooses the lenses by the first bytes of the stream. It reports false as long as they are too few.
func (p *pipe) begin(text []byte, end bool) bool {
	if !end && len(text) < 2 && (len(text) == 0 || text[0] >= 0xfe) {
		return false
	}
	p.begun = true
	if low, ok := byteOrder(text); ok {
		p.lenses = append(p.lenses, &wideText{low: low})
		p.then(&terminal{}) // it may go on in ASCII
	}
	p.lenses = append(p.lenses, &terminal{})
	return true
}

// push takes the next bytes of the stream, and returns those that are decided. They are valid until the next call.
func (p *pipe) push(text []byte) []byte {
	if !p.begun {
		if len(p.head) > 0 {
			text = append(p.head, text...)
		}
		if !p.begin(text, false) {
			p.head = slices.Clone(text)
			return nil
		}
		p.head = nil
	}
	for _, l := range p.lenses {
		text = l.in(text)
	}
	for _, s := range p.stages {
		text = s.push(text)
	}
	if text = p.out(text); p.next != nil {
		return p.next.push(text)
	}
	return text
}

func (p *pipe) out(text []byte) []byte {
	for _, l := range slices.Backward(p.lenses) {
		text = l.out(text)
	}
	return text
}

// flush returns what was held back: the stream is at its end.
func (p *pipe) flush() []byte { return p.finish((*stage).flush) }

// cut is flush for a stream that was ended in the middle.
func (p *pipe) cut() []byte { return p.finish((*stage).cut) }

func (p *pipe) finish(end func(*stage) []byte) []byte {
	if !p.begun {
		p.begin(p.head, true)
		out := slices.Clone(p.push(p.head))
		return append(out, p.finish(end)...)
	}
	text := p.lenses[len(p.lenses)-1].end()
	for _, s := range p.stages {
		text = slices.Concat(s.push(text), end(s))
	}
	raw := slices.Clone(p.out(text))
	for i := range p.lenses {
		rest := p.lenses[len(p.lenses)-1-i].flush()
		for _, l := range slices.Backward(p.lenses[:len(p.lenses)-1-i]) {
			rest = l.out(rest)
		}
		raw = append(raw, rest...)
	}
	if p.next != nil {
		return append(slices.Clone(p.next.push(raw)), p.next.finish(end)...)
	}
	return raw
}

// clone returns a copy whose findings nobody hears of.
func (p *pipe) clone() *pipe {
	c := *p
	c.found = &sink{}
	c.head = slices.Clone(p.head)
	c.lenses, c.stages = nil, nil
	for _, l := range p.lenses {
		c.lenses = append(c.lenses, l.clone())
	}
	for _, s := range p.stages {
		c.stages = append(c.stages, s.clone())
	}
	if p.next != nil {
		c.next = p.next.clone()
	}
	return &c
}
