package glob

import "fmt"

// expansion is how much of what braces stand for there is room for.
type expansion struct{ patterns, bytes int }

// expand lists the patterns without braces that a valid pattern stands for, or
// returns nil if there is no room for them.
func (x *expansion) expand(pattern string) []string {
	first, last, commas := braces(pattern)
	if first < 0 {
		return []string{pattern}
	}
	var inner, list []string
	start := first + 1
	for _, end := range append(commas, last) {
		more := x.expand(pattern[start:end])
		if inner = append(inner, more...); more == nil || len(inner) > x.patterns {
			return nil
		}
		start = end + 1
	}
	bytes := 0
	for _, rest := range x.expand(pattern[last+1:]) {
		for _, middle := range inner {
			p := pattern[:first] + middle + rest
			if bytes += len(p); bytes > x.bytes || len(list) == x.patterns {
				return nil
			}
			list = append(list, p)
		}
	}
	return list
}

// take takes the room of a list that expand gave, or says why it cannot.
func (x *expansion) take(list []string) (reason string) {
	if len(list) == 1 {
		return "" // as it is written, or shorter
	}
	for _, p := range list {
		x.patterns, x.bytes = x.patterns-1, x.bytes-len(p)
	}
	if list == nil || x.patterns < 0 || x.bytes < 0 {
		return fmt.Sprintf("its braces stand for more than %d patterns, or %d bytes", maxAlternatives, maxExpanded)
	}
	return ""
}

// braces finds the first braces of a pattern, and the commas that are directly in
// them. first is -1 if there are none.
func braces(pattern string) (first, last int, commas []int) {
	first = -1
	class, depth := -1, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case class >= 0:
			if c == ']' && i > class+1 {
				class = -1
			}
		case c == '[':
			class = i
		case c == '{':
			if depth++; depth == 1 {
				first = i
			}
		case c == ',' && depth == 1:
			commas = append(commas, i)
		case c == '}' && depth > 0:
			if depth--; depth == 0 {
				return first, i, commas
			}
		}
	}
	return -1, 0, nil
}

// fault says what is wrong with a pattern that is not valid.
func fault(pattern string) string {
	class, braces := -1, []int{}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			if i++; i == len(pattern) {
				return "it ends in a backslash, which escapes nothing"
			}
		case class >= 0:
			if c == ']' && i > class+1 {
				class = -1
			}
		case c == '[':
			class = i
		case c == '{':
			braces = append(braces, i)
		case c == '}':
			if len(braces) == 0 {
				return fmt.Sprintf("the } at character %d closes nothing", i+1)
			}
			braces = braces[:len(braces)-1]
		}
	}
	switch {
	case class >= 0:
		return fmt.Sprintf("the [ at character %d is not closed", class+1)
	case len(braces) > 0:
		return fmt.Sprintf("the { at character %d is not closed", braces[0]+1)
	}
	return "a class in it is malformed"
}
