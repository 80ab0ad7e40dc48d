package shapes

import (
	"bytes"
	"strconv"
)

// where says at which places of a line a phrase counts.
type where uint8

const (
	atStart where = iota // at the beginning of the message
	atHead               // also behind a separator
	anywhere
)

// then says what must follow a phrase.
type then uint8

const (
	anything then = iota
	aColon        // or an exclamation mark, or nothing if it is the whole message
	anEnd         // the end of a sentence
	aBracket      // a colon, or what is in round brackets
	aBreak        // no letter: for words in capitals
	letters       // and digits, then a colon
	doing         // what was being done: "processing", "while", "in"
)

// phrase is what programs print when something fails.
type phrase struct {
	text  string // in lower case
	kind  kind
	where where
	then  then
	flags flags
}

type flags uint16

const (
	capitals flags = 1 << iota // counts only in capitals
	capital                    // counts only with a capital in front
	trace
	after
	behindColon // counts only behind a colon or a bracket
	counts      // a number of failures is in front of it or behind it
	level       // the name of a field with the level of a message
	code        // an exit code follows
	timed       // counts only behind a time
	bare        // counts only where no quote is in front of it
	early       // counts only as one of the first three words behind a head
)

// phrases are in the order of what prints them.
var phrases = []phrase{
	// Compilers, linkers and build tools.
	{"error", fails, atHead, aColon, counts},
	{"error", fails, atHead, letters, 0}, // error TS2304:
	{"error ", fails, atHead, doing, behindColon},
	{"error", fails, anywhere, aBracket, early | counts}, // rsync error: , EXT4-fs error (
	{"error at ", fails, anywhere, anything, early},
	{"errors were encountered", fails, atHead, anything, 0},
	{"fatal error", fails, atHead, anything, trace},
	{"fatal", fails, atHead, aColon, 0},
	{"internal compiler error", fails, atHead, anything, 0},
	{"undefined reference to", fails, anywhere, anything, 0},
	{"undefined symbol", fails, anywhere, anything, 0},
	{"multiple definition of", fails, anywhere, anything, 0},
	{"unresolved external symbol", fails, anywhere, anything, 0},
	{"cannot find -l", fails, anywhere, anything, 0},
	{"no rule to make target", fails, atHead, anything, 0},
	{"*** [", sumsUp, atHead, anything, 0},
	{"build failed", sumsUp, atHead, anything, 0},
	{"compilation failed", sumsUp, atHead, anything, 0},
	{"warning", warns, atHead, aColon, 0},
	{"warn", warns, atHead, aBreak, capitals},
	{"warning", warns, atHead, aBreak, capitals},

	// Test runners.
	{"--- fail:", fails, atHead, anything, after},
	{"fail", sumsUp, atHead, aBreak, capitals},
	{"fail:", fails, atHead, anything, capitals},
	{"failed", fails, atHead, aBreak, capitals | counts},
	{"failed", fails, atHead, aColon, counts},
	{"failed", fails, atHead, aBreak, behindColon | counts},
	{"failure", fails, atHead, aColon, counts},
	{"failures", fails, atHead, aColon, counts},
	{"failed", fails, anywhere, anEnd, early | counts}, // UNIQUE constraint failed:
	{"failed test", fails, atStart, anything, capital},
	{"not ok ", fails, atHead, anything, 0},
	{"bail out!", fails, atHead, anything, 0},
	{"assertion failed", fails, atHead, anything, 0},
	{"assertion `", fails, anywhere, anything, 0},
	{"tests failed", sumsUp, atHead, anything, 0},
	{"failed", sumsUp, anywhere, aBreak, counts},
	{"failures", sumsUp, anywhere, aBreak, counts},
	{"failing", sumsUp, anywhere, aBreak, counts},
	{"errors", sumsUp, anywhere, aBreak, counts},
	{"error", sumsUp, anywhere, aBreak, counts},

	// Languages.
	{"panic:", fails, atHead, anything, trace},
	{"panic serving ", fails, atHead, anything, trace},
	{"panicked at", fails, anywhere, anything, trace},
	{"traceback (most recent call last)", fails, atHead, anything, trace},
	{"exception in thread", fails, atHead, anything, trace},
	{"exception:", fails, atHead, anything, trace},
	{"unhandled exception", fails, atHead, anything, trace},
	{"unhandled rejection", fails, atHead, anything, trace},
	{"uncaught ", fails, atHead, anything, trace},
	{"caused by:", fails, atHead, anything, trace},
	{"fatal exception", fails, atHead, anything, trace},
	{"stack overflow", fails, atHead, anything, 0},
	{"data race", fails, atHead, anything, trace},

	// Shells and systems.
	{"segmentation fault", fails, anywhere, anything, 0},
	{"bus error", fails, atHead, anEnd, 0},
	{"core dumped", fails, anywhere, anything, 0},
	{"aborted", fails, atHead, anEnd, capital},
	{"killed", fails, atHead, anEnd, capital},
	{"command not found", fails, atHead, anEnd, behindColon},
	{"not found", fails, atHead, anEnd, behindColon},
	{"no such file or directory", fails, atHead, anEnd, behindColon},
	{"permission denied", fails, atHead, anEnd, behindColon},
	{"operation not permitted", fails, atHead, anEnd, behindColon},
	{"access denied", fails, atHead, anEnd, behindColon},
	{"no space left on device", fails, atHead, anEnd, behindColon},
	{"read-only file system", fails, atHead, anEnd, behindColon},
	{"input/output error", fails, atHead, anEnd, behindColon},
	{"connection refused", fails, anywhere, anEnd, 0},
	{"connection reset by peer", fails, anywhere, anEnd, 0},
	{"connection timed out", fails, anywhere, anEnd, 0},
	{"cannot allocate memory", fails, atHead, anEnd, behindColon},
	{"too many open files", fails, atHead, anEnd, behindColon},
	{"broken pipe", fails, atHead, anEnd, behindColon},
	{"out of memory", fails, atHead, aColon, 0},
	{"cannot ", fails, atHead, anything, behindColon},
	{"can't ", fails, atHead, anything, behindColon},
	{"could not ", fails, atHead, anything, behindColon},
	{"couldn't ", fails, atHead, anything, behindColon},
	{"invalid ", fails, atHead, anything, behindColon},
	{"invalid ", fails, atStart, anything, capital},
	{"cannot ", fails, atStart, anything, capital},
	{"can't ", fails, atStart, anything, capital},
	{"could not ", fails, atStart, anything, capital},
	{"unrecognized ", fails, atHead, anything, behindColon},
	{"no such ", fails, atHead, anything, behindColon},
	{"unable to ", fails, atHead, anything, 0},
	{"failed to ", fails, atHead, anything, 0},
	{"exit status ", sumsUp, anywhere, anything, code},
	{"exit code ", sumsUp, anywhere, anything, code},
	{"exit code: ", sumsUp, anywhere, anything, code},
	{"exited with code ", sumsUp, anywhere, anything, code},
	{"exited with ", sumsUp, anywhere, anything, code},

	// Package managers.
	{"npm err!", fails, atHead, anything, 0},
	{"npm error", fails, atHead, anything, 0},
	{"npm warn", warns, atHead, anything, 0},
	{"e: ", fails, atStart, anything, capitals},
	{"w: ", warns, atStart, anything, capitals},
	{"err:", fails, atStart, anything, 0},

	// The kernel.
	{"bug:", fails, atHead, anything, capitals},
	{"oops:", fails, atHead, anything, 0},
	{"call trace:", fails, atHead, anything, trace},
	{"kernel panic", fails, atHead, anything, 0},
	{"general protection fault", fails, atHead, anything, 0},
	{"segfault at", fails, anywhere, anything, 0},
	{"i/o error", fails, atHead, anything, 0},
	{"unable to handle", fails, anywhere, anything, 0},
	{"killed process", fails, anywhere, anything, 0},
	{"soft lockup", fails, anywhere, anything, 0},

	// Logs.
	{"error", fails, anywhere, aBreak, capitals | bare},
	{"fatal", fails, anywhere, aBreak, capitals | bare},
	{"critical", fails, anywhere, aBreak, capitals | bare},
	{"error", fails, atStart, aBreak, timed},
	{"fatal", fails, atStart, aBreak, timed},
	{"severe", fails, atHead, aBreak, capitals},
	{"panic", fails, atHead, aBreak, capitals},
	{"error", fails, atHead, anEnd, behindColon},
	{"emerg", fails, atHead, anEnd, behindColon},
	{"crit", fails, atHead, anEnd, behindColon},
	{"level", fails, anywhere, anything, level},
	{"lvl", fails, anywhere, anything, level},
	{"severity", fails, anywhere, anything, level},
	{"loglevel", fails, anywhere, anything, level},
	{"levelname", fails, anywhere, anything, level},
	{"action", sumsUp, anywhere, anything, level},
	{"status", sumsUp, anywhere, anything, level},
}

