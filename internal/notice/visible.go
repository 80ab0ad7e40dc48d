package notice

import (
	"strings"
	"unicode"
)

// Visible returns a text, beside so many images, with something to see.
func Visible(text string, images int) string {
	switch {
	case text == "" && images > 0:
		return "(" + Count(images, "image") + ")"
	case text == "":
		return "(empty result)"
	}
	return Append(text, unseen(text))
}

// unseen says what a text without a visible character is. It is empty for others.
func unseen(text string) Notice {
	spaces, ends := true, true
	for _, r := range text {
		if visible(r) {
			return ""
		}
		spaces = spaces && unicode.IsSpace(r)
		ends = ends && (r == '\n' || r == '\r')
	}
	switch {
	case ends && strings.Contains(text, "\n"):
		return Notice(Count(Lines(text), "empty line"))
	case spaces:
		return Notice("Only white space: " + Count(len(text), "byte"))
	}
	return Notice("Only invisible characters: " + Count(len(text), "byte"))
}

// invisible are the characters that take no ink. The tables of the standard library lack what Unicode has assigned since,
// which is more often a new emoji than a new space: what is not known is visible.
var invisible = []*unicode.RangeTable{
	unicode.White_Space, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector,
}

// visible reports whether a reader sees a character.
func visible(r rune) bool {
	const blank = '\u2800' // a Braille pattern without dots, a symbol for Unicode
	if '!' <= r && r <= '~' {
		return true
	}
	return r != blank && (!unicode.In(r, invisible...) || unicode.Is(unicode.Prepended_Concatenation_Mark, r))
}
