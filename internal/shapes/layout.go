package shapes

import "bytes"

// A layout is a line with the places that its shape masks. A line has the same shape if it has the same kind of token
// in each of these places, and differs elsewhere only in digits.
//
// Layouts form a tree: a layout that begins like another is a branch of it, from the place up to which both have the
// same tokens.
type layout struct {
	shape  int
	text   []byte
	fields []field
	starts [maxLine / 64]uint64 // a bit for each place where a token begins

	at, from     int // where the branch begins: in the other layout, and in this one
	behind       int // number of fields before from
	child, older int // the last branch that was added, and the previous one of the same layout; -1: none
}

// field is a masked place.
type field struct {
	from, to uint16
	token    uint8
}

const (
	maxLayouts = 128
	maxTried   = 48 // branches to try for a line
)

// layouts are the layouts of shapes whose lines only need to be counted.
type layouts struct {
	list   []layout
	first  int // a layout from the beginning of a line
	texts  []byte
	fields []field

	// Where the line of the last search leaves the layouts.
	last   int // -1: none
	at, is int // the place in that layout, and in the line
}

// find returns the shape of a line by its layout, or -1.
func (l *layouts) find(text []byte) (shape int) {
	l.last, l.at, l.is = -1, 0, 0
	if _, is := marked(text); is || len(l.list) == 0 { // it has a mark where other lines have a name or a number
		return -1
	}
	tried := 0
	for next := l.first; next >= 0; {
		y := &l.list[next]
		if tried++; tried > maxTried {
			return -1
		}
		if y.at != l.at || !y.mayGoOn(text, l.is) {
			next = y.older
			continue
		}
		is, at := y.match(text, l.is)
		if at == len(y.text) && is == len(text) {
			return y.shape
		}
		if at == y.from {
			next = y.older
			continue
		}
		l.last, l.at, l.is = next, at, is
		next = y.child
	}
	return -1
}

// mayGoOn reports whether the next byte of a line fits the branch.
func (y *layout) mayGoOn(text []byte, at int) bool {
	if at == len(text) || y.from == len(y.text) {
		return at == len(text) && y.from == len(y.text)
	}
	a, b := text[at], y.text[y.from]
	return a == b || y.behind < len(y.fields) && int(y.fields[y.behind].from) == y.from
}

// match returns how far a line follows the layout from the branch on: the ends in the line and in the layout. Unless
// both have ended, a token begins at both.
func (y *layout) match(text []byte, is int) (end, at int) {
	at = y.from
	sure := at // up to here, tokens are certain
	fields := y.fields[y.behind:]
	for {
		n := alike(text[is:], y.text[at:])
		is, at = is+n, at+n
		if at == len(y.text) && is == len(text) {
			return is, at
		}
		for len(fields) > 0 && int(fields[0].to) < at {
			fields = fields[1:]
		}
		if len(fields) == 0 || int(fields[0].from) > at || int(fields[0].from) < sure {
			break
		}
		f := fields[0]
		back := at - int(f.from)
		end := 0
		if back > 0 || is == 0 || isQuote(text[is-1]) || endsBefore(text, is) {
			end = f.end(text, is-back, y.text[f.from])
		}
		if end == 0 {
			is, at = is-back, at-back
			break
		}
		fields = fields[1:]
		is, at, sure = end, int(f.to), int(f.to)
	}
	for at > sure && !(y.begins(at) && endsBefore(text, is)) {
		is, at = is-1, at-1
	}
	return is, at
}

// end returns the end of the token at from, if it is the field's kind of token; otherwise 0. c is its first character.
func (f field) end(text []byte, from int, c byte) int {
	if from == len(text) {
		return 0
	}
	first := text[from]
	var end int
	var t token
	switch k := classes[first]; {
	case isQuote(first) || isQuote(c):
		if first != c {
			return 0
		}
		end, t = quoteAt(text, from)
	case k&alnum != 0:
		end, t = wordAt(text, from)
	case k == join && (first != '\\' || !escapeAt(text, from)) && startsName(text, from):
		end, t = wordAt(text, from)
	}
	if t != token(f.token) {
		return 0
	}
	return end
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

func (y *layout) begins(at int) bool {
	return at < len(y.text) && y.starts[at/64]>>(at%64)&1 != 0 || at == len(y.text)
}

// endsBefore reports whether the token before a place ends there whatever follows.
func endsBefore(text []byte, at int) bool {
	if at == 0 {
		return true
	}
	before := text[at-1]
	if isQuote(before) || before == '\\' {
		return false
	}
	return at == len(text) || text[at] != before && (classes[before]&word == 0 || classes[text[at]]&word == 0)
}

// add adds the layout of the line of the last search. It reports whether such a line can have one.
func (l *layouts) add(text []byte, shape int, buffer *[maxTokens]token) bool {
	if l.list == nil {
		l.list = make([]layout, 0, maxLayouts)
		l.texts, l.fields = make([]byte, 0, 128*maxLayouts), make([]field, 0, 16*maxLayouts)
	}
	if len(l.list) == maxLayouts || len(l.texts)+len(text) > cap(l.texts) || len(l.fields)+maxLine/2 > cap(l.fields) {
		l.forget()
	}
	y := layout{shape: shape, at: l.at, from: l.is, child: -1}
	first := len(l.fields)
	if _, odd := result(text); odd || !l.takeApart(text, &y, buffer) {
		l.fields = l.fields[:first]
		return false
	}
	at := len(l.texts)
	l.texts = append(l.texts, text...)
	y.text, y.fields = l.texts[at:], l.fields[first:]
	if !y.begins(y.from) {
		l.last, y.at, y.from = -1, 0, 0
	}
	for y.behind < len(y.fields) && int(y.fields[y.behind].from) < y.from {
		y.behind++
	}
	head := &l.first
	if l.last >= 0 {
		head = &l.list[l.last].child
	}
	if len(l.list) == 0 {
		*head = -1
	}
	y.older, *head = *head, len(l.list)
	l.list = append(l.list, y)
	return true
}

// takeApart records where the tokens of a line begin, and which of them are masked. It reports whether the line can be
// a layout.
func (l *layouts) takeApart(text []byte, y *layout, buffer *[maxTokens]token) (can bool) {
	x := lexer{text: text, tokens: buffer[:0]}
	unclosed := false
	for x.at < len(text) {
		from := x.at
		x.tokens, x.last = x.tokens[:0], 0
		x.next()
		y.starts[from/64] |= 1 << (from % 64)
		switch {
		case x.last == maskedQuote && unclosed:
			return false // other content of these quotes could end them elsewhere
		case x.last == maskedName && bytes.Contains(text[from:x.at], dots):
			return false
		case x.last != 0 && x.last.masked():
			l.fields = append(l.fields, field{uint16(from), uint16(x.at), uint8(x.last)})
			can = can || x.last == maskedNumber // then no line with this layout is blank
		case x.last >= shortWord:
			can = can || !isBlank(text[from:x.at])
		case isQuote(text[from]) && takesQuote(text, from):
			unclosed = true
		}
	}
	return can
}

func (l *layouts) forget() {
	*l = layouts{list: l.list[:0], texts: l.texts[:0], fields: l.fields[:0], last: -1}
}
