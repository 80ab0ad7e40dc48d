package shapes

import "bytes"

// A kind says what a line says by its words. A greater kind tells more.
type kind uint8

const (
	nothing kind = iota
	warns        // of something
	sumsUp       // that something above it failed: an exit code, the number of failures
	fails        // what failed, or why
)

// judgement is what a line says.
type judgement struct {
	kind   kind
	at     int   // where it says so
	family uint8 // what tells so: a phrase, or one of those below
	exact  bool  // a line of the same shape may say something else
	plain  bool  // it says so by its form, or in words that source code and prose hardly begin with
	whole  bool  // it sums up all that ran, and names nothing of it
	passed bool  // it says that something went well
	hushed bool  // its level is that of messages for whoever debugs a program: it is no failure
	warned bool  // its level is that of warnings: it is no failure either

	gap    bool // a blank line does not end what belongs to it
	trace  bool // the lines behind it say where, to the next blank line
	after  bool // the lines in front of it that are indented more say why
	framed bool // all lines in front of it say why, up to one like many others
}

// The families of what is no phrase.
const (
	aMark uint8 = 255 - iota
	aVerdict
	anException
	aDiagnosis
	aMessage
)

// isBlank reports whether a line has neither letters nor digits.
func isBlank(text []byte) bool {
	for _, c := range text {
		if classes[c]&alnum != 0 {
			return false
		}
	}
	return true
}

// judgeWhole says what a whole line says by its words.
func judgeWhole(line []byte) judgement {
	var j judgement
	if text := Plain(line[:min(len(line), maxLine)]); !isBlank(text) {
		j = judge(text)
	}
	if far, _ := judgeFar(line); far.kind > j.kind {
		return far.judgement
	}
	return j
}

// judge says what the beginning of a line says by its words.
func judge(text []byte) (j judgement) {
	r := reader{text: text, judgement: &j}
	r.low = lowered(text, &r.buffer)
	r.read()
	return j
}

func lowered(text []byte, buffer *[maxLine]byte) []byte {
	low := buffer[:copy(buffer[:], text)]
	for i, c := range low {
		if c-'A' < 26 {
			low[i] = c | 0x20
		}
	}
	return low
}

// reader reads a line from left to right. What fails is said at a head: at the beginning of the line, behind what
// programs put in front of their messages, such as the time or a file's name, and behind a colon.
type reader struct {
	*judgement
	text   []byte
	low    []byte // in lower case
	begin  int    // where the message begins
	timed  bool   // and whether it is behind a time
	early  bool   // the word is one of the first three behind a head
	buffer [maxLine]byte
}

func (r *reader) read() {
	start, _, timed := message(r.low)
	if at := skipBlanks(r.low, 0); at < len(r.low) && r.low[at] == '!' {
		start = at
	}
	r.begin, r.timed = start, timed
	if r.passed = passes(r.low[start:]); r.passed {
		return
	}
	v := verdictOf(r.text)
	switch {
	case v.state == good:
		r.passed = true
		return
	case v.state == bad:
		r.say(fails, start, aVerdict)
		r.framed, r.after = v.framed, !v.framed
	case isCross(r.low[start:]) || isNumbered(r.low) || r.failedAtEnd():
		r.say(fails, start, aMark)
		r.gap = true
	case bytes.HasPrefix(r.text[start:], []byte("E   ")): // of pytest
		r.say(fails, start, aMessage)
		r.gap = true
	case r.diagnosis(start):
	default:
		r.words(start)
	}
	r.settle(start)
	r.plain = r.isPlain(start)
}

// settle weighs what the words of the message that begins there say.
func (r *reader) settle(start int) {
	switch {
	case r.trace:
	case r.hushed:
		r.kind = nothing
	case r.warned || r.kind == fails && r.passesOver():
		r.kind = min(r.kind, warns)
	}
	if r.kind >= sumsUp && !r.trace && namesNothing(r.low[start:]) {
		r.kind, r.whole = sumsUp, true
	}
}

// isPlain reports whether the line says so by its form, or in words that source code and prose hardly begin with.
func (r *reader) isPlain(start int) bool {
	switch end := bytes.TrimRight(r.low, " \t\r."); {
	case r.kind == sumsUp && r.exact: // an exit code, at the end
		return len(end) > 0 && isDigit(end[len(end)-1])
	case r.at != start || isNumbered(r.low):
		return false
	case r.family >= aMessage:
		return true
	}
	return r.low[0] == r.low[start] && phrases[r.family].where != anywhere
}

