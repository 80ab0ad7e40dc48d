package ignore

import (
	"bytes"
	"context"
	"strings"
)

// kind is how a rule recognizes an entry.
type kind uint8

const (
	byName   kind = iota // the name is text
	bySuffix             // the name ends in text
	byGlob               // parts match the name, which holds text
	byPath               // parts match the path, whose name holds text
)

// rule is one line of an ignore file.
type rule struct {
	kind    kind
	negated bool
	dirOnly bool

	// anchored restricts the rule to entries of the directory dir, relative to that of the file, as for "/a",
	// "lib/*.o", and every other pattern with slashes whose directories are literal.
	anchored bool
	dir      string

	text  string
	parts []part

	before int32 // the preceding rule with the same key, or -1
}

// ruleSet is the rules of one file, arranged so that most rules that cannot match are skipped. A rule's index is its
// order in the file.
type ruleSet struct {
	rules []rule

	// keyed gives the last rule for a key: the name, or the end of a suffix from its last dot on.
	keyed map[string]int32

	rest []int32 // in order, rules without a key: globs, and suffixes without a dot
}

// parseRules reads an ignore file. fold says that the case of ASCII letters does not matter; names must then be given
// in lower case. Once ctx has ended, no further lines are read.
func parseRules(ctx context.Context, content []byte, fold bool) *ruleSet {
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	s := &ruleSet{keyed: map[string]int32{}}
	for line := range strings.SplitSeq(string(content), "\n") {
		if ctx.Err() != nil {
			break
		}
		s.addLine(line, fold)
	}
	return s
}

// addLine reads one line, without its line feed.
func (s *ruleSet) addLine(line string, fold bool) {
	if strings.HasPrefix(line, "#") {
		return
	}
	// Before looking for the NUL, because a carriage return before a NUL belongs to the pattern.
	line = strings.TrimSuffix(line, "\r")
	line, _, _ = strings.Cut(line, "\x00")
	line = trimSpaces(line)

	var r rule
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	wholePath := strings.Contains(line, "/")
	if r.compile(strings.TrimPrefix(line, "/"), wholePath, fold) {
		s.insert(r)
	}
}

// trimSpaces removes the spaces at the end of a line, except one quoted by a backslash. Tabs stay.
func trimSpaces(line string) string {
	trimmed := strings.TrimRight(line, " ")
	if len(trimmed) == len(line) {
		return line
	}
	backslashes := len(trimmed) - len(strings.TrimRight(trimmed, `\`))
	if backslashes%2 == 1 {
		return line[:len(trimmed)+1]
	}
	return trimmed
}

func (s *ruleSet) insert(r rule) {
	index, key := int32(len(s.rules)), ""
	switch r.kind {
	case byName:
		key = r.text
	case bySuffix:
		key = extension(r.text)
	}
	r.before = -1
	if key == "" {
		s.rest = append(s.rest, index)
	} else {
		if before, ok := s.keyed[key]; ok {
			r.before = before
		}
		s.keyed[key] = index
	}
	s.rules = append(s.rules, r)
}

func extension(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[i:]
	}
	return ""
}

// last returns the last rule that matches c, or nil.
func (s *ruleSet) last(c *candidate) *rule {
	best := s.follow(c.name, -1, c)
	best = s.follow(extension(c.name), best, c)
	for k := len(s.rest) - 1; k >= 0 && s.rest[k] > best; k-- {
		if s.rules[s.rest[k]].matches(c) {
			best = s.rest[k]
		}
	}
	if best < 0 {
		return nil
	}
	return &s.rules[best]
}

// follow returns the last matching rule with the key, or best if that comes later.
func (s *ruleSet) follow(key string, best int32, c *candidate) int32 {
	i, ok := s.keyed[key]
	for ; ok && i > best; i = s.rules[i].before {
		if s.rules[i].matches(c) {
			return i
		}
	}
	return best
}

func (r *rule) matches(c *candidate) bool {
	switch {
	case r.dirOnly && !c.isDir, r.anchored && c.directory() != r.dir:
		return false
	case r.kind == byName:
		return c.name == r.text
	case r.kind == bySuffix:
		return strings.HasSuffix(c.name, r.text)
	case !strings.Contains(c.name, r.text): // most names
		return false
	case c.at.tree.ctx.Err() != nil: // matching may take long, and there may be many such rules
		return false
	case r.kind == byPath:
		return match(r.parts, c.relative())
	}
	return match(r.parts, c.name)
}

// candidate is an entry that rules are asked about.
type candidate struct {
	at    *Dir
	name  string
	isDir bool

	base int    // where, in a path, the part relative to the rules' own directory begins
	path string // relative to the root; built when the first rule needs it
}

// directory returns the path of the entry's directory, relative to that of the ignore file; "" if they are the same.
func (c *candidate) directory() string {
	if c.at.length <= c.base {
		return ""
	}
	return c.at.relative()[c.base:]
}

// relative returns the path of the entry relative to the directory of the ignore
// file.
func (c *candidate) relative() string {
	if c.path == "" {
		c.path = c.name
		if dir := c.at.relative(); dir != "" {
			c.path = dir + "/" + c.name
		}
	}
	return c.path[c.base:]
}
