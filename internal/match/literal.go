package match

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// literal is a string of bytes that a match contains.
type literal struct {
	text    string
	fold    bool // text is in lower case, and its ASCII letters stand for both cases
	inexact bool // the text alone does not prove a match
}

func (x literal) begins(b []byte) bool {
	if len(b) < len(x.text) {
		return false
	}
	b = b[:len(x.text)]
	if !x.fold {
		return string(b) == x.text
	}
	for i, c := range b {
		if want := x.text[i]; c != want && (c|0x20 != want || !isLetter(c)) {
			return false
		}
	}
	return true
}

// literals is a set; every match contains at least one of them. It is nil if none are known, and empty if nothing can
// match.
type literals []literal

// The bounds of a set. More or longer literals cost more to search for than they gain. A text that the pattern spells
// out may be longer.
const (
	maxLiterals     = 64
	maxLiteralBytes = 256
)

var emptyText = literals{{}}

// assertion is the set of what an assertion consumes: the empty string, which does not prove that it holds.
var assertion = literals{{inexact: true}}

// cross returns every literal of a followed by every literal of b, or nil if these are too many or too long.
func cross(a, b literals) literals {
	if a == nil || b == nil || len(a)*len(b) > maxLiterals {
		return nil
	}
	set := make(literals, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			if x.text != "" && y.text != "" && len(x.text)+len(y.text) > maxLiteralBytes {
				return nil
			}
			set = append(set, x.concat(y))
		}
	}
	return set
}

// concat returns x followed by y. If only one of them folds case, both must, and the result is inexact: (?i:ab)C then
// finds "abc", too.
func (x literal) concat(y literal) literal {
	z := literal{text: x.text + y.text, fold: x.fold || y.fold, inexact: x.inexact || y.inexact}
	if x.fold != y.fold {
		if exact := x.text + y.text; x.fold && hasLetter(y.text) || y.fold && hasLetter(x.text) {
			z.text, z.inexact = lowerASCII(exact), true
		}
	}
	return z
}

// union returns the literals of both sets, or nil if these are too many or either set is unknown.
func union(a, b literals) literals {
	if a == nil || b == nil {
		return nil
	}
	set := slices.Clone(a)
	for _, y := range b {
		if !slices.Contains(set, y) {
			set = append(set, y)
		}
	}
	if len(set) > maxLiterals {
		return nil
	}
	return set
}

// minimal drops literals that contain another one of the set, as "https" contains "http".
func (s literals) minimal() literals {
	return slices.DeleteFunc(slices.Clone(s), func(x literal) bool {
		return slices.ContainsFunc(s, func(y literal) bool {
			switch {
			case x == y, y.inexact && !x.inexact, x.fold && !y.fold:
				return false
			case y.fold:
				return strings.Contains(lowerASCII(x.text), y.text)
			}
			return strings.Contains(x.text, y.text)
		})
	})
}

func (s literals) longest() int {
	n := 0
	for _, x := range s {
		n = max(n, len(x.text))
	}
	return n
}

func (s literals) shortest() int {
	n := math.MaxInt
	for _, x := range s {
		n = min(n, len(x.text))
	}
	return n
}

// moreSelective reports whether s should have fewer candidates than t. Its shortest literal fills more of a
// fingerprint; or as much, and it has fewer literals; or as many, and the shortest is longer.
func (s literals) moreSelective(t literals) bool {
	long, short := s.shortest(), t.shortest()
	return cmp.Or(
		cmp.Compare(min(long, fingerprintBytes), min(short, fingerprintBytes)),
		cmp.Compare(len(t), len(s)),
		cmp.Compare(long, short),
	) > 0
}

// usable reports whether the set excludes anything.
func (s literals) usable() bool {
	return s != nil && !slices.ContainsFunc(s, func(x literal) bool { return x.text == "" })
}

// proves reports whether a line that contains a literal of the set matches, if the set is all that the pattern can
// match.
func (s literals) proves() bool {
	return s != nil && !slices.ContainsFunc(s, func(x literal) bool {
		// The carriage return may be a part of the line's ending.
		return x.inexact || strings.HasSuffix(x.text, "\r")
	})
}

// orbit returns r and every character that case folding makes equal to it: for k that includes the Kelvin sign, for s
// the long s.
func orbit(r rune) []rune {
	rs := []rune{r}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		rs = append(rs, f)
	}
	return rs
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func hasLetter(s string) bool {
	for i := range len(s) {
		if isLetter(s[i]) {
			return true
		}
	}
	return false
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r | 0x20
		}
		return r
	}, s)
}
