package shapes

import "bytes"

// A layout is a line, with the places of what its shape masks. Lines that have the same kind of token in each of these
// places, and elsewhere differ from it in digits alone, have the same shape.
//
// Layouts form a tree: one that begins like another is a branch of it, at a place up to which both have the same
// tokens.
type layout struct {
	shape  int
	text   []byte
	fields []field
	starts [maxLine / 64]uint64 // a bit for each place where a token begins

	at, from     int // the branch begins there: in the other layout, and in this one
	behind       int // the fields in front of from
	child, older int // the branch that was added last, and the one at the same layout that was added before; -1: none
}

// field is a place that is masked.
type field struct {
	from, to uint16
	token    uint8
}

const (
	maxLayouts = 128
	maxTried   = 48 // branches that are tried for a line
)

// layouts are those of shapes that need no more than to be counted.
type layouts struct {
	list   []layout
	first  int // one that begins at its beginning
	texts  []byte
	fields []field

	// Where the line that was looked for last leaves the layouts.
	last   int // -1: there is none
	at, is int // the place in that layout, and in the line
}

// find returns the shape of the layout that a line has, or -1.
func (l *layouts) find(text []byte) (shape int) {
	l.last, l.at, l.is = -1, 0, 0
	if _, is := marked(text); is || len(l.list) == 0 { // where other lines have a name or a number, it has a mark
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

// mayGoOn reports whether the branch may be that of a line of which so much is known, by the next byte.
func (y *layout) mayGoOn(text []byte, at int) bool {
	if at == len(text) || y.from == len(y.text) {
		return at == len(text) && y.from == len(y.text)
	}
	a, b := text[at], y.text[y.from]
	return a == b || y.behind < len(y.fields) && int(y.fields[y.behind].from) == y.from
}

// match returns how far a line goes with the layout from the branch on, in the line and in the layout. If that is not
// the end of both, a token begins there in both.
func (y *layout) match(text []byte, is int) (end, at int) {
	at = y.from
	sure := at // up to here, the line was taken apart
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

// end returns where the token of a line ends that begins at that place, if it is that of the field, whose first
// character is c; otherwise 0.
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

// endsBefore reports whether the token in front of that place surely ends there, whatever follows.
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

// add adds the layout of the line that was looked for last. It reports whether such a line can have one.
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

// takeApart notes where the tokens of a line begin, and which of them are masked. It reports whether the line can be a
// layout.
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
			return false // in another line, what is in these quotes may end those
		case x.last == maskedName && bytes.Contains(text[from:x.at], dots):
			return false
		case x.last != 0 && x.last.masked():
			l.fields = append(l.fields, field{uint16(from), uint16(x.at), uint8(x.last)})
			can = can || x.last == maskedNumber // so that no line with this layout is blank
		case x.last >= shortWord:
			can = can || !isBlank(text[from:x.at])
		case isQuote(text[from]) && takesQuote(text, from):
			unclosed = true
		}
	}
	return can
}

// forget forgets all layouts.
func (l *layouts) forget() {
	*l = layouts{list: l.list[:0], texts: l.texts[:0], fields: l.fields[:0], last: -1}
}
