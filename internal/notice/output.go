package notice

import (
	"slices"
	"strings"

	"github.com/spillway-go/spillway/config"
	"github.com/spillway-go/spillway/truncation"
)

// OutputIn returns the lines of output in a text. What is shown of the output begins at a byte of the text. cut says which
// of its lines a marker or a digest added; it is nil if there are none.
func OutputIn(text string, at int, shown string, cut *truncation.Result) (lines []config.Lines) {
	var r truncation.Result
	if cut != nil {
		r = *cut
	}
	r.Text = shown // a line break may have been added
	for _, run := range r.Runs() {
		if run[0] < run[1] {
			lines = append(lines, config.Lines{At: run[0] + 1, Count: run[1] - run[0]})
		}
	}
	return Below(strings.Count(text[:at], "\n"), lines)
}

// Below returns lines of a text that now has so many others in front.
func Below(n int, lines []config.Lines) []config.Lines {
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i].At += n
	}
	return lines
}
