package truncation

import (
	"strings"
	"unicode/utf8"
)

// headEnd returns where the longest beginning of s that fits ends, and the limit hit there; "" if all of s fits.
func headEnd(s string, r room) (end int, by Reason) {
	bytes, chars := r.bytes, r.chars
	for {
		for len(s)-end >= 8 && bytes >= 8 && chars >= 8 && isASCII8(s[end:]) {
			end, bytes, chars = end+8, bytes-8, chars-8
		}
		for len(s)-end >= 8 && bytes >= 6 && chars >= 2 && twoOfThree(load(bytesOf(s[end:]))) {
			end, bytes, chars = end+6, bytes-6, chars-2
		}
		if end == len(s) {
			return end, ""
		}
		c, size := utf8.DecodeRuneInString(s[end:])
		switch bytes -= cost(c, size); {
		case bytes < 0:
			return end, ByBytes
		case chars == 0:
			return end, ByChars
		}
		end += size
		chars--
	}
}

func tailStart(s string, r room) int {
	start, _ := tailStartBy(s, r)
	return start
}

func tailStartBy(s string, r room) (start int, by Reason) {
	start, bytes, chars := len(s), r.bytes, r.chars
	for {
		for start >= 8 && bytes >= 8 && chars >= 8 && isASCII8(s[start-8:]) {
			start, bytes, chars = start-8, bytes-8, chars-8
		}
		for start >= 8 && bytes >= 6 && chars >= 2 && twoOfThree(load(bytesOf(s[start-8:]))>>16) {
			start, bytes, chars = start-6, bytes-6, chars-2
		}
		if start == 0 {
			return 0, ""
		}
		c, size := utf8.DecodeLastRuneInString(s[:start])
		switch bytes -= cost(c, size); {
		case bytes < 0:
			return start, ByBytes
		case chars == 0:
			return start, ByChars
		}
		start -= size
		chars--
	}
}

// cost returns the bytes that a character takes in the result, where an invalid byte becomes U+FFFD.
func cost(c rune, size int) int {
	if c == utf8.RuneError {
		return len(replacement)
	}
	return size
}

// cutTo returns the longest beginning of s that fits the room; it may end within a line.
func cutTo(s string, r room) string {
	end, _ := headEnd(s, r)
	s = s[:end]
	for n, i := 0, 0; ; n++ {
		if n == r.lines {
			return s[:i]
		}
		j := strings.IndexByte(s[i:], '\n')
		if j < 0 {
			return s
		}
		i += j + 1
	}
}

func linesOf(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && s[len(s)-1] != '\n' {
		n++
	}
	return n
}
