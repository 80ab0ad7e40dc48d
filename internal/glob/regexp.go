package glob

import (
	"regexp"
	"strings"
	"sync"
)

var (
	// likeRegexp matches what is common in regular expressions and rare in globs.
	likeRegexp = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\^|\$$|\\[.dwsDWSb]|\.\+|(^|[^*])\.\*.|\([^()]*\|[^()]*\)`)
	})
	// extension ends a name.
	extension = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.\w+\}?$`) })
	// step matches a part of a regular expression that a glob can express.
	step = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:` + `(?P<any>\.[*+]\??)|(?P<digits>\\d\+)|(?P<digit>\\d)|` +
			`(?P<word>\\w[+*])|(?P<char>\\w)|\\(?P<escaped>[-./_])|` +
			`(?P<classes>\[[^\]\\]+\])[+*]|(?P<same>\[[^\]\\]+\]|[^\\+*?|^$(){}\[\]]))`)
	})
)

// OfRegexp reports whether a glob looks like a regular expression. It returns the glob that
// is meant if that is obvious, and otherwise "".
func OfRegexp(pattern string) (glob string, looks bool) {
	if glob, looks = ofRegexp(slashed(pattern)); glob == "" {
		if either := alternatives(slashed(pattern)); either != "" {
			return either, true
		}
	}
	return glob, looks
}

var groups = strings.NewReplacer("@(", "{", "(?:", "{", "(", "{", ")", "}", "|", ",")

// alternatives returns the glob with braces that is meant by one with bars, such as *.a|*.b or *.@(a|b). It returns ""
// for others, and if the rest is a regular expression too.
func alternatives(pattern string) string {
	if len(pattern) > maxPattern || !strings.Contains(pattern, "|") || strings.ContainsAny(pattern, `\^$,{}`) ||
		strings.Contains(pattern, ".+") || strings.Contains(strings.ReplaceAll(pattern, "**", ""), ".*") {
		return ""
	}
	depth, outside := 0, false
	for _, r := range pattern {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case '|':
			outside = outside || depth == 0
		}
		if depth < 0 {
			return ""
		}
	}
	glob := groups.Replace(pattern)
	if outside {
		glob = "{" + glob + "}"
	}
	if _, err := Compile(glob); err != nil || depth > 0 || strings.Contains(glob, ",,") ||
		strings.Contains(glob, "{,") || strings.Contains(glob, ",}") {
		return ""
	}
	return glob
}

func ofRegexp(pattern string) (glob string, looks bool) {
	if len(pattern) > maxPattern || !likeRegexp().MatchString(pattern) {
		return "", false
	}
	rest, begins := strings.CutPrefix(pattern, "^")
	rest, ends := strings.CutSuffix(rest, "$")
	var out strings.Builder
	for depth := 0; rest != ""; {
		if i := strings.IndexByte("(|)", rest[0]); i >= 0 {
			if rest = rest[1:]; i == 0 {
				depth++
				rest = strings.TrimPrefix(rest, "?:")
			} else if depth == 0 {
				return "", true // braces would have to cover everything
			}
			depth -= i / 2
			out.WriteByte("{,}"[i])
			continue
		}
		m := step().FindStringSubmatch(rest)
		if m == nil {
			return "", true
		}
		rest = rest[len(m[0]):]
		out.WriteString(stepGlob(m, strings.HasSuffix(out.String(), "/")))
	}
	glob = out.String()
	switch {
	case begins || strings.HasPrefix(glob, "*"):
	case strings.Contains(glob, "/"):
		glob = "**/" + glob
	default:
		glob = "*" + glob
	}
	if !ends && !strings.HasSuffix(glob, "*") && !extension().MatchString(glob) {
		glob += "*"
	}
	if _, err := Compile(glob); err != nil {
		return "", true
	}
	return glob, true
}

// stepGlob returns the glob for a match of step. After a slash, ".*" crosses directories.
func stepGlob(m []string, behindSlash bool) string {
	name := ""
	for i, group := range step().SubexpNames() {
		if group != "" && m[i] != "" {
			name = group
		}
	}
	switch text := m[step().SubexpIndex(name)]; name {
	case "any":
		if behindSlash {
			return "**/*"
		}
		return "*"
	case "digits":
		return "[0-9]*"
	case "digit":
		return "[0-9]"
	case "word":
		return "*"
	case "char":
		return "?"
	case "classes":
		return text + "*"
	default:
		return text
	}
}
