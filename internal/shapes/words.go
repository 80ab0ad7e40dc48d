package shapes

import (
	"bytes"
)

type where uint8

const (
	atStart where = iota // at the beginning of the message
	atHead               // also behind a separator
	anywhere
)

type then uint8

const (
	anything then = iota
	aColon        // or an exclamation mark, or nothing if it is the whole message
	anEnd         // the end of a sentence
	aBracket      // a colon, or something in round brackets
	aBreak        // no letter: for words in capitals
	aThing        // a space and a letter
	letters       // and digits, then a colon
	doing         // the activity: "processing", "while", "in"
)

// phrase is what programs print when something fails.
type phrase struct {
	text  string // in lower case
	kind  kind
	where where
	then  then
	flags flags

	family uint8 // its index in phrases
}

type flags uint16

const (
	capitals flags = 1 << iota // counts only in capitals
	capital                    // counts only capitalized
	trace
	after
	behindColon // counts only behind a colon or a bracket
	counts      // a number of failures is before or behind it
	level       // the name of a field with the level of a message
	code        // an exit code follows
	timed       // counts only behind a time
	bare        // counts only with no quote before it
	early       // counts only as one of the first three words behind a head
	mild        // the level of warnings
	hush        // a level below failures, in capitals or in brackets
)

// phrases are grouped by the programs that print them.
var phrases = []phrase{
	// Compilers, linkers and build tools.
	{"error", fails, atHead, aColon, counts, 0},
	{"error", fails, atHead, letters, 0, 0}, // error TS2304:
	{"error ", fails, atHead, doing, behindColon, 0},
	{"error", fails, anywhere, aBracket, early | counts, 0}, // rsync error: , EXT4-fs error (
	{"error at ", fails, anywhere, anything, early, 0},
	{"error in ", fails, atStart, anything, capital, 0},
	{"errors were encountered", fails, atHead, anything, 0, 0},
	{"fatal error", fails, atHead, anything, trace, 0},
	{"fatal", fails, atHead, aColon, 0, 0},
	{"internal compiler error", fails, atHead, anything, 0, 0},
	{"undefined reference to", fails, anywhere, anything, 0, 0},
	{"undefined symbol", fails, anywhere, anything, 0, 0},
	{"multiple definition of", fails, anywhere, anything, 0, 0},
	{"unresolved external symbol", fails, anywhere, anything, 0, 0},
	{"cannot find -l", fails, anywhere, anything, 0, 0},
	{"no rule to make target", fails, atHead, anything, 0, 0},
	{"*** [", sumsUp, atHead, anything, 0, 0},
	{"build failed", sumsUp, atHead, anything, 0, 0},
	{"compilation failed", sumsUp, atHead, anything, 0, 0},
	{"warning", warns, atHead, aColon, 0, 0},
	{"warn", warns, atHead, aBreak, capitals | mild, 0},
	{"warning", warns, atHead, aBreak, capitals | mild, 0},

	// Test runners.
	{"--- fail:", fails, atHead, anything, after, 0},
	{"fail", sumsUp, atHead, aBreak, capitals, 0},
	{"fail:", fails, atHead, anything, capitals, 0},
	{"failed", fails, atHead, aBreak, capitals | counts, 0},
	{"failed", fails, atHead, aColon, counts, 0},
	{"failed", fails, atHead, aBreak, behindColon | counts, 0},
	{"failure", fails, atHead, aColon, counts, 0},
	{"failure", fails, atHead, anEnd, behindColon | trace, 0},
	{"failure", fails, atHead, aBracket, capital, 0},
	{"failed", fails, atStart, aThing, capital, 0},
	{"assert", fails, atStart, aColon, capitals, 0},
	{"failures", fails, atHead, aColon, counts, 0},
	{"failed", fails, anywhere, anEnd, early | counts, 0}, // UNIQUE constraint failed:
	{"failed test", fails, atStart, anything, capital, 0},
	{"not ok ", fails, atHead, anything, 0, 0},
	{"bail out!", fails, atHead, anything, 0, 0},
	{"assertion failed", fails, atHead, anything, 0, 0},
	{"assertion `", fails, anywhere, anything, 0, 0},
	{"tests failed", sumsUp, atHead, anything, 0, 0},
	{"failed", sumsUp, anywhere, aBreak, counts, 0},
	{"failures", sumsUp, anywhere, aBreak, counts, 0},
	{"failing", sumsUp, anywhere, aBreak, counts, 0},
	{"errors", sumsUp, anywhere, aBreak, counts, 0},
	{"error", sumsUp, anywhere, aBreak, counts, 0},

	// Languages.
	{"panic:", fails, atHead, anything, trace, 0},
	{"panic serving ", fails, atHead, anything, trace, 0},
	{"panicked at", fails, anywhere, anything, trace, 0},
	{"traceback (most recent call last)", fails, atHead, anything, trace, 0},
	{"exception in thread", fails, atHead, anything, trace, 0},
	{"exception:", fails, atHead, anything, trace, 0},
	{"terminate called ", fails, atHead, anything, trace, 0},
	{"unhandled exception", fails, atHead, anything, trace, 0},
	{"unhandled rejection", fails, atHead, anything, trace, 0},
	{"uncaught ", fails, atHead, anything, trace, 0},
	{"caused by:", fails, atHead, anything, trace, 0},
	{"fatal exception", fails, atHead, anything, trace, 0},
	{"stack overflow", fails, atHead, anything, 0, 0},
	{"data race", fails, atHead, anything, trace, 0},

	// Shells and systems.
	{"segmentation fault", fails, anywhere, anything, 0, 0},
	{"bus error", fails, atHead, anEnd, 0, 0},
	{"core dumped", fails, anywhere, anything, 0, 0},
	{"aborted", fails, atHead, anEnd, capital, 0},
	{"killed", fails, atHead, anEnd, capital, 0},
	{"command not found", fails, atHead, anEnd, behindColon, 0},
	{"not found", fails, atHead, anEnd, behindColon, 0},
	{"no such file or directory", fails, atHead, anEnd, behindColon, 0},
	{"permission denied", fails, atHead, anEnd, behindColon, 0},
	{"operation not permitted", fails, atHead, anEnd, behindColon, 0},
	{"access denied", fails, atHead, anEnd, behindColon, 0},
	{"no space left on device", fails, atHead, anEnd, behindColon, 0},
	{"read-only file system", fails, atHead, anEnd, behindColon, 0},
	{"input/output error", fails, atHead, anEnd, behindColon, 0},
	{"connection refused", fails, anywhere, anEnd, 0, 0},
	{"connection reset by peer", fails, anywhere, anEnd, 0, 0},
	{"connection timed out", fails, anywhere, anEnd, 0, 0},
	{"cannot allocate memory", fails, atHead, anEnd, behindColon, 0},
	{"too many open files", fails, atHead, anEnd, behindColon, 0},
	{"broken pipe", fails, atHead, anEnd, behindColon, 0},
	{"out of memory", fails, atHead, aColon, 0, 0},
	{"cannot ", fails, atHead, anything, behindColon, 0},
	{"can't ", fails, atHead, anything, behindColon, 0},
	{"could not ", fails, atHead, anything, behindColon, 0},
	{"couldn't ", fails, atHead, anything, behindColon, 0},
	{"invalid ", fails, atHead, anything, behindColon, 0},
	{"invalid ", fails, atStart, anything, capital, 0},
	{"cannot ", fails, atStart, anything, capital, 0},
	{"can't ", fails, atStart, anything, capital, 0},
	{"could not ", fails, atStart, anything, capital, 0},
	{"unrecognized ", fails, atHead, anything, behindColon, 0},
	{"no such ", fails, atHead, anything, behindColon, 0},
	{"unknown ", fails, atHead, anything, behindColon, 0},
	{"unexpected ", fails, atHead, anything, behindColon, 0},
	{"missing ", fails, atHead, anything, behindColon, 0},
	{"bad ", fails, atHead, anything, behindColon, 0},
	{"illegal ", fails, atHead, anything, behindColon, 0},
	{"malformed ", fails, atHead, anything, behindColon, 0},
	{"duplicate ", fails, atHead, anything, behindColon, 0},
	{"file not found", fails, atHead, anEnd, behindColon, 0},
	{"unable to ", fails, atHead, anything, 0, 0},
	{"failed to ", fails, atHead, anything, 0, 0},
	{"exit status ", sumsUp, anywhere, anything, code, 0},
	{"exit code ", sumsUp, anywhere, anything, code, 0},
	{"exit code: ", sumsUp, anywhere, anything, code, 0},
	{"exited with code ", sumsUp, anywhere, anything, code, 0},
	{"exited with ", sumsUp, anywhere, anything, code, 0},

	{"conflict", fails, atStart, aBracket, capitals, 0},

	// Package managers.
	{"npm err!", fails, atHead, anything, 0, 0},
	{"npm error", fails, atHead, anything, 0, 0},
	{"npm warn", warns, atHead, anything, 0, 0},
	{"e: ", fails, atStart, anything, capitals, 0},
	{"w: ", warns, atStart, anything, capitals, 0},
	{"err:", fails, atStart, anything, 0, 0},

	// The kernel.
	{"bug:", fails, atHead, anything, capitals, 0},
	{"oops:", fails, atHead, anything, 0, 0},
	{"call trace:", fails, atHead, anything, trace, 0},
	{"kernel panic", fails, atHead, anything, 0, 0},
	{"general protection fault", fails, atHead, anything, 0, 0},
	{"segfault at", fails, anywhere, anything, 0, 0},
	{"i/o error", fails, atHead, anything, 0, 0},
	{"unable to handle", fails, anywhere, anything, 0, 0},
	{"killed process", fails, anywhere, anything, 0, 0},
	{"soft lockup", fails, anywhere, anything, 0, 0},

	// Logs.
	{"debug", nothing, atHead, aBreak, hush, 0},
	{"trace", nothing, atHead, aBreak, hush, 0},
	{"error", fails, anywhere, aBreak, capitals | bare, 0},
	{"fatal", fails, anywhere, aBreak, capitals | bare, 0},
	{"critical", fails, anywhere, aBreak, capitals | bare, 0},
	{"error", fails, atStart, aBreak, timed | counts, 0},
	{"fatal", fails, atStart, aBreak, timed | counts, 0},
	{"err", fails, atHead, aBreak, capitals, 0},
	{"severe", fails, atHead, aBreak, capitals, 0},
	{"panic", fails, atHead, aBreak, capitals, 0},
	{"error", fails, atHead, anEnd, behindColon, 0},
	{"emerg", fails, atHead, anEnd, behindColon, 0},
	{"crit", fails, atHead, anEnd, behindColon, 0},
	{"level", fails, anywhere, anything, level, 0},
	{"lvl", fails, anywhere, anything, level, 0},
	{"severity", fails, anywhere, anything, level, 0},
	{"loglevel", fails, anywhere, anything, level, 0},
	{"levelname", fails, anywhere, anything, level, 0},
	{"action", sumsUp, anywhere, anything, level, 0},
	{"status", sumsUp, anywhere, anything, level, 0},
}

// byFirst has the phrases by their first letter, and at 0 those that begin with another character.
var byFirst = func() (all [27][]phrase) {
	for n, p := range phrases {
		p.family = uint8(n)
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

// word records what the word at a place says.
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
		r.say(p.kind, at, p.family)
		r.trace = r.trace || p.flags&trace != 0
		r.gap = r.gap || r.trace
		r.after = r.after || p.flags&after != 0
		r.warned = r.warned || p.flags&mild != 0
	}
	if head {
		r.exception(at, start)
	}
}

// exception records that the line begins with the name of an exception, such as ValueError: or java.io.IOException.
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
		r.say(fails, at, anException)
		r.trace, r.gap = true, true
	}
}
