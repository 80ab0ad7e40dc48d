package shapes

import (
	"bytes"
	"strings"
)

// closing returns the end of the brackets behind a name, such as the parameters of a test, which may look like a
// message.
func closing(low []byte, at int) int {
	for depth := 0; at < len(low); at++ {
		switch low[at] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return at
}

// message returns where the message of a line begins, after frames, bullets, numbers, times and dates. It also returns
// the width of the white space before the message, and whether it follows a time.
func message(low []byte) (at, width int, timed bool) {
	for at < len(low) {
		rest := low[at:]
		switch c := rest[0]; {
		case c == '\t':
			width += 8
			at++
			continue
		case classes[c] == blank:
			width++
			at++
			continue
		case bytes.HasPrefix(rest, []byte("\u2500")[:1]) && len(rest) > 2 && (rest[1] == 0x94 || rest[1] == 0x95):
			at += 3 // a frame
		case (c == '|' || c == '>' || c == '*' || c == '!' || c == '#') && len(rest) > 1:
			at++
		default:
			n := numeric(rest)
			if n == 0 {
				return at, width, timed
			}
			timed = timed || bytes.IndexByte(rest[:n], ':') > 0
			at += n
		}
		width = 0
	}
	return at, width, timed
}

var dates = set("jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun")

func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(words) {
		all[word] = true
	}
	return all
}

// numeric returns the length of a number, a time or a part of a date, with the brackets around it.
func numeric(low []byte) int {
	end := 0
	for end < len(low) && end <= 40 && low[end] != ' ' && low[end] != '\t' {
		end++
	}
	if end == 0 || end == len(low) || end > 40 {
		return 0
	}
	digits, letters := 0, 0
	for i, c := range low[:end] {
		switch {
		case isDigit(c):
			digits++
		case classes[c] == lower && c < 0x80:
			letters++
		case c == ']' && i < end-1: // [12:00:01]error
			return 0
		}
	}
	word := low[:end]
	if digits > 0 && (letters <= 3 && letters < digits || isHex(word)) || dates[string(bytes.Trim(word, ",."))] {
		return end
	}
	return 0
}

// behindSeparator reports whether the text before a place may precede a message.
func (r *reader) behindSeparator(at int) bool {
	switch before := r.low[at-1]; before {
	case '[', '<', '(':
		return at == 1 || before == '[' && !isWordByte(r.low[at-2])
	case ']':
		return true
	case ':': // the level behind a part of a program, in brackets
		open := bytes.LastIndexByte(r.low[:at], '[')
		return open >= 0 && !bytes.ContainsAny(r.low[open:at], " ]")
	case '\t': // a tag precedes it
		return true
	case ' ':
		if at < 2 {
			return true
		}
		switch r.low[at-2] {
		case ':', ']', '|', '>', ')':
			return true
		case '-':
			return at > 2 && r.low[at-3] == ' '
		}
	}
	return false
}

// behindKey reports whether a value begins here, in JSON or in key="...".
func (r *reader) behindKey(at int) bool {
	n := at - 1
	if r.low[n] != '"' || n == 0 {
		return false
	}
	before := bytes.TrimRight(r.low[:n], " ")
	return bytes.HasSuffix(before, []byte(`":`)) || bytes.HasSuffix(before, []byte("="))
}

// isWordByte reports whether a word behind this byte is part of a name, a path or an option.
func isWordByte(c byte) bool { return classes[c]&word != 0 && c != '#' && c != '~' && c != '%' }
