package glob

import (
	"fmt"
	"iter"
)

// room is what the braces of globs may still expand to.
type room struct{ patterns, bytes int }

// expand appends the expansions of a valid pattern, each behind prefix. It stops when there is no more room.
func (r *room) expand(list []string, prefix, pattern string) []string {
	first, ends := braces(pattern)
	if ends == nil {
		r.patterns--
		r.bytes -= len(prefix) + len(pattern)
		return append(list, prefix+pattern)
	}
	start, rest := first+1, pattern[ends[len(ends)-1]+1:]
	for _, end := range ends {
		if r.patterns >= 0 && r.bytes >= 0 {
			list = r.expand(list, prefix+pattern[:first], pattern[start:end]+rest)
		}
		start = end + 1
	}
	return list
}

// marks yields the braces and commas of a pattern that are neither escaped nor in a class. It also yields a bracket
// that opens a class without an end, and a backslash at the end.
func marks(pattern string) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		closed := true // false once a class has no end, because then no later one has
		for i := 0; i < len(pattern); i++ {
			c := pattern[i]
			switch c {
			case '\\':
				if i++; i < len(pattern) {
					continue
				}
			case '[':
				if closed {
					end := classEnd(pattern, i)
					if closed = end >= 0; closed {
						i = end
						continue
					}
				}
			case '{', ',', '}':
			default:
				continue
			}
			if !yield(i, c) {
				return
			}
		}
	}
}

// classEnd returns where the class that begins at start ends, or -1. A bracket directly behind the first one does not
// end it.
func classEnd(pattern string, start int) int {
	for i := start + 1; i < len(pattern); i++ {
		switch {
		case pattern[i] == '\\':
			i++
		case pattern[i] == ']' && i > start+1:
			return i
		}
	}
	return -1
}

// braces finds the first braces of a valid pattern, and where each of their alternatives ends. Without braces there
// are no ends.
func braces(pattern string) (first int, ends []int) {
	depth := 0
	for i, c := range marks(pattern) {
		switch {
		case c == '{':
			if depth++; depth == 1 {
				first = i
			}
		case c == ',' && depth == 1:
			ends = append(ends, i)
		case c == '}':
			if depth--; depth == 0 {
				return first, append(ends, i)
			}
		}
	}
	return 0, nil
}

// fault says why a pattern is invalid.
func fault(pattern string) string {
	var open []int
	for i, c := range marks(pattern) {
		switch {
		case c == '\\':
			return "it ends in a backslash, which escapes nothing"
		case c == '[':
			return fmt.Sprintf("the [ at character %d is not closed", i+1)
		case c == '{':
			open = append(open, i)
		case c == '}' && len(open) == 0:
			return fmt.Sprintf("the } at character %d closes nothing", i+1)
		case c == '}':
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("the { at character %d is not closed", open[0]+1)
	}
	return "a class in it is malformed"
}