// byFirst are the phrases by their first letter; those that begin with another character are at 0.
var byFirst = func() (all [27][]phrase) {
	for _, p := range phrases {
		i := place(p.text[0])
		all[i] = append(all[i], p)
	}
	return all
}()

func place(c byte) int {
	if c-'a' < 26 {
		return int(c-'a') + 1
	}
	return 0
}

// word notes what the word that begins there says.
func (r *reader) word(at int, start, head bool) {
	low := r.low[at:]
	for i := range byFirst[place(low[0])] {
		p := &byFirst[place(low[0])][i]
		if p.where == atStart && !start || p.where == atHead && !head || !bytes.HasPrefix(low, []byte(p.text)) {
			continue
		}
		if !r.follows(p, at+len(p.text)) || !r.flagged(p, at) {
			continue
		}
		r.say(p.kind, at)
		r.trace = r.trace || p.flags&trace != 0
		r.gap = r.gap || r.trace
		r.after = r.after || p.flags&after != 0
	}
	if head {
		r.exception(at, start)
	}
}

// follows reports whether what must follow a phrase does.
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
			return end-len(p.text) == r.begin // it is all that the message says
		case '[':
			return len(rest) > 1 && rest[1] == 'e' // of rustc
		}
		return false
	case aBracket:
		return next == ':' || bytes.HasPrefix(rest, []byte(" ("))
	case anEnd:
		switch next {
		case '\n', '\r', '.', ',', ';', ':', ')', '"', '\'', ']':
			return true
		}
		return bytes.HasPrefix(rest, []byte(" (")) || bytes.HasPrefix(rest, []byte(`\n`))
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
		case ':', '[', '(', ']', '>':
		default:
			return false
		}
	}
	switch {
	case p.flags&counts != 0:
		return r.counted(p, at, end)
	case p.flags&level != 0:
		return r.level(end)
	case p.flags&code != 0:
		r.exact = true
		n, ok := number(r.low[end:])
		return ok && n > 0
	}
	return true
}

