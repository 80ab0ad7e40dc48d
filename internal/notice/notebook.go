package notice

import (
	"fmt"
	"strings"
)

// Notebook is what a page of a notebook does not show.
type Notebook struct {
	Broken    error  // why the file is shown as plain text; nil if it is not
	CellsLeft bool   // the notebook has more cells than are shown
	Images    int    // images of the page for which there was no room
	Line      int    // the line in place of the first of them
	Undecoded int    // images of the page that cannot be decoded
	Path      string // the file, or "" if it is clear
}

// Notice says what is not shown, and how to see it.
func (n Notebook) Notice() Notice {
	var said []string
	if n.Broken != nil {
		said = append(said, "Shown as plain text, because it cannot be read as a notebook: "+n.Broken.Error())
	}
	if n.Undecoded > 0 {
		said = append(said, Count(n.Undecoded, "image")+" cannot be decoded")
	}
	if n.Images > 0 {
		said = append(said, fmt.Sprintf("%s left out for lack of room. Use %soffset=%d to see the first",
			Count(n.Images, "image"), inFile(n.Path), n.Line))
	}
	if n.CellsLeft {
		said = append(said, "The notebook has more cells than these. Use raw=true to read it as it is")
	}
	return Notice(strings.Join(said, ". "))
}
