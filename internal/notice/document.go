package notice

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/spillway-go/spillway/truncation"
)

// A Document is a JSON document that is shown in part.
type Document struct {
	truncation.Document
	Pretty string // a file with a line for each value; "" if there is none
}

func (d Document) Notice() Notice {
	said := ""
	if d.Pretty != "" {
		said = "The same with a line for each value: " + d.Pretty + ". "
	}
	const longest = 200 // bytes of a path
	if d.Left == "" || len(d.Left) > longest {
		if d.OneLine && d.Pretty == "" {
			return jqAlone
		}
		return Notice(said + "Use grep, or read with an offset, to get a part")
	}
	ways, filter := ", or grep", jqFilter(d.Left)
	if filter != "" {
		ways = ", grep, or jq '" + filter + "'"
	}
	switch {
	case d.Pretty != "":
		said += "In that file "
	case d.OneLine && filter == "":
		return jqAlone
	case d.OneLine:
		return Notice("To get " + d.Left + ", use jq '" + filter + "'")
	default:
		said = "The part "
	}
	column := ""
	if d.Column > 0 {
		column = fmt.Sprintf(" column=%d", d.Column)
	}
	return Notice(fmt.Sprintf("%s%s begins at line %d. Use offset=%d%s to read it%s",
		said, d.Left, d.Line, d.Line, column, ways))
}

// jqAlone is for a document that has no line numbers to offer.
const jqAlone = Notice("Use jq to get a part")

// places are the steps of a path that jq takes as they are.
var places = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\$((?:\.[A-Za-z_][A-Za-z0-9_]*|\[\d+\])*)\[(\d+)(?:\.\.(\d+))?\]$`)
})

// jqFilter returns the path of part of an array in the form of jq, or "" if its names are unusual.
func jqFilter(path string) string {
	m := places().FindStringSubmatch(path)
	if m == nil {
		return ""
	}
	begin := m[1]
	if !strings.HasPrefix(begin, ".") {
		begin = "." + begin
	}
	if m[3] == "" {
		return begin + "[" + m[2] + "]"
	}
	last, err := strconv.Atoi(m[3])
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s[%s:%d]", begin, m[2], last+1)
}
