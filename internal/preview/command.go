package preview

import (
	"strings"

	"github.com/spillway-go/spillway/config"
)

// Command returns a command line and, if it has several simple commands or is not completely known, a list of these.
// unknownLine says what is unknown about the whole line.
func Command(headline, text string, list []config.Command, unknownLine string, limits Limits) string {
	w := &page{Limits: limits, cut: true, noDiff: true}
	w.list(headline+":", strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
	var commands, unknown []string
	for _, c := range list {
		said := c.Text
		for _, r := range c.Redirects {
			if !strings.Contains(said, r) {
				said += " " + r
			}
		}
		commands = append(commands, said)
		if c.Unknown != "" {
			unknown = append(unknown, c.Unknown)
		}
	}
	if unknownLine != "" {
		unknown = append(unknown, unknownLine)
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
