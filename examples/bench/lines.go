package main

import (
	"bytes"
	"path"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"
)

// pieces is how long a line is of which suites may show a part.
const pieces = 500

// content is a text that a suite shows in pieces, and what it has shown of it.
type content struct {
	lines []string
	at    map[string][]int // where a line stands
	shown []bool
	parts map[int][]span // of long lines
	last  int            // the line that was shown last, from 0; -1 before
	took  int            // lines that the last result showed
}

type span struct{ from, to int }

func newContent(data []byte) *content {
	c := &content{lines: strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), at: map[string][]int{},
		parts: map[int][]span{}, last: -1}
	c.shown = make([]bool, len(c.lines))
	for i, line := range c.lines {
		c.at[line] = append(c.at[line], i)
		if len(line) > pieces {
			c.parts[i] = nil
		}
	}
	return c
}

// numbered is what suites put before a line: its number, and something that is not in the text.
var numbered = regexp.MustCompile(`^\s*L?\d+(?:: ?|\t|→| ?\| ?|  ?)`)

// take notes what a result shows. What is not of the content is what the suite says.
func (c *content) take(text string) (said []string) {
	c.took = 0
	for line := range strings.SplitSeq(text, "\n") {
		at := numbered.FindString(line)
		if c.note(line) || at != "" && c.note(line[len(at):]) {
			c.took++
		} else {
			said = append(said, line)
		}
	}
	return said
}

// note notes a line, if it is of the content: the next one with that text, or else the first.
func (c *content) note(line string) bool {
	list := c.at[line]
	if list == nil {
		return c.notePart(line)
	}
	next := sort.SearchInts(list, c.last+1)
	i := list[next%len(list)]
	if line == "" && i != c.last+1 {
		return false // an empty line between the content and what is said
	}
	c.shown[i], c.last = true, i
	return true
}

// notePart notes a part of a long line.
func (c *content) notePart(text string) bool {
	for i := range c.parts {
		line := c.lines[i]
		n := sort.Search(len(text), func(n int) bool { return !strings.Contains(line, text[:n+1]) })
		if n < 40 {
			continue
		}
		from := strings.Index(line, text[:n])
		c.parts[i], c.last = append(c.parts[i], span{from, from + n}), i
		c.shown[i] = c.shown[i] || covered(c.parts[i], len(line))
		return true
	}
	return false
}

// covered reports whether spans are all of so many bytes.
func covered(list []span, size int) bool {
	sort.Slice(list, func(i, k int) bool { return list[i].from < list[k].from })
	end := 0
	for _, s := range list {
		if s.from > end {
			return false
		}
		end = max(end, s.to)
	}
	return end >= size
}

// missing is how many lines were not shown, and the first of them, from 1.
func (c *content) missing() (n, first int) {
	for i, shown := range c.shown {
		if !shown {
			if n++; n == 1 {
				first = i + 1
			}
		}
	}
	return n, first
}

// items is a set of words that a suite shows: paths, or names.
type items struct {
	want     map[string]bool
	found    map[string]bool
	below    string // where was searched: some suites show paths from there on
	prefixes []string
}

func newItems(list []string, below string, prefixes ...string) *items {
	s := &items{want: map[string]bool{}, found: map[string]bool{}, below: below, prefixes: prefixes}
	for _, item := range list {
		s.want[item] = true
	}
	return s
}

// word is what a path may be of: whatever else a suite puts around it is none.
var word = regexp.MustCompile(`[\p{L}\p{N}_./+~@%=#-]+`)

// take notes which words a text has.
func (s *items) take(text string) (said []string) {
	for line := range strings.SplitSeq(text, "\n") {
		any := false
		for _, w := range append(word.FindAllString(line, -1), strings.TrimSpace(line)) {
			if s.has(w) {
				any = true
			}
		}
		if !any {
			said = append(said, line)
		}
	}
	return said
}

// list notes which items a text lists: alone on a line, but for two words such as a kind, or with "the mark of" before
// it, as the line has that a search shows. A sentence that names what was left out does not list it.
func (s *items) list(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		words := word.FindAllString(line, -1)
		_, marked, isMark := strings.Cut(line, "the mark of ")
		switch {
		case isMark:
			s.has(strings.TrimSpace(marked))
		case len(words) <= 3:
			for _, w := range append(words, strings.TrimSpace(line)) {
				s.has(w)
			}
		}
	}
}

func (s *items) has(w string) bool {
	for _, prefix := range s.prefixes {
		w = strings.TrimPrefix(w, prefix)
	}
	w = strings.TrimPrefix(w, "./")
	if !s.want[w] {
		w = path.Join(s.below, w)
	}
	if s.want[w] {
		s.found[w] = true
	}
	return s.want[w]
}

// sound reports whether a text is UTF-8, without a character in the place of a broken one.
func sound(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsRune(text, utf8.RuneError) && !bytes.ContainsRune([]byte(text), 0)
}
