package loop

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spillway-go/spillway/tools/record"
	"golang.org/x/text/width"
)

// split takes what a tool says behind its output off a text. A text without output is all that there is to show.
func split(text string, facts *record.Facts) (body, notices []string) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if facts == nil || len(facts.Output) == 0 {
		return lines, nil
	}
	last := facts.Output[len(facts.Output)-1]
	end := min(last.At-1+last.Count, len(lines))
	return lines[:end], slices.DeleteFunc(slices.Clone(lines[end:]), func(line string) bool { return line == "" })
}

// preview picks the lines of a result that a person is shown, and counts the
// others: the first that hold a word, or the last of what a command printed.
func preview(lines []string, command bool) (head []string, hidden int, tail []string) {
	if len(lines) <= previewWhole {
		return lines, 0, nil
	}
	said := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return !strings.ContainsFunc(line, unicode.IsLetter) })
	keep := min(previewLines, len(said))
	if command {
		return nil, len(lines) - keep, said[len(said)-keep:]
	}
	return said[:keep], len(lines) - keep, nil
}

// cells is the width of text in a terminal.
func cells(text string) int {
	n := 0
	for _, r := range text {
		n += cellsOf(r)
	}
	return n
}

func cellsOf(r rune) int {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	return 1
}

// cut makes a line of at most width cells that does nothing to a terminal: a file
// may hold escape sequences, and characters that turn the direction of what follows.
func cut(line string, width int) string {
	line = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return '·'
		}
		return r
	}, strings.ReplaceAll(line, "\t", "    "))
	if cells(line) <= width {
		return line
	}
	for cells(line) > width-1 && line != "" {
		_, size := utf8.DecodeLastRuneInString(line)
		line = line[:len(line)-size]
	}
	return line + "…"
}

// wrap breaks text into lines of at most width cells, between words where it can.
func wrap(text string, width int) []string {
	var lines []string
	for paragraph := range strings.Lines(text) {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && cells(line)+1+cells(word) > width {
				lines = append(lines, line)
				line = ""
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		lines = append(lines, line)
	}
	return lines
}

// Plural is a word as it is said of n things.
func Plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
