package notice

import (
	"fmt"
	"strings"

	"github.com/spillway-go/spillway/internal/textfile"
)

// Format describes the bytes of a text file.
type Format struct {
	Encoding    string // as in textfile.Info
	LineEndings string // as in textfile.Info
	Guessed     bool   // the encoding is a guess
	Path        string // the file, or "" if it is clear
	Edit        bool   // the suite has the tool edit
}

var formats = map[string]string{
	textfile.UTF8: "", textfile.UTF8BOM: "UTF-8 with BOM", textfile.UTF16LE: "UTF-16LE", textfile.UTF16BE: "UTF-16BE",
	"crlf": "CRLF", "lf": "LF", "cr": "CR", "mixed": "mixed line endings",
}

// name returns the display name of an encoding or of line endings.
func (Format) name(of string) string {
	if name, ok := formats[of]; ok {
		return name
	}
	return of
}

// String returns the encoding and the line endings, such as "UTF-16LE, CRLF"; "" for UTF-8 with LF.
func (f Format) String() string {
	encoding, endings := f.name(f.Encoding), f.name(f.LineEndings)
	if encoding == "" && f.LineEndings == "lf" {
		return ""
	}
	return strings.Trim(encoding+", "+endings, ", ")
}

func (f Format) in() string {
	if s := f.String(); s != "" {
		return " (" + s + ")"
	}
	return ""
}

// Notice says what the bytes behind the shown lines are. It is empty for UTF-8 with LF.
func (f Format) Notice() Notice {
	encoding, endings := f.name(f.Encoding), ""
	if f.LineEndings != "" {
		endings = strings.TrimSuffix(f.name(f.LineEndings), " line endings") + " line endings"
	}
	keeps := ""
	if f.Edit {
		keeps = ", which edit keeps"
	}
	switch {
	case f.String() == "":
		return ""
	case f.Guessed:
		said := fmt.Sprintf("The file seems to be %s and was decoded as that%s. Use %sencoding=NAME if it is another",
			encoding, strings.Replace(keeps, ", which edit keeps", "; edit keeps it", 1), inFile(f.Path))
		if f.LineEndings != "lf" && endings != "" {
			said += ". It has " + endings
		}
		return Notice(said)
	case encoding == "":
		return Notice("The file has " + endings + keeps)
	case endings == "":
		return Notice("The file is in " + encoding + keeps)
	}
	with := " with "
	if strings.Contains(encoding, with) {
		with = " and "
	}
	return Notice("The file is in " + encoding + with + endings + keeps)
}