// maxPrefixes is behind how many prefixes, such as the name of a task, a place in a file is looked for.
const maxPrefixes = 3

// words looks at the words of the message that begins there, or of a part of one if start is negative.
func (r *reader) words(start int) {
	quoted, heads, since := false, 0, 0
	for at := max(start, 0); at < len(r.low); at++ {
		c := r.low[at]
		if c == '"' && at > 0 && r.low[at-1] != '\\' {
			quoted = !quoted
		}
		if c == '[' && at > 0 && classes[r.low[at-1]]&alnum != 0 {
			at = closing(r.low, at)
			continue
		}
		if classes[c] != lower && c != '-' && c != '*' || at > 0 && isWordByte(r.low[at-1]) && !r.isLevel(at) {
			continue
		}
		head := at == start || at > 0 && (!quoted && r.behindSeparator(at) || r.behindKey(at))
		if since++; head {
			heads++
			since = 0
			if at > start && start >= 0 && heads <= maxPrefixes && r.diagnosis(at) {
				return
			}
		}
		r.early = since <= 2 && !quoted && (at == 0 || r.low[at-1] != '\'')
		r.word(at, at == start, head && heads <= 6)
	}
}

// say notes that the line says so at that place.
func (r *reader) say(k kind, at int, family uint8) {
	if k > r.kind {
		r.kind, r.at, r.family = k, at, family
	}
}

// closing returns where what stands in brackets behind a name ends, such as the parameters of a test. They may be a
// message of their own.
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

// message returns where the message of a line begins, behind frames and bullets, numbers, times and dates, the width of
// the white space in front of it, and whether it is behind a time.
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

var dates = map[string]bool{
	"jan": true, "feb": true, "mar": true, "apr": true, "may": true, "jun": true, "jul": true, "aug": true,
	"sep": true, "oct": true, "nov": true, "dec": true,
	"mon": true, "tue": true, "wed": true, "thu": true, "fri": true, "sat": true, "sun": true,
}

