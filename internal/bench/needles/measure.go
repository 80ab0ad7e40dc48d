package main

import (
	"slices"
	"strings"

	"github.com/spillway-go/spillway/truncation"
)

// outcome is what a strategy makes of a text.
type outcome struct {
	Text
	strategy string
	bytes    int      // of what is shown
	tokens   int      // of it, by the estimate of package truncation
	missed   []string // needles that are not in it
	named    int      // lines that stand out
	false    []string // those of them that tell nothing
}

// measure applies a strategy to the text.
func (r recording) measure(s strategy) outcome {
	shown, standout := s.show(r.text)
	o := outcome{Text: r.Text, strategy: s.name, bytes: len(shown), tokens: truncation.EstimateTokens(shown), named: len(standout)}
	for _, n := range r.Needles {
		if !strings.Contains(shown, n) {
			o.missed = append(o.missed, n)
		}
	}
	for _, line := range standout {
		if !r.tells(line) {
			o.false = append(o.false, line)
		}
	}
	return o
}

// tells reports whether a line that stands out has a needle, belongs to one or may stand out. Of a line that was
// shortened, with or without dots at its ends, some line of the text that it could be must do so.
func (r recording) tells(named string) bool {
	named = strings.TrimSpace(named)
	if r.expected(named) {
		return true
	}
	named = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(named, "..."), "…"))
	if named == "" {
		return false
	}
	return slices.ContainsFunc(r.lines, func(line string) bool {
		return strings.HasPrefix(line, named) && r.expected(line)
	})
}

// expected reports whether a whole line has a needle, belongs to one or may stand out.
func (r recording) expected(line string) bool {
	return contains(line, r.Needles) || contains(line, r.Also) || r.blocks[line]
}