// counted reports whether a phrase does not say that there were no failures.
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
	if len(rest) > 0 && (rest[0] == ':' || rest[0] == '=' || rest[0] == ' ') {
		if n, ok := number(bytes.TrimLeft(rest[1:], " ")); ok {
			r.exact = true
			return n > 0
		}
	}
	return p.where != anywhere || p.flags&early != 0
}

// number returns the number that text begins with, if nothing but punctuation follows.
func number(low []byte) (n int, ok bool) {
	end := digitsAt(low)
	n, err := strconv.Atoi(string(low[:end]))
	return n, err == nil && (end == len(low) || classes[low[end]]&word == 0 || low[end] == '.')
}

// level reports whether the value of a field is the level of a failure.
func (r *reader) level(end int) bool {
	rest := r.low[end:]
	value := bytes.TrimLeft(rest, `":= `)
	if len(value) == len(rest) || !bytes.ContainsAny(rest[:len(rest)-len(value)], ":=") {
		return false
	}
	n := 0
	for n < len(value) && classes[value[n]] == lower {
		n++
	}
	switch string(value[:n]) {
	case "error", "err", "eror", "fatal", "panic", "critical", "crit", "alert", "emerg", "emergency", "severe", "fail", "failed":
		return true
	case "warn", "warning":
		r.say(warns, end)
	}
	return false
}

// exception notes that the line begins with the name of an exception, such as ValueError: or java.io.IOException.
func (r *reader) exception(at int, start bool) {
	end := at
	for end < len(r.low) && (classes[r.low[end]]&word != 0 && r.low[end] != '/' || r.low[end] == ':' && end+2 < len(r.low) && r.low[end+1] == ':') {
		if r.low[end] == ':' {
			end++
		}
		end++
	}
	name := bytes.TrimRight(r.text[at:end], ".")
	if !isError(name) || len(name) == len("Error") {
		return
	}
	switch rest := r.low[at+len(name):]; {
	case len(rest) == 0 && start && (classes[name[0]] == upper || bytes.IndexByte(name, '.') > 0), len(rest) > 0 && rest[0] == ':', len(rest) > 1 && rest[0] == ' ' && (rest[1] == '[' || rest[1] == '('):
		r.say(fails, at)
		r.trace, r.gap = true, true
	}
}
