package notice

import (
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/size"
)

// Shelved is a result that is in a file, in place of which the conversation has one line.
type Shelved struct {
	Tool   string     // its name; "" if it is not known
	Lines  int        // of the file; -1 if it is not known
	Bytes  int64      // of the file
	State  string     // how the command or its job stands, such as "exit code 1"; "" if there is nothing to say
	Error  bool       // the call failed
	Code   string     // how; "" if it is not known
	Images []PutAside // that were shown, and are in no file
	Said   Notice     // what the file does not say
	File   string     // as the reader of the line can use it
	Stderr string     // the file with stderr, if that is apart; else ""
}

// PutAside is an image that is not shown any more.
type PutAside struct {
	Type  string // "PNG"
	Bytes int64
}

// maxImagesNamed is the number of images whose types and sizes are told.
const maxImagesNamed = 5

// Line returns the line.
func (s Shelved) Line() string {
	var facts []string
	if s.Lines >= 0 {
		facts = append(facts, Count(s.Lines, "line"))
	}
	facts = append(facts, size.Format(s.Bytes))
	if s.State != "" {
		facts = append(facts, s.State)
	}
	if s.Error {
		facts = append(facts, strings.TrimSuffix("error "+s.Code, " "))
	}
	if images := ImagesNotKept(s.Images); images != "" {
		facts = append(facts, string(images))
	}
	head := strings.Join(facts, ", ")
	if s.Tool != "" {
		head = s.Tool + ": " + head
	}
	where := "Full result: " + s.File
	if s.Stderr != "" {
		where += ", stderr: " + s.Stderr
	}
	return Append("", Notice(head), s.Said, Notice(where))
}

// ImagesNotKept says which images are no longer shown.
func ImagesNotKept(images []PutAside) Notice {
	if len(images) == 0 {
		return ""
	}
	var list []string
	for _, i := range images[:min(len(images), maxImagesNamed)] {
		list = append(list, i.Type+" "+size.Format(i.Bytes))
	}
	return Notice(fmt.Sprintf("%s not kept (%s)", Count(len(images), "image"), andMore(list, len(images))))
}
