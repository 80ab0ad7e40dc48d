package notice

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shellPath spells a path as one argument of a shell command. It cannot be taken
// for an option, and what is printed stays on one line and is valid UTF-8.
func shellPath(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	plain, printable := path != "", utf8.ValidString(path)
	for _, r := range path {
		plain = plain && (r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("_@%+=:,./-", r))
		printable = printable && unicode.IsPrint(r)
	}
	switch {
	case plain:
		return path
	case printable:
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return ansiCQuote(path)
}

// ansiCQuote spells s as $'...', which bash, zsh and ksh decode.
func ansiCQuote(s string) string {
	var b strings.Builder
	b.WriteString("$'")
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r) && !(r == utf8.RuneError && size == 1):
			b.WriteRune(r)
		default:
			for i := range size {
				fmt.Fprintf(&b, `\%03o`, s[i])
			}
		}
		s = s[size:]
	}
	b.WriteByte('\'')
	return b.String()
}
