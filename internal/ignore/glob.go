package ignore

import (
	"strings"
	"sync"
	"unicode/utf8"

	gitignore "github.com/sabhiram/go-gitignore"
)

// glob is a pattern that needs a regular expression. It is compiled when a name
// or path first passes the literal tests, which most globs of most walks
// never see: compiling one costs as much as deciding some hundred entries.
type glob struct {
	path bool // matched against the path, not the name

	// Every match begins with prefix and ends in suffix, and the name in it
	// begins with namePrefix. If all are empty, the match holds needle, which
	// has no slash and so is in the directory or in the name.
	prefix, suffix, namePrefix, needle string

	// shortest is the least number of bytes in a match. It keeps a pattern
	// that is longer than any path from being compiled.
	shortest int

	parts   []part
	once    sync.Once
	matcher *gitignore.GitIgnore
}

func newGlob(parts []part, path bool) *glob {
	g := &glob{path: path, parts: parts}
	first, last := 0, len(parts)
	for first < len(parts) && parts[first].kind == literal {
		first++
	}
	for last > first && parts[last-1].kind == literal {
		last--
	}
	g.prefix, g.suffix, g.namePrefix = text(parts[:first]), text(parts[last:]), namePrefix(parts)
	if g.prefix == "" && g.suffix == "" && g.namePrefix == "" {
		g.needle = needle(parts)
	}
	for _, p := range parts {
		if p.kind <= class {
			g.shortest++
		}
	}
	return g
}

// namePrefix is the literal start of the last component.
func namePrefix(parts []part) string {
	start := 0
	for i, p := range parts {
		if p.kind == directories || p.kind == literal && p.char == '/' {
			start = i + 1
		}
	}
	end := start
	for end < len(parts) && parts[end].kind == literal {
		end++
	}
	return text(parts[start:end])
}

// needle is the longest run of literals other than slashes.
func needle(parts []part) string {
	best, start := parts[:0], 0
	for i := 0; i <= len(parts); i++ {
		if i < len(parts) && parts[i].kind == literal && parts[i].char != '/' {
			continue
		}
		if i-start > len(best) {
			best = parts[start:i]
		}
		start = i + 1
	}
	return text(best)
}

// matches reports whether the glob matches the entry's name or path.
func (g *glob) matches(c *candidate) bool {
	dir, length := "", len(c.name)
	if g.path {
		dir = c.directory()
		length += len(dir) + 1
	}
	if length < g.shortest {
		return false
	}
	if !strings.HasPrefix(c.name, g.namePrefix) || !hasPrefix(dir, c.name, g.prefix) || !hasSuffix(dir, c.name, g.suffix) {
		return false
	}
	if !strings.Contains(c.name, g.needle) && !strings.Contains(dir, g.needle) {
		return false
	}
	g.once.Do(g.compile)
	if g.path {
		return g.matcher.MatchesPath(latin1(c.relative()))
	}
	return g.matcher.MatchesPath(latin1(c.name))
}

// hasPrefix is strings.HasPrefix(dir + "/" + name, prefix) without that
// string; dir may be empty, and then there is no slash.
func hasPrefix(dir, name, prefix string) bool {
	if dir == "" {
		return strings.HasPrefix(name, prefix)
	}
	if len(prefix) <= len(dir) {
		return strings.HasPrefix(dir, prefix)
	}
	return strings.HasPrefix(prefix, dir) && prefix[len(dir)] == '/' &&
		strings.HasPrefix(name, prefix[len(dir)+1:])
}

// hasSuffix is strings.HasSuffix(dir + "/" + name, suffix) likewise.
func hasSuffix(dir, name, suffix string) bool {
	if dir == "" || len(suffix) <= len(name) {
		return strings.HasSuffix(name, suffix)
	}
	rest, ok := strings.CutSuffix(suffix, name)
	if !ok {
		return false
	}
	rest, ok = strings.CutSuffix(rest, "/")
	return ok && strings.HasSuffix(dir, rest)
}

// compile hands the respelled pattern to go-gitignore.
func (g *glob) compile() {
	g.matcher = gitignore.CompileIgnoreLines(respell(g.parts))
	g.parts = nil
}

// respell writes a pattern as a line which go-gitignore turns into the regular
// expression that is meant. What it does to a line, and how that is avoided:
//
//   - It strips spaces, "#", "!" and returns at both ends; adds a slash in
//     front in some cases; takes a pattern without one to match at any depth.
//     The line begins with a slash, which it replaces by the start of the text.
//   - It appends "(|/.*)$", so that what is below a match matches too. The line
//     ends in "$", which leaves that group the empty string.
//   - It quotes "." and "?" and rewrites "**". The line has none of them.
//   - It turns "*" into "([^/]*)", which is what is meant; and, last of all,
//     "#$~" into "*", which is the way to write a repetition.
//
// Letters and digits stand for themselves, other bytes are written in
// hexadecimal. Paths are matched in the form latin1 gives them, where every
// character is a byte.
func respell(parts []part) string {
	var b strings.Builder
	b.WriteByte('/')
	for _, p := range parts {
		switch p.kind {
		case literal:
			writeByte(&b, p.char)
		case anyChar:
			b.WriteString(`[^/]`)
		case class:
			writeSet(&b, p.set)
		case star:
			b.WriteByte('*')
		case directories:
			b.WriteString(`([^/]+/)#$~`)
		case everything:
			b.WriteString(`[\x00-\xff]#$~`)
		}
	}
	b.WriteByte('$')
	return b.String()
}

func writeByte(b *strings.Builder, c byte) {
	if isLetter(c) || isDigit(c) || c == '/' {
		b.WriteByte(c)
		return
	}
	const hex = "0123456789abcdef"
	b.WriteString(`\x`)
	b.WriteByte(hex[c>>4])
	b.WriteByte(hex[c&15])
}

func writeSet(b *strings.Builder, set *byteSet) {
	b.WriteByte('[')
	for low := 0; low < 256; low++ {
		if !set.has(byte(low)) {
			continue
		}
		high := low
		for high < 255 && set.has(byte(high+1)) {
			high++
		}
		writeByte(b, byte(low))
		if high > low {
			b.WriteByte('-')
			writeByte(b, byte(high))
		}
		low = high
	}
	b.WriteByte(']')
}

// latin1 gives every byte of s a character of its own, the one that has the
// same number. Regular expressions in Go work on characters, and take every
// byte that is not UTF-8 for the same one; git works on bytes.
func latin1(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < utf8.RuneSelf {
			continue
		}
		b := make([]byte, 0, 2*len(s))
		for k := range len(s) {
			b = utf8.AppendRune(b, rune(s[k]))
		}
		return string(b)
	}
	return s
}
