package shapes

import "bytes"

// A kind is what the words of a line say. A greater kind is more important.
type kind uint8

const (
	nothing kind = iota
	warns        // a warning
	sumsUp       // a sum of failures above it: an exit code, a number of failures
	fails        // a failure, or its reason
)

// judgement is the result of judging a line by its words.
type judgement struct {
	kind   kind
	at     int   // where it says so
	family uint8 // the phrase that says so, or one of the families below
	exact  bool  // a line of the same shape may say something else
	plain  bool  // clear by its form, or by words that hardly begin source code or prose
	whole  bool  // a sum of everything that ran, without naming anything
	passed bool  // it reports a success
	hushed bool  // its level is for debugging, so it is not a failure
	warned bool  // its level is that of warnings, so it is not a failure

	gap    bool // blank lines do not end the lines that belong to it
	trace  bool // the following lines, up to a blank one, say where
	after  bool // lines before it with a deeper indentation say why
	framed bool // all lines before it say why, up to an ordinary one
}

// Families for judgements without a phrase.
const (
	aMark uint8 = 255 - iota
	aVerdict
	anException
	aDiagnosis
	aMessage
)

func isBlank(text []byte) bool {
	for _, c := range text {
		if classes[c]&alnum != 0 {
			return false
		}
	}
	return true
}

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

// judge judges the beginning of a line by its words.
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

// reader reads a line from left to right. A failure is reported at a head: at the beginning of the line, after
// prefixes of a message such as a time or a file's name, and after a colon.
type reader struct {
	*judgement
	text   []byte
	low    []byte // in lower case
	begin  int    // where the message begins
	timed  bool   // the message follows a time
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
	case bytes.HasPrefix(r.text[start:], []byte("E   ")): // pytest
		r.say(fails, start, aMessage)
		r.gap = true
	case r.diagnosis(start):
	default:
		r.words(start)
	}
	if r.settle(start); r.kind > nothing {
		r.plain = r.isPlain(start)
	}
}

// settle weighs what the words of the message at start say.
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

// isPlain reports whether the line is clear by its form, or by words that hardly begin source code or prose.
func (r *reader) isPlain(start int) bool {
	switch end := bytes.TrimRight(r.low, " \t\r."); {
	case r.kind == sumsUp && r.exact: // an exit code at the end
		return len(end) > 0 && isDigit(end[len(end)-1])
	case r.at != start || isNumbered(r.low):
		return false
	case r.family >= aMessage:
		return true
	}
	return r.low[0] == r.low[start] && phrases[r.family].where != anywhere
}

// maxPrefixes is after how many prefixes, such as the name of a task, a place in a file is still looked for.
const maxPrefixes = 3

// words reads the words of the message at start, or of a part of one if start is negative.
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

func (r *reader) say(k kind, at int, family uint8) {
	if k > r.kind {
		r.kind, r.at, r.family = k, at, family
	}
}

// passes reports whether a line reports a success, ignoring the names in it.
func passes(low []byte) bool {
	if beginsAny(low, passing) {
		return true
	}
	if at := bytes.Index(low, []byte("expected ")); at >= 0 &&
		(bytes.Contains(low[at:], []byte("expected error")) || bytes.Contains(low[at:], []byte("expected failure"))) {
		return true
	}
	return endsAny(withoutShare(bytes.TrimRight(low, " \t\r.")), passed)
}

var (
	passing = words("--- pass", "--- skip", "=== run", "=== pause", "=== cont", "=== name", "ok ", "ok\t", "pass ",
		"passed ", "[       ok", "[ run", "ok]", "\u2713", "\u2714", "\u221a", "\u2705", "# subtest", "+ ", "$ ")
	passed = words(" ok", " passed", " skipped", "[ok]")
)

// isNumbered reports whether a line is an indented item of a list with round brackets, as mocha numbers failures.
func isNumbered(low []byte) bool {
	if len(low) < 2 || low[0] != ' ' || low[1] != ' ' {
		return false
	}
	rest := bytes.TrimLeft(low, " ")
	item := bytes.TrimLeft(rest, "0123456789")
	return len(rest)+2 <= len(low) && len(item) < len(rest) && bytes.HasPrefix(item, []byte(") "))
}

// isCross reports whether a line begins with a mark that test runners put before failures.
func isCross(low []byte) bool {
	if len(low) > 2 && low[0] == '!' && low[1] == ' ' { // TeX and git
		return low[2] == '[' || classes[low[2]]&(lower|upper) != 0
	}
	return beginsAny(low, crosses)
}

var crosses = words("\u2716 ", "\u2717 ", "\u2715 ", "\u2718 ", "\u274c", "\u00d7 ", "\u2a2f ", "\u25cf ")

// failedAtEnd reports whether the last word reports a failure without being a verdict, as in "test_x ... ERROR".
func (r *reader) failedAtEnd() bool {
	end := withoutShare(bytes.TrimRight(r.text, " \t\r"))
	if before, ok := bytes.CutSuffix(end, []byte("ERROR")); ok && len(before) > 0 {
		switch before[len(before)-1] {
		case ' ', '.', '*', '\t':
			return true
		}
	}
	return bytes.HasSuffix(end, []byte(" s = F")) || bytes.HasSuffix(end, []byte(" s = E")) // minitest
}

// withoutShare removes the percentage of finished tests, which pytest puts at the end of a line.
func withoutShare(line []byte) []byte {
	if open := bytes.LastIndexByte(line, '['); open > 0 && bytes.HasSuffix(line, []byte("%]")) {
		return bytes.TrimRight(line[:open], " ")
	}
	return line
}

func hasAny(low []byte, begins ...string) bool {
	for _, begin := range begins {
		if bytes.HasPrefix(low, []byte(begin)) {
			return true
		}
	}
	return false
}

func beginsAny(text []byte, begins [][]byte) bool {
	for _, begin := range begins {
		if bytes.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}

func endsAny(text []byte, ends [][]byte) bool {
	for _, end := range ends {
		if bytes.HasSuffix(text, end) {
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
