package notice

import (
	"fmt"
	"strings"
)

// Rendered describes what a page of a file in a format leaves out.
type Rendered struct {
	Failed    string // why the file is shown as plain text; "" if it is not
	Images    int    // images of the page without room
	Line      int    // the line in place of the first of them
	Undecoded int    // images of the page that cannot be decoded
	Path      string // the file, or "" if it is clear
	Note      string // what the format reports
}

const MoreCells = "The notebook has more cells than these. Use raw=true to read it as it is"

func (n Rendered) Notice() Notice {
	var said []string
	if n.Failed != "" {
		said = append(said, "Shown as plain text, because "+n.Failed)
	}
	if n.Undecoded > 0 {
		said = append(said, Count(n.Undecoded, "image")+" cannot be decoded")
	}
	if n.Images > 0 {
		said = append(said, fmt.Sprintf("%s left out for lack of room. Use %soffset=%d to see the first",
			Count(n.Images, "image"), inFile(n.Path), n.Line))
	}
	if n.Note != "" {
		said = append(said, n.Note)
	}
	return Notice(strings.Join(said, ". "))
}
