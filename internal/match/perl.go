package match

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// perlGroups are the beginnings of groups that RE2 does not have.
var perlGroups = map[string]string{
	"(?<=": "lookbehind", "(?<!": "negative lookbehind", "(?=": "lookahead", "(?!": "negative lookahead",
	"(?>": "atomic groups", "(?#": "comments",
	"(?P=": "backreferences", "(?P>": "recursion", "(?R": "recursion", "(?&": "recursion",
	"(?(": "conditions", "(?|": "branch resets",
}

// perlEscapes are escapes that RE2 does not have, with a replacement, or "" if there is none. \K only moves the start
// of the match within a line.
var perlEscapes = map[byte]string{'K': " ", 'Z': `\z`, 'h': `[ \t]`, 'N': ".", 'R': "", 'X': "", 'G': "", 'u': ""}

// token is a part of a pattern: an escape, a class, the beginning of a group, a quantifier
// with what makes it lazy or possessive, or one character.
// Two digits or three behind a backslash are a character, by its octal number.
var token = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?s:\\Q.*?(?:\\E|$)|\\[1-7][0-7]{1,2}|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|` +
		`\((?:\?(?:<[=!]|P[=>]|[=!>#R&(|]))?|(?:[*+?]|\{\d+(?:,\d*)?\})[+?]?|.)`)
})

// possessive matches a quantifier that gives nothing back.
var possessive = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[*+?]|\{\d+(?:,\d*)?\})\+$`) })

// maxPerl is the longest pattern that Perl examines, in bytes: the work grows with the square.
const maxPerl = 1000

// Perl lists features of other regular expressions in a pattern that RE2 lacks. meant is a pattern without these that
// finds the same lines, or a few more; it is "" if none is obvious, or the pattern is longer than 1000 bytes.
func Perl(pattern string) (lacks []string, meant string) {
	lacks, meant = withoutPerl(pattern[:min(len(pattern), maxPerl)])
	if _, err := Compile(meant, Options{}); err != nil || len(pattern) > maxPerl {
		meant = ""
	}
	return lacks, meant
}

func withoutPerl(pattern string) (lacks []string, meant string) {
	var out strings.Builder
	known := true
	lack := func(name, instead string) {
		if !slices.Contains(lacks, name) {
			lacks = append(lacks, name)
		}
		known = known && instead != ""
		out.WriteString(strings.TrimSpace(instead))
	}
	for rest := pattern; rest != ""; {
		t := token().FindString(rest)
		at := len(pattern) - len(rest)
		rest = rest[len(t):]
		escape, group := byte(0), perlGroups[t]
		if len(t) == 2 && t[0] == '\\' {
			escape = t[1]
		}
		instead, escaped := perlEscapes[escape]
		inner, _, _ := strings.Cut(rest, ")")
		switch {
		case '1' <= escape && escape <= '9' || escape == 'k':
			lack("backreferences", "")
		case escaped:
			lack(t, instead)
		case possessive().MatchString(t):
			lack("possessive quantifiers", t[:len(t)-1])
		case t == "(?>", t == "(?<=" && at == 0, t == "(?=" && rest == inner+")" && !strings.ContainsAny(inner, `([\`):
			lack(group, "(?:")
		case t == "(?#":
			lack(group, " ")
			rest = rest[min(len(inner)+1, len(rest)):]
		case group != "":
			lack(group, "")
		default:
			out.WriteString(t)
		}
	}
	if !known {
		return lacks, ""
	}
	return lacks, out.String()
}
