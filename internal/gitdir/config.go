package gitdir

import "strings"

// parseConfig reads a file in the format of git-config and calls set for every variable, until
// set returns false. The section is "section" or "section.subsection"; its first part and the
// key are in lower case. A variable without "=" has the value "true".
//
// parseConfig stops at a malformed line, but the variables before it count; git would fail.
func parseConfig(content string, set func(section, key, value string) bool) {
	content = strings.TrimPrefix(content, "\xef\xbb\xbf")
	c := configReader{rest: strings.ReplaceAll(content, "\r\n", "\n")}
	section := ""
	for {
		c.skipSpace()
		switch next := c.peek(); {
		case next == 0:
			return
		case next == '#' || next == ';':
			c.skipLine()
		case next == '[':
			var ok bool
			if section, ok = c.section(); !ok {
				return
			}
		default:
			key, value, ok := c.variable()
			if !ok || section == "" || !set(section, key, value) {
				return
			}
		}
	}
}

// configReader holds the rest of a configuration file.
type configReader struct{ rest string }

// peek returns the next byte, or 0 at the end.
func (c *configReader) peek() byte {
	if c.rest == "" {
		return 0
	}
	return c.rest[0]
}

func (c *configReader) next() byte {
	b := c.peek()
	if b != 0 {
		c.rest = c.rest[1:]
	}
	return b
}

func (c *configReader) skipSpace() { c.rest = strings.TrimLeft(c.rest, " \t\r\n\v\f") }

func (c *configReader) skipLine() { _, c.rest, _ = strings.Cut(c.rest, "\n") }

// section reads "[section]" or `[section "subsection"]`.
func (c *configReader) section() (string, bool) {
	c.next()
	end := strings.IndexAny(c.rest, "] \t\"\n")
	if end <= 0 {
		return "", false
	}
	name := strings.ToLower(c.rest[:end])
	c.rest = strings.TrimLeft(c.rest[end:], " \t")
	switch c.next() {
	case ']':
		return name, true
	case '"':
	default:
		return "", false
	}
	var sub strings.Builder
	for {
		b := c.next()
		switch b {
		case 0, '\n':
			return "", false
		case '"':
			return name + "." + sub.String(), c.next() == ']'
		case '\\':
			if b = c.next(); b == 0 || b == '\n' {
				return "", false
			}
		}
		sub.WriteByte(b)
	}
}

// variable reads "key", or "key = value".
func (c *configReader) variable() (key, value string, ok bool) {
	end := 0
	for end < len(c.rest) && (isLetter(c.rest[end]) || strings.IndexByte("0123456789-", c.rest[end]) >= 0) {
		end++
	}
	if end == 0 || !isLetter(c.rest[0]) {
		return "", "", false
	}
	key = strings.ToLower(c.rest[:end])
	c.rest = strings.TrimLeft(c.rest[end:], " \t")
	switch c.next() {
	case 0, '\n':
		return key, "true", true
	case '=':
		value, ok = c.value()
		return key, value, ok
	}
	return "", "", false
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// value reads the rest of the line, and the next line after a backslash. Unquoted space at either
// end is not part of it.
func (c *configReader) value() (string, bool) {
	var b strings.Builder
	keep := 0 // the length without the unquoted space at the end
	quoted := false
	for {
		switch next := c.next(); {
		case next == 0 || next == '\n':
			return b.String()[:keep], !quoted
		case !quoted && (next == '#' || next == ';'):
			c.skipLine()
			return b.String()[:keep], true
		case next == '"':
			quoted = !quoted
		case next == '\\':
			escaped := c.next()
			if escaped == '\n' {
				continue
			}
			i := strings.IndexByte(`\"ntb`, escaped)
			if i < 0 {
				return "", false
			}
			b.WriteByte("\\\"\n\t\b"[i])
			keep = b.Len()
			continue
		default:
			if !quoted && (next == ' ' || next == '\t') {
				if b.Len() > 0 {
					b.WriteByte(next)
				}
				continue
			}
			b.WriteByte(next)
		}
		keep = b.Len()
	}
}
