package rules

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/spillway-go/spillway/internal/commandline"
)

// pattern is the pattern of one word: texts and stars.
type pattern []piece

// piece is a text, or any characters.
type piece struct {
	text string
	star bool
}

// any reports whether the pattern is * alone.
func (p pattern) any() bool { return len(p) == 1 && p[0].star }

// literal returns the only text that the pattern matches.
func (p pattern) literal() (text string, ok bool) {
	switch {
	case len(p) == 0:
		return "", true
	case len(p) > 1 || p[0].star:
		return "", false
	}
	return p[0].text, true
}

// patterns reads the words of a bash rule, with the quoting of a shell.
func patterns(text string) (words []pattern, err error) {
	var word pattern
	var b strings.Builder
	in := false
	flush := func() {
		if b.Len() > 0 {
			word = append(word, piece{text: b.String()})
			b.Reset()
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ':
			if flush(); in {
				words = append(words, word)
			}
			word, in = nil, false
			continue
		case '*':
			flush()
			if n := len(word); n == 0 || !word[n-1].star {
				word = append(word, piece{star: true})
			}
		case '\\':
			if i++; i == len(text) {
				return nil, errors.New(`words that do not end in \`)
			}
			b.WriteByte(text[i])
		case '\'', '"':
			end, ok := quoted(text, i, &b)
			if !ok {
				return nil, errors.New("words with balanced quotes, such as bash(git log --format='%h %s')")
			}
			i = end
		default:
			b.WriteByte(c)
		}
		in = true
	}
	if flush(); in {
		words = append(words, word)
	}
	if len(words) == 0 {
		return nil, errors.New("bash alone, or with the words of a command in the parentheses")
	}
	return words, nil
}

// quoted reads the text in quotes that begins at i, and returns where it ends.
func quoted(text string, i int, b *strings.Builder) (end int, ok bool) {
	mark := text[i]
	for i++; i < len(text); i++ {
		switch {
		case text[i] == mark:
			return i, true
		case mark == '"' && text[i] == '\\' && i+1 < len(text) && strings.IndexByte("\"\\$`", text[i+1]) >= 0:
			i++
		}
		b.WriteByte(text[i])
	}
	return 0, false
}

// truth is whether something is so, as far as that is known.
type truth int

const (
	no truth = iota
	maybe
	yes
)

// matchWords reports whether words match the patterns of a rule.
func matchWords(patterns []pattern, words []commandline.Word) truth {
	result := yes
	for {
		switch {
		case len(patterns) == 1 && patterns[0].any():
			return result
		case len(words) == 0:
			if len(patterns) > 0 {
				return no
			}
			return result
		case len(patterns) == 0:
			for _, w := range words {
				if !w.Many {
					return no
				}
			}
			return min(result, maybe) // they may all become nothing
		}
		w := words[0]
		if w.Many {
			if couldBe(patterns[0], w) {
				return maybe
			}
			result, words = maybe, words[1:] // it may become nothing
			continue
		}
		switch {
		case w.Known && !matchText(patterns[0], w.Text), !w.Known && !couldBe(patterns[0], w):
			return no
		case !w.Known && !patterns[0].any():
			result = maybe
		}
		patterns, words = patterns[1:], words[1:]
	}
}

// couldBe reports whether a word that is not known could be one that matches.
func couldBe(p pattern, w commandline.Word) bool {
	if len(p) == 0 {
		return w.Prefix == ""
	}
	if p[0].star {
		return true
	}
	text := p[0].text
	if len(p) == 1 && len(w.Prefix) > len(text) {
		return false
	}
	n := min(len(text), len(w.Prefix))
	return text[:n] == w.Prefix[:n]
}

// matchText reports whether a text matches the pattern of one word.
func matchText(p pattern, text string) bool {
	for i, part := range p {
		switch {
		case part.star && i == len(p)-1:
			return true
		case part.star:
			continue
		case i == 0:
			if !strings.HasPrefix(text, part.text) {
				return false
			}
			text = text[len(part.text):]
		case i == len(p)-1:
			return strings.HasSuffix(text, part.text)
		default:
			at := strings.Index(text, part.text)
			if at < 0 {
				return false
			}
			text = text[at+len(part.text):]
		}
	}
	return text == ""
}

// exactRules returns the rule that allows a command and no other; none if that cannot be said.
func exactRules(c *commandline.Command) []string {
	words := slices.Concat(assigned(c), c.Words)
	texts := make([]string, len(words))
	for i, w := range words {
		if !w.Known || strings.ContainsFunc(w.Text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return nil
		}
		texts[i] = inQuotes(w.Text)
	}
	if texts[0] == "readonly" { // that of a rule is not the command
		texts[0] = "'readonly'"
	}
	return []string{bash + "(" + strings.Join(texts, " ") + ")"}
}

// inQuotes returns a word as a pattern that matches it alone.
func inQuotes(word string) string {
	if word != "" && strings.IndexFunc(word, needsQuotes) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func needsQuotes(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./,=+%:@^~#!", r)
}
