package hidden

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold returns a name or a pattern as all its spellings are that a file system may take for the same: in one case, with
// accents composed.
func fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.Map(smallest, norm.NFC.String(s))
		}
	}
	return strings.ToLower(s)
}

// smallest returns the first of the letters that differ only in case; of ASCII, the small one, as package ignore wants.
func smallest(r rune) rune {
	first := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		first = min(first, next)
	}
	return unicode.ToLower(min(first, r))
}
