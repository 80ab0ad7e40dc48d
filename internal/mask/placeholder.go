package mask

import "strings"

const (
	// Opening begins every placeholder of at least eight bytes.
	Opening = "[redact"
	short   = "[redact]"
	// Medium is the placeholder that names no kind.
	Medium = "[redacted]"
	long   = "[redacted: "
)

// MaxPlaceholder is the length of the longest placeholder.
const MaxPlaceholder = 64

func FullLength(kind string) int { return len(long) + len(kind) + len("]") }

// Placeholder returns the longest placeholder that fits into n bytes, or asterisks.
func Placeholder(kind string, n int) string {
	switch {
	case n >= FullLength(kind):
		return long + kind + "]"
	case n >= len(Medium):
		return Medium
	case n >= len(short):
		return short
	}
	return strings.Repeat("*", n)
}

func placeholderLength(text string) int {
	switch {
	case strings.HasPrefix(text, short):
		return len(short)
	case strings.HasPrefix(text, Medium):
		return len(Medium)
	case strings.HasPrefix(text, long):
		if i := strings.IndexAny(text, "]\n"); i > len(long) && text[i] == ']' {
			return i + 1
		}
	}
	return 0
}
