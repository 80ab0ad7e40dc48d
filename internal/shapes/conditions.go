package shapes

import (
	"bytes"
	"strconv"
)

// follows reports whether the text behind a phrase is what the phrase requires.
func (r *reader) follows(p *phrase, end int) bool {
	rest := r.low[end:]
	next := byte('\n')
	if len(rest) > 0 {
		next = rest[0]
	}
	switch p.then {
	case aColon:
		switch next {
		case ':', '!':
			return true
		case '\n', '\r':
			return end-len(p.text) == r.begin // the phrase is the whole message
		case '[':
			return len(rest) > 1 && rest[1] == 'e' // rustc's error codes
		}
		return false
	case aBracket:
		return next == ':' || bytes.HasPrefix(rest, []byte(" ("))
	case anEnd:
		switch next {
		case '\n', '\r', '.', ',', ';', ':', ')', '"', '\'', ']':
			return true
		}
		return bytes.HasPrefix(rest, []byte(" (")) || bytes.HasPrefix(rest, []byte(`\n`)) || bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte("]"))
	case aThing:
		return len(rest) > 1 && next == ' ' && classes[rest[1]]&(lower|upper) != 0
	case aBreak:
		return classes[next]&word == 0
	case doing:
		word, _, _ := bytes.Cut(rest, []byte(" "))
		return bytes.HasSuffix(word, []byte("ing")) || hasAny(rest, "in ", "at ", "on ", "while ", "during ", "from ")
	case letters:
		word, _, found := bytes.Cut(rest, []byte(":"))
		return found && len(word) > 3 && len(word) < 10 && word[0] == ' ' && isDigit(word[len(word)-1]) &&
			!bytes.ContainsRune(word[1:], ' ') && classes[word[1]] == lower
	}
	return true
}

// flagged reports whether the other conditions of a phrase hold.
func (r *reader) flagged(p *phrase, at int) bool {
	end := at + len(p.text)
	switch {
	case p.flags&capitals != 0 && bytes.ContainsFunc(r.text[at:end], func(c rune) bool { return c >= 'a' && c <= 'z' }):
		return false
	case p.flags&bare != 0 && at > 0 && (r.low[at-1] == '"' || r.low[at-1] == '\''):
		return false
	case p.flags&timed != 0 && !r.timed, p.flags&early != 0 && !r.early:
		return false
	case p.flags&capital != 0 && classes[r.text[at]] != upper:
		return false
	case p.flags&behindColon != 0:
		before := bytes.TrimRight(r.low[:at], " ")
		if len(before) == 0 {
			return false
		}
		switch before[len(before)-1] {
		case ':', '[', '(', ']', '>', '|':
		default:
			return false
		}
	}
	switch {
	case p.flags&counts != 0:
		return r.counted(p, at, end)
	case p.flags&hush != 0:
		r.hushed = r.hushed || classes[r.text[at]] == upper && classes[r.text[end-1]] == upper || at > 0 && r.low[at-1] == '[' && end < len(r.low) && r.low[end] == ']'
		return false
	case p.flags&level != 0:
		return r.level(p, end)
	case p.flags&code != 0:
		r.exact = true
		n, ok := number(r.low[end:])
		return ok && n > 0
	}
	return true
}

// counted reports whether the count beside a phrase is not zero, as in "0 failed".
func (r *reader) counted(p *phrase, at, end int) bool {
	if before := bytes.TrimRight(r.low[:at], " "); len(before) < at && len(before) > 0 {
		digits := before[len(bytes.TrimRight(before, "0123456789")):]
		if rest := before[:len(before)-len(digits)]; len(digits) > 0 && (len(rest) == 0 || bytes.HasSuffix(rest, []byte(" ")) ||
			rest[len(rest)-1] == '(' || rest[len(rest)-1] == '[') {
			r.exact = true
			return len(bytes.Trim(digits, "0")) > 0 && p.flags&early == 0
		}
		if bytes.HasSuffix(before, []byte(" no")) || bytes.Equal(before, []byte("no")) || bytes.HasSuffix(before, []byte("without")) {
			return false
		}
	}
	rest := r.low[end:]
	if negated(rest) {
		return false
	}
	if len(rest) > 0 && (rest[0] == ':' || rest[0] == '=' || rest[0] == ' ') {
		if n, ok := number(bytes.TrimLeft(rest[1:], " ")); ok {
			r.exact = true
			return n > 0
		}
	}
	return p.where != anywhere || p.flags&early != 0
}

// negated reports whether the value behind a key denies it: "failed": 0, failed=false x=1, error: none.
func negated(rest []byte) bool {
	value := bytes.TrimLeft(rest, `"' `)
	if len(value) == 0 || value[0] != ':' && value[0] != '=' {
		return false
	}
	separator := value[0]
	value = bytes.TrimLeft(value[1:], ` "'`)
	for _, none := range nones {
		rest, is := bytes.CutPrefix(value, none)
		if !is {
			continue
		}
		if len(bytes.TrimLeft(rest, " \t\r")) == 0 || bytes.IndexByte([]byte(`,;.)]}"'|`), rest[0]) >= 0 {
			return true
		}
		return rest[0] == ' ' && (none[0] == '0' || separator == '=') // the other words may also begin a sentence
	}
	return false
}

var nones = words("0", "false", "none", "no", "null", "nil", "[]", "{}", "n/a", "undefined")

// isLevel reports whether a word inside a dotted name is the key of a level, as in "log.level".
func (r *reader) isLevel(at int) bool {
	switch r.low[at-1] {
	case '.', '_', '@':
		return hasAny(r.low[at:], "level", "severity")
	}
	return false
}

// number returns the leading number of a text, if only punctuation follows it.
func number(low []byte) (n int, ok bool) {
	end := digitsAt(low)
	n, err := strconv.Atoi(string(low[:end]))
	return n, err == nil && (end == len(low) || classes[low[end]]&word == 0 || low[end] == '.')
}

// level reports whether the value of a field is a level of failures.
func (r *reader) level(p *phrase, end int) bool {
	rest := r.low[end:]
	value := bytes.TrimLeft(rest, `":= `)
	if len(value) == len(rest) || !bytes.ContainsAny(rest[:len(rest)-len(value)], ":=") {
		return false
	}
	if n := digitsAt(value); n > 0 && n < len(value) && value[n] == '/' { // status=1/FAILURE
		value = value[n+1:]
	} else if n == 2 && n < len(value) && p.text == "level" && value[0] < '7' && value[1] == '0' { // bunyan, pino
		r.exact, r.hushed = true, value[0] < '3'
		if value[0] == '4' {
			r.warned = true
			r.say(warns, end, p.family)
		}
		return value[0] >= '5'
	}
	n := 0
	for n < len(value) && classes[value[n]] == lower {
		n++
	}
	switch string(value[:n]) {
	case "failure", "error", "err", "eror", "fatal", "panic", "critical", "crit", "alert", "emerg", "emergency", "severe", "fail", "failed":
		return true
	case "warn", "warning":
		r.warned = true
		r.say(warns, end, p.family)
	case "debug", "trace", "verbose":
		r.hushed = true
	}
	return false
}
