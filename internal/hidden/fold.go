package hidden

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold returns the same text for all spellings of a name or pattern that a file system may treat as equal: in one
// case, with accents composed.
func fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.Map(smallest, norm.NFC.String(s))
		}
	}
	return strings.ToLower(s)
}

// smallest returns the first of the letters that differ only in case; for ASCII the lower-case one, as package ignore
// requires.
func smallest(r rune) rune {
	first := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		first = min(first, next)
	}
	return unicode.ToLower(min(first, r))
}
