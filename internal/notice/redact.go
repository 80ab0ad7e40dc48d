package notice

import (
	"fmt"
	"strings"
)

const maxKinds = 5

// Redacted says that placeholders replace count secrets of these kinds. It is empty if count is 0.
func Redacted(count int, kinds []string) Notice {
	if count == 0 {
		return ""
	}
	listed := kinds[:min(len(kinds), maxKinds)]
	more := ""
	if len(kinds) > len(listed) {
		more = ", ..."
	}
	return Notice(fmt.Sprintf("%s %s redacted (%s%s)", Count(count, "secret"), pluralOf(count, "was", "were"),
		strings.Join(listed, ", "), more))
}

// NotSearched goes with an empty result of a search.
const NotSearched Notice = "Patterns do not match inside redacted secrets"
