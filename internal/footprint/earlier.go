package footprint

import (
	"cmp"
	"slices"

	"github.com/spillway-go/spillway/internal/commandline"
	"github.com/spillway-go/spillway/internal/quote"
	"github.com/spillway-go/spillway/internal/session"
)

// Redefined marks the commands of a line that may instead be functions or aliases of an earlier command. What these do
// here is not known from the line.
func Redefined(line *commandline.Line, earlier session.Names) {
	may := " may be what an earlier command has defined"
	if earlier.Setup {
		may = " may be what Bash.Setup or an earlier command has defined"
	}
	for _, name := range earlier.Functions {
		if slices.Contains(unnamed, name) {
			line.Unknown = cmp.Or(line.Unknown, name+may)
		}
	}
	for i := range line.Commands {
		c := &line.Commands[i]
		for _, words := range append(slices.Clone(c.Through), c.Words) {
			for j, w := range words {
				if j == 0 && slices.Contains(earlier.Functions, w.Text) || slices.Contains(earlier.Aliases, w.Text) {
					c.Unknown = cmp.Or(c.Unknown, quote.Value(w.Text)+may)
				}
			}
		}
	}
}

// unnamed are the functions that a line may call although no command of it has that name: commandline reports some by
// what they do, and bash calls one for a program that does not exist.
var unnamed = []string{
	"command_not_found_handle", "declare", "export", "let", "local", "nameref", "readonly", "typeset",
}
