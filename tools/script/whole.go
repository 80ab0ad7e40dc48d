package script

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/internal/nearest"
	"github.com/spillway-go/spillway/internal/quote"
)

// fence is a code block of Markdown that is all of the code.
var fence = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?s)^\\s*```[a-zA-Z]*[ \t]*\n(.*?)\n?[ \t]*```\\s*$")
})

// unfenced returns the code without the fence around it.
func unfenced(code string) string {
	if m := fence().FindStringSubmatch(code); m != nil && !strings.Contains(m[1], "\n```") {
		return m[1]
	}
	return code
}

// wholeFunction is how code begins that may be one function, or a call of one.
var wholeFunction = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\s|//[^\n]*\n|/\*(?s:.*?)\*/)*(?:async\b|function\b|\(|\w+\s*=>)`)
})

// callable returns the names of the tools that a script may call.
func (r *run) callable() []string {
	list := []string{}
	for _, t := range r.view.Tools() {
		if t.Name() != Name {
			list = append(list, t.Name())
		}
	}
	return list
}

// maxNames is how many names of tools an error has.
const maxNames = 20

// missing returns the error for a name that no tool has.
func (r *run) missing(name string) string {
	list := r.callable()
	near := nearest.Among(list, name, 2, 1)
	if len(near) > 0 {
		near[0] = " Did you mean tools." + near[0] + "?"
	}
	more := ""
	if len(list) > maxNames {
		list, more = list[:maxNames], fmt.Sprintf(" and %d more", len(list)-maxNames)
	}
	return fmt.Sprintf("there is no tool %s.%s There are %s%s", quote.Short(quote.Inline(name), maxLine),
		strings.Join(near, ""), strings.Join(list, ", "), more)
}
