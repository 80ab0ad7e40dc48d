package match

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// HasReturn reports whether a pattern spells out a carriage return.
func HasReturn(pattern string, o Options) bool {
	if o.Literal {
		return strings.Contains(pattern, "\r")
	}
	re, err := syntax.Parse(withCodePoints(pattern), syntax.Perl)
	return err == nil && hasReturn(re)
}

func hasReturn(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return slices.Contains(re.Rune, '\r')
	case syntax.OpCharClass: // not \s or a negated class
		count, has := 0, false
		for i := 0; i < len(re.Rune); i += 2 {
			count += int(re.Rune[i+1]-re.Rune[i]) + 1
			has = has || re.Rune[i] <= '\r' && '\r' <= re.Rune[i+1]
		}
		return has && count < len("\t\n\f\r ")
	}
	return slices.ContainsFunc(re.Sub, hasReturn)
}

// InForm returns a pattern with its characters composed or decomposed. Changed characters are written by number, which
// is easier to type. It is "" if none changes. In a class, decomposed characters would become two.
func InForm(pattern string, form norm.Form, literal bool) string {
	if form.IsNormalString(pattern) || !literal && strings.Contains(pattern, "[") {
		return ""
	}
	if literal {
		pattern = regexp.QuoteMeta(pattern)
	}
	var out strings.Builder
	for rest := pattern; rest != ""; {
		n := form.NextBoundaryInString(rest, true)
		part := form.String(rest[:n])
		if part != rest[:n] {
			part = numbered(part)
		}
		out.WriteString(part)
		rest = rest[n:]
	}
	return out.String()
}

// numbered writes characters outside ASCII by number.
func numbered(text string) string {
	var out strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, `\x{%x}`, r)
		}
	}
	return out.String()
}

// codePoint is a character by its number in UTF-16, as JSON and JavaScript write it.
var codePoint = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\\u(?:([[:xdigit:]]{4})|\{([[:xdigit:]]{1,6})\})`)
})

// withCodePoints replaces \u4e2d, which RE2 does not have, by \x{4e2d}.
func withCodePoints(pattern string) string {
	if !strings.Contains(pattern, `\u`) {
		return pattern
	}
	var out strings.Builder
	for rest := pattern; rest != ""; {
		n := strings.IndexByte(rest, '\\')
		if n < 0 || n+1 == len(rest) {
			return out.String() + rest
		}
		out.WriteString(rest[:n])
		rest = rest[n:]
		if r, n := readCodePoint(rest); n > 0 {
			fmt.Fprintf(&out, `\x{%x}`, r)
			rest = rest[n:]
			continue
		}
		n = 2
		if rest[1] == 'Q' {
			if n = strings.Index(rest, `\E`); n < 0 {
				n = len(rest)
			}
		}
		out.WriteString(rest[:n])
		rest = rest[n:]
	}
	return out.String()
}

// readCodePoint returns the character whose number is at the beginning of a text, possibly as two surrogates, and the
// length of that; 0 if there is none.
func readCodePoint(text string) (r rune, n int) {
	found := codePoint().FindStringSubmatch(text)
	if found == nil {
		return 0, 0
	}
	v, err := strconv.ParseUint(found[1]+found[2], 16, 32)
	if err != nil || v > utf8.MaxRune {
		return 0, 0
	}
	r, n = rune(v), len(found[0])
	if utf16.IsSurrogate(r) {
		low := codePoint().FindStringSubmatch(text[n:])
		if low == nil {
			return r, n
		}
		if v, err := strconv.ParseUint(low[1], 16, 32); err == nil && utf16.DecodeRune(r, rune(v)) != utf8.RuneError {
			return utf16.DecodeRune(r, rune(v)), n + len(low[0])
		}
	}
	return r, n
}