// numeric returns the length of a word that is a number, a time or a part of a date, with the brackets around it.
func numeric(low []byte) int {
	end := bytes.IndexAny(low, " \t")
	if end <= 0 || end > 40 {
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
	if digits > 0 && (letters <= 3 && letters < digits || isHex(low[:end], digit|lower)) || dates[string(bytes.Trim(low[:end], ",."))] {
		return end
	}
	return 0
}

// behindSeparator reports whether what is in front of a place may precede a message.
func (r *reader) behindSeparator(at int) bool {
	switch before := r.low[at-1]; before {
	case '[', '<', '(':
		return at == 1 || before == '[' && !isWordByte(r.low[at-2])
	case ']':
		return true
	case ':': // the level behind a part of a program, in brackets
		open := bytes.LastIndexByte(r.low[:at], '[')
		return open >= 0 && !bytes.ContainsAny(r.low[open:at], " ]")
	case ' ', '\t':
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

// behindKey reports whether a value in JSON, or of key="...", begins here.
func (r *reader) behindKey(at int) bool {
	n := at - 1
	if r.low[n] != '"' || n == 0 {
		return false
	}
	before := bytes.TrimRight(r.low[:n], " ")
	return bytes.HasSuffix(before, []byte(`":`)) || bytes.HasSuffix(before, []byte("="))
}

// isWordByte reports whether a word that begins behind this byte is a part of a name, a path or an option.
func isWordByte(c byte) bool { return classes[c]&word != 0 && c != '#' && c != '~' && c != '%' }

// passes reports whether a line says that something went well, whatever its name is.
func passes(low []byte) bool {
	for _, begin := range passing {
		if bytes.HasPrefix(low, begin) {
			return true
		}
	}
	if bytes.Contains(low, []byte("expected ")) && (bytes.Contains(low, []byte("expected error")) || bytes.Contains(low, []byte("expected failure"))) {
		return true
	}
	end := bytes.TrimRight(low, " \t\r.")
	if open := bytes.LastIndexByte(end, '['); open > 0 && bytes.HasSuffix(end, []byte("%]")) { // of pytest
		end = bytes.TrimRight(end[:open], " ")
	}
	for _, word := range passed {
		if bytes.HasSuffix(end, word) {
			return true
		}
	}
	return false
}

var (
	passing = words("--- pass", "--- skip", "=== run", "=== pause", "=== cont", "=== name", "ok ", "ok\t", "pass ",
		"passed ", "[       ok", "[ run", "ok]", "\u2713", "\u2714", "\u221a", "\u2705", "# subtest", "+ ", "$ ")
	passed = words(" ok", " passed", " skipped", "[ok]")
)

// isNumbered reports whether a line is an indented item of a list with round brackets, as mocha numbers what failed.
func isNumbered(low []byte) bool {
	if len(low) < 2 || low[0] != ' ' || low[1] != ' ' {
		return false
	}
	rest := bytes.TrimLeft(low, " ")
	item := bytes.TrimLeft(rest, "0123456789")
	return len(rest)+2 <= len(low) && len(item) < len(rest) && bytes.HasPrefix(item, []byte(") "))
}

// isCross reports whether a line begins with the mark that test runners put in front of what failed.
func isCross(low []byte) bool {
	if len(low) > 2 && low[0] == '!' && low[1] == ' ' { // of TeX, and of git
		return low[2] == '[' || classes[low[2]]&(lower|upper) != 0
	}
	for _, cross := range crosses {
		if bytes.HasPrefix(low, cross) {
			return true
		}
	}
	return false
}

var crosses = words("\u2716 ", "\u2717 ", "\u2715 ", "\u2718 ", "\u274c", "\u00d7 ", "\u2a2f ", "\u25cf ")

// failedAtEnd reports whether the last word says that something failed, as in "test_x ... FAIL".
func (r *reader) failedAtEnd() bool {
	end := bytes.TrimRight(r.text, " \t\r")
	if open := bytes.LastIndexByte(end, '['); open > 0 && bytes.HasSuffix(end, []byte("%]")) {
		end = bytes.TrimRight(end[:open], " ")
	}
	for _, word := range failed {
		if before, ok := bytes.CutSuffix(end, word); ok && len(before) > 0 {
			switch before[len(before)-1] {
			case ' ', '.', '*', '\t':
				return true
			}
		}
	}
	return bytes.HasSuffix(end, []byte(" s = F")) || bytes.HasSuffix(end, []byte(" s = E")) // of minitest
}

var failed = words("ERROR")

// diagnosis reports whether a line begins with a place in a file, FILE:LINE:COLUMN: or FILE(LINE,COLUMN):, which is
// what compilers and checkers put in front of what they have found.
func (r *reader) diagnosis(start int) bool {
	low := r.low[start:]
	low = bytes.TrimPrefix(low, []byte("vet: "))
	name := bytes.IndexAny(low, ":( \t")
	if name <= 0 || classes[low[name]] == blank || !bytes.ContainsAny(low[:name], "./") ||
		classes[low[name-1]] != lower && low[name-1] != '_' {
		return false
	}
	rest, numbers := low[name+1:], 0
	for numbers < 2 {
		n := digitsAt(rest)
		if n == 0 || n == len(rest) {
			break
		}
		numbers++
		if c := rest[n]; c != ':' && c != ',' {
			rest = rest[n:]
			break
		}
		rest = rest[n+1:]
	}
	message := bytes.TrimLeft(rest, ":) ")
	if numbers < 2 || len(message) == len(rest) || len(message) == 0 {
		return false
	}
	switch {
	case hasAny(message, "note", "info", "remark", "debug", "required from"):
	case hasAny(message, "warning", "style", "convention", "refactor") || isAdvice(message) || r.passesOver():
		r.say(warns, start, aDiagnosis)
	default:
		r.say(fails, start, aDiagnosis)
	}
	return true
}

// passesOver reports whether a message says that what it is about is left aside.
func (r *reader) passesOver() bool {
	end := bytes.TrimRight(r.low, " \t\r.)")
	return bytes.HasSuffix(end, []byte(" ignoring")) || bytes.HasSuffix(end, []byte(" ignored")) || bytes.HasSuffix(end, []byte(" skipping"))
}

// isAdvice reports whether a message begins with a code whose letter says that it is no error, as those of Python's
// checkers do: C for convention, R for refactoring, W for warning, I for information.
func isAdvice(message []byte) bool {
	if len(message) < 5 {
		return false
	}
	switch message[0] {
	case 'c', 'r', 'w', 'i':
	default:
		return false
	}
	n := digitsAt(message[1:])
	return n >= 3 && n <= 4 && n+1 < len(message) && (message[n+1] == ':' || message[n+1] == ' ')
}

func hasAny(low []byte, begins ...string) bool {
	for _, begin := range begins {
		if bytes.HasPrefix(low, []byte(begin)) {
			return true
		}
	}
	return false
}

func words(list ...string) (all [][]byte) {
	for _, word := range list {
		all = append(all, []byte(word))
	}
	return all
}
