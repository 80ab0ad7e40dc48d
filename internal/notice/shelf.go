package notice

import (
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/size"
)

// Shelved is a result in a file, for which one line stands in the conversation.
type Shelved struct {
	Tool   string     // its name; "" if unknown
	Lines  int        // of the file; -1 if unknown
	Bytes  int64      // of the file
	State  string     // the state of the command or job, such as "exit code 1"; "" for nothing to say
	Error  bool       // the call failed
	Code   string     // of the error; "" if unknown
	Images []PutAside // shown before, but in no file
	Said   Notice     // notices that are not in the file
	File   string     // in the form for the reader of the line
	Stderr string     // the file with stderr, if separate; else ""
}

type PutAside struct {
	Type  string // "PNG"
	Bytes int64
}

const maxImagesNamed = 5

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
