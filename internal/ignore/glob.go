package ignore

import "strings"

// glob is a pattern that has to be matched part by part. A name or path meets
// literal tests first, which most never pass.
type glob struct {
	path bool // matched against the path, not the name

	// Every match begins with prefix and ends in suffix, and the name in it
	// begins with namePrefix. If all are empty, the match holds needle, which
	// has no slash and so is in the directory or in the name.
	prefix, suffix, namePrefix, needle string

	shortest int // the least number of bytes in a match
	parts    []part
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
	if c.at.tree.ctx.Err() != nil {
		return false // what comes now may take long, and there may be many such rules
	}
	if g.path {
		return match(g.parts, c.relative())
	}
	return match(g.parts, c.name)
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

// match reports whether the parts match all of s, byte by byte. Where they do
// not, the last "*" takes one byte more, and if that is a slash, the last "**"
// takes more. What stood before these is not tried again: there the first place
// that matches leaves open whatever a later one does. So nothing is compiled, and
// the work is at most the product of both lengths.
func match(parts []part, s string) bool {
	next, at := 0, 0      // what is compared: in parts, and in s
	near, nearAt := -1, 0 // the last "*", and where what is behind it was tried last
	far, farAt := -1, 0   // the same for the last "**"
	for next < len(parts) || at < len(s) {
		if next < len(parts) {
			switch p := &parts[next]; {
			case p.kind == star:
				near, nearAt = next, at
				next++
				continue
			case p.kind > star:
				far, farAt, near = next, at, -1
				next++
				continue
			case at < len(s) && p.has(s[at]):
				if s[at] == '/' {
					near = -1 // it goes no further than this
				}
				next++
				at++
				continue
			}
		}
		switch {
		case near >= 0 && nearAt < len(s) && s[nearAt] != '/':
			nearAt++
			next, at = near+1, nearAt
		case far >= 0:
			more := 1
			if parts[far].kind == directories {
				more = strings.IndexByte(s[farAt:], '/') + 1
			}
			if farAt += more; more == 0 || farAt > len(s) {
				return false
			}
			next, at, near = far+1, farAt, -1
		default:
			return false
		}
	}
	return true
}

// has reports whether a part that stands for one byte matches c.
func (p *part) has(c byte) bool {
	switch p.kind {
	case literal:
		return c == p.char
	case anyChar:
		return c != '/'
	}
	return p.set.has(c)
}
