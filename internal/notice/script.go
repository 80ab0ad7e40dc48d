package notice

import "fmt"

// SkippedBy says what the searches of a script left out together. It is empty if that is nothing.
func SkippedBy(searches int, s Skipped) Notice {
	var said []string
	for _, left := range []struct {
		n         int
		one, many string
	}{
		{s.Large, "large file", "large files"},
		{s.Binary, "binary file", "binary files"},
		{s.NotUTF8, "non-UTF-8 file", "non-UTF-8 files"},
		{s.Refused, "file that rules do not let you read", "files that rules do not let you read"},
		{s.Unreadable, "unreadable entry", "unreadable entries"},
		{s.Hidden, "hidden entry", "hidden entries"},
		{s.Ignored, "ignored entry", "ignored entries"},
	} {
		if left.n > 0 {
			said = append(said, fmt.Sprintf("%d %s", left.n, pluralOf(left.n, left.one, left.many)))
		}
	}
	if len(said) == 0 {
		return ""
	}
	by := "A search"
	if searches > 1 {
		by = fmt.Sprintf("%d searches together", searches)
	}
	return Notice(fmt.Sprintf("%s skipped %s. The field skipped of a result has its counts", by, enumerate(said)))
}
