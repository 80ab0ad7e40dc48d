package ignore

import "strings"

// needle returns the longest run of literals in the last component. Every matching name contains it, and most names do
// not.
func needle(parts []part) string {
	var run, longest []part
	for i, p := range parts {
		switch {
		case p.kind >= directories || p.char == '/':
			run, longest = nil, nil
		case p.kind != literal:
			run = nil
		default:
			if run = parts[i-len(run) : i+1]; len(run) > len(longest) {
				longest = run
			}
		}
	}
	return text(longest)
}

// match reports whether the parts match all of s, byte by byte. At a mismatch, the last "*" takes one more byte, and
// if that is a slash, the last "**" takes more. Nothing before these is tried again, because its first match leaves at
// least as much for the rest as a later one. So the work is at most the product of both lengths.
func match(parts []part, s string) bool {
	next, at := 0, 0      // what is compared: in parts, and in s
	near, nearAt := -1, 0 // the last "*", and where the parts behind it were tried last
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
					near = -1 // it cannot go further than this
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

// has reports whether a part for one byte matches c.
func (p *part) has(c byte) bool {
	switch p.kind {
	case literal:
		return c == p.char
	case anyChar:
		return c != '/'
	}
	return p.set.has(c)
}
