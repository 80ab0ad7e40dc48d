package edit

import "bytes"

// automaton finds all places of a pattern in a sequence of items, including overlapping ones (Knuth, Morris and
// Pratt). It takes at most two steps an item.
type automaton[T comparable] struct {
	pattern []T
	border  []int32 // for each prefix of the pattern, the length of the longest shorter one that is also its suffix
	matched int
}

func newAutomaton[T comparable](pattern []T) *automaton[T] {
	a := &automaton[T]{pattern: pattern, border: make([]int32, len(pattern))}
	k := 0
	for i := 1; i < len(pattern); i++ {
		for k > 0 && pattern[i] != pattern[k] {
			k = int(a.border[k-1])
		}
		if pattern[i] == pattern[k] {
			k++
		}
		a.border[i] = int32(k)
	}
	return a
}

// next takes an item and reports whether it completes the pattern.
func (a *automaton[T]) next(item T) bool {
	if len(a.pattern) == 0 { // Old has one line, which was compared already
		return true
	}
	if a.matched == len(a.pattern) {
		a.matched = int(a.border[a.matched-1])
	}
	for a.matched > 0 && item != a.pattern[a.matched] {
		a.matched = int(a.border[a.matched-1])
	}
	if item == a.pattern[a.matched] {
		a.matched++
	}
	return a.matched == len(a.pattern)
}

// headLength is the length up to which bytes.Index is fast on any text.
const headLength = 32

// index calls found with each place of a pattern in a text, from left to right, until it returns false.
func index(text, pattern []byte, found func(at int) bool) {
	if len(pattern) <= headLength {
		for at := 0; len(pattern) > 0; at++ {
			next := bytes.Index(text[at:], pattern)
			if at += next; next < 0 || !found(at) {
				break
			}
		}
		return
	}
	a, head := newAutomaton(pattern), pattern[:headLength]
	for i := 0; i < len(text); i++ {
		if a.matched == 0 {
			skip := bytes.Index(text[i:], head)
			if skip < 0 {
				return
			}
			i += skip
		}
		if a.next(text[i]) && !found(i+1-len(pattern)) {
			return
		}
	}
}
