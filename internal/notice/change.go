package notice

import "fmt"

// ChangesNotShown says that a change that spans over most lines is not shown, and how to see it if there is the tool
// read.
func ChangesNotShown(most int, read bool) Notice {
	return seeFile(fmt.Sprintf("What has changed is not shown: it spans over %d lines", most), read)
}

// ChangesCut says that only the first lines of a change are shown, and how to see the rest if there is the tool read.
func ChangesCut(shown, total int, read bool) Notice {
	return seeFile(fmt.Sprintf("Showing the first %d of %d lines of changes", shown, total), read)
}

func seeFile(said string, read bool) Notice {
	if read {
		said += ". Use read to see the file as it is now"
	}
	return Notice(said)
}

// Unread says that lines of a file were replaced before all of it had been read, and where they are
// kept: "" says that they are not.
func Unread(lines int, kept string, read bool) Notice {
	said := fmt.Sprintf("Not all of the file had been read, and %s of it %s gone. ",
		Count(lines, "line"), pluralOf(lines, "is", "are"))
	switch {
	case kept == "":
		return Notice(said + "No copy was kept")
	case read:
		return Notice(said + "Use read path=" + kept + " to see what it held")
	}
	return Notice(said + "What it held is in " + kept)
}
