package notice

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shellPath quotes a path for any POSIX shell, on one line and in valid UTF-8. The result is never taken for an option.
func shellPath(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return shellWord(path)
}

// shellWord is shellPath for a word that may be taken for an option.
func shellWord(word string) string {
	plain, printable := word != "", utf8.ValidString(word)
	for _, r := range word {
		alphanumeric := r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
		plain = plain && (alphanumeric || strings.ContainsRune("_@%+=:,./-", r))
		printable = printable && unicode.IsPrint(r)
	}
	switch {
	case plain:
		return word
	case printable:
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return printed(word)
}

func SearchCommand(pattern, path string, ignoreCase, dir bool) string {
	options := "-nP"
	if dir {
		options = "-rnIP --exclude-dir=.git"
	}
	if ignoreCase {
		options += " -i"
	}
	return "grep " + options + " -e " + shellWord(pattern) + " " + shellPath(path)
}

// printed quotes s as the output of printf. Trailing newlines, which a command substitution would lose, are written as
// the end of IFS after its space and tab.
func printed(s string) string {
	text := strings.TrimRight(s, "\n")
	newlines := strings.Repeat(`"${IFS#??}"`, len(s)-len(text))
	if text == "" {
		return newlines
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == '%' || r == '\\':
			b.WriteString(strings.Repeat(string(r), 2)) // special in printf
		case r != '\'' && unicode.IsPrint(r) && !(r == utf8.RuneError && size == 1):
			b.WriteRune(r)
		default:
			for i := range size {
				fmt.Fprintf(&b, `\%03o`, text[i])
			}
		}
		text = text[size:]
	}
	return `"$(printf '` + b.String() + `')"` + newlines
}

// FileCommand replaces FILE in a shell command by the quoted path.
func FileCommand(command, path string) string {
	return strings.Replace(command, "FILE", shellPath(path), 1)
}
