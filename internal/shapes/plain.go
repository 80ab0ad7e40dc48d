package shapes

import "bytes"

// escapes are the beginnings of escape sequences that color text: raw, and as cat -v prints them.
var escapes = [][]byte{[]byte("\x1b["), []byte("^[[")}

// Plain returns a line without colors; the line itself if it has none.
func Plain(line []byte) []byte {
	if !mayBeColored(line) {
		return line
	}
	for _, begin := range escapes {
		at := bytes.Index(line, begin)
		if at < 0 {
			continue
		}
		plain := bytes.Clone(line[:at])
		for rest := line[at:]; len(rest) > 0; {
			if n := sequence(rest, begin); n > 0 {
				rest = rest[n:]
				continue
			}
			next := bytes.Index(rest[1:], begin) + 1
			if next == 0 {
				next = len(rest)
			}
			plain, rest = append(plain, rest[:next]...), rest[next:]
		}
		line = plain
	}
	return line
}

// mayBeColored reports whether a line has the beginning of such a sequence.
func mayBeColored(line []byte) bool {
	for at := 0; ; at++ {
		n := bytes.IndexByte(line[at:], '[')
		if n < 0 {
			return false
		}
		if at += n; at > 0 && (line[at-1] == 0x1b || at > 1 && line[at-1] == '[' && line[at-2] == '^') {
			return true
		}
	}
}

func sequence(text, begin []byte) int {
	if !bytes.HasPrefix(text, begin) {
		return 0
	}
	for at := len(begin); at < len(text); at++ {
		switch c := text[at]; {
		case isDigit(c) || c == ';':
		case c == 'm' || c == 'K':
			return at + 1
		default:
			return 0
		}
	}
	return 0
}

// Stamp returns the length of the date and time at the beginning of a line, with one blank behind them; 0 if there is
// no time of day.
func Stamp(line []byte) (end int) {
	line = line[:min(len(line), maxLine)]
	var buffer [maxLine]byte
	timed := false
	low := lowered(bytes.TrimPrefix(line, byteOrderMark), &buffer)
	skipped := len(line) - len(low)
	for end < len(low) {
		n := numeric(low[end:])
		if n == 0 {
			break
		}
		word := low[end : end+n]
		timed = timed || bytes.Count(word, []byte(":")) >= 2
		end += n + 1
	}
	if !timed {
		return 0
	}
	return end + skipped
}

var byteOrderMark = []byte("\ufeff")

func (t *table) stamped() bool {
	n := 0
	for i := range t.shapes {
		if Stamp(t.line(&t.shapes[i]).Text) > 0 {
			n += t.shapes[i].count
		}
	}
	return 10*n >= 9*(t.seen-t.lost) && n > 0
}
