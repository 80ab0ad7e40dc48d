package preview

import (
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

// Command returns what a command line would run: as it is, and then the simple commands that it has, if these are
// several or not all of it can be known.
func Command(headline, text string, line commandline.Line, limits Limits) string {
	w := &page{Limits: limits, cut: true, noDiff: true}
	w.list(headline+":", strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
	var commands, unknown []string
	for _, c := range line.Commands {
		said := c.Text
		for _, r := range c.Redirects {
			if !strings.Contains(said, r.Text) {
				said += " " + r.Text
			}
		}
		commands = append(commands, said)
		if c.Unknown != "" {
			unknown = append(unknown, c.Unknown)
		}
	}
	if line.Unknown != "" {
		unknown = append(unknown, line.Unknown)
	}
	if len(commands) > 1 {
		w.list("These commands:", commands)
	}
	if len(unknown) > 0 {
		w.list("Not known from its text:", unknown)
	}
	return w.done()
}

func (w *page) list(title string, lines []string) {
	w.block(func(put func(string)) {
		put(title)
		for _, line := range lines {
			put("  " + w.line(line, false))
		}
	})
}
