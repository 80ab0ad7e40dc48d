package readonly_test

import (
	"strings"

	"github.com/spillway-go/spillway/internal/commandline"
)

// words splits a simple command as a shell does. A variable is a word that is not known: several, if it is not quoted.
func words(line string) (words []commandline.Word) {
	for len(line) > 0 {
		line = strings.TrimLeft(line, " ")
		if line == "" {
			break
		}
		var w commandline.Word
		w, line = word(line)
		words = append(words, w)
	}
	return words
}

func word(line string) (commandline.Word, string) {
	var text strings.Builder
	w := commandline.Word{Known: true}
	open := true // the text so far is what the word begins with
	var quote byte
	i := 0
	unknown := func(many bool) {
		w.Known, w.Many = false, w.Many || many
		if open {
			w.Prefix, open = text.String(), false
		}
	}
	for ; i < len(line) && (quote != 0 || line[i] != ' '); i++ {
		switch c := line[i]; {
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(line):
			i++
			if quote == '"' && !strings.ContainsRune("$`\"\\", rune(line[i])) {
				text.WriteByte(c)
			}
			text.WriteByte(line[i])
		case c == '$' && quote != '\'' && i+1 < len(line) && line[i+1] >= 'a' && line[i+1] <= 'z':
			unknown(quote == 0)
			for i+1 < len(line) && line[i+1] >= 'a' && line[i+1] <= 'z' {
				i++
			}
		case (c == '*' || c == '?') && quote == 0:
			w.Glob = true
			unknown(true)
			text.WriteByte(c)
		default:
			text.WriteByte(c)
		}
	}
	w.Text = text.String()
	if !w.Known && !w.Glob {
		w.Text = line[:i]
	}
	return w, line[i:]
}
