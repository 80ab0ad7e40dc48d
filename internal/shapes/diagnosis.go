package shapes

import "bytes"

// diagnosis reports whether a line begins with a place in a file, FILE:LINE:COLUMN: or FILE(LINE,COLUMN):, as
// compilers and checkers print it before a finding.
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

func (r *reader) passesOver() bool {
	return endsAny(bytes.TrimRight(r.low, " \t\r.)"), leftAside)
}

// isAdvice reports whether a message begins with a code of Python's checkers that is not an error: C for convention, R
// for refactoring, W for warning, I for information.
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

var leftAside = words(" ignoring", " ignored", " skipping")
