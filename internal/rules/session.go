package rules

import (
	"slices"
	"strings"
	"unicode"

	"github.com/spillway-go/spillway/internal/commandline"
)

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
	rule := bash + "(" + strings.Join(texts, " ") + ")"
	if rule == "bash(readonly)" {
		rule = "bash('readonly')"
	}
	return []string{rule}
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
