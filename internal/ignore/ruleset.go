package ignore

import (
	"bytes"
	"context"
	"iter"
	"strings"
)

// kind is how a rule recognises an entry.
type kind uint8

const (
	byName   kind = iota // the name is text
	bySuffix             // the name ends in text
	under                // the entry is somewhere below the directory text
	byGlob               // a pattern that needs matching
)

// rule is one line of an ignore file.
type rule struct {
	kind    kind
	negated bool
	dirOnly bool

	// anchored restricts the rule to entries of the directory dir, relative
	// to that of the file: "/a" and "lib/*.o" are of this kind, and so is every
	// pattern with slashes whose directories are spelled out.
	anchored bool
	dir      string

	text string
	glob *glob

	// before is the preceding rule with the same key in the same map, or -1.
	before int32
}

// ruleSet is the rules of one file, arranged so that those which cannot match
// are not looked at. Rules are known by their index, which is their order.
type ruleSet struct {
	rules []rule

	// names and extensions give the last rule for a key: the name, or what
	// follows the last dot of a suffix, that dot included.
	names, extensions map[string]int32

	// rest is what no map can hold, in order: globs, suffixes without a dot,
	// everything below a directory.
	rest []int32
}

// parseRules reads an ignore file. fold says that the case of ASCII letters
// does not matter; names must then be given in lower case. Once ctx has ended, no
// further lines are read.
func parseRules(ctx context.Context, content []byte, fold bool) *ruleSet {
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	s, text := new(ruleSet), string(content)
	var last map[string]int
	if len(text) > fewBytes {
		last = lastLines(ctx, text)
	}
	n := 0
	for line := range lines(ctx, text) {
		if last == nil || last[strings.TrimPrefix(line, "!")] == n {
			s.addLine(line, fold)
		}
		n++
	}
	return s
}

// bytesBetween is the number of bytes of lines after which the context is asked. Made of
// classes they take a millisecond or two.
const bytesBetween = 4 << 10

// lines returns the lines of text, until ctx has ended.
func lines(ctx context.Context, text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		at, ask := 0, 0
		for line := range strings.SplitSeq(text, "\n") {
			if at >= ask {
				if ctx.Err() != nil {
					return
				}
				ask = at + bytesBetween
			}
			at += len(line) + 1
			if !yield(line) {
				return
			}
		}
	}
}

// fewBytes is the size up to which a file is not searched for lines that are in it
// twice. Those of people are smaller.
const fewBytes = 16 << 10

// lastLines returns the number of the last line with a pattern. The earlier ones
// decide nothing: what they match, the last one matches too.
func lastLines(ctx context.Context, text string) map[string]int {
	last, n := map[string]int{}, 0
	for line := range lines(ctx, text) {
		if !strings.HasPrefix(line, "#") {
			last[strings.TrimPrefix(line, "!")] = n
		}
		n++
	}
	return last
}

// addLine reads one line, without its line feed.
func (s *ruleSet) addLine(line string, fold bool) {
	if strings.HasPrefix(line, "#") {
		return
	}
	// Before the NUL is looked for: a return in front of one belongs to the
	// pattern.
	line = strings.TrimSuffix(line, "\r")
	line, _, _ = strings.Cut(line, "\x00")
	line = trimSpaces(line)

	var r rule
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	byPath := strings.Contains(line, "/")
	if anchored, ok := strings.CutPrefix(line, "/"); ok {
		line = anchored
	}
	if line == "" || !r.compile(line, byPath, fold) {
		return
	}
	s.insert(r)
}

// trimSpaces removes the spaces at the end of a line, but not one that a
// backslash quotes. Tabs stay.
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
	index := int32(len(s.rules))
	r.before = -1
	switch {
	case r.kind == byName:
		r.before = link(&s.names, r.text, index)
	case r.kind == bySuffix && strings.Contains(r.text, "."):
		r.before = link(&s.extensions, extension(r.text), index)
	default:
		s.rest = append(s.rest, index)
	}
	s.rules = append(s.rules, r)
}

// link makes index the last rule for key and returns the one before it, or -1.
func link(m *map[string]int32, key string, index int32) int32 {
	if *m == nil {
		*m = make(map[string]int32)
	}
	before, ok := (*m)[key]
	(*m)[key] = index
	if !ok {
		return -1
	}
	return before
}

// extension returns the part of name from its last dot on. A name that ends in a
// suffix with a dot has the extension of that suffix.
func extension(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[i:]
	}
	return ""
}

// last returns the last rule that matches c, nil if none does.
func (s *ruleSet) last(c *candidate) *rule {
	best := int32(-1)
	if i, ok := s.names[c.name]; ok {
		best = s.follow(i, best, c)
	}
	if i, ok := s.extensions[extension(c.name)]; ok {
		best = s.follow(i, best, c)
	}
	for k := len(s.rest) - 1; k >= 0 && s.rest[k] > best; k-- {
		if s.rules[s.rest[k]].matches(c) {
			best = s.rest[k]
			break
		}
	}
	if best < 0 {
		return nil
	}
	return &s.rules[best]
}

// follow looks from rule i backwards through those of the same key for one
// that matches, as long as they come after best.
func (s *ruleSet) follow(i, best int32, c *candidate) int32 {
	for ; i > best; i = s.rules[i].before {
		if s.rules[i].matches(c) {
			return i
		}
	}
	return best
}

func (r *rule) matches(c *candidate) bool {
	if r.dirOnly && !c.isDir {
		return false
	}
	if r.anchored && c.directory() != r.dir {
		return false
	}
	switch r.kind {
	case byName:
		return true // the map has compared it
	case bySuffix:
		return strings.HasSuffix(c.name, r.text)
	case under:
		dir, ok := strings.CutPrefix(c.directory(), r.text)
		return ok && (dir == "" || r.text == "" || dir[0] == '/')
	}
	return r.glob.matches(c)
}

// candidate is an entry for which the rules are asked, seen from the directory
// of one ignore file. The paths are built when the first rule needs them.
type candidate struct {
	at    *Dir
	name  string
	isDir bool

	base    int
	haveDir bool
	dir     string
	path    string
}

// enter turns to the rules of another file.
func (c *candidate) enter(l *layer) {
	c.base, c.haveDir, c.dir, c.path = l.base, false, "", ""
}

// directory returns the path of the directory that holds the entry, relative to
// that of the ignore file; "" if they are the same.
func (c *candidate) directory() string {
	if !c.haveDir {
		c.haveDir = true
		if c.at.length > c.base {
			c.dir = c.at.relative()[c.base:]
		}
	}
	return c.dir
}

// relative returns the path of the entry relative to the directory of the ignore
// file.
func (c *candidate) relative() string {
	if c.path == "" {
		c.path = c.name
		if dir := c.directory(); dir != "" {
			c.path = dir + "/" + c.name
		}
	}
	return c.path
}
