package notebook

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// source is the source of a cell in the JSON: a string, or a list of strings.
type source struct {
	from  int    // where it begins in the JSON
	raw   []byte // as it is there
	text  string
	chars []char
}

// char is a character of a source.
type char struct{ at, from, to int } // in the text, and the part of raw that stands for it

// source finds the source of a cell. It returns nil if there is none, or none that can be edited.
func (b *Notebook) source(data []byte, c Cell) *source {
	shift := bytes.IndexByte(data[c.from:c.to], '{')
	if shift < 0 {
		return nil
	}
	from := c.from + shift
	d := json.NewDecoder(bytes.NewReader(data[from:c.to]))
	d.Token()
	var s *source
	for d.More() {
		key, err := d.Token()
		var raw json.RawMessage
		if err != nil || d.Decode(&raw) != nil {
			return nil
		}
		if name, _ := key.(string); strings.EqualFold(name, "source") && (raw[0] == '"' || raw[0] == '[') {
			s = newSource(from+int(d.InputOffset())-len(raw), raw)
		}
	}
	shown := strings.TrimSuffix(b.Text[c.Start:c.End], "\n")
	if !c.Added {
		shown = b.Text[c.Start:c.End]
	}
	if s == nil || s.text != shown || !bytes.Equal(s.raw, data[s.from:s.from+len(s.raw)]) {
		return nil
	}
	return s
}

// newSource reads the strings in a value, which is valid JSON.
func newSource(from int, raw []byte) *source {
	s := &source{from: from, raw: raw}
	var text strings.Builder
	inside := false
	for i := 0; i < len(raw); {
		size, r := 1, rune(-1)
		switch {
		case raw[i] == '"':
			inside = !inside
		case inside:
			r, size = unescape(raw[i:])
		}
		if r >= 0 {
			s.chars = append(s.chars, char{text.Len(), i, i + size})
			text.WriteRune(r)
		}
		i += size
	}
	s.text = text.String()
	return s
}

// escapes are the characters that a backslash and a letter stand for.
var escapes = map[byte]rune{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\\': '\\', '/': '/'}

// unescape returns the first character of a part of a string in JSON, and its size there.
func unescape(raw []byte) (rune, int) {
	if raw[0] != '\\' {
		return utf8.DecodeRune(raw)
	}
	if raw[1] != 'u' {
		return escapes[raw[1]], 2
	}
	r := hex(raw)
	if utf16.IsSurrogate(r) {
		if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
			if pair := utf16.DecodeRune(r, hex(raw[6:])); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return utf8.RuneError, 6
	}
	return r, 6
}

// hex returns the number of an escape \uXXXX.
func hex(raw []byte) (r rune) {
	for _, c := range raw[2:6] {
		digit := rune(c|0x20) - 'a' + 10
		if c <= '9' {
			digit = rune(c - '0')
		}
		r = r<<4 | digit
	}
	return r
}

// style is how a source is written.
type style struct {
	open, next, shut string // around the source, and between the end of a line and the next line
	ascii            bool   // other characters are escaped
}

// lists returns the style of the lists in a notebook.
func (b *Notebook) lists(data []byte) style {
	st := style{open: `["`, next: `","`, shut: `"]`}
	if bytes.Contains(data, []byte(`": `)) {
		st.next = `", "`
	}
	st.ascii, _ = escaped(data)
	for _, c := range b.Cells {
		s := b.source(data, c)
		if s == nil || s.raw[0] != '[' || len(s.chars) == 0 {
			continue
		}
		open, shut := s.around()
		if next := s.between(); next != "" && strings.Count(open+shut, `"`) == 2 {
			st.open, st.next, st.shut = open, next, shut
			break
		}
	}
	return st
}

// style returns the style of a source. What the source does not show is as in the lists of the notebook.
func (s *source) style(lists func() style) style {
	st, known := style{open: `"`, shut: `"`}, false
	if st.ascii, known = escaped(s.raw); !known {
		st.ascii = lists().ascii
	}
	switch {
	case s.raw[0] == '"':
	case len(s.chars) == 0:
		st.open, st.next, st.shut = lists().open, lists().next, lists().shut
	default:
		st.open, st.shut = s.around()
		if st.next = s.between(); st.next == "" {
			st.next = lists().next
		}
	}
	return st
}

// around returns what is in front of the first character of a source and behind the last.
func (s *source) around() (open, shut string) {
	return string(s.raw[:s.chars[0].from]), string(s.raw[s.chars[len(s.chars)-1].to:])
}

// between returns what is between two lines of a list, or "" if that is not clear.
func (s *source) between() string {
	for i := 1; i < len(s.chars); i++ {
		if a, c := s.chars[i-1], s.chars[i]; c.from > a.to && s.text[a.at] == '\n' {
			return string(s.raw[a.to:c.from])
		}
	}
	if open, _ := s.around(); strings.HasSuffix(open, `"`) && strings.Contains(open, "\n") {
		return `",` + open[1:]
	}
	return ""
}

// escaped reports whether characters that are not ASCII are escaped. known is false if there are none.
func escaped(raw []byte) (yes, known bool) {
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] >= utf8.RuneSelf:
			return false, true
		case raw[i] == '\\' && i+1 < len(raw):
			if raw[i+1] == 'u' && i+6 <= len(raw) && hex(raw[i:]) >= utf8.RuneSelf {
				return true, true
			}
			i++
		}
	}
	return false, false
}

// appendEscaped appends a character as it is in a string in JSON.
func (st style) appendEscaped(out []byte, r rune) []byte {
	for c, stands := range escapes {
		if stands == r && c != '/' {
			return append(out, '\\', c)
		}
	}
	const digits = "0123456789abcdef"
	unit := func(u rune) {
		out = append(out, '\\', 'u', digits[u>>12&15], digits[u>>8&15], digits[u>>4&15], digits[u&15])
	}
	switch {
	case r >= ' ' && (r < utf8.RuneSelf || !st.ascii):
		return utf8.AppendRune(out, r)
	case r > 0xffff:
		high, low := utf16.EncodeRune(r)
		unit(high)
		unit(low)
	default:
		unit(r)
	}
	return out
}
