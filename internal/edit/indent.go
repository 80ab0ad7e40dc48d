package edit

import (
	"bytes"
	"strings"
)

// shift is the difference between the indentation of Old and that of a place, the same for all lines.
type shift struct {
	cut, add string // the beginning of each line, in Old and in the file
	from, to string // a level of indentation, in Old and in the file
}

// apply indents the lines of a text like the file.
func (s *shift) apply(text string) string {
	if s == nil {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		rest := strings.TrimLeft(line, " \t")
		indent := line[:len(line)-len(rest)]
		if strings.Trim(rest, "\r\n") != "" {
			indent = s.add + strings.TrimPrefix(s.level(indent), s.cut)
		}
		b.WriteString(indent)
		b.WriteString(rest)
	}
	return b.String()
}

// level converts the levels of an indentation to those of the file.
func (s *shift) level(indent string) string {
	n := 0
	for s.from != "" && strings.HasPrefix(indent[n*len(s.from):], s.from) {
		n++
	}
	return strings.Repeat(s.to, n) + indent[n*len(s.from):]
}

// common returns the common indentation of all lines. some is false if all lines are blank.
func common(text string) (indent string, some bool) {
	for line := range strings.Lines(text) {
		if strings.Trim(line, " \t\r\n") == "" {
			continue
		}
		if !some {
			indent, some = line[:len(line)-len(strings.TrimLeft(line, " \t"))], true
		}
		for !strings.HasPrefix(line, indent) {
			indent = indent[:len(indent)-1]
		}
	}
	return indent, some
}

// widths are the tab widths that are tried, in this order.
var widths = []int{4, 2, 8}

// variant is Old with another indentation.
type variant struct {
	shift
	first   string // the indentation of the first line that is not blank
	content string // the rest of that line
	blanks  int    // the number of blank lines before it
	levels  bool   // there are several levels, so the width of a tab is certain
	lines   *automaton[int32]
}

type textLine struct {
	start, content, end int // content is where its indentation ends
	blanks              int // the number of blank lines before it
}

// indented finds Old with another indentation, if the same shift applies to all lines. It compares the content of
// lines, and the parts of their indentation that differ from the line before.
func (s *search) indented() {
	ids := map[string]int32{"": 0}
	old := s.variants(ids)
	least, some := common(s.New)
	fits := func(by *shift) bool { return !some || strings.HasPrefix(by.level(least), by.cut) }
	both, start := *s, -1 // places with another tab width and a shift; the start of the last of them
	ring := make([]textLine, len(s.Text.lines(s.Old))+1)
	var last []byte // indentation
	var key []byte
	blanks, n := 0, 0
	for at := 0; at < len(s.window); n++ {
		line := s.lineAt(at)
		line.blanks = blanks
		id := int32(0)
		blanks++
		if indent := s.window[line.start:line.content]; line.content < line.end {
			key = relative(key[:0], last, indent, s.window[line.content:line.end])
			if known, ok := ids[string(key)]; ok {
				id = known
			} else {
				id = -1
			}
			last, blanks = indent, 0
		}
		ring[n%len(ring)] = line
		for _, v := range old {
			if !v.lines.next(id) || n < len(v.lines.pattern)+v.blanks {
				continue
			}
			p := s.shifted(v, ring, n)
			switch {
			case p == nil || !fits(p.shift):
			case p.shift.from == "" || p.shift.cut+p.shift.add == "":
				if !s.add(p.Span, p.shift) {
					return
				}
			case v.levels && p.Start > start:
				start = p.Start
				both.add(p.Span, p.shift)
			}
		}
		at = line.end + s.ending(s.window, line.end)
		if n&0xffff == 0 && s.ctx.Err() != nil {
			return
		}
	}
	if s.found.count == 0 {
		s.found = both.found
	}
}

func (s *search) lineAt(at int) textLine {
	end := len(s.window)
	if i := bytes.IndexByte(s.window[at:], s.end); i >= 0 {
		end = at + i
		if i > 0 && s.window[end] == '\n' && s.window[end-1] == '\r' {
			end--
		}
	}
	content := at
	for content < end && isBlank(s.window[content]) {
		content++
	}
	return textLine{start: at, content: content, end: end}
}

// relative appends the key for comparing a line.
func relative(key, last, indent, content []byte) []byte {
	n := 0
	for n < len(last) && n < len(indent) && last[n] == indent[n] {
		n++
	}
	key = append(append(key, last[n:]...), '\n')
	key = append(append(key, indent[n:]...), '\n')
	return append(key, content...)
}

// variants returns Old with each possible tab width. It numbers the keys of its lines in ids.
func (s *search) variants(ids map[string]int32) []variant {
	shifts := []shift{{}}
	for _, n := range widths {
		spaces := strings.Repeat(" ", n)
		if strings.HasPrefix(s.Old, "\t") || strings.Contains(s.Old, "\n\t") {
			shifts = append(shifts, shift{from: "\t", to: spaces})
		} else if strings.HasPrefix(s.Old, spaces) || strings.Contains(s.Old, "\n"+spaces) {
			shifts = append(shifts, shift{from: spaces, to: "\t"})
		}
	}
	list := make([]variant, 0, len(shifts))
	for _, by := range shifts {
		v := variant{shift: by}
		var pattern []int32
		var last, key []byte
		begun := false
		for _, line := range s.Text.lines(s.Old) {
			content := strings.TrimLeft(strings.TrimRight(line, "\r\n"), " \t")
			indent := by.level(line[:len(line)-len(strings.TrimLeft(line, " \t"))])
			switch {
			case content == "" && !begun:
				v.blanks++
				continue
			case content == "":
				pattern = append(pattern, 0)
				continue
			case !begun:
				v.first, v.content, begun = indent, content, true
			default:
				key = relative(key[:0], last, []byte(indent), []byte(content))
				v.levels = v.levels || indent != string(last)
				if _, ok := ids[string(key)]; !ok {
					ids[string(key)] = int32(len(ids))
				}
				pattern = append(pattern, ids[string(key)])
			}
			last = []byte(indent)
		}
		v.lines = newAutomaton(pattern)
		list = append(list, v)
	}
	return list
}

// shifted returns the place that ends in line n. It returns nil if the first lines do not match, or if neither the
// indentation in the file nor that of Old ends with the other.
func (s *search) shifted(v variant, ring []textLine, n int) *place {
	first := ring[(n-len(v.lines.pattern))%len(ring)]
	if first.blanks < v.blanks || string(s.window[first.content:first.end]) != v.content {
		return nil
	}
	by := v.shift
	by.cut, by.add = v.first, string(s.window[first.start:first.content])
	for by.cut != "" && by.add != "" && by.cut[len(by.cut)-1] == by.add[len(by.add)-1] {
		by.cut, by.add = by.cut[:len(by.cut)-1], by.add[:len(by.add)-1]
	}
	if by.cut != "" && by.add != "" {
		return nil
	}
	at := Span{s.From + ring[(n-len(v.lines.pattern)-v.blanks)%len(ring)].start, s.From + ring[n%len(ring)].end}
	if strings.HasSuffix(s.Old, "\n") {
		at.End += s.ending(s.window, at.End-s.From)
	}
	return &place{at, &by}
}
