package redact

import (
	"slices"

	"github.com/spillway-go/spillway/internal/credential"
	"github.com/spillway-go/spillway/internal/mask"
)

const (
	// lookBehind is how far before a candidate a rule sees.
	lookBehind = 256
	// Window is the number of bytes that a stream holds back or remembers at most, besides what it was just given.
	Window = 64 << 10
)

// view is the text that a finder looks at.
type view struct {
	text []byte
	end  bool // nothing follows text
	work int  // the bytes that rules have looked at, for tests

	// What run found last. A candidate that waits for more text goes on from there.
	runFrom, runEnd int
	runClass        *class
	span            span

	masked int // where the last secret ended
}

// match is a secret.
type match struct {
	start, end int
	kind       string
	layout     layout
	tail       tail // what belongs to the secret after end, as far as it goes; nil if nothing does
	wider      bool // of a known value: there is more to it
}

// A tail is the rest of a secret, masked as it comes.
type tail interface {
	// next returns up to where v.text belongs to the secret after at, and what is asked from there on when there is
	// more text, or nil if the secret ends there.
	next(v *view, at int) (end int, rest tail)
}

// finder looks for secrets.
type finder interface {
	// find returns the first secret that begins at or after from. Without one, text up to hold is certain to be
	// none, whatever follows, and the search goes on at resume, which is not after hold.
	find(v *view, from int) (m match, ok bool, resume, hold int)
}

// stage masks what a finder finds in a stream. What it decides about a place depends on lookBehind bytes before it, and
// on what follows, which it waits for.
type stage struct {
	view
	finder
	found *sink

	base  int64 // the offset of text[0]
	sent  int   // what of text was passed on
	at    int   // where the search goes on
	last  int   // where the last secret ended, in a cut
	open  mask.Finding
	tail  tail // of the secret that is being masked; nil if there is none
	style layout

	learn  func(value []byte, kind string) // is told what was masked; nil is nobody
	wide   bool                            // learn only what is wider than a known value
	secret []byte                          // what is being masked, up to maxKey bytes
	learns bool                            // learn is told of it

	lines, counted int // the newlines of the stream before text[counted]
}

// push takes the next bytes, and returns those that are decided. They are valid until the next call.
func (s *stage) push(text []byte) []byte {
	s.drop()
	s.text = append(s.text, text...)
	return s.pass(s.scan(false))
}

// flush returns what was held back: the stream is at its end.
func (s *stage) flush() []byte { return s.pass(s.scan(true)) }

const (
	// cutKind is the kind of what was masked because the stream was ended there.
	cutKind = "unfinished"
	// minCut is the number of bytes of a beginning that is masked: a shorter one is that of many words, and tells little.
	minCut = 4
)

// cut is flush for a stream that was ended in the middle: what may be the beginning of a secret is masked.
func (s *stage) cut() []byte {
	s.learn = nil // it is not whole
	from, found := s.sent, s.found.count
	if s.tail != nil {
		s.style.blank(s.text[s.at:])
		s.at = len(s.text)
		s.close()
		return s.pass(s.at)
	}
	s.scan(true) // it may be whole, too
	if s.found.count > found {
		from = s.last
	}
	if rest := s.text[min(from, len(s.text)):]; len(rest) >= minCut && !isMask(rest) {
		s.mask(match{start: from, end: len(s.text), kind: cutKind})
	}
	return s.pass(len(s.text))
}

func (s *stage) pass(final int) []byte {
	final = max(final, s.sent)
	out := s.text[s.sent:final]
	s.sent = final
	return out
}

func (s *stage) drop() {
	n := min(s.at, s.sent) - lookBehind
	if n < len(s.text)/2 {
		return
	}
	s.count(n)
	s.text = s.text[:copy(s.text, s.text[n:])]
	s.base += int64(n)
	s.sent -= n
	s.at -= n
	s.counted -= n
	s.runFrom, s.runEnd = s.runFrom-n, s.runEnd-n
	s.masked -= n
	s.span.start, s.span.at, s.span.end = s.span.start-n, s.span.at-n, s.span.end-n
}

