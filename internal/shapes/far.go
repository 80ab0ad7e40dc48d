package shapes

import "unicode/utf8"

// aside is how much text before a word of failure is examined and shown if the word is far from the beginning of its
// line. maxHits bounds the number of such words that are examined.
const (
	aside   = 96
	maxHits = 16
)

// far is what a line says beyond the part that makes its shape.
type far struct {
	judgement     // with at as a place in the examined part
	from      int // where that part begins in the line
}

// judgeFar judges a line beyond its first maxLine bytes. It also reports whether the line certainly says nothing
// there.
func judgeFar(line []byte) (said far, nothingSaid bool) {
	if len(line) <= maxLine {
		return said, true
	}
	return searchFar(line)
}

func searchFar(line []byte) (said far, nothingSaid bool) {
	line = line[:min(len(line), maxJudged)]
	t := theTriggers()
	rest := line[maxLine-aside:]
	s := search{triggers: t, lines: append(rest[:len(rest):len(rest)], '\n', '\n', '\n', '\n')}
	at := 0
	for range maxHits {
		if at = s.next(at); at >= len(rest) {
			return said, said.kind == nothing
		}
		from := maxLine - aside + at - aside
		for from > 0 && !utf8.RuneStart(line[from]) {
			from--
		}
		r := reader{text: line[from:min(from+maxLine, len(line))], judgement: new(judgement)}
		r.low = lowered(r.text, &r.buffer)
		r.words(-1)
		if r.settle(0); r.kind > said.kind {
			r.exact = true
			said = far{*r.judgement, from}
		}
		at += maxLine - 2*aside
	}
	return said, false
}

// shown returns the line with its important part.
func (f *Finder) shown(line, text []byte, size int, j judgement, said far) Line {
	l := Line{Number: f.line, Bytes: size, Text: text, At: j.at}
	if said.kind > nothing && j == said.judgement {
		l.From, l.Text = said.from, line[said.from:min(said.from+maxLine, len(line))]
	}
	return l
}
