package shapes

import "bytes"

// A state is what a word says about the thing that its line names.
type state uint8

const (
	unsaid state = iota
	good
	bad
)

// verdicts are the words with which test runners, hooks and checks report the result of one of many things. A line
// that ends or begins with one counts as a result, whatever else is in it.
var verdicts = map[string]state{
	"ok": good, "pass": good, "passed": good, "skip": good, "skipped": good, "success": good, "succeeded": good,
	"xfail": good, "untested": good, "unsupported": good, "disabled": good, "ignored": good,
	"fail": bad, "failed": bad, "failure": bad, "xpass": bad, "unresolved": bad,
}

// states are words that mean the same anywhere in other lines. They count only if two lines are equal except for a
// good word in one and a bad word in the other: see twins.
var states = map[string]state{
	"done": good, "complete": good, "completed": good, "finished": good, "successful": good, "successfully": good,
	"healthy": good, "ready": good, "running": good, "started": good, "active": good, "up": good, "alive": good,
	"valid": good, "accepted": good, "allowed": good, "granted": good, "online": good, "connected": good, "clean": good,
	"info": good, "debug": good, "notice": good, "normal": good,

	"error": bad, "errored": bad, "broken": bad, "aborted": bad, "crashed": bad, "killed": bad, "unsuccessful": bad,
	"unsuccessfully": bad, "unhealthy": bad, "dead": bad, "down": bad, "invalid": bad, "rejected": bad, "denied": bad,
	"refused": bad, "offline": bad, "disconnected": bad, "corrupt": bad, "corrupted": bad, "missing": bad,
	"critical": bad, "fatal": bad, "panic": bad, "timeout": bad,
}

// stateOf has the states of all words by their tokens: in lower case, in capitals, and capitalized.
var stateOf = func() map[token]state {
	all := map[token]state{}
	for _, words := range []map[string]state{verdicts, states} {
		for word, s := range words {
			low := []byte(word)
			all[wordToken(low)] = s
			all[wordToken(bytes.ToUpper(low))] = s
			all[wordToken(append(bytes.ToUpper(low[:1]), low[1:]...))] = s
		}
	}
	return all
}()

// verdict is a word that tells the result of the thing named in its line.
type verdict struct {
	state
	from, to int  // where the word is
	framed   bool // in brackets at the beginning; its explanation precedes the line
}

// verdictOf returns the verdict at the beginning or the end of a line.
func verdictOf(text []byte) (v verdict) {
	if v = leading(text); v.state == unsaid {
		v = trailing(text)
	}
	if v.state == unsaid {
		v = crossed(text)
	}
	return v
}

// crossed returns the verdict of a line with a cross in brackets behind a name: "test() [X] expected: 3". At the
// beginning of a line, a cross belongs to a list of tasks.
func crossed(text []byte) (v verdict) {
	at := bytes.Index(text, []byte(" [X]"))
	if at <= 0 || classes[text[at-1]]&alnum == 0 && text[at-1] != ')' {
		return v
	}
	return verdict{bad, at + 2, at + 3, false}
}

// bullets are what test runners put before a verdict.
var bullets = words("> ", "=== ", "--- ", "\u2022 ")

// maxGroups is how many groups in brackets, such as a worker and a percentage, may precede a verdict.
const maxGroups = 3

// leading returns the verdict at the beginning of a line: "PASS: x", "FAILED x", "[ OK ] x", "--- PASS: x".
func leading(text []byte) (v verdict) {
	at := skipBlanks(text, 0)
	if at < len(text) && isDigit(text[at]) {
		at = skipBlanks(text, at+numeric(text[at:]))
	}
	if at < len(text) && classes[text[at]]&(upper|digit) == 0 {
		for _, bullet := range bullets {
			if bytes.HasPrefix(text[at:], bullet) {
				at += len(bullet)
				break
			}
		}
	}
	groups := 0
	for ; groups < maxGroups; groups++ {
		if at == len(text) || text[at] != '[' {
			break
		}
		from := skipBlanks(text, at+1)
		end, _ := wordEnd(text, from)
		if closed := skipBlanks(text, end); closed < len(text) && text[closed] == ']' {
			if s := verdictWord(text[from:end]); s != unsaid {
				return verdict{s, from, end, true}
			}
		}
		n := bytes.IndexByte(text[at:], ']')
		if n < 0 {
			return v
		}
		at = skipBlanks(text, at+n+1)
	}
	if groups > 0 && isCross(text[at:]) {
		return verdict{bad, at, at + 1, false}
	}
	end, capitals := wordEnd(text, at)
	if end == at || end+1 >= len(text) {
		return v
	}
	said := verdictWord(text[at:end])
	if said == unsaid {
		return v
	}
	behind, next := skipBlanks(text, end+1), text[end]
	switch {
	case behind == len(text) || isDigit(text[behind]) || negated(text[end:]): // a count or a field
	case next == ':' && classes[text[end+1]] == blank, capitals && next == ' ' && end-at > len("FAIL"):
		v = verdict{said, at, end, false}
	}
	return v
}

// behindVerdict are the marks that may follow a verdict at the end of a line.
var behindVerdict = [256]bool{')': true, ']': true, '.': true, ',': true, ';': true, '!': true, '*': true}

