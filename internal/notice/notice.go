// Package notice has the wording of everything that tools say beside their output: notices, which say what was left
// out and how to get it, and lines that say what was done.
package notice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spillway-go/spillway/internal/size"
	"github.com/spillway-go/spillway/truncation"
)

// Allowance is the number of bytes by which a tool's notices may exceed its byte limit. The tools enforce it; the
// notices of this package are short enough.
const Allowance = 1024

// A Notice is a sentence without its full stop, or empty.
type Notice string

// Append appends the nonempty notices to text, in one bracket after a blank line.
func Append(text string, notices ...Notice) string {
	said := Join(notices...)
	if said == "" {
		return text
	}
	return Paragraph(text, "["+string(said)+"]")
}

// Join makes one notice of the nonempty ones.
func Join(notices ...Notice) Notice {
	var said []string
	for _, n := range notices {
		if n != "" {
			said = append(said, string(n))
		}
	}
	return Notice(strings.Join(said, ". "))
}

// Fit returns the nonempty notices that fit into Allowance together, preferring the first.
func Fit(notices ...Notice) (fitting []Notice) {
	for _, n := range notices {
		if n != "" && len(n) <= Room(fitting...) {
			fitting = append(fitting, n)
		}
	}
	return fitting
}

// Room returns the bytes of Allowance that these notices leave for one more. It may be negative.
func Room(notices ...Notice) int {
	const text, more = "x", Notice("x")
	whole := Append(text, append(slices.Clip(notices), more)...)
	return Allowance - len(whole) + len(text) + len(more)
}

func IfRoom(n Notice, others ...Notice) Notice {
	if len(n) > Room(others...) {
		return ""
	}
	return n
}

func Paragraph(text, paragraph string) string {
	switch {
	case text == "":
		return paragraph
	case strings.HasSuffix(text, "\n"):
		return text + "\n" + paragraph
	}
	return text + "\n\n" + paragraph
}

// Lowered says that an argument was over its maximum. It is empty if n is not.
func Lowered(argument string, n, most int64) Notice {
	if n <= most {
		return ""
	}
	return Notice(fmt.Sprintf("%s was lowered to %d, the maximum", argument, most))
}

func inFile(path string) string {
	if path == "" {
		return ""
	}
	return "path=" + path + " "
}

// andMore lists the first names, and says how many more of all there are.
func andMore(first []string, all int) string {
	if n := all - len(first); n > 0 {
		first = append(first[:len(first):len(first)], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(first, ", ")
}

// names lists the first of total names: ": a, b and 3 more". The list takes at most room bytes; it is empty if that is
// too little for the first name.
func names(list []string, total, room int) string {
	text, sep := "", ": "
	for i, name := range list {
		more := fmt.Sprintf(" and %d more", total-i)
		switch {
		case len(text)+len(sep)+len(name)+len(more) <= room:
		case i == 0:
			return ""
		default:
			return text + more
		}
		text, sep = text+sep+name, ", "
	}
	if more := total - len(list); more > 0 && text != "" {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func byLimit(by truncation.Reason, maxBytes int) string {
	if by != truncation.ByBytes {
		return ""
	}
	return fmt.Sprintf(" (%s limit)", size.Format(int64(maxBytes)))
}

// Count formats a number of things: "1 line", "2 lines".
func Count(n int, word string) string { return fmt.Sprintf("%d %s", n, plural(n, word)) }

// Lines returns the number of lines of a text, of which the last may lack its newline.
func Lines(text string) int {
	return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + min(len(text), 1)
}

func plural(n int, word string) string { return pluralOf(n, word, word+"s") }

func pluralOf(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Images counts the images that are left out of a result.
type Images struct {
	Left     int   // images without room
	Bytes    int64 // their size
	Max      int   // images that a result may hold
	MaxBytes int64 // bytes that they may have together

	NoImages int    // images whose MIME type is not that of an image
	Type     string // the MIME type of the first of these
}

func (n Images) Notice() Notice {
	var said []string
	if n.Left > 0 {
		said = append(said, fmt.Sprintf("%s left out (%s): a result holds at most %d images, together %s",
			Count(n.Left, "image"), size.Format(n.Bytes), n.Max, size.Format(n.MaxBytes)))
	}
	if n.NoImages > 0 {
		said = append(said, fmt.Sprintf("%s left out for a MIME type that is not an image's: %s",
			Count(n.NoImages, "image"), n.Type))
	}
	return Notice(strings.Join(said, ". "))
}
