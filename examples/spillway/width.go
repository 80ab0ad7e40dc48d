package main

import (
	"cmp"
	"io"
	"os"
	"strconv"
	"strings"
)

// The widths that text is wrapped at.
const (
	usualWidth  = 80  // where there is no terminal
	leastWidth  = 40  // for which flags and their texts stand side by side
	widestWidth = 120 // longer lines are hard to read
)

// widthOf is the number of columns to print text in: what COLUMNS says, else the width of the terminal, else 80.
func widthOf(out io.Writer) int {
	given, _ := strconv.Atoi(os.Getenv("COLUMNS"))
	if file := fileOf(out); file != nil && given <= 0 {
		given = columns(file)
	}
	return min(max(cmp.Or(max(given, 0), usualWidth), leastWidth), widestWidth)
}

// fileOf is the file that a command's output goes to, or nil.
func fileOf(out io.Writer) *os.File {
	if p, ok := out.(*printer); ok {
		out = p.to
	}
	file, _ := out.(*os.File)
	return file
}

// colourful reports whether out is a terminal whose owner likes colours.
func colourful(out io.Writer) bool {
	file := fileOf(out)
	return file != nil && isTerminal(file) && os.Getenv("NO_COLOR") == ""
}

// wrap divides text into lines of at most width characters, at its spaces. A longer word has a line of its own.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case len([]rune(line))+1+len([]rune(word)) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// fill writes text as lines of at most width characters, indented.
func fill(w io.StringWriter, text string, indent, width int) {
	for _, line := range wrap(text, width-indent) {
		_, _ = w.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+line, " ") + "\n")
	}
}

// column writes a row of two columns: a name, indented, and a text that is wrapped where it begins. A name that is too long
// for its column has a line of its own.
func column(w io.StringWriter, name, text string, indent, at, width int) {
	name = strings.Repeat(" ", indent) + name
	var filled strings.Builder
	fill(&filled, text, at, width)
	if gap := at - len([]rune(name)); gap >= 2 {
		_, _ = w.WriteString(name + strings.Repeat(" ", gap) + strings.TrimLeft(filled.String(), " "))
	} else {
		_, _ = w.WriteString(name + "\n" + filled.String())
	}
}
