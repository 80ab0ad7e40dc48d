package ignore

import (
	"slices"
	"strings"
)

// part is one element of a pattern.
type part struct {
	kind partKind
	char byte     // of a literal
	set  *byteSet // of a class
}

type partKind uint8

const (
	literal     partKind = iota
	anyChar              // "?": one byte other than a slash
	class                // "[...]": one byte of a set that never holds a slash
	star                 // "*": bytes other than a slash
	directories          // "**/": any number of whole directories, none included
	everything           // "**": bytes of any kind
)

// compile reads the pattern of a rule, without its "!" and the slashes at its ends. wholePath says that it is matched
// against the path rather than the name. compile returns false for a pattern that cannot match anything.
func (r *rule) compile(pattern string, wholePath, fold bool) bool {
	parts, ok := split(pattern, wholePath, fold)
	if !ok {
		return false
	}
	if wholePath && len(parts) > 1 && parts[0].kind == directories && !crosses(parts[1:]) {
		parts, wholePath = parts[1:], false // "**/name" is "name"
	}
	if wholePath {
		dir, name, ok := cutDirectory(parts)
		if !ok {
			r.kind, r.parts, r.text = byPath, parts, needle(parts)
			return true
		}
		r.anchored, r.dir, parts = true, dir, name
	}
	switch {
	case len(parts) == 0:
		return false
	case isLiteral(parts):
		r.kind, r.text = byName, text(parts)
	case parts[0].kind == star && isLiteral(parts[1:]):
		r.kind, r.text = bySuffix, text(parts[1:])
	default:
		r.kind, r.parts, r.text = byGlob, parts, needle(parts)
	}
	return true
}

// cutDirectory divides the parts of a path after the last slash, if they are literal before it and match one component
// after it. git does not clean a pattern: "a//b" matches nothing, because no directory has the path "a/"; nor does a
// pattern that begins with a slash.
func cutDirectory(parts []part) (dir string, name []part, ok bool) {
	slash := -1
	for i, p := range parts {
		if p.kind == literal && p.char == '/' {
			slash = i
		}
	}
	name = parts[slash+1:]
	if slash == 0 || crosses(name) {
		return "", nil, false
	}
	if slash > 0 {
		if !isLiteral(parts[:slash]) {
			return "", nil, false
		}
		dir = text(parts[:slash])
	}
	return dir, name, true
}

// crosses reports whether a match of the parts may contain a slash.
func crosses(parts []part) bool {
	return slices.ContainsFunc(parts, func(p part) bool {
		return p.kind >= directories || p.kind == literal && p.char == '/'
	})
}

func isLiteral(parts []part) bool {
	return !slices.ContainsFunc(parts, func(p part) bool { return p.kind != literal })
}

func text(parts []part) string {
	b := make([]byte, len(parts))
	for i, p := range parts {
		b[i] = p.char
	}
	return string(b)
}

// maxParts bounds the memory for a line of a hostile ignore file. It is twice the longest path of any system, the
// 32767 characters of Windows; nearly every part matches at least one byte.
const maxParts = 1 << 16

// split divides a pattern into parts. It returns false for one that git never matches, because a class is not closed,
// or a backslash is at the end.
func split(pattern string, wholePath, fold bool) ([]part, bool) {
	parts := make([]part, 0, min(len(pattern), 64))
	for i := 0; i < len(pattern); {
		if len(parts) > maxParts {
			return nil, false
		}
		c := pattern[i]
		switch c {
		case '*':
			end := i + 1
			for end < len(pattern) && pattern[end] == '*' {
				end++
			}
			var p part
			p, i = stars(pattern, i, end, wholePath)
			// "**/**/" says no more than "**/", and "*?*" no more than "?*".
			if n := len(parts); p.kind == everything || n == 0 || parts[n-1].kind != p.kind {
				parts = append(parts, p)
			}
			continue
		case '?':
			parts = append(parts, part{kind: anyChar})
			if n := len(parts); n > 1 && parts[n-2].kind == star {
				parts[n-2], parts[n-1] = parts[n-1], parts[n-2]
			}
		case '[':
			set, n := parseClass(pattern[i:], fold)
			if n == 0 || set.empty() {
				return nil, false
			}
			parts = append(parts, part{kind: class, set: set})
			i += n
			continue
		case '\\':
			i++
			if i == len(pattern) {
				return nil, false
			}
			// Not in lower case: if case is ignored, git folds the name but no quoted letter, and "\A" matches
			// nothing.
			parts = append(parts, part{char: pattern[i]})
		default:
			if fold && isUpper(c) {
				c += 'a' - 'A'
			}
			parts = append(parts, part{char: c})
		}
		i++
	}
	return parts, true
}

// stars reads the asterisks pattern[start:end] and says where to continue. Two or more that are a component of their
// own cross directories; others count as one asterisk.
func stars(pattern string, start, end int, wholePath bool) (part, int) {
	if !wholePath || end-start < 2 || start > 0 && pattern[start-1] != '/' {
		return part{kind: star}, end
	}
	switch after := pattern[end:]; {
	case after == "", strings.HasPrefix(after, `\/`):
		// Before a quoted slash, git does not allow zero directories: "a/**\/b" does not match a/b.
		return part{kind: everything}, end
	case after[0] == '/':
		return part{kind: directories}, end + 1
	}
	return part{kind: star}, end
}
