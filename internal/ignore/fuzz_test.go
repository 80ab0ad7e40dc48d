package ignore

import (
	"strings"
	"testing"
)

// FuzzRules holds a file of rules against a second implementation that shares
// nothing with it but the reading of patterns: no maps, no literal tests, every way
// to divide a path, one rule after the other.
func FuzzRules(f *testing.F) {
	for _, idiom := range idioms {
		f.Add(idiom+"\n!a*\n*.o/", "a/b/c.o", false)
	}
	f.Add("a[!b-\\]]?\r\n!/x\\ \n**/é*/**\n", "x/\xff/a c", true)
	f.Fuzz(func(t *testing.T, content, path string, fold bool) {
		if len(content) > 200 || len(path) > 40 || strings.ContainsRune(path, 0) {
			t.Skip()
		}
		for name := range strings.SplitSeq(path, "/") {
			if name == "" || lower(name) == ".git" {
				t.Skip()
			}
		}
		for _, isDir := range []bool{false, true} {
			got := ask(dirOf(content, fold), path, isDir)
			want := false
			for line := range strings.SplitSeq(strings.TrimPrefix(content, "\xef\xbb\xbf"), "\n") {
				if matched, negated := lineMatches(line, path, isDir, fold); matched {
					want = !negated
				}
			}
			if got != want {
				t.Errorf("%q, %q (directory %v, fold %v): %v, one by one %v", content, path, isDir, fold, got, want)
			}
		}
		// Whatever the name, there is a pattern for it.
		quoted := quote(path)
		if !fold && !ask(dirOf(content+"\n/"+quoted, false), path, false) {
			t.Errorf("%q does not match what it quotes", quoted)
		}
	})
}

// ask asks for a path from the root; what is above it is not ignored.
func ask(d *Dir, path string, isDir bool) bool {
	components := strings.Split(path, "/")
	for i, name := range components {
		if i == len(components)-1 {
			return d.Ignored(name, isDir)
		}
		d = d.Enter(name, nil, false)
	}
	return false
}

func quote(path string) string {
	var b strings.Builder
	for i := range len(path) {
		if path[i] == '\n' || path[i] == '\r' {
			b.WriteByte('?') // no line can hold the one, or end in the other
			continue
		}
		if path[i] != '/' {
			b.WriteByte('\\')
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// lineMatches is the plain reading of one line.
func lineMatches(line, path string, isDir, fold bool) (matched, negated bool) {
	if strings.HasPrefix(line, "#") {
		return false, false
	}
	line = strings.TrimSuffix(line, "\r")
	line, _, _ = strings.Cut(line, "\x00")
	line = trimSpaces(line)
	line, negated = strings.CutPrefix(line, "!")
	line, dirOnly := strings.CutSuffix(line, "/")
	if dirOnly && !isDir {
		return false, negated
	}
	byPath := strings.Contains(line, "/")
	if !byPath {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	if fold {
		path = lower(path)
	}
	parts, ok := split(strings.TrimPrefix(line, "/"), byPath, fold)
	return ok && partsMatch(parts, path), negated
}

// partsMatch tries every way to divide s among the parts.
func partsMatch(parts []part, s string) bool {
	if len(parts) == 0 {
		return s == ""
	}
	p, rest := parts[0], parts[1:]
	switch p.kind {
	case star, everything:
		for i := 0; ; i++ {
			if partsMatch(rest, s[i:]) {
				return true
			}
			if i == len(s) || p.kind == star && s[i] == '/' {
				return false
			}
		}
	case directories:
		for {
			if partsMatch(rest, s) {
				return true
			}
			i := strings.IndexByte(s, '/')
			if i < 0 {
				return false
			}
			s = s[i+1:]
		}
	}
	if s == "" {
		return false
	}
	switch p.kind {
	case literal:
		return s[0] == p.char && partsMatch(rest, s[1:])
	case class:
		return p.set.has(s[0]) && partsMatch(rest, s[1:])
	}
	return s[0] != '/' && partsMatch(rest, s[1:])
}
