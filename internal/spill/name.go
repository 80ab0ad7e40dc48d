package spill

import (
	"crypto/rand"
	"regexp"
	"strings"
	"sync"
)

// The endings of names: of outputs and copies, of shelved results, and, behind one of these, of a file that is being
// written or whose writer has died.
const (
	outputEnding = ".log"
	resultEnding = ".txt"
	unfinished   = ".part"
)

// The kinds of files whose names other code looks at.
const (
	// Undo is the kind for copies of changed files. Their age is [Options.UndoMaxAge].
	Undo   = "before"
	result = "result"
)

// LockName is the file in the directory that calls lock to exclude each other. No sweep removes it.
const LockName = "turn.lock"

// name is what the files of this package are called: what they are for, eight random characters and
// an ending. Those of versions before had 26 characters of base 32. A sweep removes whatever matches,
// so this must match nothing that people call their files: see isOwn.
var name = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^(?:(?:bash|job|stderr|tool|json|before)-[` + idChars + `]{8}\.log|result-[` + idChars + `]{8}\.txt|` +
			`[a-z][a-z0-9]*-[A-Z2-7]{26}\.log)(?:\.part)?$`)
})

// idChars cannot form words, because there are no vowels, and hardly a date, because 0 and 1 are missing. An id has
// letters and digits, so that it is neither.
const (
	idDigits  = "23456789"
	idLetters = "bcdfghjkmnpqrstvwxyz"
	idChars   = idDigits + idLetters
	idLen     = 8
)

func isOwn(file string) bool {
	whole := strings.TrimSuffix(file, unfinished)
	if !strings.HasSuffix(whole, outputEnding) && !strings.HasSuffix(whole, resultEnding) || !name().MatchString(file) {
		return false
	}
	id := whole[strings.IndexByte(whole, '-')+1 : len(whole)-len(outputEnding)]
	return len(id) > idLen || isMixed(id)
}

func isMixed(id string) bool {
	return strings.ContainsAny(id, idDigits) && strings.ContainsAny(id, idLetters)
}

// NewID returns a new id, one of more than 3*10^11. It is short because a model pays for each character. Names are not
// secret, and a file is never created under a name in use.
func NewID() string {
	for {
		var b [idLen]byte
		rand.Read(b[:])
		if id := idOf(b[:]); isMixed(id) {
			return id
		}
	}
}

// idOf maps bytes to characters; the result may lack a letter or a digit.
func idOf(b []byte) string {
	var id [idLen]byte
	for i := range id {
		id[i] = idChars[int(b[i])%len(idChars)]
	}
	return string(id[:])
}
