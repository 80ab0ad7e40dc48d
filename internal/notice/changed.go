package notice

import (
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/size"
)

// FilesChanged describes the changes of a command in the workspace.
type FilesChanged struct {
	Named  []ChangedFile // the first files
	Count  int           // number of all files
	All    Saved         // a file that lists all, if Named does not
	Shared bool          // other calls ran at the time and may have made the changes
}

type ChangedFile struct {
	Name           string // quoted if needed; the name of a directory ends in a slash
	Was            string // its former path if it was renamed; else ""
	Created        bool
	Removed        bool
	Within         int    // files created or removed in a directory
	Added, Lost    int    // lines of a text
	Content        bool   // it is a different file; without Added and Lost, the difference is unknown
	Mode           string // new permissions in octal, if they changed
	Link           string // the new target of a link, if it changed; quoted if needed
	BecameFromKind string // what it was before, if something else: "a directory"
}

func (f ChangedFile) String() string {
	var said []string
	say := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	switch {
	case f.Created:
		say("new")
	case f.Removed:
		say("removed")
	case f.Was != "":
		say("renamed from %s", f.Was)
	case f.BecameFromKind != "":
		say("was %s", f.BecameFromKind)
	}
	if f.Within > 0 {
		say("%s", Count(f.Within, "file"))
	}
	switch {
	case f.Created || f.Removed:
	case f.Added+f.Lost > 0:
		said = append(said, counted(f.Added, f.Lost))
	case f.Content:
		say("changed")
	}
	if f.Link != "" {
		say("link to %s", f.Link)
	}
	if f.Mode != "" {
		say("mode %s", f.Mode)
	}
	return f.Name + " (" + strings.Join(said, ", ") + ")"
}

// counted formats line counts as diffs do: "+4 -1".
func counted(added, lost int) string {
	switch {
	case lost == 0:
		return fmt.Sprintf("+%d", added)
	case added == 0:
		return fmt.Sprintf("-%d", lost)
	}
	return fmt.Sprintf("+%d -%d", added, lost)
}

func (c FilesChanged) Notice() Notice {
	if c.Count == 0 {
		return ""
	}
	names := make([]string, len(c.Named))
	for i, f := range c.Named {
		names[i] = f.String()
	}
	said := "Changed " + Count(c.Count, "file")
	if c.Shared {
		said = fmt.Sprintf("%s changed, by this or by what ran at the same time", Count(c.Count, "file"))
	}
	said += ": " + strings.Join(names, ", ")
	switch {
	case c.All.Path != "":
		said += "; all are listed in " + c.All.Path
	case c.All.Err != nil:
		said += fmt.Sprintf("; the others could not be listed (%v): compare with git status", c.All.Err)
	}
	return Notice(said)
}

func ChangesUnknown(why string) Notice {
	return Notice("It is not known what this command changed: " + why)
}

// NotCovered is what a rewind cannot put back.
type NotCovered struct {
	Large, Special, Unreadable int
	First                      string // the first of these; quoted if need be
	MaxFileBytes, MaxBytes     int64  // the limits that Large files exceed
	Ignored                    bool   // what git ignores
}

// Line returns a line for a person. It is empty if everything is covered.
func (n NotCovered) Line() string {
	var said []string
	add := func(count int, one, many, what string) {
		if count > 0 {
			said = append(said, fmt.Sprint(count, " ", pluralOf(count, one, many), what))
		}
	}
	add(n.Large, "file", "files", fmt.Sprintf(" over %s, or without room in %s (Checkpoint.MaxFileBytes, Checkpoint.MaxBytes)",
		size.Format(n.MaxFileBytes), size.Format(n.MaxBytes)))
	add(n.Special, "device, FIFO or socket", "devices, FIFOs and sockets", "")
	add(n.Unreadable, "file or directory", "files and directories", " without the right to read")
	if len(said) > 0 {
		said[len(said)-1] += ", such as " + n.First
	}
	if n.Ignored {
		said = append([]string{"what git ignores (Checkpoint.Ignored)"}, said...)
	}
	if len(said) == 0 {
		return ""
	}
	return "Not covered: " + strings.Join(said, ", ")
}