// trimEnd returns the end of the text before a place, without blanks.
func trimEnd(text []byte, end int) int {
	for end > 0 && classes[text[end-1]] == blank {
		end--
	}
	return end
}

// maxMeasures is how many words, such as a time, may follow a verdict.
const maxMeasures = 3

// trailing returns the verdict at the end of a line: "x ... ok", "x: OK", "x PASSED [ 12%]", "x ....***Failed 0.01
// sec", "x (FAILED - 1)". It skips numbers behind the verdict.
func trailing(text []byte) (v verdict) {
	end := trimEnd(text, len(text))
	for range maxMeasures + 1 {
		start := end
		for start > 0 && classes[text[start-1]] != blank {
			start--
		}
		word := text[start:end]
		v.to = end
		for v.to > start && behindVerdict[text[v.to-1]] {
			v.to--
		}
		v.from = v.to
		for v.from > start && text[v.from-1] < 0x80 && classes[text[v.from-1]]&(lower|upper) != 0 {
			v.from--
		}
		if v.state = verdictWord(text[v.from:v.to]); v.state != unsaid && mayTrail(text, v.from) {
			return v
		}
		if start == 0 || !isMeasure(word) {
			break
		}
		end = trimEnd(text, start)
	}
	return verdict{}
}

// dots lead to a verdict at the end of a line. A name with dots is in no layout, because a verdict may be part of it.
var dots = []byte("...")

// mayTrail reports whether a word is set apart from a sentence: by dots, stars, a bracket or a colon before it, or by
// capitals.
func mayTrail(text []byte, at int) bool {
	if at == 0 {
		return false
	}
	switch text[at-1] {
	case '.':
		return bytes.HasSuffix(text[:at], dots)
	case '*', '(', '[':
		return true
	case ' ', '\t':
		if before := bytes.TrimRight(text[:at], " \t"); len(before) > 0 {
			switch before[len(before)-1] {
			case '.', '*', ':', ']':
				return true
			}
		}
		return classes[text[at]] == upper && at+1 < len(text) && classes[text[at+1]] == upper
	}
	return false
}

// aroundMeasure are the marks that may enclose a measure.
var aroundMeasure = [256]bool{'[': true, ']': true, '(': true, ')': true, '%': true, ',': true}

// isMeasure reports whether a word behind a verdict is a time, a percentage, or a number of something.
func isMeasure(word []byte) bool {
	switch string(word) {
	case "sec", "ms", "s", "-", "[", "]", "in":
		return true
	}
	for len(word) > 0 && aroundMeasure[word[0]] {
		word = word[1:]
	}
	for len(word) > 0 && aroundMeasure[word[len(word)-1]] {
		word = word[:len(word)-1]
	}
	if len(word) == 0 || !isDigit(word[0]) {
		return false
	}
	end, t := wordAt(word, 0)
	return end == len(word) && t == maskedNumber
}

// beginsVerdict are the first bytes of verdicts.
var beginsVerdict = func() (all [256]bool) {
	for word := range verdicts {
		all[word[0]], all[word[0]&^0x20] = true, true
	}
	return all
}()

// verdictWord returns the state of a word used as a verdict: in lower case, in capitals, or capitalized.
func verdictWord(word []byte) state {
	if len(word) < len("ok") || len(word) > len("unsupported") || !beginsVerdict[word[0]] {
		return unsaid
	}
	var buffer [len("unsupported")]byte
	low := buffer[:copy(buffer[:], word)]
	for i := range low {
		low[i] |= 0x20
	}
	return verdicts[string(low)]
}

func skipBlanks(text []byte, at int) int {
	for at < len(text) && classes[text[at]] == blank {
		at++
	}
	return at
}

// wordEnd returns the end of a word of letters, and whether they are all capitals.
func wordEnd(text []byte, at int) (end int, capitals bool) {
	kinds := class(0)
	for end = at; end < len(text) && classes[text[end]]&(lower|upper) != 0 && text[end] < 0x80; end++ {
		kinds |= classes[text[end]]
	}
	return end, kinds == upper
}

// wholes are words, beside those of states, with which a line speaks of everything that ran.
var wholes = func() map[string]bool {
	all := set(`
		build builds compilation test tests testing suite suites spec specs file files check checks case cases example
		examples run runs job jobs step steps task tasks hook hooks target targets pipeline command process total overall
		summary result results status report some all in of with and were was have has there error errors warning warnings
		failures failing passing passes pending xfailed xpassed deselected flaky retried listed below seconds second sec s
		ms m min minutes time times exit exited code returned non zero unsuccessfully subtests assertions`)
	for _, words := range []map[string]state{verdicts, states} {
		for word := range words {
			all[word] = true
		}
	}
	return all
}()

// namesNothing reports whether a message is about everything that ran, and does not introduce its subject.
func namesNothing(low []byte) bool {
	if introduces(low) {
		return false
	}
	named := 0
	for at := 0; at < len(low); {
		end, _ := wordEnd(low, at)
		if end == at {
			if low[at] >= 0x80 || low[at] == '/' {
				return false
			}
			at++
			continue
		}
		if !wholes[string(low[at:end])] {
			return false
		}
		named++
		at = end
	}
	return named > 1
}
