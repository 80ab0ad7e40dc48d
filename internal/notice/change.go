package notice

import (
	"fmt"
)

// ChangesNotShown says that a change of so many lines is not shown at all.
func ChangesNotShown(most int) Notice {
	return Notice(fmt.Sprintf("What has changed is not shown: it spans over %d lines", most))
}

// ChangesCut says that of what was changed only the first lines are shown, and how to see the
// rest, if there is the tool for that.
func ChangesCut(shown, total int, read bool) Notice {
	cut := Notice(fmt.Sprintf("Showing the first %d of %d lines of changes", shown, total))
	if read {
		return cut + ". Use read to see the file as it is now"
	}
	return cut
}
