package gitdir

import "strings"

// parseConfig reads a file in the format of git-config and calls set for every variable, until
// set returns false. The section is "section" or "section.subsection"; its first part and the
// key are in lower case. A variable without "=" has the value "true".
//
// parseConfig stops at a malformed line and at a NUL byte, but the variables before it count; git would fail.
func parseConfig(content string, set func(section, key, value string) bool) {
	content, _, _ = strings.Cut(strings.TrimPrefix(content, "\xef\xbb\xbf"), "\x00")
	rest, section, ok := strings.ReplaceAll(content, "\r\n", "\n"), "", true
	for ok {
		switch rest = strings.TrimLeftFunc(rest, isSpace); {
		case rest == "":
			return
		case rest[0] == '#' || rest[0] == ';':
			_, rest, _ = strings.Cut(rest, "\n")
		case rest[0] == '[':
			section, rest, ok = readSection(rest[1:])
		default:
			behind := strings.TrimLeftFunc(rest, isOfKey)
			key, value := strings.ToLower(rest[:len(rest)-len(behind)]), "true"
			named := section != "" && isLetter(rune(rest[0]))
			switch rest = strings.TrimLeftFunc(behind, isBlank); {
			case rest == "" || rest[0] == '\n':
			case rest[0] == '=':
				value, rest, ok = readValue(rest[1:])
			default:
				return
			}
			ok = ok && named && set(section, key, value)
		}
	}
}

// Functions, since strings.TrimLeft makes a table of its characters each time: half of the time of a large configuration.
func isBlank(c rune) bool  { return c == ' ' || c == '\t' }
func isSpace(c rune) bool  { return c == ' ' || c >= '\t' && c <= '\r' }
func isLetter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isOfKey(c rune) bool  { return isLetter(c) || c >= '0' && c <= '9' || c == '-' }

// readSection reads what follows the bracket of [section] or [section "subsection"].
func readSection(text string) (name, rest string, ok bool) {
	end := strings.IndexAny(text, "] \t\"\n")
	if end <= 0 {
		return "", "", false
	}
	name, rest = strings.ToLower(text[:end]), strings.TrimLeftFunc(text[end:], isBlank)
	if rest, ok = strings.CutPrefix(rest, "]"); ok {
		return name, rest, true
	}
	rest, quoted := strings.CutPrefix(rest, `"`)
	var sub strings.Builder
	for i := 0; quoted && i < len(rest) && rest[i] != '\n'; i++ {
		if rest[i] == '"' {
			rest, ok = strings.CutPrefix(rest[i+1:], "]")
			return name + "." + sub.String(), rest, ok
		}
		if rest[i] == '\\' {
			if i++; i == len(rest) || rest[i] == '\n' {
				break
			}
		}
		sub.WriteByte(rest[i])
	}
	return "", "", false
}

// readValue reads the rest of the line, and the next line after a backslash. Unquoted space at either
// end is not part of it.
func readValue(text string) (value, rest string, ok bool) {
	var b strings.Builder
	keep := 0 // the length without the unquoted space at the end
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			return b.String()[:keep], text[i+1:], !quoted
		case !quoted && (c == '#' || c == ';'):
			_, rest, _ = strings.Cut(text[i:], "\n")
			return b.String()[:keep], rest, true
		case !quoted && (c == ' ' || c == '\t'):
			if b.Len() > 0 {
				b.WriteByte(c)
			}
			continue
		case c == '"':
			quoted = !quoted
		case c == '\\':
			i++
			if strings.HasPrefix(text[i:], "\n") {
				continue
			}
			escaped := -1
			if i < len(text) {
				escaped = strings.IndexByte(`\"ntb`, text[i])
			}
			if escaped < 0 {
				return "", "", false
			}
			b.WriteByte("\\\"\n\t\b"[escaped])
		default:
			b.WriteByte(c)
		}
		keep = b.Len()
	}
	return b.String()[:keep], "", !quoted
}
