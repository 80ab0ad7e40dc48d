package demo

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spillway-go/spillway/tools"
)

// Screen is where calls are printed.
type Screen struct {
	Out    io.Writer
	Colour bool // notices are yellow, errors red
	Width  int  // columns after which a line is continued in the next one; 0 leaves lines as they are
}

// The styles, as parameters of the escape sequence.
const (
	bold   = "1"
	dim    = "2"
	green  = "32"
	yellow = "33"
	red    = "31"
)

func (s Screen) style(style, text string) string {
	if !s.Colour || style == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// print prints the nth call and its result.
func (s Screen) print(n int, title, args string, res tools.Result) error {
	var b strings.Builder
	if n > 1 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s\n   %s %s\n", s.style(bold, fmt.Sprintf("%d. %s", n, title)), s.style(green, res.Tool), harmless(args))
	all := strings.Split(strings.TrimSuffix(res.Text, "\n"), "\n")
	for i, line := range all {
		style := ""
		switch {
		case res.IsError:
			style = red
		case i == len(all)-1 && strings.HasPrefix(line, "["): // the notice
			style = yellow
		}
		line = strings.ReplaceAll(line, "\t", "    ") // behind the bar a tab would end anywhere
		for _, part := range s.wrapped(harmless(line)) {
			bar := s.style(dim, "   │")
			if part != "" {
				bar += " "
			}
			b.WriteString(bar + s.style(style, part) + "\n")
		}
	}
	_, err := io.WriteString(s.Out, b.String())
	return err
}

// wrapped divides a line into those that fit behind the bar, at spaces where it has some.
func (s Screen) wrapped(line string) (parts []string) {
	room := s.Width - len("   | ")
	for s.Width > 0 && room > 0 && utf8.RuneCountInString(line) > room {
		runes := []rune(line)
		end := strings.LastIndex(string(runes[:room+1]), " ")
		if end <= 0 || strings.TrimSpace(line[:end]) == "" {
			end = len(string(runes[:room]))
		}
		parts = append(parts, strings.TrimRight(line[:end], " "))
		line = strings.TrimLeft(line[end:], " ")
	}
	return append(parts, line)
}

// harmless is a line that does nothing to a terminal but print: a file may hold
// escape sequences, and characters that turn the direction of what follows.
func harmless(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			return '·'
		}
		return r
	}, line)
}
