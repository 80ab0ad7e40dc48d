package notice

import (
	"fmt"
	"strings"
)

// maxKinds is how many kinds of secrets a notice names.
const maxKinds = 5

// Redacted says that a text has placeholders in place of so many secrets, of these kinds. It is empty if there are none.
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

// NotSearched says, where nothing was found, that secrets were not searched.
const NotSearched Notice = "Redacted secrets are not searched"
