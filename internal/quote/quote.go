// Package quote writes names and values in a form that stays on one line, and reads such names back.
package quote

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NUL replaces a NUL byte in a shown text: one character for another, so that columns do not change.
const NUL = "\u2400"

func ShowNULs(text string) string { return strings.ReplaceAll(text, "\x00", NUL) }

// NULWriter passes a text on to another writer with NUL in place of each NUL byte.
type NULWriter struct {
	W   io.Writer
	Met bool // there was one
}

// Write takes all of p. An error is the other writer's.
func (w *NULWriter) Write(p []byte) (int, error) {
	n := len(p)
	if bytes.IndexByte(p, 0) >= 0 {
		w.Met = true
		p = bytes.ReplaceAll(p, []byte{0}, []byte(NUL))
	}
	_, err := w.W.Write(p)
	return n, err
}

// Name returns a name in a form that stays on one line and that [Unquote] reads back: unchanged if possible. It is
// C-quoted as by git ("a
// b", "\377") if it contains anything unprintable or not UTF-8, begins with a quote, or with a bracket like notices,
// or is all spaces.
func Name(name string) string {
	if strings.HasPrefix(name, "[") || name != "" && strings.Trim(name, " ") == "" {
		return Quoted(name)
	}
	return Inline(name)
}

// Inline is [Name] for a name within a line, where a bracket does not look like a notice.
func Inline(name string) string {
	if plain(name) {
		return name
	}
	return Quoted(name)
}

const maxValue = 200

// Value returns a caller's value for a message: on one line and of at most 200 characters.
func Value(value string) string { return Short(Inline(value), maxValue) }

// Short returns the first characters of a text, followed by "..." if that is not all of it.
func Short(text string, maxChars int) string {
	short, _ := Cut(text, maxChars, "...")
	return short
}

// CutMark ends a line that is cut.
const CutMark = "... [truncated]"

// Cut returns the first characters of a line, followed by marker if there are more. A byte that is not valid UTF-8
// counts as a character and stays.
func Cut[T string | []byte](line T, maxChars int, marker string) (short string, cut bool) {
	end := 0
	for range maxChars {
		if end == len(line) {
			break
		}
		_, size := utf8.DecodeRuneInString(string(line[end:min(end+utf8.UTFMax, len(line))]))
		end += size
	}
	if end == len(line) {
		return string(line), false
	}
	return string(line[:end]) + marker, true
}

// Written is Value for a value that was corrected: in quotes if spaces around it may be the fault.
func Written(value string) string {
	if strings.TrimSpace(value) != value {
		return Quoted(value)
	}
	return Value(value)
}

// Quoted returns a text in C quotes, on one line.
func Quoted(name string) string {
	var b strings.Builder
	b.WriteByte('"')
	for len(name) > 0 {
		r, size := utf8.DecodeRuneInString(name)
		i := strings.IndexRune("\a\b\t\n\v\f\r\"\\", r)
		switch {
		case i >= 0 && r != utf8.RuneError:
			b.WriteByte('\\')
			b.WriteByte(`abtnvfr"\`[i])
		case unicode.IsPrint(r) && !(r == utf8.RuneError && size == 1):
			b.WriteString(name[:size])
		default:
			for _, c := range []byte(name[:size]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		}
		name = name[size:]
	}
	b.WriteByte('"')
	return b.String()
}

// plain reports whether a name needs no quotes.
func plain(name string) bool {
	if strings.HasPrefix(name, `"`) {
		return false
	}
	for i := range len(name) {
		if c := name[i]; c >= utf8.RuneSelf {
			return utf8.ValidString(name[i:]) && strings.IndexFunc(name[i:], notPrint) < 0
		} else if c < ' ' || c == 0x7f {
			return false
		}
	}
	return true
}

// Line returns a line of a text so that a terminal shows what it is: unchanged, or C-quoted if it has control
// characters other than tabs, characters that are invisible or reorder the line, or bytes that are not UTF-8.
func Line(line string) (shown string, quoted bool) {
	if plain(line) || utf8.ValidString(line) && strings.IndexFunc(line, hidden) < 0 {
		return line, false
	}
	return Quoted(line), true
}

// hidden reports whether a terminal does not show a character, or acts on it.
func hidden(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d' // of scripts and of emoji
	return notPrint(r) && !unicode.Is(unicode.Zs, r) && r != '\t' && r != nonJoiner && r != joiner
}

func notPrint(r rune) bool { return !unicode.IsPrint(r) }

// UnquotePath unquotes the C-quoted elements of a path. Lists show a directory's name as "a
// b"/, so a path can have quotes in the middle.
func UnquotePath(path string) string {
	if !strings.Contains(path, `"`) {
		return path
	}
	if plain, ok := Unquote(path); ok {
		return plain
	}
	var b strings.Builder
	for rest := path; rest != ""; {
		end := strings.IndexByte(rest, '/')
		if rest[0] == '"' {
			quoted, err := strconv.QuotedPrefix(rest)
			end = len(quoted)
			if err != nil || end < len(rest) && rest[end] != '/' {
				return path
			}
		} else if end < 0 {
			end = len(rest)
		}
		element := rest[:end]
		if plain, ok := Unquote(element); ok {
			element = plain
		}
		b.WriteString(element)
		if rest = rest[end:]; rest != "" {
			b.WriteByte('/')
			rest = rest[1:]
		}
	}
	return b.String()
}

// Unquote undoes Name. ok is false if name is not C-quoted.
func Unquote(name string) (plain string, ok bool) {
	if !strings.HasPrefix(name, `"`) {
		return "", false
	}
	plain, err := strconv.Unquote(name)
	return plain, err == nil
}