// scan masks secrets, and returns up to where text is decided.
func (s *stage) scan(end bool) (final int) {
	s.end = end
	for {
		if s.tail != nil {
			next, rest := s.tail.next(&s.view, s.at)
			s.remember(s.text[s.at:next])
			s.style.blank(s.text[s.at:next])
			s.at, s.tail = next, rest
			if rest != nil {
				return next
			}
			s.close()
		}
		m, ok, resume, hold := s.find(&s.view, s.at)
		if !ok {
			s.at = resume
			return hold
		}
		s.mask(m)
	}
}

func (s *stage) mask(m match) {
	s.count(m.start)
	s.open = mask.Finding{
		Kind: m.kind, Line: s.lines + 1, Start: s.found.at(s.base+int64(m.start), false),
	}
	s.secret, s.learns = s.secret[:0], s.learn != nil && (m.wider || !s.wide)
	s.remember(s.text[m.start:m.end])
	m.layout.fill(s.text[m.start:m.end], m.kind)
	s.at, s.style, s.tail = m.end, m.layout, m.tail
	if s.tail == nil {
		s.close()
	}
}

// close ends the finding that is open.
func (s *stage) close() {
	s.count(s.at)
	s.open.LastLine, s.last, s.masked = s.lines+1, s.at, s.at
	s.open.End = s.found.at(s.base+int64(s.at), true)
	s.found.add(s.open)
	s.tail = nil
	if s.learns && s.learn != nil {
		s.learn(s.secret, s.open.Kind)
	}
}

// remember keeps a part of the secret that is about to be masked.
func (s *stage) remember(part []byte) {
	if s.learns {
		s.secret = append(s.secret, part[:min(len(part), maxKey-len(s.secret))]...)
	}
}

// count counts the lines up to text[to].
func (s *stage) count(to int) {
	if to > s.counted {
		s.lines += countLines(s.text[s.counted:to])
		s.counted = to
	}
}

// clone returns a copy whose findings nobody hears of.
func (s *stage) clone() *stage {
	c := *s
	c.text = slices.Clone(s.text)
	c.found = &sink{}
	c.learn = nil
	return &c
}

// Before returns what a rule may see before i.
func (v *view) Before(i int) []byte { return v.text[max(0, i-lookBehind):i] }

// before returns the byte before i, or 0.
func (v *view) before(i int) byte {
	if i == 0 {
		return 0
	}
	return v.text[i-1]
}

// Between returns a part of the text.
func (v *view) Between(from, to int) []byte { return v.text[from:to] }

// Run returns the end of the bytes of a class from a place on, at most limit bytes after it, and whether it is known:
// otherwise text ends there.
func (v *view) Run(from int, c *class, limit int) (end int, known bool) {
	i := from
	if v.runClass == c && v.runFrom == from && v.runEnd >= from {
		i = min(v.runEnd, from+limit)
	}
	last := min(len(v.text), from+limit)
	start := i
	for i < last && c[v.text[i]] {
		i++
	}
	v.work += i - start + 1
	v.runClass, v.runFrom, v.runEnd = c, from, i
	return i, i < len(v.text) || v.end || i == from+limit
}

// Has reports whether text goes on with literal at i, and whether that is known.
func (v *view) Has(i int, literal string) (yes, known bool) {
	rest := v.text[min(i, len(v.text)):]
	n := min(len(rest), len(literal))
	v.work += n
	if string(rest[:n]) != literal[:n] {
		return false, true
	}
	return n == len(literal), n == len(literal) || v.end
}

// class is a set of bytes.
type class = credential.Class

// allOf is the tail of a secret that goes on with bytes of a class.
type allOf struct{ *class }

func (c allOf) next(v *view, at int) (end int, rest tail) {
	i := at
	for i < len(v.text) && c.class[v.text[i]] {
		i++
	}
	v.work += i - at
	if i < len(v.text) || v.end {
		return i, nil
	}
	return i, c
}

var (
	word        = credential.Word
	base62      = credential.Base62
	base64Class = credential.Base64
	digits      = credential.Digits
	alpha       = credential.ClassOf("A-Za-z")
)
